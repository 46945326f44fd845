/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Histograms of windows.  A piece is a stretch of one row in which all windows keep their value; a row has the pieces
 * of every row of the data's window that belongs to it.
 */
#include "analysis/cfg_histogram.h"

#include "analysis/histogram_columns.h"
#include "analysis/histogram_statistics.h"
#include "analysis/histogram_totals.h"
#include "analysis/semantic_records.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

#define MOST_CODES 10000

typedef struct {
    TndWindows *windows;
    const TndCfgHistogram *cfg;
    const TndHistogramStatistic *statistic;
    TndHistogramColumns columns, planes;
    guint n_rows;
    TndHistogramSums *sums;        /* [plane][row][column], rows of the control's window */
    TndHistogramRowSums *row_sums; /* [plane][row] */
    gboolean *present;
} Filling;

/* From the values that a window has. */
static TndHistogramColumns automatic_ranges(TndWindows *windows, guint window, gboolean fits_zero)
{
    double minimum = INFINITY, maximum = -INFINITY;
    gboolean has_zero = FALSE;
    for (guint row = 0; row < tnd_windows_n_rows(windows, window); row++) {
        gsize n;
        const TndBurst *bursts = tnd_windows_bursts(windows, window, row, &n);
        for (gsize i = 0; i < n; i++) {
            has_zero |= bursts[i].value == 0;
            if (bursts[i].value != 0) {
                minimum = MIN(minimum, bursts[i].value);
                maximum = MAX(maximum, bursts[i].value);
            }
        }
    }
    if (!isfinite(minimum))
        minimum = maximum = 0;
    if (fits_zero && has_zero)
        minimum = MIN(minimum, 0);
    double range = maximum - minimum;
    maximum += 0.05 * range;
    gboolean is_code = tnd_cfg_window(tnd_windows_cfg(windows), window)->is_code && range <= MOST_CODES;
    if (is_code)
        return tnd_histogram_columns_ranges(minimum, floor(maximum), 1, 0);
    return range == 0 ? tnd_histogram_columns_ranges(minimum, maximum, 1, 0)
                      : tnd_histogram_columns_ranges(minimum, maximum, 0, 0);
}

static TndHistogramColumns control_ranges(TndWindows *windows, const TndCfgHistogram *cfg)
{
    if (cfg->is_automatic)
        return automatic_ranges(windows, cfg->control, cfg->fits_zero);
    return tnd_histogram_columns_ranges(cfg->minimum, cfg->maximum,
                                        cfg->has_fixed_delta || cfg->n_columns == 0 ? cfg->delta : 0, cfg->n_columns);
}

static TndHistogramColumns plane_ranges(TndWindows *windows, const TndCfgHistogram *cfg)
{
    if (cfg->third == G_MAXUINT)
        return (TndHistogramColumns){.delta = 1, .n = 1};
    if (cfg->third_is_automatic)
        return automatic_ranges(windows, cfg->third, FALSE);
    return tnd_histogram_columns_ranges(cfg->third_minimum, cfg->third_maximum, cfg->third_delta, 0);
}

static char *range_name(TndWindows *windows, guint window, const TndHistogramColumns *ranges, guint column)
{
    double low = ranges->minimum + column * ranges->delta;
    if (ranges->delta == 1 && floor(ranges->minimum) == ranges->minimum)
        return tnd_windows_value_text(windows, window, low);
    gboolean is_last = column + 1 == ranges->n;
    return g_strdup_printf("[%.2f..%.2f%c", low, is_last ? ranges->maximum : low + ranges->delta, is_last ? ']' : ')');
}

/* Pieces. */

typedef struct {
    const TndBurst *at, *end;
} Walk;

/* The bursts of the row of a window that a row of another level is in, or is. */
static Walk start_walk(Filling *filling, guint window, TndLevel level, guint row)
{
    const TndTrace *trace = tnd_windows_trace(filling->windows);
    TndLevel own = tnd_cfg_window(tnd_windows_cfg(filling->windows), window)->level;
    gsize n;
    const TndBurst *bursts =
        tnd_windows_bursts(filling->windows, window, tnd_levels_row_above(trace, level, row, own), &n);
    return (Walk){bursts, bursts + n};
}

