/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tandem_analysis.h: opens traces of tandem, Extrae and other tools that write Paraver's format in a program of your
 * own, and computes the views and histograms of `tandem histogram` and `tview`.  Build with `pkg-config --cflags --libs
 * tandem-analysis`.
 *
 * Times are in ns.  Rows are counted from 0: those of a trace are threads, those of a view are threads too, unless it
 * is a window of a configuration of Paraver's, which may be of tasks, applications, nodes, CPUs or the whole.  Where
 * something may fail, char **error (may be NULL) becomes a sentence, to be freed with free().  Functions for one trace
 * may be called by several threads at once, but for those that open or close.  Without memory the process ends, unless
 * it is a table or a grid that does not fit.
 */
#ifndef TANDEM_ANALYSIS_H
#define TANDEM_ANALYSIS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

typedef struct tandem_trace tandem_trace;
typedef struct tandem_view tandem_view;
typedef struct tandem_histogram tandem_histogram;
typedef struct tandem_planes tandem_planes;
typedef struct tandem_table tandem_table;

/* Is told, by any thread but by one at a time, and every 10 ms or less often, which fraction of long work is done, from
 * 0 to 1.  0: the work is to be cancelled; the function that does it then fails. */
typedef int (*tandem_progress)(double fraction, void *data);

/* From now on, what this thread calls to open a trace or to make a histogram, a table or a grid tells this function;
 * NULL: it tells nobody. */
void tandem_watch(tandem_progress progress, void *data);

/* Opens NAME.prv or NAME.prv.gz, and its .pcf and .row.  NULL: error.  Close the trace after its views. */
tandem_trace *tandem_trace_open(const char *path, char **error);
void tandem_trace_close(tandem_trace *trace);

uint64_t tandem_trace_duration_ns(const tandem_trace *trace);
uint64_t tandem_trace_n_faults(const tandem_trace *trace); /* faulty lines, which were left out */
size_t tandem_trace_n_rows(const tandem_trace *trace);
const char *tandem_trace_row_name(const tandem_trace *trace, size_t row); /* NULL: there is no such row */

/* The numbers of a row in the trace, from 1 on; node 0: not known.  Returns 0: there is no such row. */
struct tandem_place {
    uint32_t application, task, thread, node;
};
int tandem_trace_row_place(const tandem_trace *trace, size_t row, struct tandem_place *place);

/* The event types that occur, numbered from 0 on, in their order.  0: there are no more.  n_events may be NULL. */
int tandem_trace_type(const tandem_trace *trace, size_t number, uint32_t *type, uint64_t *n_events);
/* The label of an event type, and of one of its values; NULL: it has none. */
const char *tandem_trace_type_label(const tandem_trace *trace, uint32_t type);
const char *tandem_trace_value_label(const tandem_trace *trace, uint32_t type, int64_t value);

/* The built-in views, numbered from 0 on; NULL: there are no more.  A view is available if the trace has any records
 * that it is about. */
const char *tandem_view_name(size_t number);
const char *tandem_view_help(size_t number); /* a sentence */
int tandem_view_is_available(const tandem_trace *trace, const char *name);

/* Adds the view that a file NAME.view defines (docs/views.md), before any trace is opened.  0: error. */
int tandem_view_add_file(const char *path, char **error);

/* Opens a view by its name in `tandem histogram --help`, or "counter:PAPI_TOT_INS", "user-events:7"; or by a formula
 * over such names, "heap / rss"; or a window of a configuration of Paraver's: "FILE.cfg" is its last one, "FILE.cfg:N"
 * its N-th.  NULL: error. */
tandem_view *tandem_view_open(tandem_trace *trace, const char *name, char **error);
void tandem_view_close(tandem_view *view);
const char *tandem_view_title(const tandem_view *view);
const char *tandem_view_unit(const tandem_view *view); /* of values; "" if they are codes */
int tandem_view_has_codes(const tandem_view *view);    /* values are codes, which have labels, not quantities */

/* The rows of a view, and their names; NULL: there is no such row. */
size_t tandem_view_n_rows(const tandem_view *view);
const char *tandem_view_row_name(const tandem_view *view, size_t row);

