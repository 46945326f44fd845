/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of tables, filled side by side; tables made of them.
 */
#include "analysis/histogram/histogram_filling.h"

#include "analysis/bursts/burst_walk.h"
#include "analysis/histogram/histogram_messages.h"
#include "analysis/histogram/histogram_totals.h"

#include <string.h>

/* More rows and columns than this, in all planes, are a mistake in the limits. */
#define MOST_LINES 20000000

static const TndHistogramStatistic *statistic_of(const TndHistogramFilling *filling)
{
    return &tnd_histogram_statistics_table[filling->kind];
}

static gboolean is_of_pieces(const TndHistogramFilling *filling)
{
    return statistic_of(filling)->kind == TND_HISTOGRAM_OF_PIECES;
}

/* Whether all is in the values of one view, of which there are few. */
static gboolean takes_values(const TndHistogramFilling *filling)
{
    return filling->data == filling->control && !filling->third &&
           tnd_view_rule(filling->control)->palette == TND_PALETTE_CODE;
}

static guint n_rows_of(const TndHistogramFilling *filling)
{
    return tnd_view_n_rows(filling->control);
}

static TndHistogramRow *row_of(const TndHistogramFilling *filling, guint plane, guint row)
{
    return &filling->cells[(gsize)plane * n_rows_of(filling) + row];
}

/* Levels. */

/* Of the view whose rows are the finest: a piece is of one of them. */
static TndLevel finest_level(const TndHistogramFilling *filling)
{
    TndLevel level = MAX(tnd_view_level(filling->control), tnd_view_level(filling->data));
    return filling->third ? MAX(level, tnd_view_level(filling->third)) : level;
}

gboolean tnd_histogram_filling_has_levels(const TndHistogramFilling *filling)
{
    TndLevel finest = finest_level(filling);
    return tnd_levels_is_above(tnd_view_level(filling->control), finest) &&
           tnd_levels_is_above(tnd_view_level(filling->data), finest) &&
           (!filling->third || tnd_levels_is_above(tnd_view_level(filling->third), finest));
}

/* Of the finest rows those that belong to each row of the control. */
typedef struct {
    TndLevel level;
    guint *rows;
    gsize *first; /* of a row of the control; one more than there are */
} Parts;

