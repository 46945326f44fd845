/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of a view: bursts, which are made on first use and kept (row_bursts.h), and what they are drawn from, which
 * is made when they are drawn (row_grids.h, row_line.h).
 */
#include "analysis/views/view.h"

#include "analysis/base/cores.h"
#include "analysis/bursts/row_grids.h"
#include "analysis/bursts/row_line.h"
#include "analysis/trace/blocks.h"
#include "analysis/trace/walk.h"
#include "analysis/views/view_rows.h"
#include "analysis/views/views.h"
#include "analysis/views/window_limits.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

const char *const tnd_draw_names[TND_DRAW_N] = {
    [TND_DRAW_COLOUR] = "colour", [TND_DRAW_LINE] = "line", [TND_DRAW_STACK] = "stack", [TND_DRAW_POINTS] = "points"};

gboolean tnd_view_draw_suits(TndDraw draw, TndPalette palette)
{
    return draw == TND_DRAW_COLOUR || (draw == TND_DRAW_STACK) == (palette == TND_PALETTE_CODE);
}

/* The row whose bursts this row has: the first one of its scope. */
static guint own_row(const TndView *view, guint row)
{
    return view->plan.first_rows ? view->plan.first_rows[row] : row;
}

typedef struct {
    const TndViewPlan *plan;
    guint row;
} Evaluation;

static void evaluate(TndBurstStream *stream, gpointer data)
{
    const Evaluation *evaluation = data;
    tnd_view_rows_evaluate(evaluation->plan, evaluation->row, stream);
}

const TndRowBursts *tnd_view_row(TndView *view, guint row)
{
    const Evaluation evaluation = {&view->plan, own_row(view, row)};
    TndRowBursts **kept = &view->rows[evaluation.row], *made = g_atomic_pointer_get(kept);
    tnd_assert(row < view->n_rows && evaluation.row <= row);
    if (made)
        return made;
    made = tnd_row_bursts_new(view->memory, tnd_trace_end_ns(view->plan.trace), evaluate, (gpointer)&evaluation);
    /* If another thread was faster, its row is used.  This one stays allocated until the view's memory is freed. */
    return g_atomic_pointer_compare_and_exchange(kept, NULL, made) ? made : g_atomic_pointer_get(kept);
}

static const TndRowGrids *grids_of(TndView *view, guint row, const TndValueCodes *codes, TndGridsKind kind)
{
    const guint own = own_row(view, row);
    TndRowGrids **kept = &(codes ? view->code_grids : view->grids)[kind][own], *made = g_atomic_pointer_get(kept);
    if (made)
        return made;
    made = tnd_row_grids_new(view->memory, tnd_view_row(view, row), codes, kind, (guint16)own);
    return g_atomic_pointer_compare_and_exchange(kept, NULL, made) ? made : g_atomic_pointer_get(kept);
}

static const TndRowLine *line_of(TndView *view, guint row)
{
    TndRowLine **kept = &view->lines[own_row(view, row)], *made = g_atomic_pointer_get(kept);
    if (made)
        return made;
    made = tnd_row_line_new(view->memory, tnd_view_row(view, row));
    return g_atomic_pointer_compare_and_exchange(kept, NULL, made) ? made : g_atomic_pointer_get(kept);
}

void tnd_view_each_burst(TndView *view, guint row, TndBurstTake take, gpointer data)
{
    const Evaluation evaluation = {&view->plan, own_row(view, row)};
    const TndRowBursts *kept = g_atomic_pointer_get(&view->rows[evaluation.row]);
    if (kept) {
        tnd_row_bursts_each(kept, take, data);
        return;
    }
    TndBurstStream stream;
    tnd_burst_stream_start(&stream, tnd_trace_end_ns(view->plan.trace), take, data);
    evaluate(&stream, (gpointer)&evaluation);
    tnd_burst_stream_finish(&stream);
}

const TndViewRule *tnd_view_rule(const TndView *view)
{
    return &view->rule;
}

const TndTrace *tnd_view_trace(const TndView *view)
{
    return view->plan.trace;
}

TndLevel tnd_view_level(const TndView *view)
{
    return view->plan.window.level;
}

guint tnd_view_n_rows(const TndView *view)
{
    return view->n_rows;
}

const char *tnd_view_row_name(const TndView *view, guint row)
{
    return view->row_names ? view->row_names[row] : tnd_trace_thread(view->plan.trace, row)->name;
}

const guint *tnd_view_first_rows(const TndView *view)
{
    return view->plan.first_rows;
}

void tnd_view_limits(const TndView *view, double *begin_ns, double *end_ns, gboolean **rows)
{
    *begin_ns = 0;
    *end_ns = INFINITY;
    *rows = NULL;
    if (!view->cfg)
        return;
    tnd_window_limits_time(view->plan.trace, &view->plan.window, begin_ns, end_ns);
    *end_ns = *end_ns < (double)tnd_trace_end_ns(view->plan.trace) ? *end_ns : INFINITY;
    *rows = tnd_window_limits_rows(view->plan.trace, &view->plan.window, FALSE);
}

