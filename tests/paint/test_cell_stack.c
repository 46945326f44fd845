/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In each column of a stack, a value has the part of the height that it has of the time of all rows, which is computed
 * here from the bursts; and a click on it finds a burst of it.
 */
#include "tests/paint/picture.h"
#include "tests/unit/all_bursts.h"
#include "tests/unit/make_trace.h"
#include "viewer/paint/cell_stack.h"
#include "viewer/paint/timeline.h"

#include "formats/event_types.h"

#include <math.h>

enum { N_COLUMNS = 100, N_LINES = 500, END = 1000000, MOST_VALUE = 16 };

/* Rows of states of random lengths, some of which are shorter than a column. */
static TndTrace *make(guint n_rows)
{
    TndTraceBuild *build = make_trace(n_rows, END, 1);
    for (guint row = 1; row <= n_rows; row++) {
        guint64 at = (guint64)g_test_rand_int_range(0, 5000);
        while (at < END) {
            const guint64 next = MIN(at + (guint64)g_test_rand_int_range(500, 60000), END);
            add_state(build, row, at, next, (guint32)g_test_rand_int_range(1, 9));
            at = next;
        }
    }
    return tnd_trace_build_finish(build, NULL, NULL);
}

/* The share of each value in a column; what is outside of rows' lives is the last one. */
static void find_shares(TndView *view, guint column, double shares[MOST_VALUE])
{
    const guint64 begin_ns = (guint64)column * (END / N_COLUMNS), end_ns = begin_ns + END / N_COLUMNS;
    const double all = (double)(end_ns - begin_ns) * tnd_view_n_rows(view);
    for (guint i = 0; i < MOST_VALUE; i++)
        shares[i] = i + 1 == MOST_VALUE;
    for (guint row = 0; row < tnd_view_n_rows(view); row++) {
        GArray *bursts = all_bursts(view, row);
        for (guint i = 0; i < bursts->len; i++) {
            TndBurst *burst = &BURST(bursts, i);
            const guint64 from = MAX(burst->begin_ns, begin_ns), to = MIN(burst->end_ns, end_ns);
            if (to <= from || !tnd_view_has_value(view, row, from, burst))
                continue;
            shares[(guint)burst->value] += (double)(to - from) / all;
            shares[MOST_VALUE - 1] -= (double)(to - from) / all;
        }
        g_array_unref(bursts);
    }
}

static guint value_at(const TndCells *cells, TndView *view, guint line, guint column)
{
    const gsize at = (gsize)cells->lines[line] * cells->stride + column;
    const double value = !cells->codes           ? cells->values[at]
                         : cells->codes[at] == 0 ? NAN
                                                 : tnd_view_code_value(view, cells->codes[at]);
    return isnan(value) ? MOST_VALUE - 1 : (guint)value;
}

static void check_column(const TndCells *stack, TndView *view, guint column, double near)
{
    double shares[MOST_VALUE];
    find_shares(view, column, shares);
    for (guint line = 0; line < N_LINES; line++) {
        const guint value = value_at(stack, view, line, column);
        shares[value] -= 1.0 / N_LINES;
        if (line) /* from the bottom on they are in order */
            g_assert_cmpuint(value, <=, value_at(stack, view, line - 1, column));
    }
    for (guint i = 0; i < MOST_VALUE; i++)
        g_assert_cmpfloat(fabs(shares[i]), <, near);
}

static void test_shares(void)
{
    /* Random rows were at most 0.6 as far off in 250 runs: one row is drawn by 64 cells a column, 37 by 2035. */
    static const struct {
        guint n_rows;
        double near;
    } cases[] = {{1, 0.04}, {4, 0.015}, {37, 0.0075}, {600, 0.03}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        for (int are_values = 0; are_values < 2; are_values++) {
            const guint n_rows = cases[i].n_rows;
            TndTrace *trace = make(n_rows);
            TndView *view = tnd_view_new(trace, "state", NULL);
            const guint n_each = tnd_cell_stack_columns(n_rows);
            TndCells *stack = tnd_cell_stack_new(
                tnd_cells_new(view, TND_MODE_TIME, NULL, are_values, 0, END, 0, n_rows - 1, N_COLUMNS * n_each, 1000),
                N_COLUMNS, N_LINES);
            g_assert_cmpuint(stack->n_bands, ==, N_LINES);
            for (guint column = 0; column < N_COLUMNS; column += 7)
                check_column(stack, view, column, cases[i].near);
            tnd_cells_free(stack);
            tnd_view_free(view);
            tnd_trace_free(trace);
        }
}

/* Three of four rows run: the lower three quarters are of that colour, and a click finds such a burst. */
static void test_picture(void)
{
    TndTraceBuild *build = make_trace(4, 1000, 1);
    for (guint row = 1; row <= 4; row++)
        add_state(build, row, 0, 1000, row == 2 ? 3 : 1);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndView *view = tnd_view_new(trace, "state", NULL);
    TndTimelineSubject subject = {.view = view, .end_ns = 1000, .last_row = 3, .draw = TND_DRAW_STACK};
    TndTimeline *timeline = tnd_timeline_new(&subject, 700, 400, 1);
    const TndRectangle canvas = tnd_timeline_canvas(timeline);
    const double heights[] = {0.05, 0.2, 0.3, 0.9}; /* from the top on */
    for (guint i = 0; i < G_N_ELEMENTS(heights); i++) {
        guint row;
        guint64 time_ns;
        TndBurst burst;
        tnd_timeline_find(timeline, canvas.x + canvas.width / 2, canvas.y + canvas.height * heights[i], &row, &time_ns);
        g_assert_true(tnd_view_burst_at(view, row, time_ns, &burst));
        g_assert_cmpfloat(burst.value, ==, i < 2 ? 3 : 1);
    }
    const GArray *texts = tnd_timeline_texts(timeline);
    gboolean has_title = FALSE, has_number = FALSE;
    for (guint i = 0; i < texts->len; i++) {
        has_title |= !strcmp(g_array_index(texts, TndText, i).text, "Number of threads");
        has_number |= !strcmp(g_array_index(texts, TndText, i).text, "4");
    }
    g_assert_true(has_title);
    g_assert_true(has_number);
    tnd_timeline_free(timeline);
    tnd_view_free(view);
    tnd_trace_free(trace);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/cell-stack/shares", test_shares);
    g_test_add_func("/cell-stack/picture", test_picture);
    return g_test_run();
}
