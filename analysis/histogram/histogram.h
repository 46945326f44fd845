/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A histogram: a table of a statistic, as Paraver defines it.  For each row, the value of the control view chooses the
 * column, and the data view gives the values.  For statistics of messages the columns are the threads at the other end:
 * a communication matrix.
 *
 * Cost: one pass over the bursts of the views, or over the messages.
 */
#ifndef TND_HISTOGRAM_H
#define TND_HISTOGRAM_H

#include "analysis/views/view.h"

#include <stdio.h>

/* Behind each statistic its name on the command line and Paraver's.  A menu offers the first four first. */
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

    /* Statistics of messages: the columns are the threads at the other end, whatever the view. */
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

    /* Not in Paraver.  With another percentile they are that percentile. */
    TND_STATISTIC_MEDIAN_DURATION,       /* "median-duration" */
    TND_STATISTIC_MEDIAN_VALUE,          /* "median-value" */
    TND_STATISTIC_MEDIAN_BYTES_SENT,     /* "median-bytes-sent" */
    TND_STATISTIC_MEDIAN_BYTES_RECEIVED, /* "median-bytes-received" */
    TND_STATISTIC_CALLS,                 /* "calls": how many calls begin, of a view of calls or regions */
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

/* A cell that has a burst, or a message in either direction. */
typedef struct {
    guint column;
    double value;
} TndHistogramCell;

typedef struct {
    guint n_rows, n_columns;
    TndLevel level; /* of the rows; if is_vertical, of the columns */
    char **row_names;
    char **column_names;
    guint *row_numbers;    /* of the rows in the view; of the columns, if is_vertical */
    gboolean are_partners; /* columns are about rows of the view, the other ends of messages, and not about values */
    double *column_ends;   /* [2 * column], [2 * column + 1]: the least and the largest value that a column is about, or
                              the number of the partner; of the rows, if is_vertical */
    char *unit;            /* "ns", "%", "" */
    TndHistogramCell *cells; /* sorted by row and column; cells that are not in it are 0, and not in the totals */
    gsize *first;            /* index of the first cell of each row, and the end of the last row */
    double *totals;          /* [total * n_columns + column] */
    char *subject;           /* a title of what the columns are: "MPI calls", "Messages, by partner" */
    TndStatistic statistic;
    char *title;          /* of the statistic */
    gboolean is_vertical; /* rows and columns are exchanged */
    guint64 begin_ns, end_ns;
    int decimals; /* of numbers in CSV; 10, as in Paraver */
} TndHistogram;

/* The order of the columns. */
typedef struct {
    gboolean keeps_empty; /* keep columns whose total is 0 */
    gboolean is_sorted;   /* by the total `by`, the largest first; equal ones are in reverse order, as in Paraver */
    guint by;             /* TND_TOTAL_... */
    gboolean is_reversed;
    gboolean is_vertical; /* exchange rows and columns */
} TndHistogramLayout;

/* Options of a histogram; 0 means the default. */
typedef struct {
    TndStatistic statistic;
    double percentile; /* of the statistics of medians, instead of 50: above 0, up to 100 */
    TndHistogramLayout layout;
    guint64 begin_ns, end_ns; /* [begin_ns, end_ns) of the trace; end_ns 0: its end */
    TndView *data;            /* NULL: the control view */
    TndView *within;          /* count only where this view has the value within_value; NULL: everywhere */
    double within_value;
    double minimum, maximum;   /* limits of the columns; both 0: chosen by the values */
    double delta;              /* width of a column; 0: the range is divided into n_columns */
    guint n_columns;           /* 0: 20, as in Paraver */
    guint first_row, n_rows;   /* rows of the table; n_rows 0: all.  All rows have a say in the choice of columns */
    const gboolean *rows;      /* of the control view: only those that are TRUE; NULL: all */
    TndTraceProgress progress; /* NULL: not reported; if it returns FALSE, the histogram is cancelled */
    gpointer user_data;        /* of progress */
} TndHistogramOptions;

const char *tnd_histogram_statistic_name(TndStatistic statistic);
gboolean tnd_histogram_statistic_parse(const char *name, TndStatistic *statistic);
/* Also accepts "percentile-90-duration", "percentile-99.9-value", ... */
gboolean tnd_histogram_statistic_parse_percentile(const char *name, TndStatistic *statistic, double *percentile);
const char *tnd_histogram_statistic_title(TndStatistic statistic); /* "% Time" */
const char *tnd_histogram_total_name(guint total);                 /* "Total", "Average", ... */

/* A histogram of [begin_ns, end_ns) of the trace; (0, G_MAXUINT64) is all of it.  If the user sets no limits, a view of
 * codes has a column for every value that occurs, and other views have 20 equal ranges of the values that are not 0.
 * Columns whose total is 0 are left out.  A message counts if it is sent (or received) in [begin_ns, end_ns].  NULL and
 * error: the stretch of time or the limits are empty, or it was cancelled (G_IO_ERROR_CANCELLED). */
TndHistogram *tnd_histogram_new(TndView *control, TndStatistic statistic, guint64 begin_ns, guint64 end_ns,
                                GError **error);
TndHistogram *tnd_histogram_new_with(TndView *control, const TndHistogramOptions *options, GError **error);
void tnd_histogram_free(TndHistogram *histogram);

/* The cell of a row and a column; NULL: it is empty.  Cost: a search in the row. */
const TndHistogramCell *tnd_histogram_cell(const TndHistogram *histogram, guint row, guint column);

/* Writes CSV: a header line with units, a line for each row, then the totals.  is_long: lines "row,column,value"
 * instead, one for every cell that is not empty. */
gboolean tnd_histogram_write_csv(const TndHistogram *histogram, FILE *file, gboolean is_long, GError **error);

#endif
