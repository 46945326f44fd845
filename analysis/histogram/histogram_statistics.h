/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The statistics of a histogram: their names, and how each is computed from the sums of a cell.
 *
 * The sums are over pieces, stretches of a row in which the views keep their values, or over messages, which have a
 * size and no length.
 */
#ifndef TND_HISTOGRAM_STATISTICS_H
#define TND_HISTOGRAM_STATISTICS_H

#include "analysis/histogram/histogram.h"

/* Sums over the n pieces of a cell, each of length l (in ns) and data value v.  "nonzero": over pieces where v is not
 * 0; "control_nonzero": where the value of the control view is not 0. */
typedef struct {
    guint64 n, n_nonzero;
    double l, l_squared, l_nonzero, l_control_nonzero, lv, l_magnitude, v, maximum, minimum;
    GArray *samples; /* double: one of each piece, for percentiles; NULL: none */
} TndHistogramSums;

/* Sums over the pieces of a row that are in any column, the length of the histogram's time, and the percentile. */
typedef struct {
    guint64 n;
    double l, l_control_nonzero, window_ns, percentile;
} TndHistogramRowSums;

typedef enum {
    TND_HISTOGRAM_OF_PIECES,
    TND_HISTOGRAM_OF_CALLS, /* cells are those of pieces */
    TND_HISTOGRAM_OF_SENDS,
    TND_HISTOGRAM_OF_RECEIVES,
} TndHistogramKind;

/* What is kept of each single piece. */
typedef enum {
    TND_HISTOGRAM_SAMPLE_NONE,
    TND_HISTOGRAM_SAMPLE_LENGTH,
    TND_HISTOGRAM_SAMPLE_VALUE,
} TndHistogramSample;

typedef struct {
    const char *name, *title;
    const char *paraver; /* its name in Paraver's configurations; NULL: Paraver does not have it */
    const char *unit;    /* NULL: the data view's */
    double (*value)(const TndHistogramSums *cell, const TndHistogramRowSums *row); /* called if the cell's n > 0 */
    TndHistogramKind kind;
    TndHistogramSample sample;
} TndHistogramStatistic;

extern const TndHistogramStatistic tnd_histogram_statistics_table[TND_STATISTIC_N];

/* Adds a piece of `length` ns with the values of the control and the data view. */
void tnd_histogram_statistics_add(const TndHistogramStatistic *statistic, TndHistogramSums *sums, double length,
                                  double control, double value);

/* Frees what n sums own, but not the sums. */
void tnd_histogram_statistics_clear(TndHistogramSums *sums, gsize n);

/* "% Time", "Percentile 90 of duration"; free with g_free. */
char *tnd_histogram_statistics_title(TndStatistic statistic, double percentile);

#endif
