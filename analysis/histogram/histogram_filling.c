/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fills the rows of tables on all cores, and makes tables of them.
 */
#include "analysis/histogram/histogram_filling.h"

#include "analysis/bursts/burst_walk.h"
#include "analysis/histogram/histogram_calls.h"
#include "analysis/histogram/histogram_messages.h"
#include "analysis/histogram/histogram_totals.h"
#include "analysis/trace/walk.h"

#include <string.h>

/* More rows and columns than this, in all planes together, are taken for a mistake in the limits. */
#define MOST_LINES 20000000
/* A row takes half a KB, whether its thread has records or not. */
#define MOST_ROWS 1000000

static const TndHistogramStatistic *statistic_of(const TndHistogramPlan *plan)
{
    return &tnd_histogram_statistics_table[plan->kind];
}

static gboolean is_of_pieces(const TndHistogramPlan *plan)
{
    return statistic_of(plan)->kind == TND_HISTOGRAM_OF_PIECES || statistic_of(plan)->kind == TND_HISTOGRAM_OF_CALLS;
}

/* Whether the table can be filled with the sums of each value of one view, which has few values. */
static gboolean takes_values(const TndHistogramPlan *plan)
{
    return plan->data == plan->control && !plan->third && tnd_view_rule(plan->control)->palette == TND_PALETTE_CODE;
}

static guint n_rows_of(const TndHistogramPlan *plan)
{
    return tnd_view_n_rows(plan->control);
}

static TndHistogramRow *row_of(const TndHistogramPlan *plan, guint plane, guint row)
{
    return &plan->cells[(gsize)plane * n_rows_of(plan) + row];
}

/* Levels. */

/* The level of the view with the finest rows, which are those of the pieces. */
static TndLevel finest_level(const TndHistogramPlan *plan)
{
    TndLevel level = MAX(tnd_view_level(plan->control), tnd_view_level(plan->data));
    return plan->third ? MAX(level, tnd_view_level(plan->third)) : level;
}

gboolean tnd_histogram_filling_has_levels(const TndHistogramPlan *plan)
{
    TndLevel finest = finest_level(plan);
    return tnd_levels_is_above(tnd_view_level(plan->control), finest) &&
           tnd_levels_is_above(tnd_view_level(plan->data), finest) &&
           (!plan->third || tnd_levels_is_above(tnd_view_level(plan->third), finest));
}

/* The rows of the finest level that belong to each row of the control view. */
typedef struct {
    TndLevel level;
    guint *rows;
    gsize *first; /* of each row of the control view, and the end of the last one */
} Parts;

static Parts find_parts(const TndHistogramPlan *plan)
{
    const TndTrace *trace = tnd_view_trace(plan->control);
    TndLevel level = finest_level(plan), above = tnd_view_level(plan->control);
    guint n = tnd_levels_n_rows(trace, level), n_above = n_rows_of(plan);
    Parts parts = {level, g_new(guint, n + 1), g_new0(gsize, (gsize)n_above + 2)};
    for (guint row = 0; row < n; row++)
        parts.first[tnd_levels_row_above(trace, level, row, above) + 2]++;
    for (guint row = 0; row < n_above; row++)
        parts.first[row + 2] += parts.first[row + 1];
    for (guint row = 0; row < n; row++)
        parts.rows[parts.first[tnd_levels_row_above(trace, level, row, above) + 1]++] = row;
    return parts;
}

/* Pieces. */

static void add_piece(TndHistogramPlan *plan, guint row, double length, double control, double value, double third)
{
    int column = tnd_histogram_columns_find(&plan->columns, control);
    int plane = plan->third ? tnd_histogram_columns_find(&plan->planes, third) : 0;
    if (column < 0 || plane < 0)
        return;
    TndHistogramSums *sums = tnd_histogram_cells_sums(row_of(plan, (guint)plane, row), (guint)column);
    tnd_histogram_statistics_add(statistic_of(plan), sums, length, control, value);
}

/* Whether values are amounts over a burst (energy), of which a piece has its share, and not values that hold at every
 * moment. */
static gboolean is_of_amounts(const TndHistogramPlan *plan)
{
    return plan->kind == TND_STATISTIC_INTEGRAL && strcmp(tnd_view_rule(plan->data)->unit, "J") == 0;
}

