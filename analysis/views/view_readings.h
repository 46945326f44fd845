/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Readings: values of events that hold for more rows than their own.  The readings of a node's sensor are events in the
 * row of one of its threads; the memory of a process is an event in the row of the thread that measured it.  Both hold
 * for all rows of the node or the process.
 *
 * Cost: one pass over the events of the scope's rows; 24 bytes a reading while they are sorted by time.
 */
#ifndef TND_VIEW_READINGS_H
#define TND_VIEW_READINGS_H

#include "analysis/views/views.h"

/* For every row the first row of its scope; NULL if the scope is a thread.  Free with g_free. */
guint *tnd_view_readings_first_rows(const TndTrace *trace, TndViewScope scope);

typedef struct {
    guint64 time_ns;
    double value;
    guint type; /* index into the view's types */
} TndViewReading;

/* The readings (TndViewReading) of all rows in the scope of this row, by time; those of one time are in the order of
 * rows.  row: the first one of the scope.  Free with g_array_unref. */
GArray *tnd_view_readings_collect(const TndViewPlan *plan, const guint *first_rows, guint row);

/* Makes the bursts of a row.  The value is the latest reading; of several types, the latest of all, or the largest or
 * the sum of the latest of each. */
void tnd_view_readings_evaluate(TndSemanticRow *row, TndBurstStream *stream);

#endif
