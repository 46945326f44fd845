/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Histograms.  A piece is a stretch of one row in which all views keep their value; sums over the pieces of a cell (or
 * over its messages) are kept for all statistics, and the one that was asked for is computed from them at the end.
 */
#include "analysis/histogram/histogram.h"

#include "analysis/base/cores.h"
#include "analysis/bursts/burst_walk.h"
#include "analysis/histogram/histogram_cells.h"
#include "analysis/histogram/histogram_columns.h"
#include "analysis/histogram/histogram_messages.h"
#include "analysis/histogram/histogram_totals.h"
#include "analysis/histogram/histogram_values.h"
#include "analysis/views/views.h"
#include "formats/csv.h"

#include <errno.h>
#include <gio/gio.h>
#include <math.h>
#include <string.h>

const char *tnd_histogram_total_name(guint total)
{
    static const char *const names[TND_TOTAL_N] = {"Total", "Average", "Maximum", "Minimum", "StDev", "Avg/Max"};
    return names[total];
}

/* A row of the table while it is made. */
typedef struct {
    const TndHistogramStatistic *statistic;
    const TndHistogramColumns *columns;
    TndHistogramRow cells;
    gboolean is_per_time; /* values are amounts, of which each piece has a part */
} Filling;

/* What comes of a unit by the integral over time: of what is per second the amount.  NULL: nothing that has a name; the
 * integral then is as Paraver has it, by ns.  Free with g_free. */
static char *integrated_unit(const char *unit)
{
    if (strcmp(unit, "W") == 0 || strcmp(unit, "J") == 0)
        return g_strdup("J");
    return g_str_has_suffix(unit, "/s") ? g_strndup(unit, strlen(unit) - 2) : NULL;
}

static void add_piece(Filling *filling, guint64 length_ns, double control, double value)
{
    int column = tnd_histogram_columns_find(filling->columns, control);
    if (column < 0)
        return;
    TndHistogramSums *sums = tnd_histogram_cells_sums(&filling->cells, (guint)column);
    tnd_histogram_statistics_add(filling->statistic, sums, (double)length_ns, control, value);
}

/* The sums of each value that a row of the trace has, in which the view is its own data. */
static void fill_values(Filling *filling, const TndHistogramRowValues *row)
{
    for (guint i = 0; i < row->n; i++) {
        int column = tnd_histogram_columns_find(filling->columns, row->values[i]);
        *tnd_histogram_cells_sums(&filling->cells, (guint)column) = row->sums[i];
        row->sums[i].samples = NULL; /* the cell's now */
    }
}

/* All pieces of a row of the trace; the bursts of every view cover all of it. */
static void fill_pieces(Filling *filling, TndView *control_view, const TndHistogramOptions *options, guint row)
{
    const TndBurst everywhere = {0, G_MAXUINT64, options->within_value};
    const guint64 from_ns = options->begin_ns;
    TndBurstWalk control = tnd_burst_walk_start(tnd_views_row(control_view, row), from_ns);
    TndBurstWalk data = tnd_burst_walk_start(tnd_views_row(options->data, row), from_ns),
                 within = tnd_burst_walk_start_array(&everywhere, 1);
    if (options->within)
        within = tnd_burst_walk_start(tnd_views_row(options->within, row), from_ns);
    while (control.at && data.at && within.at && control.at->begin_ns < options->end_ns) {
        guint64 begin_ns = MAX(MAX(control.at->begin_ns, data.at->begin_ns), within.at->begin_ns);
        guint64 until_ns = MIN(MIN(control.at->end_ns, data.at->end_ns), within.at->end_ns);
        begin_ns = MAX(begin_ns, options->begin_ns);
        guint64 end_ns = MIN(until_ns, options->end_ns);
        double value = data.at->value;
        if (filling->is_per_time)
            value *= 1e9 / (double)(data.at->end_ns - data.at->begin_ns);
        if (end_ns > begin_ns && within.at->value == options->within_value)
            add_piece(filling, end_ns - begin_ns, control.at->value, value);
        tnd_burst_walk_step(&control, until_ns);
        tnd_burst_walk_step(&data, until_ns);
        tnd_burst_walk_step(&within, until_ns);
    }
    tnd_burst_walk_end(&control);
    tnd_burst_walk_end(&data);
    tnd_burst_walk_end(&within);
}

/* All messages of a row of the table.  A cell is there if it has any, also of the other direction: Paraver's averages
 * over cells are over these. */