const TndCfg *tnd_view_cfg(const TndView *view)
{
    return view->cfg;
}

double tnd_view_unit_ns(const TndView *view)
{
    return tnd_view_plan_unit(&view->plan)->ns;
}

const char *tnd_view_unit_name(const TndView *view)
{
    return tnd_view_plan_unit(&view->plan)->name;
}

gboolean tnd_view_burst_at(TndView *view, guint row, guint64 time_ns, TndBurst *burst)
{
    TndBurstPage page;
    tnd_row_bursts_start_page(&page);
    const TndBurst *found = tnd_row_bursts_at(tnd_view_row(view, row), time_ns, &page);
    if (found)
        *burst = *found;
    return found != NULL;
}

gboolean tnd_view_has_value(const TndView *view, guint row, guint64 time_ns, TndBurst *burst)
{
    if (!view->rule.are_states || tnd_view_level(view) != TND_LEVEL_THREAD || burst->value != 0)
        return TRUE;
    const TndThread *thread = tnd_trace_thread(view->plan.trace, row);
    if (!thread->n_states)
        return FALSE;
    const gboolean is_before = time_ns < thread->begin_ns, is_after = time_ns >= thread->end_ns;
    const guint64 least = is_before ? 0 : is_after ? thread->end_ns : thread->begin_ns;
    const guint64 most = is_before ? thread->begin_ns : is_after ? G_MAXUINT64 : thread->end_ns;
    burst->begin_ns = MAX(burst->begin_ns, least);
    burst->end_ns = MIN(burst->end_ns, most);
    return !is_before && !is_after;
}

typedef struct {
    TndView *view;
    guint64 begin_ns, end_ns;
    TndBurstSummary summary;
    GMutex lock;
} Range;

static void add_row(guint row, gpointer data)
{
    Range *range = data;
    TndBurstPage page;
    tnd_row_bursts_start_page(&page);
    if (own_row(range->view, row) != row)
        return;
    const TndRowBursts *made = tnd_view_row(range->view, row);
    TndBurstSummary summary = tnd_row_bursts_sum(made, range->begin_ns, range->end_ns, &page);
    g_mutex_lock(&range->lock);
    tnd_row_bursts_add(&range->summary, summary);
    g_mutex_unlock(&range->lock);
}

gboolean tnd_view_range(TndView *view, guint64 begin_ns, guint64 end_ns, double *minimum, double *maximum)
{
    Range range = {.view = view, .begin_ns = begin_ns, .end_ns = end_ns, .summary = tnd_row_bursts_nothing};
    g_mutex_init(&range.lock);
    tnd_cores_run(view->n_rows, add_row, &range);
    g_mutex_clear(&range.lock);
    if (range.summary.minimum > range.summary.maximum)
        return FALSE;
    *minimum = range.summary.minimum;
    *maximum = range.summary.maximum;
    return TRUE;
}

/* Where a column begins: begin_ns + span_ns * column / n, rounded down. */
static guint64 edge_of(guint64 begin_ns, guint64 span_ns, guint column, guint n)
{
    return begin_ns + (guint64)((unsigned __int128)span_ns * column / n);
}

/* How many different columns there are: none is shorter than 1 ns, so that several columns may show the same one. */
static guint n_columns_of(guint64 span_ns, guint n_columns)
{
    return (guint)MIN(n_columns, span_ns);
}

/* Spreads n columns of `size` bytes each to n_columns, in place: column c is a copy of column n * c / n_columns. */
static inline void spread(gpointer columns, gsize size, guint n, guint n_columns)
{
    guint8 *bytes = columns;
    gint64 rest = 0;
    guint from = n;
    for (guint column = n_columns; n < n_columns && column-- > 0;) {
        rest -= n;
        from -= rest < 0;
        rest += rest < 0 ? n_columns : 0;
        memcpy(bytes + column * size, bytes + from * size, size);
    }
}

/* How many columns are read for n of a mode, each of at least 1 ns. */
static guint n_parts_of(const TndDrawModeRule *mode, guint64 span_ns, guint n)
{
    return mode->has_parts && (guint64)n * TND_DRAW_MODE_PARTS <= span_ns ? n * TND_DRAW_MODE_PARTS : n;
}

void tnd_view_columns(TndView *view, guint row, guint64 begin_ns, guint64 end_ns, guint n_columns, TndDrawMode mode,
                      double *values)
{
    const TndDrawModeRule *rule = tnd_draw_mode_rule(mode);
    guint64 span_ns = end_ns > begin_ns ? end_ns - begin_ns : 1;
    guint n = n_columns_of(span_ns, n_columns), n_parts = n_parts_of(rule, span_ns, n);
    double *parts = n_parts > n ? g_new(double, n_parts) : values;
    const TndRowGrids *grids = grids_of(view, row, NULL, rule->kind);
    tnd_row_grids_columns(grids, begin_ns, begin_ns + span_ns, n_parts, rule->place, parts);
    if (parts != values) {
        tnd_draw_mode_reduce(mode, parts, n);
        memcpy(values, parts, n * sizeof *values);
        g_free(parts);
    }
    spread(values, sizeof *values, n, n_columns);
}