static TndBurstWalk start_walk(const TndHistogramPlan *plan, TndView *view, TndLevel level, guint row)
{
    guint own = tnd_levels_row_above(tnd_view_trace(view), level, row, tnd_view_level(view));
    return tnd_burst_walk_start(tnd_view_row(view, own), plan->begin.ns);
}

/* Adds the pieces of a row of the finest level to a row of the table. */
static void fill_pieces(TndHistogramPlan *plan, TndLevel level, guint part, guint row)
{
    const TndBurst everywhere = {0, G_MAXUINT64, 0};
    const guint64 last_ns = plan->end.ns + (plan->end.part > 0);
    const gboolean are_amounts = is_of_amounts(plan);
    TndBurstWalk control = start_walk(plan, plan->control, level, part);
    TndBurstWalk data = start_walk(plan, plan->data, level, part);
    TndBurstWalk third =
        plan->third ? start_walk(plan, plan->third, level, part) : tnd_burst_walk_start_array(&everywhere, 1);
    guint64 before_ns = 0; /* end of the piece before, to assert the order */
    while (control.at && data.at && third.at && control.at->begin_ns < last_ns) {
        guint64 begin_ns = MAX(MAX(control.at->begin_ns, data.at->begin_ns), third.at->begin_ns);
        guint64 until_ns = MIN(MIN(control.at->end_ns, data.at->end_ns), third.at->end_ns);
        double value = data.at->value, length = tnd_histogram_plan_length(plan, begin_ns, until_ns);
        tnd_assert(begin_ns >= before_ns && until_ns >= begin_ns);
        before_ns = until_ns;
        if (are_amounts)
            value *= 1e9 / (double)(data.at->end_ns - data.at->begin_ns);
        if (length > 0)
            add_piece(plan, row, length, control.at->value, value, third.at->value);
        tnd_burst_walk_step(&control, until_ns);
        tnd_burst_walk_step(&data, until_ns);
        tnd_burst_walk_step(&third, until_ns);
    }
    tnd_burst_walk_end(&control);
    tnd_burst_walk_end(&data);
    tnd_burst_walk_end(&third);
}

typedef struct {
    TndHistogramPlan *plan;
    Parts parts;
    const TndHistogramValues *values; /* NULL: cells are filled from pieces */
} Filling;

/* Fills a row from the sums of each value, if the control view is also the data view. */
static void fill_values(TndHistogramPlan *plan, TndHistogramRowValues *values, guint row)
{
    for (guint i = 0; i < values->n; i++) {
        int column = tnd_histogram_columns_find(&plan->columns, values->values[i]);
        if (column < 0)
            continue;
        *tnd_histogram_cells_sums(row_of(plan, 0, row), (guint)column) = values->sums[i];
        values->sums[i].samples = NULL; /* now owned by the cell */
    }
}

static void fill_row(guint row, gpointer data)
{
    const Filling *given = data;
    if (!given->plan->rows[row])
        return;
    if (given->values)
        fill_values(given->plan, &given->values->rows[row], row);
    else
        for (gsize i = given->parts.first[row]; i < given->parts.first[row + 1]; i++)
            fill_pieces(given->plan, given->parts.level, given->parts.rows[i], row);
    if (statistic_of(given->plan)->kind == TND_HISTOGRAM_OF_CALLS)
        tnd_histogram_calls_count(given->plan, row);
}

/* Makes the rows of views with a coarser level, which several pieces share.  Rows of the finest level are made when
 * they are first used. */
static gboolean make_rows(TndHistogramPlan *plan)
{
    TndView *const views[] = {plan->control, plan->data, plan->third};
    TndLevel finest = finest_level(plan);
    gboolean goes_on = TRUE;
    for (guint i = 0; i < G_N_ELEMENTS(views) && goes_on; i++)
        if (views[i] && tnd_view_level(views[i]) < finest)
            goes_on = tnd_view_make_rows(views[i], NULL, plan->progress);
    return goes_on;
}

/* Whether no two values share a column: then the sums of values are the sums of cells. */
static gboolean are_apart(const TndHistogramPlan *plan, const TndHistogramValues *values)
{
    int before = -1;
    for (guint i = 0; i < values->n; i++) {
        int column = tnd_histogram_columns_find(&plan->columns, values->values[i]);
        if (column >= 0 && column == before)
            return FALSE;
        before = column >= 0 ? column : before;
    }
    return TRUE;
}