static void fill_messages(Filling *filling, const TndHistogramMessages *messages, guint row, gboolean are_sends)
{
    gsize n;
    const TndHistogramEnd *ends = tnd_histogram_messages_of(messages, row, &n);
    for (gsize i = 0; i < n; i++) {
        int column = tnd_histogram_columns_find(filling->columns, ends[i].partner);
        TndHistogramSums *sums = tnd_histogram_cells_sums(&filling->cells, (guint)column);
        if (ends[i].is_send == are_sends)
            tnd_histogram_statistics_add(filling->statistic, sums, 0, 0, (double)ends[i].size_bytes);
    }
}

static gboolean is_wanted(const TndHistogramOptions *options, guint row)
{
    return !options->rows || options->rows[options->first_row + row];
}

static guint count_rows(const TndHistogramOptions *options)
{
    guint n = 0;
    for (guint row = 0; row < options->n_rows; row++)
        n += is_wanted(options, row) != FALSE;
    return n;
}

static TndHistogram *make_table(TndView *control, const TndHistogramOptions *options, TndHistogramColumns *columns)
{
    const TndTrace *trace = tnd_view_trace(control);
    TndHistogram *histogram = g_new0(TndHistogram, 1);
    histogram->n_rows = count_rows(options);
    histogram->n_columns = columns->n;
    histogram->totals = g_new0(double, (gsize)TND_TOTAL_N * columns->n + 1);
    histogram->row_names = g_new0(char *, histogram->n_rows + 1);
    for (guint i = 0, row = 0; i < options->n_rows; i++)
        if (is_wanted(options, i))
            histogram->row_names[row++] = g_strdup(tnd_trace_thread(trace, options->first_row + i)->name);
    histogram->column_names = g_new0(char *, columns->n + 1);
    for (guint column = 0; column < columns->n; column++)
        histogram->column_names[column] = tnd_histogram_columns_name(columns, control, column);
    const char *unit = tnd_histogram_statistics_table[options->statistic].unit;
    const char *data_unit = tnd_view_rule(options->data)->unit;
    if (options->statistic == TND_STATISTIC_INTEGRAL)
        histogram->unit = integrated_unit(data_unit);
    histogram->scale = histogram->unit ? 1e-9 : 1;
    if (!histogram->unit)
        histogram->unit = g_strdup(unit ? unit : data_unit);
    const TndViewRule *rule = tnd_view_rule(control);
    if (columns->are_threads)
        histogram->subject = g_strdup("Messages, by partner");
    else if (rule->origin)
        histogram->subject = g_strdup_printf("%s (%s)", rule->title, rule->origin);
    else
        histogram->subject = g_strdup(rule->title);
    histogram->statistic = options->statistic;
    histogram->title = tnd_histogram_statistics_title(options->statistic, options->percentile);
    histogram->begin_ns = options->begin_ns;
    histogram->end_ns = options->end_ns;
    histogram->decimals = 10;
    return histogram;
}

/* What all rows of a table are made of. */
typedef struct {
    TndHistogram *histogram;
    TndView *control;
    const TndHistogramOptions *options;
    const TndHistogramColumns *columns;
    const TndHistogramMessages *messages; /* NULL: they are not what it is of */
    const TndHistogramValues *values;     /* of the view, which is its own data; NULL: it is walked through */
    TndCoresTeller *teller;               /* NULL: nobody is told */
    guint *rows;                          /* of the options', one for each of the table */
    TndHistogramCell **cells;             /* of each row */
    guint *n_cells;
} Table;

static TndHistogramRowSums sum_row(const TndHistogramRow *cells, const TndHistogramOptions *options)
{
    TndHistogramRowSums row = {.window_ns = (double)(options->end_ns - options->begin_ns),
                               .percentile = options->percentile};
    for (guint i = 0; i < cells->n; i++) {
        row.n += cells->sums[i].n;
        row.l += cells->sums[i].l;
        row.l_control_nonzero += cells->sums[i].l_control_nonzero;
    }
    return row;
}

