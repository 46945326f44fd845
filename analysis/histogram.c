/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Histograms.  A piece is a stretch of one row in which both views keep their value; sums over the pieces of a cell are
 * kept for all statistics, and the one that was asked for is computed from them at the end.
 */
#include "analysis/histogram.h"

#include "analysis/histogram_columns.h"
#include "formats/csv.h"

#include <errno.h>
#include <gio/gio.h>
#include <math.h>
#include <string.h>

/* Sums over pieces: n of them, of length l and data value v; nonzero is about v, control about the other view. */
typedef struct {
    guint64 n, n_nonzero;
    double l, l_squared, l_nonzero, l_control_nonzero, lv, l_magnitude, v, maximum, minimum;
} Sums;

/* What is common to a row: over its pieces that fell into a column. */
typedef struct {
    guint64 n;
    double l, l_control_nonzero, window_ns;
} RowSums;

static double time_of(const Sums *cell, const RowSums *row)
{
    return cell->l;
}

static double time_percent_of(const Sums *cell, const RowSums *row)
{
    return row->l > 0 ? 100.0 * cell->l / row->l : 0.0;
}

static double bursts_of(const Sums *cell, const RowSums *row)
{
    return (double)cell->n;
}

static double average_duration_of(const Sums *cell, const RowSums *row)
{
    return cell->l / (double)cell->n;
}

static double stdev_duration_of(const Sums *cell, const RowSums *row)
{
    double mean = cell->l / (double)cell->n;
    return sqrt(fabs(cell->l_squared / (double)cell->n - mean * mean));
}

static double time_percent_nonzero_of(const Sums *cell, const RowSums *row)
{
    return row->l_control_nonzero > 0 ? 100.0 * cell->l_control_nonzero / row->l_control_nonzero : 0.0;
}

static double window_percent_of(const Sums *cell, const RowSums *row)
{
    return 100.0 * cell->l / row->window_ns;
}

static double bursts_percent_of(const Sums *cell, const RowSums *row)
{
    return 100.0 * (double)cell->n / (double)row->n;
}

static double integral_of(const Sums *cell, const RowSums *row)
{
    return cell->l_magnitude;
}

static double average_value_of(const Sums *cell, const RowSums *row)
{
    return cell->lv / cell->l;
}

static double maximum_of(const Sums *cell, const RowSums *row)
{
    return cell->maximum;
}

static double minimum_of(const Sums *cell, const RowSums *row)
{
    return cell->minimum;
}

static double average_per_burst_of(const Sums *cell, const RowSums *row)
{
    return cell->v / (double)cell->n;
}

static double average_value_nonzero_of(const Sums *cell, const RowSums *row)
{
    return cell->l_nonzero > 0 ? cell->lv / cell->l_nonzero : 0.0;
}

static double average_per_burst_nonzero_of(const Sums *cell, const RowSums *row)
{
    return cell->n_nonzero ? cell->v / (double)cell->n_nonzero : 0.0;
}

static double bursts_nonzero_of(const Sums *cell, const RowSums *row)
{
    return (double)cell->n_nonzero;
}

static double sum_bursts_of(const Sums *cell, const RowSums *row)
{
    return cell->v;
}