/* A stretch of a row's time with one value.  The bursts of a row are contiguous, from 0 to the end of the trace:
 *
 *     for (uint64_t t = 0; tandem_view_burst(view, row, t, &burst); t = burst.end_ns)
 */
struct tandem_burst {
    uint64_t begin_ns, end_ns;
    double value;
};

/* The burst at a time.  0: there is no such row, or the time is after the end of the trace. */
int tandem_view_burst(tandem_view *view, size_t row, uint64_t time_ns, struct tandem_burst *burst);

/* The text of a value ("MPI_Send", "1.5 ms"), to be freed with free(); and the value in the trace that has a text, 0:
 * there is none. */
char *tandem_view_text(const tandem_view *view, double value);
int tandem_view_find(tandem_view *view, const char *text, double *value);

/* The values of all rows in n_columns equal columns of [begin_ns, end_ns) (end_ns 0: the end of the trace): n_columns
 * numbers for each row, row after row.  mode: which of a column's values is taken: "time", "maximum", "minimum",
 * "first", "last", "random", "average" or "majority", as in tview(1); NULL: "average", or "majority" of codes.  values:
 * room for tandem_view_n_rows() * n_columns numbers.  0: error. */
int tandem_view_grid(tandem_view *view, uint64_t begin_ns, uint64_t end_ns, size_t n_columns, const char *mode,
                     double *values, char **error);

/* What a table is wanted of.  0 or NULL: all. */
struct tandem_selection {
    uint64_t begin_ns, end_ns; /* only what is in [begin_ns, end_ns); end_ns 0: to the end */
    const char *rows;          /* only rows with these threads, which are given as in tandem-cut(1) */
    const uint32_t *types;     /* of events, only these n_types */
    size_t n_types;
};

/* Tables: columns of numbers, each one array.  They are made on all cores, and stay valid when the view or the trace is
 * closed.  selection may be NULL.  NULL: error; free with tandem_table_free.
 *
 * Bursts of a view, by row and time: "row" (code), "begin_ns", "end_ns" (INT64), "value" (DOUBLE) and, of views with
 * codes that have at most 65536 different values, "label" (code).  Selected are those that end after begin_ns and begin
 * before end_ns; they are not shortened.  Of a window of a configuration they are what the window shows, unless the
 * selection says otherwise.
 *
 * Events, by row and time: "row" (code), "time_ns", "type", "value" (INT64).
 *
 * Messages, by the time of their logical send: "sender", "receiver" (codes), "logical_send_ns", "physical_send_ns",
 * "logical_receive_ns", "physical_receive_ns", "size_bytes", "tag" (INT64).  Selected are those of which any time is in
 * the stretch, and the sender or the receiver in the rows.
 *
 * Samples, by row and time: "row" (code), "time_ns", "weight_ns" (INT64; the CPU time, or the time waited, that it
 * stands for; 0: the trace does not say), "kind" (code: "CPU", "CPU after the last sample", "waiting"), "function",
 * "line" (codes, of the innermost frame), "call_path" (code: "main;solve;dot"). */
tandem_table *tandem_view_bursts(tandem_view *view, const struct tandem_selection *selection, char **error);
tandem_table *tandem_trace_events(tandem_trace *trace, const struct tandem_selection *selection, char **error);
tandem_table *tandem_trace_messages(tandem_trace *trace, const struct tandem_selection *selection, char **error);
tandem_table *tandem_trace_samples(tandem_trace *trace, const struct tandem_selection *selection, char **error);
void tandem_table_free(tandem_table *table);

enum tandem_column_type {
    TANDEM_COLUMN_INT8, /* int8_t, ... */
    TANDEM_COLUMN_INT16,
    TANDEM_COLUMN_INT32,
    TANDEM_COLUMN_INT64,
    TANDEM_COLUMN_DOUBLE,
};

/* How many lines a table has, that is, numbers each of its columns. */
size_t tandem_table_n_lines(const tandem_table *table);
size_t tandem_table_n_columns(const tandem_table *table);
const char *tandem_table_name(const tandem_table *table, size_t column); /* NULL: there is no such column */
enum tandem_column_type tandem_table_type(const tandem_table *table, size_t column);
const void *tandem_table_values(const tandem_table *table, size_t column); /* valid until the table is freed */