static void fill_row(guint item, gpointer data)
{
    const Table *table = data;
    const TndHistogramOptions *options = table->options;
    const TndHistogramStatistic *statistic = &tnd_histogram_statistics_table[options->statistic];
    guint row = table->rows[item];
    Filling filling = {.statistic = statistic,
                       .columns = table->columns,
                       .is_per_time = options->statistic == TND_STATISTIC_INTEGRAL &&
                                      strcmp(tnd_view_rule(options->data)->unit, "J") == 0};
    if (table->messages)
        fill_messages(&filling, table->messages, row, statistic->kind == TND_HISTOGRAM_OF_SENDS);
    else if (table->values)
        fill_values(&filling, &table->values->rows[options->first_row + row]);
    else
        fill_pieces(&filling, table->control, options, options->first_row + row);
    tnd_histogram_cells_sort(&filling.cells);
    TndHistogramRowSums all = sum_row(&filling.cells, options);
    TndHistogramCell *cells = tnd_histogram_cells_values(&filling.cells, statistic, &all);
    for (guint i = 0; i < filling.cells.n; i++)
        cells[i].value *= table->histogram->scale;
    table->cells[item] = cells;
    table->n_cells[item] = filling.cells.n;
    tnd_histogram_cells_clear(&filling.cells);
}

/* FALSE: who is told ended it, the table is not to be used. */
static gboolean fill_table(Table *table)
{
    guint n = 0, n_rows = table->options->n_rows;
    table->rows = g_new(guint, n_rows + 1);
    table->cells = g_new0(TndHistogramCell *, n_rows + 1);
    table->n_cells = g_new0(guint, n_rows + 1);
    for (guint row = 0; row < n_rows; row++)
        if (is_wanted(table->options, row))
            table->rows[n++] = row;
    gboolean is_done = tnd_cores_run_telling(table->teller, n, fill_row, table);
    tnd_histogram_cells_join(table->histogram, table->cells, table->n_cells);
    g_free(table->rows);
    g_free(table->cells);
    g_free(table->n_cells);
    return is_done;
}

/* What is left after the first pass: columns, cells and totals; NULL: who is told ended it. */
static TndHistogram *make_histogram(Table *table)
{
    const TndHistogramOptions *options = table->options;
    TndHistogramColumns columns = table->messages
                                      ? tnd_histogram_messages_columns(table->messages)
                                      : tnd_histogram_columns_choose(table->control, options, table->values);
    table->columns = &columns;
    table->histogram = make_table(table->control, options, &columns);
    if (options->data != table->control || options->within)
        table->values = NULL;
    if (fill_table(table)) {
        tnd_histogram_totals_make(table->histogram);
        guint *order = tnd_histogram_totals_order(table->histogram, &options->layout);
        tnd_histogram_totals_arrange(table->histogram, &options->layout, order);
        g_free(order);
    } else {
        g_clear_pointer(&table->histogram, tnd_histogram_free);
    }
    tnd_histogram_columns_clear(&columns);
    return table->histogram;
}

/* Of the columns, by the user. */
static gboolean has_limits(const TndHistogramOptions *options)
{
    return options->minimum != 0 || options->maximum != 0;
}

/* NULL: who is told ended it. */
static TndHistogram *run_passes(TndView *control, const TndHistogramOptions *options)
{
    const gboolean is_of_codes = tnd_view_rule(control)->palette == TND_PALETTE_CODE;
    const gboolean is_of_pieces = tnd_histogram_statistics_table[options->statistic].kind == TND_HISTOGRAM_OF_PIECES;
    const gboolean has_first_pass = is_of_pieces && !has_limits(options);
    TndCoresTeller *teller = NULL;
    if (options->progress)
        teller = tnd_cores_teller_new(options->progress, options->user_data,
                                      count_rows(options) +
                                          (has_first_pass ? tnd_trace_n_threads(tnd_view_trace(control)) : 0));
    TndHistogramMessages *messages = NULL;
    TndHistogramValues *values = NULL;
    TndHistogram *histogram = NULL;
    if (!is_of_pieces)
        messages = tnd_histogram_messages_new(tnd_view_trace(control), options);
    else if (has_first_pass && is_of_codes)
        values = tnd_histogram_values_new(control, options, teller);
    if (!has_first_pass || values || tnd_views_make_rows(control, teller))
        histogram = make_histogram(
            &(Table){.control = control, .options = options, .messages = messages, .values = values, .teller = teller});
    tnd_histogram_messages_free(messages);
    tnd_histogram_values_free(values);
    tnd_cores_teller_free(teller);
    return histogram;
}

