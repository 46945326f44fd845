/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A histogram: a table rows x columns of a statistic, from a control view (which column) and a data view (which value),
 * defined as Paraver defines it.  Statistics of messages have the thread at the other end as their column: a
 * communication matrix.
 *
 * Cost: one pass over the bursts of the views, or over the messages.
 */
#ifndef TND_HISTOGRAM_H
#define TND_HISTOGRAM_H

#include "analysis/views/view.h"

#include <stdio.h>

/* The first four are what a menu offers first.  Paraver's name behind each. */
typedef enum {
    TND_STATISTIC_TIME,                      /* "time": Time */
    TND_STATISTIC_TIME_PERCENT,              /* "time-percent": % Time */
    TND_STATISTIC_BURSTS,                    /* "bursts": # Bursts */
    TND_STATISTIC_AVERAGE_DURATION,          /* "average-duration": Average Burst Time */
    TND_STATISTIC_STDEV_DURATION,            /* "stdev-duration": Stdev Burst Time */
    TND_STATISTIC_TIME_PERCENT_NONZERO,      /* "time-percent-not-zero": % Time Not Zero */
    TND_STATISTIC_WINDOW_PERCENT,            /* "window-time-percent": % Window Time */
    TND_STATISTIC_BURSTS_PERCENT,            /* "bursts-percent": % # Bursts */
    TND_STATISTIC_INTEGRAL,                  /* "integral": Integral */
    TND_STATISTIC_AVERAGE_VALUE,             /* "average-value": Average value */
    TND_STATISTIC_MAXIMUM,                   /* "maximum": Maximum */
    TND_STATISTIC_MINIMUM,                   /* "minimum": Minimum */
    TND_STATISTIC_AVERAGE_PER_BURST,         /* "average-per-burst": Average per Burst */
    TND_STATISTIC_AVERAGE_VALUE_NONZERO,     /* "average-value-not-zero": Average value != 0 */
    TND_STATISTIC_AVERAGE_PER_BURST_NONZERO, /* "average-per-burst-not-zero": Average per Burst != 0 */
    TND_STATISTIC_BURSTS_NONZERO,            /* "bursts-not-zero": # Bursts != 0 */
    TND_STATISTIC_SUM_BURSTS,                /* "sum-bursts": Sum bursts */

    /* Of messages: the columns are the threads at the other end, whatever the view. */
    TND_STATISTIC_SENDS,                  /* "sends": #Sends */
    TND_STATISTIC_RECEIVES,               /* "receives": #Receives */
    TND_STATISTIC_BYTES_SENT,             /* "bytes-sent": Bytes sent */
    TND_STATISTIC_BYTES_RECEIVED,         /* "bytes-received": Bytes received */
    TND_STATISTIC_AVERAGE_BYTES_SENT,     /* "average-bytes-sent": Average bytes sent */
    TND_STATISTIC_AVERAGE_BYTES_RECEIVED, /* "average-bytes-received": Average bytes received */
    TND_STATISTIC_MINIMUM_BYTES_SENT,     /* "minimum-bytes-sent": Minimum bytes sent */
    TND_STATISTIC_MINIMUM_BYTES_RECEIVED, /* "minimum-bytes-received": Minimum bytes received */
    TND_STATISTIC_MAXIMUM_BYTES_SENT,     /* "maximum-bytes-sent": Maximum bytes sent */
    TND_STATISTIC_MAXIMUM_BYTES_RECEIVED, /* "maximum-bytes-received": Maximum bytes received */

    /* Not Paraver's.  Other percentiles are these, with a percentile. */
    TND_STATISTIC_MEDIAN_DURATION,       /* "median-duration" */
    TND_STATISTIC_MEDIAN_VALUE,          /* "median-value" */
    TND_STATISTIC_MEDIAN_BYTES_SENT,     /* "median-bytes-sent" */
    TND_STATISTIC_MEDIAN_BYTES_RECEIVED, /* "median-bytes-received" */
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

/* One that had a burst, or a message either way. */
typedef struct {
    guint column;
    double value;
} TndHistogramCell;

typedef struct {
    guint n_rows, n_columns;
    char **row_names;
    char **column_names;
    char *unit;              /* "ns", "%", "" */
    TndHistogramCell *cells; /* by rows, in each by columns; totals are over these, the others are 0 */
    gsize *first;            /* of a row; behind the last one, where that ends */
    double *totals;          /* [total * n_columns + column] */
    char *subject;           /* what the columns are, as a title: "MPI calls", "Messages, by partner" */
    TndStatistic statistic;
    char *title;          /* the statistic's */
    gboolean is_vertical; /* rows are what columns usually are */
    guint64 begin_ns, end_ns;
    int decimals; /* of the numbers of a CSV; 10, as Paraver writes them */
} TndHistogram;

/* How the columns stand. */
typedef struct {
    gboolean keeps_empty; /* those whose total is 0, too */
    gboolean is_sorted;   /* by this total, the largest first; equal ones turn round, as in Paraver */
    guint by;
    gboolean is_reversed;
    gboolean is_vertical; /* downwards */
} TndHistogramLayout;

/* Everything that can be chosen; what is 0 is the default. */
typedef struct {
    TndStatistic statistic;
    double percentile; /* of a median: another one than 50; above 0, up to 100 */
    TndHistogramLayout layout;
    guint64 begin_ns, end_ns; /* [begin_ns, end_ns) of the trace; end_ns 0: its end */
    TndView *data;            /* NULL: the control view */
    TndView *within;          /* only where this view has within_value; NULL: everywhere */
    double within_value;
    double minimum, maximum;   /* of the columns; both 0: from the values */
    double delta;              /* width of a column; 0: the range is cut into n_columns */
    guint n_columns;           /* 0: 20, as Paraver */
    guint first_row, n_rows;   /* n_rows 0: all; the columns are chosen by all rows, whichever are in the table */
    const gboolean *rows;      /* of the control view: only those that are TRUE; NULL: all */
    TndTraceProgress progress; /* NULL: nobody is told; FALSE from it ends the work */
    gpointer user_data;        /* the progress's */
} TndHistogramOptions;

const char *tnd_histogram_statistic_name(TndStatistic statistic);
gboolean tnd_histogram_statistic_parse(const char *name, TndStatistic *statistic);
/* Or "percentile-90-duration", "percentile-99.9-value", ... */
gboolean tnd_histogram_statistic_parse_percentile(const char *name, TndStatistic *statistic, double *percentile);
const char *tnd_histogram_statistic_title(TndStatistic statistic); /* "% Time" */
const char *tnd_histogram_total_name(guint total);                 /* "Total", "Average", ... */

/* Over [begin_ns, end_ns) of the trace; (0, G_MAXUINT64) is all of it.  Without limits of the user's a view of codes
 * has a column for every value that occurs, others 20 equal ranges of the values that are not 0.  Columns whose total
 * is 0 are left out.  A message is taken if it is sent (or received) in [begin_ns, end_ns].  The error: the stretch of
 * time or the limits are empty, or progress ended it (G_IO_ERROR_CANCELLED). */
TndHistogram *tnd_histogram_new(TndView *control, TndStatistic statistic, guint64 begin_ns, guint64 end_ns,
                                GError **error);
TndHistogram *tnd_histogram_new_with(TndView *control, const TndHistogramOptions *options, GError **error);
void tnd_histogram_free(TndHistogram *histogram);

/* NULL: the cell had nothing.  Cost: a search in the row. */
const TndHistogramCell *tnd_histogram_cell(const TndHistogram *histogram, guint row, guint column);

/* CSV: a header row with units, a row per thread, then the totals; is_long: row,column,value instead, a line for every
 * cell that had a burst. */
gboolean tnd_histogram_write_csv(const TndHistogram *histogram, FILE *file, gboolean is_long, GError **error);

#endif