static gsize cell_at(const Filling *filling, guint plane, guint row, guint column)
{
    return ((gsize)plane * filling->n_rows + row) * filling->columns.n + column;
}

static void add_piece(Filling *filling, guint row, guint64 length_ns, double control, double value, double third)
{
    int column = tnd_histogram_columns_find(&filling->columns, control),
        plane = tnd_histogram_columns_find(&filling->planes, third);
    if (column < 0 || plane < 0)
        return;
    gsize at = cell_at(filling, (guint)plane, row, (guint)column);
    TndHistogramRowSums *sums = &filling->row_sums[(gsize)plane * filling->n_rows + row];
    double length = (double)length_ns;
    tnd_histogram_statistics_add(&filling->sums[at], length, value);
    filling->present[at] = TRUE;
    sums->n++;
    sums->l += length;
    if (control != 0) {
        filling->sums[at].l_control_nonzero += length;
        sums->l_control_nonzero += length;
    }
}

/* `level`, `row`: of whichever of the windows is the finest. */
static void fill_pieces(Filling *filling, TndLevel level, guint row)
{
    const TndTrace *trace = tnd_windows_trace(filling->windows);
    const TndBurst everywhere = {0, G_MAXUINT64, 0};
    guint third_window = filling->cfg->third;
    guint control_row = tnd_levels_row_above(
        trace, level, row, tnd_cfg_window(tnd_windows_cfg(filling->windows), filling->cfg->control)->level);
    Walk control = start_walk(filling, filling->cfg->control, level, row);
    Walk data = start_walk(filling, filling->cfg->data, level, row);
    Walk third = third_window == G_MAXUINT ? (Walk){&everywhere, &everywhere + 1}
                                           : start_walk(filling, third_window, level, row);
    for (guint64 begin_ns = 0; control.at < control.end && data.at < data.end && third.at < third.end;) {
        guint64 until_ns = MIN(MIN(control.at->end_ns, data.at->end_ns), third.at->end_ns);
        if (until_ns > begin_ns)
            add_piece(filling, control_row, until_ns - begin_ns, control.at->value, data.at->value, third.at->value);
        begin_ns = until_ns;
        Walk *const walks[] = {&control, &data, &third};
        for (guint i = 0; i < G_N_ELEMENTS(walks); i++)
            if (walks[i]->at->end_ns == until_ns)
                walks[i]->at++;
    }
}

/* The finest level of the windows: a piece is of one of its rows. */
static TndLevel finest_level(const Filling *filling)
{
    const TndCfg *cfg = tnd_windows_cfg(filling->windows);
    TndLevel control = tnd_cfg_window(cfg, filling->cfg->control)->level;
    TndLevel data = tnd_cfg_window(cfg, filling->cfg->data)->level;
    return MAX(control, data);
}

/* Messages. */

static int plane_of(Filling *filling, TndLevel level, guint row, guint64 time_ns)
{
    if (filling->cfg->third == G_MAXUINT)
        return 0;
    Walk third = start_walk(filling, filling->cfg->third, level, row);
    while (third.at + 1 < third.end && third.at->end_ns <= time_ns)
        third.at++;
    return tnd_histogram_columns_find(&filling->planes, third.at->value);
}

static gboolean is_counted_receive(const TndSemanticRecord *record, const TndCfgWindow *window)
{
    const TndMessage *message = record->message;
    gboolean is_logical = (record->kind & TND_RECORD_IS_LOGICAL) != 0;
    if (window->physical)
        return !is_logical || window->logical;
    return is_logical ? message->logical_receive_ns > message->physical_receive_ns
                      : message->physical_receive_ns >= message->logical_receive_ns;
}

