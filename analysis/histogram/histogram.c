/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Histograms of views by options, and their CSV.
 */
#include "analysis/histogram/histogram.h"

#include "analysis/histogram/histogram_calls.h"
#include "analysis/histogram/histogram_filling.h"
#include "analysis/histogram/histogram_totals.h"
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

/* Whether the user sets the limits of the columns. */
static gboolean has_limits(const TndHistogramOptions *options)
{
    return options->minimum != 0 || options->maximum != 0;
}

/* Ranges that cover the values of the view in the stretch of time. */
static TndHistogramColumns suggested_ranges(const TndHistogramPlan *plan, const TndHistogramOptions *options)
{
    double minimum = 0, maximum = 0;
    if (!tnd_view_range(plan->control, options->begin_ns, options->end_ns, &minimum, &maximum))
        return (TndHistogramColumns){0};
    double range = maximum - minimum;
    return tnd_histogram_columns_ranges(minimum, maximum + 0.05 * range, range == 0 ? 1.0 : options->delta,
                                        options->n_columns);
}

static gboolean choose_columns(TndHistogramPlan *plan, const TndHistogramValues *values)
{
    const TndHistogramOptions *options = plan->chooser;
    const gboolean is_of_codes = tnd_view_rule(plan->control)->palette == TND_PALETTE_CODE;
    TndHistogramColumns *columns = &plan->columns;
    plan->planes = (TndHistogramColumns){.n = 1};
    if (plan->third)
        plan->planes = tnd_histogram_columns_of(&options->within_value, 1);
    if (columns->are_rows)
        return TRUE;
    if (has_limits(options)) {
        *columns = tnd_histogram_columns_ranges(options->minimum, options->maximum, options->delta, options->n_columns);
        columns->is_codes = is_of_codes && columns->delta == 1.0 && floor(columns->minimum) == columns->minimum;
        return TRUE;
    }
    /* If there are several views, the values of the control have not been collected yet.  If there is one, they have,
     * unless there are too many. */
    TndHistogramValues *own = NULL;
    gboolean needs_values = is_of_codes && (plan->data != plan->control || plan->third);
    gboolean goes_on = !needs_values || tnd_histogram_values_new(plan, &own);
    if (values || own)
        *columns = tnd_histogram_columns_of((values ? values : own)->values, (values ? values : own)->n);
    else if (goes_on && (goes_on = tnd_view_make_rows(plan->control, NULL, plan->progress)))
        *columns = suggested_ranges(plan, options);
    tnd_histogram_values_free(own);
    return goes_on;
}

/* Whether each row of the view is in the table.  Free with g_free. */
static gboolean *choose_rows(const TndView *control, const TndHistogramOptions *options)
{
    guint n_rows = tnd_view_n_rows(control);
    gboolean *rows = g_new0(gboolean, n_rows + 1);
    guint end = options->n_rows && options->n_rows < n_rows - MIN(options->first_row, n_rows)
                    ? options->first_row + options->n_rows
                    : n_rows;
    for (guint row = options->first_row; row < end; row++)
        rows[row] = !options->rows || options->rows[row];
    return rows;
}

static TndHistogram *arrange(TndHistogram *histogram, const TndHistogramLayout *layout)
{
    guint *order = tnd_histogram_totals_order(histogram, layout);
    tnd_histogram_totals_arrange(histogram, layout, order);
    g_free(order);
    return histogram;
}

static gboolean refuse(GError **error, const char *why)
{
    g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, why);
    return FALSE;
}

static gboolean check(const TndHistogramPlan *plan, const TndHistogramOptions *options, GError **error)
{
    if (options->begin_ns >= options->end_ns)
        return refuse(error, "the stretch of time is empty, or outside of the trace");
    if (has_limits(options) && (!(options->minimum < options->maximum) || options->delta < 0))
        return refuse(error, "the limits of the columns leave no column: the minimum must be below the maximum");
    if (plan->kind == TND_STATISTIC_CALLS && !tnd_histogram_calls_are_known(plan))
        return refuse(error, "calls can be counted of a view of calls or regions alone, as mpi-calls");
    return tnd_histogram_filling_has_levels(plan) ||
           refuse(error, "the rows of these views do not match: CPUs or nodes in one, threads or tasks in another");
}

TndHistogram *tnd_histogram_new_with(TndView *control, const TndHistogramOptions *given, GError **error)
{
    TndHistogramOptions options = *given;
    guint64 trace_end_ns = tnd_trace_end_ns(tnd_view_trace(control));
    options.end_ns = options.end_ns ? MIN(options.end_ns, trace_end_ns) : trace_end_ns;
    TndHistogramPlan plan = {.control = control,
                             .data = options.data ? options.data : control,
                             .third = options.within,
                             .kind = options.statistic,
                             .percentile = options.percentile,
                             .begin = {options.begin_ns, 0},
                             .end = {options.end_ns, 0},
                             .is_automatic = !has_limits(&options),
                             .choose = choose_columns,
                             .chooser = &options};
    if (!check(&plan, &options, error))
        return NULL;
    gboolean *rows = choose_rows(control, &options);
    plan.rows = rows;
    if (options.progress)
        plan.progress =
            tnd_cores_progress_new(options.progress, options.user_data, tnd_histogram_filling_n_items(&plan));
    TndHistogram *histogram = NULL;
    if (tnd_histogram_filling_run(&plan))
        histogram = arrange(tnd_histogram_filling_table(&plan, 0), &options.layout);
    else if (tnd_histogram_filling_is_too_large(&plan))
        refuse(error,
               "a table of so many rows and columns needs more memory than it is worth: choose some of the rows");
    else
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "the histogram was cancelled");
    tnd_histogram_filling_clear(&plan);
    g_free(rows);
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
    g_free(histogram->row_numbers);
    g_free(histogram->column_ends);
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