TndHistogram *tnd_histogram_new_with(TndView *control, const TndHistogramOptions *given, GError **error)
{
    TndHistogramOptions options = *given;
    guint64 trace_end_ns = tnd_trace_end_ns(tnd_view_trace(control));
    options.end_ns = options.end_ns ? MIN(options.end_ns, trace_end_ns) : trace_end_ns;
    options.data = options.data ? options.data : control;
    guint n_threads = tnd_trace_n_threads(tnd_view_trace(control));
    options.first_row = MIN(options.first_row, n_threads);
    guint rows_left = n_threads - options.first_row;
    options.n_rows = options.n_rows ? MIN(options.n_rows, rows_left) : rows_left;
    if (options.begin_ns >= options.end_ns) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "nothing of the trace is in this stretch of time");
        return NULL;
    }
    if (has_limits(&options) && (!(options.minimum < options.maximum) || options.delta < 0)) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "the limits of the columns leave no column");
        return NULL;
    }
    TndHistogram *histogram = run_passes(control, &options);
    if (!histogram)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "the histogram was cancelled");
    return histogram;
}

TndHistogram *tnd_histogram_new(TndView *control, TndStatistic statistic, guint64 begin_ns, guint64 end_ns,
                                GError **error)
{
    TndHistogramOptions options = {.statistic = statistic, .begin_ns = begin_ns, .end_ns = end_ns};
    return tnd_histogram_new_with(control, &options, error);
}

void tnd_histogram_free(TndHistogram *histogram)
{
    if (!histogram)
        return;
    g_strfreev(histogram->row_names);
    g_strfreev(histogram->column_names);
    g_free(histogram->unit);
    g_free(histogram->subject);
    g_free(histogram->title);
    g_free(histogram->cells);
    g_free(histogram->first);
    g_free(histogram->totals);
    g_free(histogram);
}

/* "Running [ns]". */
static char *name_with_unit(const TndHistogram *histogram, const char *name)
{
    const char *unit = *name == '[' ? strrchr(name, ' ') : NULL; /* of a range of values */
    gboolean has_it = unit && strcmp(unit + 1, histogram->unit) == 0;
    return *histogram->unit && !has_it ? g_strdup_printf("%s [%s]", name, histogram->unit) : g_strdup(name);
}

static void write_line(const TndHistogram *histogram, FILE *file, const char *name, const double *values)
{
    tnd_csv_text(file, 1, name);
    for (guint column = 0; column < histogram->n_columns; column++)
        tnd_csv_number(file, 0, values[column], histogram->decimals);
    tnd_csv_end_line(file);
}

static void write_wide(const TndHistogram *histogram, FILE *file)
{
    tnd_csv_text(file, 1, histogram->title);
    for (guint column = 0; column < histogram->n_columns; column++) {
        char *name = name_with_unit(histogram, histogram->column_names[column]);
        tnd_csv_text(file, 0, name);
        g_free(name);
    }
    tnd_csv_end_line(file);
    double *values = g_new(double, histogram->n_columns + 1);
    for (guint row = 0; row < histogram->n_rows; row++) {
        memset(values, 0, histogram->n_columns * sizeof *values);
        for (gsize i = histogram->first[row]; i < histogram->first[row + 1]; i++)
            values[histogram->cells[i].column] = histogram->cells[i].value;
        write_line(histogram, file, histogram->row_names[row], values);
    }
    g_free(values);
    for (guint total = 0; total < TND_TOTAL_N; total++)
        write_line(histogram, file, tnd_histogram_total_name(total),
                   &histogram->totals[(gsize)total * histogram->n_columns]);
}

static void write_long(const TndHistogram *histogram, FILE *file)
{
    char **names = g_new0(char *, histogram->n_columns + 1);
    for (guint column = 0; column < histogram->n_columns; column++)
        names[column] = name_with_unit(histogram, histogram->column_names[column]);
    fputs("row,column,value\n", file);
    for (guint row = 0; row < histogram->n_rows; row++)
        for (gsize i = histogram->first[row]; i < histogram->first[row + 1]; i++) {
            tnd_csv_text(file, 1, histogram->row_names[row]);
            tnd_csv_text(file, 0, names[histogram->cells[i].column]);
            tnd_csv_number(file, 0, histogram->cells[i].value, histogram->decimals);
            tnd_csv_end_line(file);
        }
    g_strfreev(names);
}

gboolean tnd_histogram_write_csv(const TndHistogram *histogram, FILE *file, gboolean is_long, GError **error)
{
    (is_long ? write_long : write_wide)(histogram, file);
    if (fflush(file) == 0 && !ferror(file))
        return TRUE;
    g_set_error(error, G_IO_ERROR, g_io_error_from_errno(errno), "%s", g_strerror(errno));
    return FALSE;
}
