/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The statistics of a histogram: their names, and how each comes out of the sums that are kept for a cell.  For
 * whoever fills a table.
 *
 * What goes into a cell are pieces, stretches of a row in which the views keep their values, or messages, which have a
 * size and no length.
 */
#ifndef TND_HISTOGRAM_STATISTICS_H
#define TND_HISTOGRAM_STATISTICS_H

#include "analysis/histogram/histogram.h"

/* Over the pieces of a cell: n of them, of length l and data value v; nonzero is about v, control about the other view.
 */
typedef struct {
    guint64 n, n_nonzero;
    double l, l_squared, l_nonzero, l_control_nonzero, lv, l_magnitude, v, maximum, minimum;
    GArray *samples; /* of double, for statistics that need each; NULL: none */
} TndHistogramSums;

/* What is common to a row: over its pieces that fell into a column. */
typedef struct {
    guint64 n;
    double l, l_control_nonzero, window_ns, percentile;
} TndHistogramRowSums;

typedef enum {
    TND_HISTOGRAM_OF_PIECES,
    TND_HISTOGRAM_OF_SENDS,
    TND_HISTOGRAM_OF_RECEIVES,
} TndHistogramKind;

/* What is kept of each piece. */
typedef enum {
    TND_HISTOGRAM_SAMPLE_NONE,
    TND_HISTOGRAM_SAMPLE_LENGTH,
    TND_HISTOGRAM_SAMPLE_VALUE,
} TndHistogramSample;

typedef struct {
    const char *name, *title, *paraver,
        *unit; /* paraver: what its configurations call it, NULL: not one of its; unit NULL: the data's */
    double (*value)(const TndHistogramSums *cell, const TndHistogramRowSums *row); /* of a cell with n > 0 */
    TndHistogramKind kind;
    TndHistogramSample sample;
} TndHistogramStatistic;

extern const TndHistogramStatistic tnd_histogram_statistics_table[TND_STATISTIC_N];

/* A piece more; value is that of the data. */
void tnd_histogram_statistics_add(const TndHistogramStatistic *statistic, TndHistogramSums *sums, double length,
                                  double control, double value);

/* What so many cells have; they themselves are the caller's. */
void tnd_histogram_statistics_clear(TndHistogramSums *sums, gsize n);

/* "% Time", "Percentile 90 of duration"; free with g_free. */
char *tnd_histogram_statistics_title(TndStatistic statistic, double percentile);

#endif
