/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Histograms of configurations: chooses columns and planes as Paraver does, and takes the rest from the file.
 */
#include "analysis/histogram/cfg_histogram.h"

#include "analysis/histogram/histogram_filling.h"
#include "analysis/histogram/histogram_totals.h"
#include "analysis/views/views.h"
#include "analysis/views/window_limits.h"
#include "formats/csv.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

/* Codes with more values than this get ranges as columns. */
#define MOST_CODES 10000
/* How many ranges Paraver makes automatically: the default of its preference. */
#define AUTOMATIC_COLUMNS 200

/* The smallest and the largest value of a window in the histogram's time.  The largest is never below 0, as in Paraver.
 */
typedef struct {
    double minimum, maximum;
    gboolean has_zero;
} Extent;

static void extend(Extent *extent, double value)
{
    extent->has_zero |= value == 0;
    extent->maximum = MAX(extent->maximum, value);
    if (value != 0)
        extent->minimum = MIN(extent->minimum, value);
}

static void extend_by_bursts(Extent *extent, const TndHistogramPlan *plan, const TndRowBursts *row)
{
    const TndHistogramMoment *begin = &plan->begin, *end = &plan->end;
    gboolean is_over = FALSE; /* the first burst after the time still counts */
    TndBurstWalk walk = tnd_burst_walk_start(row, 0);
    for (; walk.at && !is_over; tnd_burst_walk_next(&walk)) {
        is_over = walk.at->begin_ns >= end->ns + (end->part > 0);
        if (walk.at->end_ns > begin->ns || (begin->ns == 0 && begin->part == 0))
            extend(extent, walk.at->value);
    }
    tnd_burst_walk_end(&walk);
}

static void extend_by_values(Extent *extent, const TndHistogramRowValues *row)
{
    for (guint i = 0; i < row->n; i++)
        extend(extent, row->values[i]);
    for (guint i = 0; i < row->n_others; i++)
        extend(extent, row->others[i]);
}

/* The extent of the rows that the window shows.  values: those of the view, if they are at hand, or NULL.  FALSE: the
 * work was cancelled. */
static gboolean find_extent(const TndHistogramPlan *plan, TndView *view, const TndHistogramValues *values,
                            Extent *extent)
{
    gboolean *rows = tnd_window_limits_rows(tnd_view_trace(view), &view->plan.window, TRUE);
    gboolean goes_on = values || tnd_view_make_rows(view, rows, plan->progress);
    *extent = (Extent){.minimum = INFINITY};
    for (guint row = 0; goes_on && row < tnd_view_n_rows(view); row++)
        if (rows[row] && values)
            extend_by_values(extent, &values->rows[row]);
        else if (rows[row])
            extend_by_bursts(extent, plan, tnd_view_row(view, row));
    if (!isfinite(extent->minimum))
        extent->minimum = 0;
    g_free(rows);
    return goes_on;
}

static TndHistogramColumns automatic_columns(const TndHistogramPlan *plan, const TndCfgHistogram *cfg,
                                             const Extent *extent)
{
    double minimum = cfg->fits_zero && extent->has_zero ? MIN(extent->minimum, 0) : extent->minimum;
    double range = extent->maximum - minimum, maximum = extent->maximum + 0.05 * range;
    if (cfg->has_fixed_delta)
        return tnd_histogram_columns_ranges(minimum, maximum, cfg->delta, 0);
    if (range == 0)
        return tnd_histogram_columns_ranges(minimum, maximum, 1, 0);
    if (plan->control->plan.window.is_code && range <= MOST_CODES)
        return tnd_histogram_columns_ranges(minimum, floor(maximum), 1, 0);
    return tnd_histogram_columns_ranges(minimum, maximum, 0, AUTOMATIC_COLUMNS);
}