/* unit NULL: that of the data view. */
static const struct {
    const char *name, *title, *unit;
    double (*value)(const Sums *cell, const RowSums *row);
} statistics[TND_STATISTIC_N] = {
    [TND_STATISTIC_TIME] = {"time", "Time", "ns", time_of},
    [TND_STATISTIC_TIME_PERCENT] = {"time-percent", "% Time", "%", time_percent_of},
    [TND_STATISTIC_BURSTS] = {"bursts", "# Bursts", "", bursts_of},
    [TND_STATISTIC_AVERAGE_DURATION] = {"average-duration", "Average duration", "ns", average_duration_of},
    [TND_STATISTIC_STDEV_DURATION] = {"stdev-duration", "StDev of duration", "ns", stdev_duration_of},
    [TND_STATISTIC_TIME_PERCENT_NONZERO] = {"time-percent-not-zero", "% Time not zero", "%", time_percent_nonzero_of},
    [TND_STATISTIC_WINDOW_PERCENT] = {"window-time-percent", "% Window time", "%", window_percent_of},
    [TND_STATISTIC_BURSTS_PERCENT] = {"bursts-percent", "% # Bursts", "%", bursts_percent_of},
    [TND_STATISTIC_INTEGRAL] = {"integral", "Integral", "", integral_of},
    [TND_STATISTIC_AVERAGE_VALUE] = {"average-value", "Average value", NULL, average_value_of},
    [TND_STATISTIC_MAXIMUM] = {"maximum", "Maximum", NULL, maximum_of},
    [TND_STATISTIC_MINIMUM] = {"minimum", "Minimum", NULL, minimum_of},
    [TND_STATISTIC_AVERAGE_PER_BURST] = {"average-per-burst", "Average per burst", NULL, average_per_burst_of},
    [TND_STATISTIC_AVERAGE_VALUE_NONZERO] = {"average-value-not-zero", "Average value not zero", NULL,
                                             average_value_nonzero_of},
    [TND_STATISTIC_AVERAGE_PER_BURST_NONZERO] = {"average-per-burst-not-zero", "Average per burst not zero", NULL,
                                                 average_per_burst_nonzero_of},
    [TND_STATISTIC_BURSTS_NONZERO] = {"bursts-not-zero", "# Bursts not zero", "", bursts_nonzero_of},
    [TND_STATISTIC_SUM_BURSTS] = {"sum-bursts", "Sum of bursts", NULL, sum_bursts_of},
};

const char *tnd_histogram_statistic_name(TndStatistic statistic)
{
    return statistics[statistic].name;
}

const char *tnd_histogram_statistic_title(TndStatistic statistic)
{
    return statistics[statistic].title;
}

gboolean tnd_histogram_statistic_parse(const char *name, TndStatistic *statistic)
{
    for (guint i = 0; i < TND_STATISTIC_N; i++) {
        if (strcmp(statistics[i].name, name) == 0) {
            *statistic = (TndStatistic)i;
            return TRUE;
        }
    }
    return FALSE;
}

const char *tnd_histogram_total_name(guint total)
{
    static const char *const names[TND_TOTAL_N] = {"Total", "Average", "Maximum", "Minimum", "StDev", "Avg/Max"};
    return names[total];
}

static void add_piece(Sums *sums, double length, double value)
{
    sums->maximum = sums->n ? MAX(sums->maximum, value) : value;
    sums->minimum = sums->n ? MIN(sums->minimum, value) : value;
    sums->n++;
    sums->l += length;
    sums->l_squared += length * length;
    sums->lv += length * value;
    sums->l_magnitude += length * fabs(value);
    sums->v += value;
    if (value != 0) {
        sums->n_nonzero++;
        sums->l_nonzero += length;
    }
}

typedef struct {
    TndHistogramColumns columns;
    Sums *cells; /* of one row */
    RowSums row;
} Filling;

/* All pieces of a row; both lists of bursts cover the whole trace. */
static void fill_row(Filling *filling, const TndHistogramOptions *options, const TndBurst *control, gsize n_control,
                     const TndBurst *data, gsize n_data)
{
    memset(filling->cells, 0, filling->columns.n * sizeof *filling->cells);
    filling->row = (RowSums){.window_ns = (double)(options->end_ns - options->begin_ns)};
    gsize i = 0, j = 0;
    while (i < n_control && j < n_data) {
        guint64 begin_ns = MAX(MAX(control[i].begin_ns, data[j].begin_ns), options->begin_ns);
        guint64 end_ns = MIN(MIN(control[i].end_ns, data[j].end_ns), options->end_ns);
        int column = end_ns > begin_ns ? tnd_histogram_columns_find(&filling->columns, control[i].value) : -1;
        if (column >= 0) {
            double length = (double)(end_ns - begin_ns);
            add_piece(&filling->cells[column], length, data[j].value);
            filling->row.n++;
            filling->row.l += length;
            if (control[i].value != 0) {
                filling->cells[column].l_control_nonzero += length;
                filling->row.l_control_nonzero += length;
            }
        }
        if (control == data || control[i].end_ns == data[j].end_ns) {
            i++;
            j++;
        } else if (control[i].end_ns < data[j].end_ns) {
            i++;
        } else {
            j++;
        }
    }
}

