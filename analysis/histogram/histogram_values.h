/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What rows come to by the values of a view: which occur, and sums of the pieces of each.  For histogram.c alone.
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
} TndHistogramRowValues;

typedef struct {
    guint n_rows; /* all of the trace */
    TndHistogramRowValues *rows;
    guint n;
    double *values; /* of all rows, sorted */
} TndHistogramValues;

/* Of the options' stretch of time.  NULL: there are too many values, or who is told ended it. */
TndHistogramValues *tnd_histogram_values_new(TndView *view, const TndHistogramOptions *options, TndCoresTeller *teller);
void tnd_histogram_values_free(TndHistogramValues *values);

#endif