static gboolean has_too_many_rows(const TndHistogramPlan *plan)
{
    guint n = 0;
    for (guint row = 0; row < n_rows_of(plan); row++)
        n += plan->rows[row] != FALSE;
    return n > MOST_ROWS;
}

gboolean tnd_histogram_filling_is_too_large(const TndHistogramPlan *plan)
{
    return has_too_many_rows(plan) || (double)plan->planes.n * ((double)n_rows_of(plan) + plan->columns.n) > MOST_LINES;
}

static gboolean make_cells(TndHistogramPlan *plan)
{
    if (tnd_histogram_filling_is_too_large(plan))
        return FALSE;
    plan->cells = g_new0(TndHistogramRow, (gsize)plan->planes.n * n_rows_of(plan) + 1);
    return TRUE;
}

static gboolean fill_cells(TndHistogramPlan *plan, const TndHistogramValues *values)
{
    Filling given = {plan, find_parts(plan), values && are_apart(plan, values) ? values : NULL};
    gboolean is_done = (given.values || make_rows(plan)) &&
                       tnd_cores_run_with_progress(plan->progress, n_rows_of(plan), fill_row, &given);
    g_free(given.parts.rows);
    g_free(given.parts.first);
    return is_done;
}

gboolean tnd_histogram_filling_run(TndHistogramPlan *plan)
{
    TndHistogramValues *values = NULL;
    gboolean is_done = TRUE;
    if (has_too_many_rows(plan))
        return FALSE;
    if (!is_of_pieces(plan)) {
        plan->columns = (TndHistogramColumns){.n = n_rows_of(plan), .are_rows = TRUE};
        return plan->choose(plan, NULL) && make_cells(plan) && tnd_histogram_messages_fill(plan);
    }
    if (takes_values(plan))
        is_done = tnd_histogram_values_new(plan, &values);
    is_done = is_done && plan->choose(plan, values) && make_cells(plan) && fill_cells(plan, values);
    tnd_histogram_values_free(values);
    return is_done;
}

guint64 tnd_histogram_filling_n_items(const TndHistogramPlan *plan)
{
    TndView *const views[] = {plan->control, plan->data, plan->third};
    gboolean has_values = is_of_pieces(plan) && (plan->is_automatic || takes_values(plan));
    guint64 n = (1 + (guint64)has_values) * n_rows_of(plan);
    gsize n_blocks;
    tnd_walk_message_blocks(tnd_view_trace(plan->control), &n_blocks);
    if (!is_of_pieces(plan))
        n = n_blocks;
    for (guint i = 0; is_of_pieces(plan) && !takes_values(plan) && i < G_N_ELEMENTS(views); i++)
        n += views[i] && tnd_view_level(views[i]) < finest_level(plan) ? tnd_view_n_rows(views[i]) : 0;
    if (plan->are_planes_automatic)
        n += tnd_view_n_rows(plan->third);
    return MAX(n, 1);
}

void tnd_histogram_filling_clear(TndHistogramPlan *plan)
{
    gsize n = plan->cells ? (gsize)plan->planes.n * n_rows_of(plan) : 0;
    for (gsize row = 0; row < n; row++)
        tnd_histogram_cells_clear(&plan->cells[row]);
    g_free(plan->cells);
    tnd_histogram_columns_clear(&plan->columns);
    tnd_histogram_columns_clear(&plan->planes);
    tnd_cores_progress_free(plan->progress);
}

/* Tables. */

/* The unit of an integral over time, whose values are per second.  NULL: it has no name, and the integral is Paraver's.
 * Free with g_free. */
static char *integrated_unit(const char *unit)
{
    if (strcmp(unit, "W") == 0 || strcmp(unit, "J") == 0)
        return g_strdup("J");
    return g_str_has_suffix(unit, "/s") ? g_strndup(unit, strlen(unit) - 2) : NULL;
}

/* Sets the unit of the table.  Returns what the statistic is divided by, because lengths are summed up in ns. */
static double choose_unit(const TndHistogramPlan *plan, TndHistogram *table)
{
    const char *unit = statistic_of(plan)->unit, *data_unit = tnd_view_rule(plan->data)->unit;
    if (plan->kind == TND_STATISTIC_INTEGRAL) {
        table->unit = integrated_unit(data_unit);
        if (table->unit)
            return 1e9;
        table->unit = g_strdup(data_unit);
        return tnd_view_unit_ns(plan->data);
    }
    gboolean is_time = unit && strcmp(unit, "ns") == 0;
    table->unit = g_strdup(is_time ? tnd_view_unit_name(plan->control) : unit ? unit : data_unit);
    return is_time ? tnd_view_unit_ns(plan->control) : 1;
}

