/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The values that occur in a view, and for each row the sums of the pieces of each value: columns are chosen by them,
 * and simple tables are filled from them.
 *
 * Cost: one pass over the bursts of all rows, on all cores.  The bursts are not kept.
 */
#ifndef TND_HISTOGRAM_VALUES_H
#define TND_HISTOGRAM_VALUES_H

#include "analysis/base/cores.h"
#include "analysis/histogram/histogram_statistics.h"

/* The n values of a row, in the order in which they first have a burst with a length, and their sums. */
typedef struct {
    guint n;
    double *values;
    TndHistogramSums *sums;
    double *others; /* values of further bursts by which Paraver chooses columns: those without length, and the first
                     * one after the stretch of time */
    guint n_others;
} TndHistogramRowValues;

typedef struct TndHistogramPlan TndHistogramPlan;

typedef struct {
    guint n_rows; /* of the view */
    TndHistogramRowValues *rows;
    guint n;
    double *values; /* of all rows, sorted */
} TndHistogramValues;

/* The values of the control view in the histogram's time; rows that are neither in the table nor choose its columns
 * have none.  *values stays NULL if there are too many values.  FALSE: the work was cancelled. */
gboolean tnd_histogram_values_new(TndHistogramPlan *plan, TndHistogramValues **values);
void tnd_histogram_values_free(TndHistogramValues *values);

#endif