static void fill_messages(Filling *filling, const TndMessageIndex *index, guint thread, gboolean are_sends)
{
    const TndTrace *trace = tnd_windows_trace(filling->windows);
    const TndCfgWindow *window = tnd_cfg_window(tnd_windows_cfg(filling->windows), filling->cfg->control);
    guint row = tnd_levels_row_above(trace, TND_LEVEL_THREAD, thread, window->level);
    TndRecords records = tnd_semantic_records_of(trace, index, window, thread, TND_RECORD_IS_OWN,
                                                 tnd_windows_unit_ns(filling->windows, filling->cfg->control));
    for (gsize i = 0; i < records.n; i++) {
        const TndSemanticRecord *record = &records.records[i];
        gboolean is_send = (record->kind & TND_RECORD_IS_SEND) != 0;
        if (!record->passes || (!is_send && !is_counted_receive(record, window)))
            continue;
        guint partner = is_send ? record->message->receiver : record->message->sender;
        int plane = plane_of(filling, TND_LEVEL_THREAD, thread, record->time_ns);
        if (plane < 0)
            continue;
        guint column = tnd_levels_row_above(trace, TND_LEVEL_THREAD, partner, window->level);
        gsize at = cell_at(filling, (guint)plane, row, column);
        filling->present[at] = TRUE;
        if (is_send == are_sends)
            tnd_histogram_statistics_add(&filling->sums[at], 0, (double)record->message->size_bytes);
    }
    tnd_semantic_records_clear(&records);
}

/* Tables. */

/* Lengths are summed up in ns; what the statistic's are told in. */
static double length_unit_ns(const Filling *filling)
{
    if (filling->statistic == &tnd_histogram_statistics_table[TND_STATISTIC_INTEGRAL])
        return tnd_windows_unit_ns(filling->windows, filling->cfg->data);
    gboolean is_time = filling->statistic->unit && strcmp(filling->statistic->unit, "ns") == 0;
    return is_time ? tnd_windows_unit_ns(filling->windows, filling->cfg->control) : 1;
}

static gboolean is_row_wanted(const Filling *filling, guint row)
{
    const GArray *rows = filling->cfg->rows;
    for (guint i = 0; rows && i < rows->len; i++)
        if (g_array_index(rows, guint, i) == row)
            return TRUE;
    return !rows;
}

static TndHistogram *make_plane(Filling *filling, guint plane, TndStatistic statistic)
{
    const TndTrace *trace = tnd_windows_trace(filling->windows);
    guint control = filling->cfg->control, n_columns = filling->columns.n;
    TndLevel level = tnd_windows_level(filling->windows, control);
    gboolean of_messages = filling->statistic->kind != TND_HISTOGRAM_OF_PIECES;
    TndHistogram *table = g_new0(TndHistogram, 1);
    table->n_columns = n_columns;
    table->cells = g_new0(double, (gsize)filling->n_rows *n_columns + 1);
    table->present = g_new0(gboolean, (gsize)filling->n_rows * n_columns + 1);
    table->totals = g_new0(double, (gsize)TND_TOTAL_N *n_columns + 1);
    table->row_names = g_new0(char *, filling->n_rows + 1);
    table->column_names = g_new0(char *, n_columns + 1);
    for (guint row = 0; row < filling->n_rows; row++) {
        if (!is_row_wanted(filling, row))
            continue;
        TndHistogramRowSums sums = filling->row_sums[(gsize)plane * filling->n_rows + row];
        sums.window_ns = (double)tnd_trace_end_ns(trace);
        gsize to = (gsize)table->n_rows * n_columns;
        for (guint column = 0; column < n_columns; column++) {
            gsize at = cell_at(filling, plane, row, column);
            table->present[to + column] = filling->present[at];
            if (filling->sums[at].n)
                table->cells[to + column] =
                    filling->statistic->value(&filling->sums[at], &sums) / length_unit_ns(filling);
        }
        table->row_names[table->n_rows++] = tnd_levels_row_name(trace, level, row);
    }
    for (guint column = 0; column < n_columns; column++)
        table->column_names[column] = of_messages ? tnd_levels_row_name(trace, level, column)
                                                  : range_name(filling->windows, control, &filling->columns, column);
    gboolean is_time = filling->statistic->unit && strcmp(filling->statistic->unit, "ns") == 0;
    const char *unit = is_time ? tnd_windows_unit_name(tnd_cfg_window(tnd_windows_cfg(filling->windows), control)->unit)
                               : filling->statistic->unit;
    table->unit = g_strdup(unit ? unit : "");
    table->subject = g_strdup(tnd_cfg_window(tnd_windows_cfg(filling->windows), control)->name);
    table->statistic = statistic;
    table->end_ns = tnd_trace_end_ns(trace);
    table->decimals = 10;
    tnd_histogram_totals_make(table);
    return table;
}

