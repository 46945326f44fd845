/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What rows come to by the values of a view: which occur, and sums of the pieces of each.  For histogram_filling.c and
 * those who choose columns.
 *
 * Cost: one pass over the bursts of all rows, on all cores, which are not kept.
 */
#ifndef TND_HISTOGRAM_VALUES_H
#define TND_HISTOGRAM_VALUES_H

#include "analysis/base/cores.h"
#include "analysis/histogram/histogram_statistics.h"

/* Of a row, in the order in which they first hold for some time. */
typedef struct {
    guint n;
    double *values;
    TndHistogramSums *sums;
    double *others; /* of bursts that Paraver looks at, too, when it chooses columns: those of no length, and the first
                     * one behind the stretch of time */
    guint n_others;
} TndHistogramRowValues;

typedef struct TndHistogramPlan TndHistogramPlan;

typedef struct {
    guint n_rows; /* all of the view */
    TndHistogramRowValues *rows;
    guint n;
    double *values; /* of all rows, sorted */
} TndHistogramValues;

/* Of the control view, over the histogram's time; rows that it does not look at have none.  *values NULL: there are too
 * many.  FALSE: progress ended it. */
gboolean tnd_histogram_values_new(TndHistogramPlan *plan, TndHistogramValues **values);
void tnd_histogram_values_free(TndHistogramValues *values);

#endif