static gboolean choose_planes(TndHistogramPlan *plan)
{
    const TndCfgHistogram *cfg = plan->chooser;
    Extent extent;
    plan->planes = (TndHistogramColumns){.delta = 1, .n = 1};
    if (!plan->third)
        return TRUE;
    if (!cfg->third_is_automatic) {
        plan->planes = tnd_histogram_columns_ranges(cfg->third_minimum, cfg->third_maximum, cfg->third_delta, 0);
        return TRUE;
    }
    if (!find_extent(plan, plan->third, NULL, &extent))
        return FALSE;
    double range = extent.maximum - extent.minimum;
    double delta = range == 0 || plan->third->plan.window.is_code ? 1 : range / AUTOMATIC_COLUMNS;
    plan->planes = tnd_histogram_columns_ranges(extent.minimum, extent.maximum, delta, 0);
    return TRUE;
}

static void name_as_paraver(TndHistogramColumns *columns)
{
    columns->is_paravers = TRUE;
    columns->is_codes = columns->delta == 1 && floor(columns->minimum) == columns->minimum;
}

static gboolean choose_columns(TndHistogramPlan *plan, const TndHistogramValues *values)
{
    const TndCfgHistogram *cfg = plan->chooser;
    Extent extent;
    if (!plan->columns.are_rows) {
        if (!cfg->is_automatic)
            plan->columns = tnd_histogram_columns_ranges(cfg->minimum, cfg->maximum,
                                                         cfg->has_fixed_delta || cfg->n_columns == 0 ? cfg->delta : 0,
                                                         cfg->n_columns);
        else if (find_extent(plan, plan->control, values, &extent))
            plan->columns = automatic_columns(plan, cfg, &extent);
        else
            return FALSE;
        name_as_paraver(&plan->columns);
    }
    gboolean goes_on = choose_planes(plan);
    name_as_paraver(&plan->planes);
    return goes_on;
}

static gboolean has_cells(const TndHistogram *plane)
{
    return plane->first[plane->n_rows] > 0;
}

/* The plane that the file shows, else the first one with a cell.  All planes have the order of its columns. */
static guint shown_plane(const TndHistogramPlan *plan, TndHistogram *const *planes)
{
    const TndCfgHistogram *cfg = plan->chooser;
    guint first = G_MAXUINT, shown = G_MAXUINT;
    for (guint plane = 0; plane < plan->planes.n; plane++) {
        gboolean has_any = has_cells(planes[plane]);
        double low = plan->planes.minimum + plan->planes.delta * plane;
        if (has_any && first == G_MAXUINT)
            first = plane;
        if (has_any && cfg->has_shown && cfg->shown >= low && cfg->shown < low + 1)
            shown = plane;
    }
    return shown != G_MAXUINT ? shown : first != G_MAXUINT ? first : 0;
}

static gboolean complain(GError **error, const TndCfg *cfg, guint index, const char *what, const char *name)
{
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s: histogram %u: %s%s%s is not supported", cfg->path,
                index + 1, what, name ? " " : "", name ? name : "");
    return FALSE;
}

/* Finds the statistic by Paraver's name or by tandem's. */
static gboolean find_statistic(TndHistogramPlan *plan, const TndCfg *cfg, guint index, GError **error)
{
    const TndCfgHistogram *own = plan->chooser;
    const char *name = own->statistic ? own->statistic : "Time";
    for (guint i = 0; i < TND_STATISTIC_N; i++)
        if (g_strcmp0(tnd_histogram_statistics_table[i].paraver, name) == 0) {
            plan->kind = (TndStatistic)i;
            return TRUE;
        }
    return tnd_histogram_statistic_parse_percentile(name, &plan->kind, &plan->percentile) ||
           complain(error, cfg, index, "the statistic", name);
}

