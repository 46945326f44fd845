/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A histogram: a table rows x columns of a statistic, from a control view (which column) and a data view (which value),
 * defined as Paraver defines it.
 */
#ifndef TND_HISTOGRAM_H
#define TND_HISTOGRAM_H

#include "analysis/view.h"

#include <stdio.h>

typedef enum {
    TND_STATISTIC_TIME,             /* "time" */
    TND_STATISTIC_TIME_PERCENT,     /* "time-percent" */
    TND_STATISTIC_BURSTS,           /* "bursts" */
    TND_STATISTIC_AVERAGE_DURATION, /* "average-duration" (Paraver: Average Burst Time) */
    TND_STATISTIC_N,
} TndStatistic;

enum {
    TND_TOTAL_SUM,
    TND_TOTAL_AVERAGE,
    TND_TOTAL_MAXIMUM,
    TND_TOTAL_MINIMUM,
    TND_TOTAL_STDEV,
    TND_TOTAL_AVG_MAX,
    TND_TOTAL_N
};

typedef struct {
    guint n_rows, n_columns;
    char **row_names;
    char **column_names;
    char *unit;        /* "ns", "%", "" */
    double *cells;     /* [row * n_columns + column] */
    gboolean *present; /* whether the cell had at least one burst: totals are over these */
    double *totals;    /* [total * n_columns + column] */
    const TndViewRule *rule;
    TndStatistic statistic;
    guint64 begin_ns, end_ns;
} TndHistogram;

const char *tnd_histogram_statistic_name(TndStatistic statistic);
gboolean tnd_histogram_statistic_parse(const char *name, TndStatistic *statistic);
const char *tnd_histogram_total_name(guint total); /* "Total", "Average", ... */

/* Over [begin_ns, end_ns) of the trace; (0, G_MAXUINT64) is all of it.  Columns that are empty are left out. */
TndHistogram *tnd_histogram_new(TndView *control, TndStatistic statistic, guint64 begin_ns, guint64 end_ns,
                                GError **error);
void tnd_histogram_free(TndHistogram *histogram);

/* CSV: a header row with units, a row per thread, then the totals; is_long: row,column,value instead. */
gboolean tnd_histogram_write_csv(const TndHistogram *histogram, FILE *file, gboolean is_long, GError **error);

#endif
