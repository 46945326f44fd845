/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The samples of a trace as a table, by row and time.
 *
 * Columns: row (code), time_ns, weight_ns (the CPU time, or the time waited, that a sample stands for; 0: the trace
 * does not say), kind (code: TND_SAMPLE_KIND_...), function and line (codes: of the innermost frame), call_path (code:
 * "main;solve;dot", the innermost function last).
 *
 * Cost: one walk over the events of each row, and some 20 ns for each frame of a sample; on one core.
 */
#ifndef TND_SAMPLE_TABLE_H
#define TND_SAMPLE_TABLE_H

#include "analysis/tables/table.h"

enum {
    TND_SAMPLE_KIND_CPU,  /* "CPU" */
    TND_SAMPLE_KIND_REST, /* "CPU after the last sample", for whose weight the place of that sample stands */
    TND_SAMPLE_KIND_WAIT, /* "waiting" */
    TND_SAMPLE_KIND_N
};

/* NULL and error: the trace has no samples, not enough memory, or cancelled. */
TndTable *tnd_sample_table_new(const TndTrace *trace, const TndTableSelection *selection, GError **error);

#endif
