/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The states and events of a burst as lines of text, with the numbers that the trace has: those nearest to a moment.
 *
 * Cost: 6 to 9 ns for each record of the burst.
 */
#ifndef TND_BURST_RECORDS_H
#define TND_BURST_RECORDS_H

#include "analysis/views/view.h"

enum { TND_BURST_RECORDS_BEFORE = 40, TND_BURST_RECORDS_AFTER = 80 };

typedef struct {
    GPtrArray *lines;          /* of char *, in the order of time */
    guint here;                /* the line of the last record at or before the moment; lines->len: there is none */
    guint64 n_before, n_after; /* records that are left out before and after the lines */
} TndBurstRecords;

/* The rows of the view are threads, tasks, applications or the workload, not nodes or CPUs. */
TndBurstRecords tnd_burst_records_new(const TndView *view, guint row, const TndBurst *burst, guint64 at_ns);
void tnd_burst_records_clear(TndBurstRecords *records);

#endif