/* Over the cells of a column that are there; the cells of a column are n_columns apart. */
static void sum_column(TndHistogram *histogram, guint column)
{
    double sum = 0, squares = 0, maximum = -INFINITY, minimum = INFINITY;
    guint n = 0;
    for (guint row = 0; row < histogram->n_rows; row++) {
        gsize at = (gsize)row * histogram->n_columns + column;
        if (!histogram->present[at])
            continue;
        double value = histogram->cells[at];
        n++;
        sum += value;
        squares += value * value;
        maximum = MAX(maximum, value);
        if (value != 0)
            minimum = MIN(minimum, value);
    }
    double average = n ? sum / n : 0;
    double totals[TND_TOTAL_N] = {
        [TND_TOTAL_SUM] = sum,
        [TND_TOTAL_AVERAGE] = average,
        [TND_TOTAL_MAXIMUM] = n ? maximum : 0,
        [TND_TOTAL_MINIMUM] = isfinite(minimum) ? minimum : 0,
        [TND_TOTAL_STDEV] = n ? sqrt(fabs(squares - n * (average * average)) / n) : 0,
        [TND_TOTAL_AVG_MAX] = n && maximum != 0 ? average / maximum : 0,
    };
    for (guint total = 0; total < TND_TOTAL_N; total++)
        histogram->totals[(gsize)total * histogram->n_columns + column] = totals[total];
}

/* Keeps the columns whose total is not 0. */
static void drop_empty_columns(TndHistogram *histogram)
{
    guint n_old = histogram->n_columns, n_kept = 0;
    guint *kept = g_new(guint, n_old + 1);
    for (guint column = 0; column < n_old; column++)
        if (histogram->totals[column] != 0)
            kept[n_kept++] = column;
    for (guint i = 0, column = 0; column < n_old; column++) {
        if (i < n_kept && kept[i] == column)
            histogram->column_names[i++] = histogram->column_names[column];
        else
            g_free(histogram->column_names[column]);
    }
    histogram->column_names[n_kept] = NULL;
    for (guint row = 0; row < histogram->n_rows; row++) {
        for (guint i = 0; i < n_kept; i++) {
            histogram->cells[(gsize)row * n_kept + i] = histogram->cells[(gsize)row * n_old + kept[i]];
            histogram->present[(gsize)row * n_kept + i] = histogram->present[(gsize)row * n_old + kept[i]];
        }
    }
    for (guint total = 0; total < TND_TOTAL_N; total++)
        for (guint i = 0; i < n_kept; i++)
            histogram->totals[(gsize)total * n_kept + i] = histogram->totals[(gsize)total * n_old + kept[i]];
    histogram->n_columns = n_kept;
    g_free(kept);
}

static TndHistogram *make_table(TndView *control, const TndHistogramOptions *options, TndHistogramColumns *columns)
{
    const TndTrace *trace = tnd_view_trace(control);
    TndHistogram *histogram = g_new0(TndHistogram, 1);
    histogram->n_rows = options->n_rows;
    histogram->n_columns = columns->n;
    gsize n_cells = (gsize)histogram->n_rows * columns->n;
    histogram->cells = g_new0(double, n_cells + 1);
    histogram->present = g_new0(gboolean, n_cells + 1);
    histogram->totals = g_new0(double, (gsize)TND_TOTAL_N * columns->n + 1);
    histogram->row_names = g_new0(char *, histogram->n_rows + 1);
    for (guint row = 0; row < histogram->n_rows; row++)
        histogram->row_names[row] = g_strdup(tnd_trace_thread(trace, options->first_row + row)->name);
    histogram->column_names = g_new0(char *, columns->n + 1);
    for (guint column = 0; column < columns->n; column++)
        histogram->column_names[column] = tnd_histogram_columns_name(columns, control, column);
    const char *unit = statistics[options->statistic].unit;
    histogram->unit = g_strdup(unit ? unit : tnd_view_rule(options->data)->unit);
    histogram->rule = tnd_view_rule(control);
    histogram->statistic = options->statistic;
    histogram->begin_ns = options->begin_ns;
    histogram->end_ns = options->end_ns;
    histogram->decimals = 10;
    return histogram;
}