/* Sets the stretch of time: the file's, unless it is overridden. */
static void choose_time(TndHistogramPlan *plan, const TndHistogramOptions *overrides)
{
    const TndCfgHistogram *cfg = plan->chooser;
    guint64 trace_end_ns = tnd_trace_end_ns(tnd_view_trace(plan->control));
    plan->end.ns = trace_end_ns;
    if (cfg->is_within_window) {
        double begin_ns, end_ns;
        tnd_window_limits_time(tnd_view_trace(plan->control), &plan->control->plan.window, &begin_ns, &end_ns);
        plan->begin = (TndHistogramMoment){(guint64)begin_ns, begin_ns - floor(begin_ns)};
        if (end_ns < (double)trace_end_ns)
            plan->end = (TndHistogramMoment){(guint64)end_ns, end_ns - floor(end_ns)};
    }
    if (overrides && (overrides->begin_ns > 0 || overrides->end_ns > 0)) {
        plan->begin = (TndHistogramMoment){overrides->begin_ns, 0};
        plan->end = (TndHistogramMoment){overrides->end_ns ? MIN(overrides->end_ns, trace_end_ns) : trace_end_ns, 0};
    }
}

/* Whether each row of the control window is in the table.  Free with g_free. */
static gboolean *choose_rows(const TndHistogramPlan *plan, const TndHistogramOptions *overrides)
{
    const TndCfgHistogram *cfg = plan->chooser;
    const TndTrace *trace = tnd_view_trace(plan->control);
    const TndCfgWindow *window = &plan->control->plan.window;
    guint n_rows = tnd_view_n_rows(plan->control);
    gboolean *rows = tnd_window_limits_rows(trace, window, FALSE);
    gboolean has_own_rows = overrides && overrides->rows;
    if (has_own_rows || cfg->rows)
        memset(rows, 0, n_rows * sizeof *rows);
    for (guint thread = 0; has_own_rows && thread < tnd_trace_n_threads(trace); thread++) /* they choose threads */
        if (overrides->rows[thread])
            rows[tnd_levels_row_above(trace, TND_LEVEL_THREAD, thread, window->level)] = TRUE;
    for (guint i = 0; !has_own_rows && cfg->rows && i < cfg->rows->len; i++)
        if (g_array_index(cfg->rows, guint, i) < n_rows)
            rows[g_array_index(cfg->rows, guint, i)] = TRUE;
    for (guint row = 0; overrides && overrides->n_rows > 0 && row < n_rows; row++)
        rows[row] &= row >= overrides->first_row && row - overrides->first_row < overrides->n_rows;
    return rows;
}

static TndHistogramLayout choose_layout(const TndCfgHistogram *cfg, const TndHistogramOptions *overrides)
{
    static const char *const criteria[TND_TOTAL_N] = {"Total", "Average", "Maximum", "Minimum", "Stdev", "Avg/Max"};
    TndHistogramLayout layout = {.keeps_empty = !cfg->hides_empty,
                                 .is_sorted = cfg->is_sorted,
                                 .by = TND_TOTAL_AVERAGE,
                                 .is_reversed = cfg->is_reversed,
                                 .is_vertical = cfg->is_vertical};
    for (guint i = 0; i < TND_TOTAL_N && cfg->sort_criterion; i++)
        if (strcmp(criteria[i], cfg->sort_criterion) == 0)
            layout.by = i;
    if (overrides && overrides->layout.is_sorted) {
        layout.is_sorted = TRUE;
        layout.by = overrides->layout.by;
        layout.is_reversed = overrides->layout.is_reversed;
    }
    layout.is_vertical ^= overrides && overrides->layout.is_vertical;
    return layout;
}

static TndCfgTables *make_tables(TndHistogramPlan *plan, const TndHistogramLayout *layout)
{
    guint n_planes = plan->planes.n;
    TndCfgTables *tables = g_new0(TndCfgTables, 1);
    TndHistogram **planes = g_new0(TndHistogram *, n_planes + 1);
    tables->planes = g_new0(TndHistogram *, n_planes + 1);
    tables->plane_names = g_new0(char *, n_planes + 1);
    for (guint plane = 0; plane < n_planes; plane++)
        planes[plane] = tnd_histogram_filling_table(plan, plane);
    const guint shown = shown_plane(plan, planes);
    guint *order = n_planes ? tnd_histogram_totals_order(planes[shown], layout) : NULL;
    for (guint plane = 0; plane < n_planes; plane++) {
        if (plan->third && !has_cells(planes[plane])) {
            tnd_histogram_free(planes[plane]);
            continue;
        }
        tnd_histogram_totals_arrange(planes[plane], layout, order);
        if (plane == shown)
            tables->shown = tables->n_planes;
        tables->plane_names[tables->n_planes] =
            plan->third ? tnd_histogram_columns_name(&plan->planes, plan->third, plane) : NULL;
        tables->planes[tables->n_planes++] = planes[plane];
    }
    g_free(order);
    g_free(planes);
    return tables;
}

