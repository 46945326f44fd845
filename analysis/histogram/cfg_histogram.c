/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Histograms of windows.  A piece is a stretch of one row in which all windows keep their value; a row has the pieces
 * of every row of the data's window that belongs to it.
 */
#include "analysis/histogram/cfg_histogram.h"

#include "analysis/base/cores.h"
#include "analysis/bursts/burst_walk.h"
#include "analysis/histogram/histogram_cells.h"
#include "analysis/histogram/histogram_columns.h"
#include "analysis/histogram/histogram_totals.h"
#include "analysis/views/semantic_records.h"
#include "analysis/views/window_limits.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

/* More values than this are ranges, though they are codes. */
#define MOST_CODES 10000
/* Ranges that Paraver makes of values by itself: its preference, as it comes. */
#define AUTOMATIC_COLUMNS 200
/* More rows and columns than this, in all planes, are a mistake in the limits. */
#define MOST_LINES 20000000

typedef struct {
    TndWindows *windows;
    const TndCfgHistogram *cfg;
    TndStatistic kind;
    const TndHistogramStatistic *statistic;
    double percentile;
    TndHistogramLayout layout;
    double begin_ns, end_ns;
    TndHistogramColumns columns, planes;
    guint n_rows;
    gboolean *are_wanted;          /* of the rows */
    TndHistogramRow *rows;         /* [plane][row], rows of the control's window */
    TndHistogramRowSums *row_sums; /* likewise */
    const TndRowBursts *third_row; /* that the page is of */
    TndBurstPage third_page;
    TndCoresTeller *teller; /* NULL: nobody is told */
} Filling;

/* What a window's values reach from and to while the histogram is; the largest is never below 0, as Paraver has it.
 * Nothing, if who is told has ended it. */
typedef struct {
    double minimum, maximum;
    gboolean has_zero, is_code;
} Extent;

static Extent find_extent(const Filling *filling, guint window)
{
    const TndCfgWindow *given = tnd_windows_window(filling->windows, window);
    gboolean *are_selected = tnd_window_limits_rows(tnd_windows_trace(filling->windows), given, TRUE);
    Extent extent = {.minimum = INFINITY};
    gboolean is_done = tnd_windows_prepare(filling->windows, window, are_selected, filling->teller);
    for (guint row = 0; is_done && row < tnd_windows_n_rows(filling->windows, window); row++) {
        if (!are_selected[row])
            continue;
        TndBurstWalk walk = tnd_burst_walk_start(tnd_windows_row(filling->windows, window, row), 0);
        gboolean is_over = FALSE; /* the burst that follows the time counts, too */
        for (; walk.at && !is_over; tnd_burst_walk_next(&walk)) {
            is_over = (double)walk.at->begin_ns >= filling->end_ns;
            if ((double)walk.at->end_ns <= filling->begin_ns && filling->begin_ns > 0)
                continue;
            extent.has_zero |= walk.at->value == 0;
            extent.maximum = MAX(extent.maximum, walk.at->value);
            if (walk.at->value != 0)
                extent.minimum = MIN(extent.minimum, walk.at->value);
        }
        tnd_burst_walk_end(&walk);
    }
    if (!isfinite(extent.minimum))
        extent.minimum = 0;
    extent.is_code = given->is_code;
    g_free(are_selected);
    return extent;
}

static TndHistogramColumns control_ranges(const Filling *filling)
{
    const TndCfgHistogram *cfg = filling->cfg;
    if (!cfg->is_automatic)
        return tnd_histogram_columns_ranges(
            cfg->minimum, cfg->maximum, cfg->has_fixed_delta || cfg->n_columns == 0 ? cfg->delta : 0, cfg->n_columns);
    Extent extent = find_extent(filling, cfg->control);
    double minimum = cfg->fits_zero && extent.has_zero ? MIN(extent.minimum, 0) : extent.minimum;
    double range = extent.maximum - minimum, maximum = extent.maximum + 0.05 * range;
    if (cfg->has_fixed_delta)
        return tnd_histogram_columns_ranges(minimum, maximum, cfg->delta, 0);
    if (range == 0)
        return tnd_histogram_columns_ranges(minimum, maximum, 1, 0);
    if (extent.is_code && range <= MOST_CODES)
        return tnd_histogram_columns_ranges(minimum, floor(maximum), 1, 0);
    return tnd_histogram_columns_ranges(minimum, maximum, 0, AUTOMATIC_COLUMNS);
}