static void fill_table(TndHistogram *histogram, TndView *control, const TndHistogramOptions *options, Filling *filling)
{
    for (guint row = 0; row < histogram->n_rows; row++) {
        gsize n_control, n_data;
        const TndBurst *control_bursts = tnd_view_bursts(control, options->first_row + row, &n_control);
        const TndBurst *data_bursts = tnd_view_bursts(options->data, options->first_row + row, &n_data);
        fill_row(filling, options, control_bursts, n_control, data_bursts, n_data);
        for (guint column = 0; column < histogram->n_columns; column++) {
            const Sums *cell = &filling->cells[column];
            gsize at = (gsize)row * histogram->n_columns + column;
            histogram->present[at] = cell->n > 0;
            if (cell->n)
                histogram->cells[at] = statistics[options->statistic].value(cell, &filling->row);
        }
    }
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
    gboolean has_limits = options.minimum != 0 || options.maximum != 0;
    if (has_limits && (!(options.minimum < options.maximum) || options.delta < 0)) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "the limits of the columns leave no column");
        return NULL;
    }
    Filling filling = {.columns = tnd_histogram_columns_choose(control, &options)};
    filling.cells = g_new0(Sums, filling.columns.n + 1);
    TndHistogram *histogram = make_table(control, &options, &filling.columns);
    fill_table(histogram, control, &options, &filling);
    for (guint column = 0; column < histogram->n_columns; column++)
        sum_column(histogram, column);
    drop_empty_columns(histogram);
    g_free(filling.cells);
    tnd_histogram_columns_clear(&filling.columns);
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
    g_free(histogram->cells);
    g_free(histogram->present);
    g_free(histogram->totals);
    g_free(histogram);
}

/* "Running [ns]". */
static char *name_with_unit(const TndHistogram *histogram, const char *name)
{
    return *histogram->unit ? g_strdup_printf("%s [%s]", name, histogram->unit) : g_strdup(name);
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
    tnd_csv_text(file, 1, statistics[histogram->statistic].title);
    for (guint column = 0; column < histogram->n_columns; column++) {
        char *name = name_with_unit(histogram, histogram->column_names[column]);
        tnd_csv_text(file, 0, name);
        g_free(name);
    }
    tnd_csv_end_line(file);
    for (guint row = 0; row < histogram->n_rows; row++)
        write_line(histogram, file, histogram->row_names[row], &histogram->cells[(gsize)row * histogram->n_columns]);
    for (guint total = 0; total < TND_TOTAL_N; total++)
        write_line(histogram, file, tnd_histogram_total_name(total),
                   &histogram->totals[(gsize)total * histogram->n_columns]);
}

static void write_long(const TndHistogram *histogram, FILE *file)
{
    fputs("row,column,value\n", file);
    for (guint row = 0; row < histogram->n_rows; row++) {
        for (guint column = 0; column < histogram->n_columns; column++) {
            gsize at = (gsize)row * histogram->n_columns + column;
            if (!histogram->present[at])
                continue;
            char *name = name_with_unit(histogram, histogram->column_names[column]);
            tnd_csv_text(file, 1, histogram->row_names[row]);
            tnd_csv_text(file, 0, name);
            tnd_csv_number(file, 0, histogram->cells[at], histogram->decimals);
            tnd_csv_end_line(file);
            g_free(name);
        }
    }
}

gboolean tnd_histogram_write_csv(const TndHistogram *histogram, FILE *file, gboolean is_long, GError **error)
{
    (is_long ? write_long : write_wide)(histogram, file);
    if (fflush(file) == 0 && !ferror(file))
        return TRUE;
    g_set_error(error, G_IO_ERROR, g_io_error_from_errno(errno), "%s", g_strerror(errno));
    return FALSE;
}
