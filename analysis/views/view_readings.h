/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Readings: values that belong to more rows than the one whose events they are.  What a sensor of a node read stands in
 * the row of one thread of it, what a process has in memory in the row of whichever thread found out; both hold for all
 * rows of the node or the process.
 *
 * Cost: one pass over the events of the scope's rows; 24 bytes a reading while they are sorted by time.
 */
#ifndef TND_VIEW_READINGS_H
#define TND_VIEW_READINGS_H

#include "analysis/views/views.h"

/* Of every row the first one of its scope; NULL for the scope of a thread.  Free with g_free. */
guint *tnd_view_readings_first_rows(const TndTrace *trace, TndViewScope scope);

/* A value that was read. */
typedef struct {
    guint64 time_ns;
    double value;
    guint type; /* place among the view's */
} TndViewReading;

/* Those in the rows of the scope that has this as its first row, in order of time.  Free with g_array_unref. */
GArray *tnd_view_readings_collect(const TndViewPlan *plan, const guint *first_rows, guint row);

/* The value at a moment: what was read last; of several types the last, the largest or the sum of what each has. */
void tnd_view_readings_evaluate(TndSemanticRow *row, TndBurstStream *stream);

#endif