/* The codes of the view's values.  Those of a gradient depend on the extremes of all rows, which are found once. */
static const TndValueCodes *codes_of(TndView *view)
{
    if (g_once_init_enter(&view->codes_once)) {
        double minimum = 0, maximum = 0;
        if (view->rule.palette == TND_PALETTE_GRADIENT)
            tnd_view_range(view, 0, G_MAXUINT64, &minimum, &maximum);
        view->codes = view->rule.palette == TND_PALETTE_CODE ? tnd_value_codes_of_numbers()
                                                             : tnd_value_codes_of_gradient(minimum, maximum);
        g_once_init_leave(&view->codes_once, 1);
    }
    return &view->codes;
}

double tnd_view_code_value(TndView *view, guint16 code)
{
    return tnd_value_codes_value(codes_of(view), code);
}

/* Prefetches the rows that are likely to be read after this one, because rows are far from each other in memory. */
static void expect_rows(const TndView *view, guint row, TndGridsKind kind)
{
    const TndRowGrids *soon[2] = {NULL, NULL};
    for (guint i = 0; i < G_N_ELEMENTS(soon) && row + 1 + i < view->n_rows; i++)
        soon[i] = g_atomic_pointer_get(&view->code_grids[kind][own_row(view, row + 1 + i)]);
    tnd_row_grids_expect(soon[0], soon[1]);
}

gboolean tnd_view_codes(TndView *view, guint row, guint64 begin_ns, guint64 end_ns, guint n_columns, TndDrawMode mode,
                        const TndTurn *turn, guint16 *codes)
{
    const TndDrawModeRule *rule = tnd_draw_mode_rule(mode);
    guint64 span_ns = end_ns > begin_ns ? end_ns - begin_ns : 1;
    guint n = n_columns_of(span_ns, n_columns), n_parts = n_parts_of(rule, span_ns, n);
    if (mode == TND_MODE_AVERAGE)
        return FALSE;
    expect_rows(view, row, rule->kind);
    guint16 *parts = n_parts > n ? g_new(guint16, n_parts + TND_VIEW_CODES_SLACK) : codes;
    const TndRowGrids *grids = grids_of(view, row, codes_of(view), rule->kind);
    gboolean have_codes = tnd_row_grids_codes(grids, begin_ns, begin_ns + span_ns, n_parts, rule->place,
                                              n_parts == n_columns ? turn : NULL, parts);
    if (parts != codes) {
        tnd_draw_mode_reduce_codes(parts, have_codes ? n : 0);
        memcpy(codes, parts, n * sizeof *codes);
        g_free(parts);
    }
    spread(codes, sizeof *codes, n, n_columns);
    return have_codes;
}

typedef struct {
    TndView *view;
    const gboolean *rows;
} Rows;

static void make_row(guint row, gpointer data)
{
    const Rows *rows = data;
    if ((!rows->rows || rows->rows[row]) && own_row(rows->view, row) == row)
        tnd_view_row(rows->view, row);
}

gboolean tnd_view_make_rows(TndView *view, const gboolean *rows, TndCoresProgress *progress)
{
    return tnd_cores_run_with_progress(progress, view->n_rows, make_row, &(Rows){view, rows});
}

static void prepare_drawing(guint row, gpointer data)
{
    TndView *view = data;
    guint16 codes[1 + TND_VIEW_CODES_SLACK];
    if (view->rule.draw == TND_DRAW_LINE)
        line_of(view, row);
    else if (!tnd_view_codes(view, row, 0, 1, 1, TND_MODE_TIME, NULL, codes))
        grids_of(view, row, NULL, TND_GRIDS_SAMPLES);
}

gboolean tnd_view_prepare(TndView *view, TndTraceProgress progress, gpointer user_data)
{
    const guint n_rows = view->n_rows;
    TndCoresProgress *shared = progress ? tnd_cores_progress_new(progress, user_data, 2 * (guint64)n_rows) : NULL;
    gboolean is_done = tnd_view_make_rows(view, NULL, shared) && /* codes may depend on the bursts of all rows */
                       tnd_cores_run_with_progress(shared, n_rows, prepare_drawing, view);
    tnd_cores_progress_free(shared);
    if (is_done)
        g_atomic_int_set(&view->is_prepared, 1);
    return is_done;
}

gboolean tnd_view_is_prepared(const TndView *view)
{
    return g_atomic_int_get(&view->is_prepared);
}

void tnd_view_line(TndView *view, guint row, guint64 begin_ns, guint64 end_ns, guint n_columns, TndLinePoint *points)
{
    guint64 span_ns = end_ns > begin_ns ? end_ns - begin_ns : 0;
    TndRowLineWalk walk;
    tnd_row_line_start(&walk, line_of(view, row));
    for (guint column = 0; column < n_columns; column++) {
        guint64 left_ns = edge_of(begin_ns, span_ns, column, n_columns);
        guint64 right_ns = MAX(edge_of(begin_ns, span_ns, column + 1, n_columns), left_ns + 1);
        points[column] = tnd_row_line_point(&walk, left_ns, right_ns);
    }
}