static Parts find_parts(const TndHistogramFilling *filling)
{
    const TndTrace *trace = tnd_view_trace(filling->control);
    TndLevel level = finest_level(filling), above = tnd_view_level(filling->control);
    guint n = tnd_levels_n_rows(trace, level), n_above = n_rows_of(filling);
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

static void add_piece(TndHistogramFilling *filling, guint row, double length, double control, double value,
                      double third)
{
    int column = tnd_histogram_columns_find(&filling->columns, control);
    int plane = filling->third ? tnd_histogram_columns_find(&filling->planes, third) : 0;
    if (column < 0 || plane < 0)
        return;
    TndHistogramSums *sums = tnd_histogram_cells_sums(row_of(filling, (guint)plane, row), (guint)column);
    tnd_histogram_statistics_add(statistic_of(filling), sums, length, control, value);
}

/* Of amounts each piece has its part; the other values hold for all of it. */
static gboolean is_of_amounts(const TndHistogramFilling *filling)
{
    return filling->kind == TND_STATISTIC_INTEGRAL && strcmp(tnd_view_rule(filling->data)->unit, "J") == 0;
}

static TndBurstWalk start_walk(const TndHistogramFilling *filling, TndView *view, TndLevel level, guint row)
{
    guint own = tnd_levels_row_above(tnd_view_trace(view), level, row, tnd_view_level(view));
    return tnd_burst_walk_start(tnd_view_row(view, own), filling->begin.ns);
}

/* Of a row of the finest level, into a row of the table. */
static void fill_pieces(TndHistogramFilling *filling, TndLevel level, guint part, guint row)
{
    const TndBurst everywhere = {0, G_MAXUINT64, 0};
    const guint64 last_ns = filling->end.ns + (filling->end.part > 0);
    const gboolean are_amounts = is_of_amounts(filling);
    TndBurstWalk control = start_walk(filling, filling->control, level, part);
    TndBurstWalk data = start_walk(filling, filling->data, level, part);
    TndBurstWalk third =
        filling->third ? start_walk(filling, filling->third, level, part) : tnd_burst_walk_start_array(&everywhere, 1);
    guint64 before_ns = 0; /* pieces are in order */
    while (control.at && data.at && third.at && control.at->begin_ns < last_ns) {
        guint64 begin_ns = MAX(MAX(control.at->begin_ns, data.at->begin_ns), third.at->begin_ns);
        guint64 until_ns = MIN(MIN(control.at->end_ns, data.at->end_ns), third.at->end_ns);
        double value = data.at->value, length = tnd_histogram_filling_length(filling, begin_ns, until_ns);
        tnd_assert(begin_ns >= before_ns && until_ns >= begin_ns);
        before_ns = until_ns;
        if (are_amounts)
            value *= 1e9 / (double)(data.at->end_ns - data.at->begin_ns);
        if (length > 0)
            add_piece(filling, row, length, control.at->value, value, third.at->value);
        tnd_burst_walk_step(&control, until_ns);
        tnd_burst_walk_step(&data, until_ns);
        tnd_burst_walk_step(&third, until_ns);
    }
    tnd_burst_walk_end(&control);
    tnd_burst_walk_end(&data);
    tnd_burst_walk_end(&third);
}

typedef struct {
    TndHistogramFilling *filling;
    Parts parts;
    const TndHistogramValues *values; /* NULL: pieces are walked through */
} Filling;

/* The sums of each value that a row has, in which the view is its own data. */
static void fill_values(TndHistogramFilling *filling, TndHistogramRowValues *values, guint row)
{
    for (guint i = 0; i < values->n; i++) {
        int column = tnd_histogram_columns_find(&filling->columns, values->values[i]);
        if (column < 0)
            continue;
        *tnd_histogram_cells_sums(row_of(filling, 0, row), (guint)column) = values->sums[i];
        values->sums[i].samples = NULL; /* the cell's now */
    }
}

static void fill_row(guint row, gpointer data)
{
    const Filling *given = data;
    if (!given->filling->rows[row])
        return;
    if (given->values)
        fill_values(given->filling, &given->values->rows[row], row);
    else
        for (gsize i = given->parts.first[row]; i < given->parts.first[row + 1]; i++)
            fill_pieces(given->filling, given->parts.level, given->parts.rows[i], row);
}

/* The rows that pieces are of, but where each is made when it is come to. */
static gboolean make_rows(TndHistogramFilling *filling)
{
    TndView *const views[] = {filling->control, filling->data, filling->third};
    TndLevel finest = finest_level(filling);
    gboolean goes_on = TRUE;
    for (guint i = 0; i < G_N_ELEMENTS(views) && goes_on; i++)
        if (views[i] && tnd_view_level(views[i]) < finest)
            goes_on = tnd_view_make_rows(views[i], NULL, filling->teller);
    return goes_on;
}

/* Whether each value is alone in its column: then sums of values are sums of cells. */
static gboolean are_apart(const TndHistogramFilling *filling, const TndHistogramValues *values)
{
    int before = -1;
    for (guint i = 0; i < values->n; i++) {
        int column = tnd_histogram_columns_find(&filling->columns, values->values[i]);
        if (column >= 0 && column == before)
            return FALSE;
        before = column >= 0 ? column : before;
    }
    return TRUE;
}

gboolean tnd_histogram_filling_is_too_large(const TndHistogramFilling *filling)
{
    return (double)filling->planes.n * ((double)n_rows_of(filling) + filling->columns.n) > MOST_LINES;
}

static gboolean make_cells(TndHistogramFilling *filling)
{
    if (tnd_histogram_filling_is_too_large(filling))
        return FALSE;
    filling->cells = g_new0(TndHistogramRow, (gsize)filling->planes.n * n_rows_of(filling) + 1);
    return TRUE;
}

static gboolean fill_cells(TndHistogramFilling *filling, const TndHistogramValues *values)
{
    Filling given = {filling, find_parts(filling), values && are_apart(filling, values) ? values : NULL};
    gboolean is_done = (given.values || make_rows(filling)) &&
                       tnd_cores_run_telling(filling->teller, n_rows_of(filling), fill_row, &given);
    g_free(given.parts.rows);
    g_free(given.parts.first);
    return is_done;
}

gboolean tnd_histogram_filling_run(TndHistogramFilling *filling)
{
    TndHistogramValues *values = NULL;
    gboolean is_done = TRUE;
    if (!is_of_pieces(filling)) {
        filling->columns = (TndHistogramColumns){.n = n_rows_of(filling), .are_rows = TRUE};
        return filling->choose(filling, NULL) && make_cells(filling) && tnd_histogram_messages_fill(filling);
    }
    if (takes_values(filling))
        is_done = tnd_histogram_values_new(filling, &values);
    is_done = is_done && filling->choose(filling, values) && make_cells(filling) && fill_cells(filling, values);
    tnd_histogram_values_free(values);
    return is_done;
}

guint64 tnd_histogram_filling_n_items(const TndHistogramFilling *filling)
{
    TndView *const views[] = {filling->control, filling->data, filling->third};
    gboolean has_values = is_of_pieces(filling) && (filling->is_automatic || takes_values(filling));
    guint64 n = (1 + (guint64)has_values) * n_rows_of(filling);
    for (guint i = 0; is_of_pieces(filling) && !takes_values(filling) && i < G_N_ELEMENTS(views); i++)
        n += views[i] && tnd_view_level(views[i]) < finest_level(filling) ? tnd_view_n_rows(views[i]) : 0;
    if (filling->are_planes_automatic)
        n += tnd_view_n_rows(filling->third);
    return MAX(n, 1);
}

void tnd_histogram_filling_clear(TndHistogramFilling *filling)
{
    gsize n = filling->cells ? (gsize)filling->planes.n * n_rows_of(filling) : 0;
    for (gsize row = 0; row < n; row++)
        tnd_histogram_cells_clear(&filling->cells[row]);
    g_free(filling->cells);
    tnd_histogram_columns_clear(&filling->columns);
    tnd_histogram_columns_clear(&filling->planes);
    tnd_cores_teller_free(filling->teller);
}

/* Tables. */

/* What comes of a unit by the integral over time: of what is per second the amount.  NULL: nothing that has a name; the
 * integral then is as Paraver has it.  Free with g_free. */
static char *integrated_unit(const char *unit)
{
    if (strcmp(unit, "W") == 0 || strcmp(unit, "J") == 0)
        return g_strdup("J");
    return g_str_has_suffix(unit, "/s") ? g_strndup(unit, strlen(unit) - 2) : NULL;
}

/* Sets the unit; what the statistic is divided by into it, because lengths are summed up in ns. */
static double choose_unit(const TndHistogramFilling *filling, TndHistogram *table)
{
    const char *unit = statistic_of(filling)->unit, *data_unit = tnd_view_rule(filling->data)->unit;
    if (filling->kind == TND_STATISTIC_INTEGRAL) {
        table->unit = integrated_unit(data_unit);
        if (table->unit)
            return 1e9;
        table->unit = g_strdup(data_unit);
        return tnd_view_unit_ns(filling->data);
    }
    gboolean is_time = unit && strcmp(unit, "ns") == 0;
    table->unit = g_strdup(is_time ? tnd_view_unit_name(filling->control) : unit ? unit : data_unit);
    return is_time ? tnd_view_unit_ns(filling->control) : 1;
}

static TndHistogramRowSums sum_row(const TndHistogramFilling *filling, const TndHistogramRow *cells)
{
    double window_ns = (double)(filling->end.ns - filling->begin.ns) + filling->end.part - filling->begin.part;
    TndHistogramRowSums row = {.window_ns = window_ns, .percentile = filling->percentile};
    for (guint i = 0; i < cells->n; i++) {
        row.n += cells->sums[i].n;
        row.l += cells->sums[i].l;
        row.l_control_nonzero += cells->sums[i].l_control_nonzero;
    }
    return row;
}

typedef struct {
    const TndHistogramFilling *filling;
    guint plane;
    double divisor;
    TndHistogramCell **cells; /* of each row of the control */
    guint *n;
} Making;

static void make_row(guint row, gpointer data)
{
    const Making *making = data;
    const TndHistogramFilling *filling = making->filling;
    if (!filling->rows[row])
        return;
    TndHistogramRow *sums = row_of(filling, making->plane, row);
    tnd_histogram_cells_sort(sums);
    TndHistogramRowSums all = sum_row(filling, sums);
    making->cells[row] = tnd_histogram_cells_values(sums, statistic_of(filling), &all);
    for (guint i = 0; i < sums->n; i++)
        making->cells[row][i].value /= making->divisor;
    making->n[row] = sums->n;
}

static void fill_table(TndHistogramFilling *filling, guint plane, double divisor, TndHistogram *table)
{
    guint n_rows = n_rows_of(filling);
    Making making = {filling, plane, divisor, g_new0(TndHistogramCell *, n_rows + 1), g_new0(guint, n_rows + 1)};
    tnd_cores_run(n_rows, make_row, &making);
    table->row_names = g_new0(char *, n_rows + 1);
    for (guint row = 0; row < n_rows; row++) {
        if (!filling->rows[row])
            continue;
        making.cells[table->n_rows] = making.cells[row];
        making.n[table->n_rows] = making.n[row];
        table->row_names[table->n_rows++] = g_strdup(tnd_view_row_name(filling->control, row));
    }
    tnd_histogram_cells_join(table, making.cells, making.n);
    g_free(making.cells);
    g_free(making.n);
}

TndHistogram *tnd_histogram_filling_table(TndHistogramFilling *filling, guint plane)
{
    const TndViewRule *rule = tnd_view_rule(filling->control);
    guint n_columns = filling->columns.n;
    TndHistogram *table = g_new0(TndHistogram, 1);
    double divisor = choose_unit(filling, table);
    table->n_columns = n_columns;
    table->totals = g_new0(double, (gsize)TND_TOTAL_N *n_columns + 1);
    fill_table(filling, plane, divisor, table);
    table->column_names = g_new0(char *, n_columns + 1);
    for (guint column = 0; column < n_columns; column++)
        table->column_names[column] = tnd_histogram_columns_name(&filling->columns, filling->control, column);
    if (!is_of_pieces(filling))
        table->subject = g_strdup("Messages, by partner");
    else
        table->subject = rule->origin ? g_strdup_printf("%s (%s)", rule->title, rule->origin) : g_strdup(rule->title);
    table->statistic = filling->kind;
    table->title = tnd_histogram_statistics_title(filling->kind, filling->percentile);
    table->begin_ns = filling->begin.ns;
    table->end_ns = filling->end.ns;
    table->decimals = 10;
    tnd_histogram_totals_make(table);
    return table;
}