static TndCfgTables *run(TndHistogramPlan *plan, const TndCfg *cfg, guint index, const TndHistogramOptions *overrides,
                         GError **error)
{
    gboolean *rows = choose_rows(plan, overrides);
    gboolean *column_rows = tnd_window_limits_rows(tnd_view_trace(plan->control), &plan->control->plan.window, TRUE);
    const TndHistogramLayout layout = choose_layout(plan->chooser, overrides);
    TndCfgTables *tables = NULL;
    plan->rows = rows;
    plan->column_rows = column_rows;
    if (overrides && overrides->progress)
        plan->progress =
            tnd_cores_progress_new(overrides->progress, overrides->user_data, tnd_histogram_filling_n_items(plan));
    if (tnd_histogram_filling_run(plan))
        tables = make_tables(plan, &layout);
    else if (tnd_histogram_filling_is_too_large(plan))
        complain(error, cfg, index, "a table of so many rows and columns needs more memory than it is worth", NULL);
    else
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "%s: cancelled", cfg->path);
    tnd_histogram_filling_clear(plan);
    g_free(rows);
    g_free(column_rows);
    return tables;
}

TndCfgTables *tnd_cfg_histogram_new(TndView *const *views, const TndCfg *cfg, guint index,
                                    const TndHistogramOptions *overrides, GError **error)
{
    if (index >= cfg->histograms->len) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s: has %u histogram%s", cfg->path,
                    cfg->histograms->len, cfg->histograms->len == 1 ? "" : "s");
        return NULL;
    }
    const TndCfgHistogram *own = tnd_cfg_histogram(cfg, index);
    TndHistogramPlan plan = {.control = views[own->control],
                             .data = views[own->data],
                             .third = own->third == G_MAXUINT ? NULL : views[own->third],
                             .is_automatic = own->is_automatic,
                             .are_planes_automatic = own->third != G_MAXUINT && own->third_is_automatic,
                             .choose = choose_columns,
                             .chooser = own};
    if (!tnd_histogram_filling_has_levels(&plan)) {
        complain(error, cfg, index, "a window of CPUs or nodes beside one of threads or tasks", NULL);
        return NULL;
    }
    if (overrides && overrides->rows && tnd_view_level(plan.control) == TND_LEVEL_CPU) { /* a thread has no one CPU */
        complain(error, cfg, index, "a choice of threads where rows are CPUs", NULL);
        return NULL;
    }
    if (!find_statistic(&plan, cfg, index, error))
        return NULL;
    choose_time(&plan, overrides);
    return run(&plan, cfg, index, overrides, error);
}

gboolean tnd_cfg_histogram_write_csv(const TndCfgTables *tables, FILE *file, gboolean is_long, GError **error)
{
    gboolean is_good = TRUE;
    for (guint i = 0; i < tables->n_planes && is_good; i++) {
        if (i > 0)
            fputc('\n', file);
        if (tables->plane_names[i]) {
            tnd_csv_text(file, 1, tables->plane_names[i]);
            tnd_csv_end_line(file);
        }
        is_good = tnd_histogram_write_csv(tables->planes[i], file, is_long, error);
    }
    return is_good;
}

void tnd_cfg_histogram_free(TndCfgTables *tables)
{
    if (!tables)
        return;
    for (guint i = 0; i < tables->n_planes; i++) {
        tnd_histogram_free(tables->planes[i]);
        g_free(tables->plane_names[i]);
    }
    g_free(tables->planes);
    g_free(tables->plane_names);
    g_free(tables);
}