/* Codes are numbers from 0 on, of the smallest type that has them all; each stands for a text (texts may be equal).
 * Whether the values of a column are codes; how many texts it has; the text of a code, NULL: there is no such code. */
int tandem_table_has_codes(const tandem_table *table, size_t column);
size_t tandem_table_n_texts(const tandem_table *table, size_t column);
const char *tandem_table_text(const tandem_table *table, size_t column, size_t code);

/* 0 or NULL means the default, which is in parentheses. */
struct tandem_histogram_options {
    const char *statistic;     /* "time", "time-percent", "bursts", "average-value", "bytes-sent", ... ("time") */
    uint64_t begin_ns, end_ns; /* only this stretch of time; end_ns 0: to the end */
    const char *rows;          /* only rows with these threads, which are given as in tandem-cut(1) */
    tandem_view *data;         /* where values come from, for statistics of values (the view itself) */
    tandem_view *within;       /* only where this view has the value within_value */
    double within_value;
    double minimum, maximum; /* limits of the columns (chosen by the values) */
    double width;            /* of a column (n_columns of them) */
    size_t n_columns;        /* of columns by limits (20) */
};

/* A table of rows by the values of a view, or for statistics of messages by the rows at the other end.  options may be
 * NULL.  Returns NULL: error. */
tandem_histogram *tandem_histogram_new(tandem_view *view, const struct tandem_histogram_options *options, char **error);
void tandem_histogram_free(tandem_histogram *histogram);

size_t tandem_histogram_n_rows(const tandem_histogram *histogram);
size_t tandem_histogram_n_columns(const tandem_histogram *histogram);
const char *tandem_histogram_row_name(const tandem_histogram *histogram, size_t row);
const char *tandem_histogram_column_name(const tandem_histogram *histogram, size_t column);
const char *tandem_histogram_unit(const tandem_histogram *histogram); /* of cells: "ns", "%", "" */

/* The value of a cell; 0: the cell is empty. */
int tandem_histogram_cell(const tandem_histogram *histogram, size_t row, size_t column, double *value);

/* The values of all cells, row after row, NaN for empty ones.  cells: room for all of them. */
void tandem_histogram_cells(const tandem_histogram *histogram, double *cells);

/* The cells that are not empty as a table: "row", "column" (codes), "value" (DOUBLE).  NULL: error. */
tandem_table *tandem_histogram_table(const tandem_histogram *histogram, char **error);

/* Totals of a column, over its cells that are not empty. */
enum tandem_total {
    TANDEM_TOTAL_SUM,
    TANDEM_TOTAL_AVERAGE,
    TANDEM_TOTAL_MAXIMUM,
    TANDEM_TOTAL_MINIMUM,
    TANDEM_TOTAL_STDEV,
    TANDEM_TOTAL_AVERAGE_BY_MAXIMUM, /* 1: perfectly balanced */
};
double tandem_histogram_total(const tandem_histogram *histogram, enum tandem_total total, size_t column);

/* A histogram of a configuration of Paraver's, by its number in the file, from 1 on: one histogram, or, if it is of
 * three windows, one for each value of the third one (a plane).  Of the options (may be NULL) the statistic, the time
 * and the rows replace those of the file; the others must not be set.  NULL: error; free with tandem_planes_free. */
tandem_planes *tandem_planes_new(tandem_trace *trace, const char *cfg, size_t number,
                                 const struct tandem_histogram_options *options, char **error);
size_t tandem_planes_n(const tandem_planes *planes);
const char *tandem_planes_name(const tandem_planes *planes, size_t plane); /* NULL: there is no third window */
const tandem_histogram *tandem_planes_histogram(const tandem_planes *planes, size_t plane); /* NULL: no such plane */
void tandem_planes_free(tandem_planes *planes);

/* Writes what `tandem histogram --csv` does.  0: writing failed (errno). */
int tandem_histogram_write_csv(const tandem_histogram *histogram, FILE *file);

/* The names of the statistics, numbered from 0 on; NULL: there are no more. */
const char *tandem_histogram_statistic_name(size_t number);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
