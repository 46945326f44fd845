/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two traces as one, to be looked at beside each other: the rows of the second one follow those of the first one, each
 * trace may begin later, and both name values alike.  Where the second one gives a value another label than the first
 * one (functions are numbered anew in each run), its records get the value that has this label.
 *
 * What it is not: comments of the traces are left out, because they say what holds for one of them.
 *
 * Cost: about 100 ns a record, on all cores, and memory for the records of both.  The two traces are not needed
 * afterwards.
 */
#ifndef TND_TRACE_JOIN_H
#define TND_TRACE_JOIN_H

#include "analysis/trace/trace.h"

typedef struct {
    const TndTrace *trace;
    guint64 delay_ns; /* is added to all its times */
} TndTraceJoinPart;

/* alignment: for tnd_trace_alignment.  NULL and error: it was cancelled, or does not fit into the memory that the
 * process may have. */
TndTrace *tnd_trace_join(const TndTraceJoinPart parts[2], const char *alignment, TndTraceProgress progress,
                         gpointer user_data, GError **error);

#endif