static TndHistogramColumns plane_ranges(const Filling *filling)
{
    const TndCfgHistogram *cfg = filling->cfg;
    if (cfg->third == G_MAXUINT)
        return (TndHistogramColumns){.delta = 1, .n = 1};
    if (!cfg->third_is_automatic)
        return tnd_histogram_columns_ranges(cfg->third_minimum, cfg->third_maximum, cfg->third_delta, 0);
    Extent extent = find_extent(filling, cfg->third);
    double range = extent.maximum - extent.minimum;
    double delta = range == 0 || extent.is_code ? 1 : range / AUTOMATIC_COLUMNS;
    return tnd_histogram_columns_ranges(extent.minimum, extent.maximum, delta, 0);
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

/* The row of a window that a row of another level is in, or is. */
static const TndRowBursts *row_of(Filling *filling, guint window, TndLevel level, guint row)
{
    const TndTrace *trace = tnd_windows_trace(filling->windows);
    TndLevel own = tnd_windows_level(filling->windows, window);
    return tnd_windows_row(filling->windows, window, tnd_levels_row_above(trace, level, row, own));
}

static gsize row_at(const Filling *filling, guint plane, guint row)
{
    return (gsize)plane * filling->n_rows + row;
}

static void add_piece(Filling *filling, guint row, double length, double control, double value, double third)
{
    int column = tnd_histogram_columns_find(&filling->columns, control),
        plane = tnd_histogram_columns_find(&filling->planes, third);
    if (column < 0 || plane < 0)
        return;
    gsize at = row_at(filling, (guint)plane, row);
    TndHistogramRowSums *all = &filling->row_sums[at];
    TndHistogramSums *sums = tnd_histogram_cells_sums(&filling->rows[at], (guint)column);
    tnd_histogram_statistics_add(filling->statistic, sums, length, control, value);
    all->n++;
    all->l += length;
    all->l_control_nonzero += control != 0 ? length : 0;
}

/* Of a stretch of time, what is in the histogram's. */
static double clip(const Filling *filling, guint64 begin_ns, guint64 end_ns)
{
    double from = MAX((double)begin_ns, filling->begin_ns), until = MIN((double)end_ns, filling->end_ns);
    gboolean is_whole = from == (double)begin_ns && until == (double)end_ns;
    return is_whole ? (double)(end_ns - begin_ns) : until - from;
}

/* `level`, `row`: of whichever of the windows is the finest. */
static void fill_pieces(Filling *filling, TndLevel level, guint row)
{
    const TndTrace *trace = tnd_windows_trace(filling->windows);
    const TndBurst everywhere = {0, G_MAXUINT64, 0};
    guint third_window = filling->cfg->third;
    guint control_row =
        tnd_levels_row_above(trace, level, row, tnd_windows_level(filling->windows, filling->cfg->control));
    if (!filling->are_wanted[control_row])
        return;
    TndBurstWalk control = tnd_burst_walk_start(row_of(filling, filling->cfg->control, level, row), 0);
    TndBurstWalk data = tnd_burst_walk_start(row_of(filling, filling->cfg->data, level, row), 0);
    TndBurstWalk third = third_window == G_MAXUINT ? tnd_burst_walk_start_array(&everywhere, 1)
                                                   : tnd_burst_walk_start(row_of(filling, third_window, level, row), 0);
    for (guint64 begin_ns = 0; control.at && data.at && third.at;) {
        guint64 until_ns = MIN(MIN(control.at->end_ns, data.at->end_ns), third.at->end_ns);
        double length = clip(filling, begin_ns, until_ns);
        if (length > 0)
            add_piece(filling, control_row, length, control.at->value, data.at->value, third.at->value);
        begin_ns = until_ns;
        tnd_burst_walk_step(&control, until_ns);
        tnd_burst_walk_step(&data, until_ns);
        tnd_burst_walk_step(&third, until_ns);
    }
    tnd_burst_walk_end(&control);
    tnd_burst_walk_end(&data);
    tnd_burst_walk_end(&third);
}

/* The finest level of the windows: a piece is of one of its rows. */
static TndLevel finest_level(const Filling *filling)
{
    TndLevel control = tnd_windows_level(filling->windows, filling->cfg->control);
    TndLevel data = tnd_windows_level(filling->windows, filling->cfg->data);
    TndLevel third = filling->cfg->third == G_MAXUINT ? data : tnd_windows_level(filling->windows, filling->cfg->third);
    return MAX(MAX(control, data), third);
}

/* Messages. */

static int plane_of(Filling *filling, TndLevel level, guint row, guint64 time_ns)
{
    if (filling->cfg->third == G_MAXUINT)
        return 0;
    const TndRowBursts *third = row_of(filling, filling->cfg->third, level, row);
    if (filling->third_row != third)
        tnd_row_bursts_start_page(&filling->third_page);
    filling->third_row = third;
    /* What is after all is in the last one. */
    const TndBurst *burst = tnd_row_bursts_at(third, MIN(time_ns, third->end_ns - 1), &filling->third_page);
    return burst ? tnd_histogram_columns_find(&filling->planes, burst->value) : -1;
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

/* Where one end of a message stands: the row of a level below the window's, G_MAXUINT: not known. */
static guint end_row(TndLevel level, guint thread, guint32 cpu)
{
    return level == TND_LEVEL_THREAD ? thread : cpu > 0 ? cpu - 1 : G_MAXUINT;
}

static void add_message(Filling *filling, const TndSemanticRecord *record, guint thread, gboolean are_sends)
{
    const TndTrace *trace = tnd_windows_trace(filling->windows);
    const TndMessage *message = record->message;
    TndLevel level = tnd_windows_level(filling->windows, filling->cfg->control);
    TndLevel below = level >= TND_LEVEL_SYSTEM ? TND_LEVEL_CPU : TND_LEVEL_THREAD;
    gboolean is_send = (record->kind & TND_RECORD_IS_SEND) != 0;
    guint here = end_row(below, thread, is_send ? message->sender_cpu : message->receiver_cpu);
    guint there = end_row(below, is_send ? message->receiver : message->sender,
                          is_send ? message->receiver_cpu : message->sender_cpu);
    guint n_below = tnd_levels_n_rows(trace, below);
    if (here >= n_below || there >= n_below)
        return;
    guint row = tnd_levels_row_above(trace, below, here, level);
    int plane = filling->are_wanted[row] ? plane_of(filling, below, here, record->time_ns) : -1;
    if (plane < 0)
        return;
    guint column = tnd_levels_row_above(trace, below, there, level);
    TndHistogramSums *sums = tnd_histogram_cells_sums(&filling->rows[row_at(filling, (guint)plane, row)], column);
    if (is_send == are_sends)
        tnd_histogram_statistics_add(filling->statistic, sums, 0, 0, (double)message->size_bytes);
}

static void fill_messages(Filling *filling, const TndMessageIndex *index, guint thread, gboolean are_sends)
{
    const TndTrace *trace = tnd_windows_trace(filling->windows);
    const TndCfgWindow *window = tnd_windows_window(filling->windows, filling->cfg->control);
    TndRecords records = tnd_semantic_records_of(trace, index, window, thread, TND_RECORD_IS_OWN,
                                                 tnd_windows_unit_ns(filling->windows, filling->cfg->control));
    for (gsize i = 0; i < records.n; i++) {
        const TndSemanticRecord *record = &records.records[i];
        gboolean is_send = (record->kind & TND_RECORD_IS_SEND) != 0;
        double time_ns = (double)record->time_ns;
        if (record->passes && time_ns >= filling->begin_ns && time_ns <= filling->end_ns &&
            (is_send || is_counted_receive(record, window)))
            add_message(filling, record, thread, are_sends);
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

static void fill_plane(Filling *filling, guint plane, TndHistogram *table)
{
    TndHistogramCell **cells = g_new(TndHistogramCell *, filling->n_rows + 1);
    guint *n = g_new(guint, filling->n_rows + 1);
    for (guint row = 0; row < filling->n_rows; row++) {
        if (!filling->are_wanted[row])
            continue;
        TndHistogramRow *sums = &filling->rows[row_at(filling, plane, row)];
        TndHistogramRowSums *all = &filling->row_sums[row_at(filling, plane, row)];
        all->window_ns = filling->end_ns - filling->begin_ns;
        all->percentile = filling->percentile;
        tnd_histogram_cells_sort(sums);
        cells[table->n_rows] = tnd_histogram_cells_values(sums, filling->statistic, all);
        n[table->n_rows] = sums->n;
        for (guint i = 0; i < sums->n; i++)
            cells[table->n_rows][i].value /= length_unit_ns(filling);
        table->row_names[table->n_rows++] = tnd_levels_row_name(
            tnd_windows_trace(filling->windows), tnd_windows_level(filling->windows, filling->cfg->control), row);
    }
    tnd_histogram_cells_join(table, cells, n);
    g_free(cells);
    g_free(n);
}

static TndHistogram *make_plane(Filling *filling, guint plane)
{
    const TndTrace *trace = tnd_windows_trace(filling->windows);
    guint control = filling->cfg->control, n_columns = filling->columns.n;
    TndLevel level = tnd_windows_level(filling->windows, control);
    gboolean of_messages = filling->statistic->kind != TND_HISTOGRAM_OF_PIECES;
    TndHistogram *table = g_new0(TndHistogram, 1);
    table->n_columns = n_columns;
    table->totals = g_new0(double, (gsize)TND_TOTAL_N *n_columns + 1);
    table->row_names = g_new0(char *, filling->n_rows + 1);
    table->column_names = g_new0(char *, n_columns + 1);
    fill_plane(filling, plane, table);
    for (guint column = 0; column < n_columns; column++)
        table->column_names[column] = of_messages ? tnd_levels_row_name(trace, level, column)
                                                  : range_name(filling->windows, control, &filling->columns, column);
    gboolean is_time = filling->statistic->unit && strcmp(filling->statistic->unit, "ns") == 0;
    const char *unit =
        is_time ? tnd_windows_unit_name(tnd_windows_window(filling->windows, control)->unit) : filling->statistic->unit;
    table->unit = g_strdup(unit ? unit : "");
    table->subject = g_strdup(tnd_windows_window(filling->windows, control)->name);
    table->statistic = filling->kind;
    table->title = tnd_histogram_statistics_title(filling->kind, filling->percentile);
    table->begin_ns = (guint64)filling->begin_ns;
    table->end_ns = (guint64)filling->end_ns;
    table->decimals = 10;
    tnd_histogram_totals_make(table);
    return table;
}

static gboolean has_cells(const TndHistogram *plane)
{
    return plane->first[plane->n_rows] > 0;
}

/* The plane that the file shows, else the first that has anything: all are sorted as it is. */
static guint shown_plane(const Filling *filling, TndHistogram *const *planes)
{
    const TndCfgHistogram *cfg = filling->cfg;
    guint first = G_MAXUINT, shown = G_MAXUINT;
    for (guint plane = 0; plane < filling->planes.n; plane++) {
        gboolean has_any = has_cells(planes[plane]);
        double low = filling->planes.minimum + filling->planes.delta * plane;
        if (has_any && first == G_MAXUINT)
            first = plane;
        if (has_any && cfg->has_shown && cfg->shown >= low && cfg->shown < low + 1)
            shown = plane;
    }
    return shown != G_MAXUINT ? shown : first != G_MAXUINT ? first : 0;
}

/* The windows that are looked at, on all cores.  FALSE: who is told ended it; so below. */
static gboolean prepare(Filling *filling, gboolean is_of_pieces)
{
    const guint windows[] = {filling->cfg->control, filling->cfg->data, filling->cfg->third};
    TndLevel level = tnd_windows_level(filling->windows, filling->cfg->control);
    gboolean is_done = TRUE;
    for (guint i = is_of_pieces ? 0 : 2; i < G_N_ELEMENTS(windows) && is_done; i++)
        if (windows[i] != G_MAXUINT)
            is_done = tnd_windows_prepare(
                filling->windows, windows[i],
                tnd_windows_level(filling->windows, windows[i]) == level ? filling->are_wanted : NULL, filling->teller);
    return is_done;
}

/* About as many items as who is told hears of: rows of windows that are prepared, and of the table. */
static guint64 count_items(const Filling *filling)
{
    const TndCfgHistogram *cfg = filling->cfg;
    const guint windows[] = {cfg->control, cfg->data, cfg->third, cfg->is_automatic ? cfg->control : G_MAXUINT,
                             cfg->third_is_automatic ? cfg->third : G_MAXUINT};
    guint64 n = filling->n_rows;
    for (guint i = 0; i < G_N_ELEMENTS(windows); i++)
        n += windows[i] != G_MAXUINT ? tnd_windows_n_rows(filling->windows, windows[i]) : 0;
    return MAX(n, 1);
}

static void fill_item(guint row, gpointer filling)
{
    fill_pieces(filling, finest_level(filling), row);
}

static gboolean fill(Filling *filling)
{
    const TndTrace *trace = tnd_windows_trace(filling->windows);
    gboolean is_of_pieces = filling->statistic->kind == TND_HISTOGRAM_OF_PIECES;
    if (!prepare(filling, is_of_pieces))
        return FALSE;
    if (is_of_pieces) {
        TndLevel level = finest_level(filling);
        guint n_rows = tnd_levels_n_rows(trace, level);
        if (level == tnd_windows_level(filling->windows, filling->cfg->control))
            return tnd_cores_run_telling(filling->teller, n_rows, fill_item, filling); /* each has a row of the table */
        for (guint row = 0; row < n_rows; row++)
            fill_item(row, filling);
        return TRUE;
    }
    TndMessageIndex *index = tnd_semantic_records_index(trace);
    for (guint thread = 0; thread < tnd_trace_n_threads(trace); thread++)
        fill_messages(filling, index, thread, filling->statistic->kind == TND_HISTOGRAM_OF_SENDS);
    tnd_semantic_records_index_free(index);
    return TRUE;
}

static gboolean complain(GError **error, const TndCfg *cfg, guint index, const char *what, const char *name)
{
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s: histogram %u: %s%s%s is not supported", cfg->path,
                index + 1, what, name ? " " : "", name ? name : "");
    return FALSE;
}

/* By Paraver's name, or by ours. */
static gboolean find_statistic(Filling *filling, const TndCfg *cfg, guint index, GError **error)
{
    const char *name = filling->cfg->statistic ? filling->cfg->statistic : "Time";
    for (guint i = 0; i < TND_STATISTIC_N; i++)
        if (g_strcmp0(tnd_histogram_statistics_table[i].paraver, name) == 0) {
            filling->kind = (TndStatistic)i;
            return TRUE;
        }
    return tnd_histogram_statistic_parse_percentile(name, &filling->kind, &filling->percentile) ||
           complain(error, cfg, index, "the statistic", name);
}

/* What the file says, but where something else is wished. */
static void choose_time(Filling *filling, const TndHistogramOptions *wishes)
{
    const TndTrace *trace = tnd_windows_trace(filling->windows);
    filling->end_ns = (double)tnd_trace_end_ns(trace);
    if (filling->cfg->is_within_window)
        tnd_window_limits_time(trace, tnd_windows_window(filling->windows, filling->cfg->control), &filling->begin_ns,
                               &filling->end_ns);
    if (wishes && (wishes->begin_ns > 0 || wishes->end_ns > 0)) {
        filling->begin_ns = (double)wishes->begin_ns;
        filling->end_ns =
            (double)(wishes->end_ns ? MIN(wishes->end_ns, tnd_trace_end_ns(trace)) : tnd_trace_end_ns(trace));
    }
}

static void choose_rows(Filling *filling, const TndHistogramOptions *wishes)
{
    const TndTrace *trace = tnd_windows_trace(filling->windows);
    const TndCfgWindow *window = tnd_windows_window(filling->windows, filling->cfg->control);
    const GArray *rows = filling->cfg->rows;
    filling->n_rows = tnd_windows_n_rows(filling->windows, filling->cfg->control);
    if (wishes && wishes->rows) { /* those of the threads that are */
        filling->are_wanted = g_new0(gboolean, filling->n_rows + 1);
        for (guint thread = 0; thread < tnd_trace_n_threads(trace); thread++)
            if (wishes->rows[thread])
                filling->are_wanted[tnd_levels_row_above(trace, TND_LEVEL_THREAD, thread, window->level)] = TRUE;
        return;
    }
    filling->are_wanted = tnd_window_limits_rows(trace, window, FALSE);
    if (!rows)
        return;
    memset(filling->are_wanted, 0, filling->n_rows * sizeof *filling->are_wanted);
    for (guint i = 0; i < rows->len; i++)
        if (g_array_index(rows, guint, i) < filling->n_rows)
            filling->are_wanted[g_array_index(rows, guint, i)] = TRUE;
}

static void choose_layout(Filling *filling, const TndHistogramOptions *wishes)
{
    static const char *const criteria[TND_TOTAL_N] = {"Total", "Average", "Maximum", "Minimum", "Stdev", "Avg/Max"};
    const TndCfgHistogram *cfg = filling->cfg;
    filling->layout = (TndHistogramLayout){.keeps_empty = !cfg->hides_empty,
                                           .is_sorted = cfg->is_sorted,
                                           .by = TND_TOTAL_AVERAGE,
                                           .is_reversed = cfg->is_reversed,
                                           .is_vertical = cfg->is_vertical};
    for (guint i = 0; i < TND_TOTAL_N && cfg->sort_criterion; i++)
        if (strcmp(criteria[i], cfg->sort_criterion) == 0)
            filling->layout.by = i;
    if (wishes && wishes->layout.is_sorted) {
        filling->layout.is_sorted = TRUE;
        filling->layout.by = wishes->layout.by;
        filling->layout.is_reversed = wishes->layout.is_reversed;
    }
}

/* Threads that were wished for are no CPUs. */
static gboolean check_rows(const Filling *filling, const TndCfg *cfg, guint index, const TndHistogramOptions *wishes,
                           GError **error)
{
    return !wishes || !wishes->rows || tnd_windows_level(filling->windows, filling->cfg->control) != TND_LEVEL_CPU ||
           complain(error, cfg, index, "a choice of threads where rows are CPUs", NULL);
}

static gboolean check_levels(const Filling *filling, const TndCfg *cfg, guint index, GError **error)
{
    guint windows[] = {filling->cfg->control, filling->cfg->data, filling->cfg->third};
    TndLevel finest = finest_level(filling);
    for (guint i = 0; i < G_N_ELEMENTS(windows); i++)
        if (windows[i] != G_MAXUINT && !tnd_levels_is_above(tnd_windows_level(filling->windows, windows[i]), finest))
            return complain(error, cfg, index, "a window of CPUs or nodes beside one of threads or tasks", NULL);
    return TRUE;
}

static TndCfgTables *make_tables(Filling *filling)
{
    guint n_planes = filling->planes.n;
    gboolean has_planes = filling->cfg->third != G_MAXUINT;
    TndCfgTables *tables = g_new0(TndCfgTables, 1);
    TndHistogram **planes = g_new0(TndHistogram *, n_planes + 1);
    tables->planes = g_new0(TndHistogram *, n_planes + 1);
    tables->plane_names = g_new0(char *, n_planes + 1);
    for (guint plane = 0; plane < n_planes; plane++)
        planes[plane] = make_plane(filling, plane);
    guint *order = n_planes ? tnd_histogram_totals_order(planes[shown_plane(filling, planes)], &filling->layout) : NULL;
    for (guint plane = 0; plane < n_planes; plane++) {
        if (has_planes && !has_cells(planes[plane])) {
            tnd_histogram_free(planes[plane]);
            continue;
        }
        tnd_histogram_totals_arrange(planes[plane], &filling->layout, order);
        tables->plane_names[tables->n_planes] =
            has_planes ? range_name(filling->windows, filling->cfg->third, &filling->planes, plane) : NULL;
        tables->planes[tables->n_planes++] = planes[plane];
    }
    g_free(order);
    g_free(planes);
    return tables;
}

TndCfgTables *tnd_cfg_histogram_new(TndWindows *windows, guint index, const TndHistogramOptions *wishes, GError **error)
{
    const TndCfg *cfg = tnd_windows_cfg(windows);
    if (index >= cfg->histograms->len) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s: has %u histogram%s", cfg->path,
                    cfg->histograms->len, cfg->histograms->len == 1 ? "" : "s");
        return NULL;
    }
    Filling filling = {.windows = windows, .cfg = tnd_cfg_histogram(cfg, index)};
    if (!check_levels(&filling, cfg, index, error) || !check_rows(&filling, cfg, index, wishes, error) ||
        !find_statistic(&filling, cfg, index, error))
        return NULL;
    filling.statistic = &tnd_histogram_statistics_table[filling.kind];
    choose_time(&filling, wishes);
    choose_rows(&filling, wishes);
    choose_layout(&filling, wishes);
    if (wishes && wishes->progress)
        filling.teller = tnd_cores_teller_new(wishes->progress, wishes->user_data, count_items(&filling));
    filling.columns = filling.statistic->kind == TND_HISTOGRAM_OF_PIECES ? control_ranges(&filling)
                                                                         : (TndHistogramColumns){.n = filling.n_rows};
    filling.planes = plane_ranges(&filling);
    TndCfgTables *tables = NULL;
    gsize n_rows = (gsize)filling.planes.n * filling.n_rows;
    if ((double)filling.planes.n * ((double)filling.n_rows + filling.columns.n) > MOST_LINES)
        complain(error, cfg, index, "a table of so many columns", NULL);
    else {
        filling.rows = g_new0(TndHistogramRow, n_rows + 1);
        filling.row_sums = g_new0(TndHistogramRowSums, n_rows + 1);
        if (fill(&filling))
            tables = make_tables(&filling);
        else
            g_set_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "%s: cancelled", cfg->path);
        for (gsize row = 0; row < n_rows; row++)
            tnd_histogram_cells_clear(&filling.rows[row]);
    }
    tnd_cores_teller_free(filling.teller);
    g_free(filling.are_wanted);
    g_free(filling.rows);
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