static void fill(Filling *filling)
{
    const TndTrace *trace = tnd_windows_trace(filling->windows);
    if (filling->statistic->kind == TND_HISTOGRAM_OF_PIECES) {
        TndLevel level = finest_level(filling);
        for (guint row = 0; row < tnd_levels_n_rows(trace, level); row++)
            fill_pieces(filling, level, row);
        return;
    }
    TndMessageIndex *index = tnd_semantic_records_index(trace);
    for (guint thread = 0; thread < tnd_trace_n_threads(trace); thread++)
        fill_messages(filling, index, thread, filling->statistic->kind == TND_HISTOGRAM_OF_SENDS);
    tnd_semantic_records_index_free(index);
}

static gboolean complain(GError **error, const TndCfg *cfg, guint index, const char *what, const char *name)
{
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s: histogram %u: %s%s%s is not supported", cfg->path,
                index + 1, what, name ? " " : "", name ? name : "");
    return FALSE;
}

static gboolean find_statistic(const TndCfg *cfg, guint index, TndStatistic *statistic, GError **error)
{
    const TndCfgHistogram *histogram = tnd_cfg_histogram(cfg, index);
    const char *name = histogram->statistic ? histogram->statistic : "Time";
    for (guint i = 0; i < TND_STATISTIC_N; i++)
        if (strcmp(tnd_histogram_statistics_table[i].paraver, name) == 0) {
            *statistic = (TndStatistic)i;
            return TRUE;
        }
    return complain(error, cfg, index, "the statistic", name);
}

TndCfgTables *tnd_cfg_histogram_new(TndWindows *windows, guint index, GError **error)
{
    const TndCfg *cfg = tnd_windows_cfg(windows);
    if (index >= cfg->histograms->len) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s: has %u histogram%s", cfg->path,
                    cfg->histograms->len, cfg->histograms->len == 1 ? "" : "s");
        return NULL;
    }
    TndStatistic statistic = TND_STATISTIC_TIME;
    Filling filling = {.windows = windows, .cfg = tnd_cfg_histogram(cfg, index)};
    if (filling.cfg->is_vertical)
        complain(error, cfg, index, "Vertical (columns as rows)", NULL);
    else if (filling.cfg->is_sorted)
        complain(error, cfg, index, "SortCols", NULL);
    else if (find_statistic(cfg, index, &statistic, error))
        filling.statistic = &tnd_histogram_statistics_table[statistic];
    if (!filling.statistic)
        return NULL;
    filling.n_rows = tnd_windows_n_rows(windows, filling.cfg->control);
    filling.columns = filling.statistic->kind == TND_HISTOGRAM_OF_PIECES ? control_ranges(windows, filling.cfg)
                                                                         : (TndHistogramColumns){.n = filling.n_rows};
    filling.planes = plane_ranges(windows, filling.cfg);
    gsize n_cells = (gsize)filling.planes.n * filling.n_rows * filling.columns.n;
    filling.sums = g_new0(TndHistogramSums, n_cells + 1);
    filling.present = g_new0(gboolean, n_cells + 1);
    filling.row_sums = g_new0(TndHistogramRowSums, (gsize)filling.planes.n * filling.n_rows + 1);
    fill(&filling);
    TndCfgTables *tables = g_new0(TndCfgTables, 1);
    gboolean has_planes = filling.cfg->third != G_MAXUINT;
    tables->planes = g_new0(TndHistogram *, filling.planes.n);
    tables->plane_names = g_new0(char *, filling.planes.n + 1);
    for (guint plane = 0; plane < filling.planes.n; plane++) {
        TndHistogram *table = make_plane(&filling, plane, statistic);
        if (has_planes && table->n_columns == 0) {
            tnd_histogram_free(table);
            continue;
        }
        tables->plane_names[tables->n_planes] =
            has_planes ? range_name(windows, filling.cfg->third, &filling.planes, plane) : NULL;
        tables->planes[tables->n_planes++] = table;
    }
    g_free(filling.sums);
    g_free(filling.present);
    g_free(filling.row_sums);
    return tables;
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
