/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The statistics of a histogram: their names, and how each comes out of the sums that are kept for a cell.  For
 * histogram.c alone.
 *
 * What goes into a cell are pieces, stretches of a row in which the views keep their values, or messages, which have a
 * size and no length.
 */
#ifndef TND_HISTOGRAM_STATISTICS_H
#define TND_HISTOGRAM_STATISTICS_H

#include "analysis/histogram.h"

/* Over the pieces of a cell: n of them, of length l and data value v; nonzero is about v, control about the other view.
 */
typedef struct {
    guint64 n, n_nonzero;
    double l, l_squared, l_nonzero, l_control_nonzero, lv, l_magnitude, v, maximum, minimum;
} TndHistogramSums;

/* What is common to a row: over its pieces that fell into a column. */
typedef struct {
    guint64 n;
    double l, l_control_nonzero, window_ns;
} TndHistogramRowSums;

typedef enum {
    TND_HISTOGRAM_OF_PIECES,
    TND_HISTOGRAM_OF_SENDS,
    TND_HISTOGRAM_OF_RECEIVES,
} TndHistogramKind;

typedef struct {
    const char *name, *title, *paraver, *unit; /* paraver: what its configurations call it; unit NULL: the data's */
    double (*value)(const TndHistogramSums *cell, const TndHistogramRowSums *row); /* of a cell with n > 0 */
    TndHistogramKind kind;
} TndHistogramStatistic;

extern const TndHistogramStatistic tnd_histogram_statistics_table[TND_STATISTIC_N];

void tnd_histogram_statistics_add(TndHistogramSums *sums, double length, double value);

#endif