static TndHistogramRowSums sum_row(const TndHistogramPlan *plan, const TndHistogramRow *cells)
{
    double window_ns = (double)(plan->end.ns - plan->begin.ns) + plan->end.part - plan->begin.part;
    TndHistogramRowSums row = {.window_ns = window_ns, .percentile = plan->percentile};
    for (guint i = 0; i < cells->n; i++) {
        row.n += cells->sums[i].n;
        row.l += cells->sums[i].l;
        row.l_control_nonzero += cells->sums[i].l_control_nonzero;
    }
    return row;
}

typedef struct {
    const TndHistogramPlan *plan;
    guint plane;
    double divisor;
    TndHistogramCell **cells; /* of each row of the control view, n[row] of them */
    guint *n;
} Making;

static void make_row(guint row, gpointer data)
{
    const Making *making = data;
    const TndHistogramPlan *plan = making->plan;
    if (!plan->rows[row])
        return;
    TndHistogramRow *sums = row_of(plan, making->plane, row);
    tnd_histogram_cells_sort(sums);
    TndHistogramRowSums all = sum_row(plan, sums);
    making->cells[row] = tnd_histogram_cells_values(sums, statistic_of(plan), &all);
    for (guint i = 0; i < sums->n; i++)
        making->cells[row][i].value /= making->divisor;
    making->n[row] = sums->n;
}

static void fill_table(TndHistogramPlan *plan, guint plane, double divisor, TndHistogram *table)
{
    guint n_rows = n_rows_of(plan);
    Making making = {plan, plane, divisor, g_new0(TndHistogramCell *, n_rows + 1), g_new0(guint, n_rows + 1)};
    tnd_cores_run(n_rows, make_row, &making);
    table->row_names = g_new0(char *, n_rows + 1);
    table->row_numbers = g_new(guint, n_rows + 1);
    for (guint row = 0; row < n_rows; row++) {
        if (!plan->rows[row])
            continue;
        making.cells[table->n_rows] = making.cells[row];
        making.n[table->n_rows] = making.n[row];
        table->row_numbers[table->n_rows] = row;
        table->row_names[table->n_rows++] = g_strdup(tnd_view_row_name(plan->control, row));
    }
    tnd_histogram_cells_join(table, making.cells, making.n);
    g_free(making.cells);
    g_free(making.n);
}

TndHistogram *tnd_histogram_filling_table(TndHistogramPlan *plan, guint plane)
{
    const TndViewRule *rule = tnd_view_rule(plan->control);
    guint n_columns = plan->columns.n;
    TndHistogram *table = g_new0(TndHistogram, 1);
    double divisor = choose_unit(plan, table);
    table->level = tnd_view_level(plan->control);
    table->n_columns = n_columns;
    table->totals = g_new0(double, (gsize)TND_TOTAL_N *n_columns + 1);
    fill_table(plan, plane, divisor, table);
    table->column_names = g_new0(char *, n_columns + 1);
    for (guint column = 0; column < n_columns; column++)
        table->column_names[column] = tnd_histogram_columns_name(&plan->columns, plan->control, column);
    table->are_partners = plan->columns.are_rows;
    table->column_ends = g_new(double, 2 * (gsize)n_columns + 1);
    for (guint column = 0; column < n_columns; column++)
        tnd_histogram_columns_ends(&plan->columns, column, &table->column_ends[2 * column],
                                   &table->column_ends[2 * column + 1]);
    if (!is_of_pieces(plan))
        table->subject = g_strdup("Messages, by partner");
    else
        table->subject = rule->origin ? g_strdup_printf("%s (%s)", rule->title, rule->origin) : g_strdup(rule->title);
    table->statistic = plan->kind;
    table->title = tnd_histogram_statistics_title(plan->kind, plan->percentile);
    table->begin_ns = plan->begin.ns;
    table->end_ns = plan->end.ns;
    table->decimals = 10;
    tnd_histogram_totals_make(table);
    return table;
}
