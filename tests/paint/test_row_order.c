/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows that are hidden, ordered and pinned: lists as text, lines on the screen, and what a session does with them.
 */
#include "tests/paint/picture.h"
#include "viewer/commands.h"
#include "viewer/session.h"

static void test_text(void)
{
    static const struct {
        const char *text, *back; /* NULL: it is no list */
    } cases[] = {{"3, 8-5, 1", "3, 8-5, 1"},
                 {"1-10", "1-10"},
                 {" 2 ,3,4", "2-4"},
                 {"4,4,2-5", "4, 2-3, 5"},
                 {"1,2,1,3", "1-3"},
                 {"7", "7"},
                 {"[1-2], 5", "[1-2], 5"},
                 {"8, 7, [ 3, 1 ],[4-6]", "8-7, [3, 1], [4-6]"},
                 {"1-2, [1, 2], 3", "1-3"}, /* all of the bracket are named before */
                 {"[5], 6", "5-6"},
                 {"[1-2", NULL},
                 {"1-2]", NULL},
                 {"[]", NULL},
                 {"[[1-2]]", NULL},
                 {"", NULL},
                 {",", NULL},
                 {"0", NULL},
                 {"11", NULL},
                 {"1-11", NULL},
                 {"1-", NULL},
                 {"-1", NULL},
                 {"1-2-3", NULL},
                 {"a", NULL},
                 {"1 2", NULL},
                 {"18446744073709551617", NULL}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *error = NULL;
        TndRowOrder *order = tnd_row_order_parse(cases[i].text, 10, NULL, NULL, &error);
        g_assert_true((order != NULL) == (cases[i].back != NULL));
        g_assert_true((error != NULL) == (cases[i].back == NULL));
        g_clear_error(&error);
        if (!order)
            continue;
        char *text = tnd_row_order_text(order, 10);
        g_assert_cmpstr(text, ==, cases[i].back);
        g_free(text);
        tnd_row_order_free(order);
    }
    char *all = tnd_row_order_text(NULL, 10);
    g_assert_cmpstr(all, ==, "1-10");
    g_free(all);
}

/* Rows 7 and 2 are pinned; of 0, 4, 5, 9 those from place 1 on are shown. */
static void test_lines(void)
{
    const guint rows[] = {7, 2, 0, 4, 5, 9};
    gint64 line;
    TndRowGroup groups[G_N_ELEMENTS(rows)];
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
        groups[i] = (TndRowGroup){rows + i, 1};
    TndRowOrder *order = tnd_row_order_new(groups, G_N_ELEMENTS(rows), 2, 10);
    g_assert_cmpuint(tnd_row_order_last_place(order, 10), ==, 3);
    g_assert_cmpuint(tnd_row_order_n_lines(order, 1, 2), ==, 4);
    const guint lines[] = {7, 2, 4, 5};
    for (guint i = 0; i < G_N_ELEMENTS(lines); i++) {
        g_assert_cmpuint(tnd_row_order_row(order, 1, i), ==, lines[i]);
        g_assert_true(tnd_row_order_line(order, 1, lines[i], &line) && line == i);
    }
    g_assert_true(tnd_row_order_line(order, 1, 9, &line) && line == 4); /* below the screen */
    g_assert_false(tnd_row_order_line(order, 1, 3, &line));
    g_assert_cmpuint(tnd_row_order_place(order, 9), ==, 3);
    g_assert_cmpuint(tnd_row_order_place(order, 7), ==, 0);
    tnd_row_order_free(order);
    order = tnd_row_order_new(groups, 2, 2, 10); /* nothing below */
    g_assert_cmpuint(tnd_row_order_n_lines(order, 0, 0), ==, 2);
    g_assert_cmpuint(tnd_row_order_last_place(order, 10), ==, 0);
    tnd_row_order_free(order);
}

static TndSession *open_session(void)
{
    TndSession *session = tnd_session_new();
    tnd_session_set_trace(session, open_trace("synthetic-16"));
    return session;
}

static void check_rows(const TndSession *session, const char *wanted, guint n_places)
{
    char *text = tnd_session_rows_text(session);
    g_assert_cmpstr(text, ==, wanted);
    g_assert_cmpuint(tnd_session_zoom(session).last_row + 1, ==, n_places);
    g_free(text);
}

static void test_session(void)
{
    TndSession *session = open_session();
    check_rows(session, "1-16", 16);
    tnd_session_hide_row(session, 3);
    tnd_session_hide_row(session, 3); /* it is hidden already */
    check_rows(session, "1-3, 5-16", 15);
    tnd_session_pin_row(session, 9);
    check_rows(session, "10, 1-3, 5-9, 11-16", 14);
    tnd_session_pin_row(session, 1);
    check_rows(session, "10, 2-1, 3, 5-9, 11-16", 13);
    tnd_session_pin_row(session, 9); /* it goes back to its place */
    check_rows(session, "2-1, 3, 5-16", 14);
    tnd_session_hide_row(session, 1); /* a pinned one */
    check_rows(session, "1, 3, 5-16", 14);
    g_assert_true(tnd_session_undo(session));
    check_rows(session, "2-1, 3, 5-16", 14);
    tnd_commands_run(session, "show-rows");
    check_rows(session, "1-16", 16);
    g_assert_null(tnd_session_rows(session));
    g_assert_true(tnd_session_undo(session));
    check_rows(session, "2-1, 3, 5-16", 14);
    g_assert_true(tnd_session_choose_rows(session, "5", NULL));
    tnd_session_hide_row(session, 4); /* the last one stays */
    check_rows(session, "5", 1);
    g_assert_false(tnd_session_choose_rows(session, "5-17", NULL));
    check_rows(session, "5", 1);
    g_assert_true(tnd_session_choose_rows(session, "1-16", NULL));
    g_assert_null(tnd_session_rows(session));
    g_assert_true(tnd_session_choose_rows(session, "rank:9, 4, 1.2.*, THREAD 1.1.?", NULL));
    check_rows(session, "10, 4, 2-1", 4);
    g_assert_false(tnd_session_choose_rows(session, "3, nobody", NULL));
    check_rows(session, "10, 4, 2-1", 4);
    tnd_session_free(session);
    session = tnd_session_new(); /* no trace */
    tnd_commands_run(session, "hide-row");
    tnd_commands_run(session, "pin-row");
    tnd_commands_run(session, "sort-rows");
    tnd_commands_run(session, "show-rows");
    tnd_session_free(session);
}

/* A window that sets no time and no rows leaves both as they are, also when it is first opened. */
static void test_window(void)
{
    TndSession *session = open_session();
    char *cfg = g_test_build_filename(G_TEST_DIST, "data", "cfgs", "state_as_is.cfg", NULL);
    g_assert_true(tnd_session_choose_rows(session, "16, 3-1, 8", NULL));
    tnd_session_set_zoom(session, (TndZoom){1000, 2000, 1, 2}, FALSE);
    g_assert_true(tnd_session_open_view(session, cfg, NULL));
    TndZoom zoom = tnd_session_zoom(session);
    g_assert_true(zoom.begin_ns == 1000 && zoom.end_ns == 2000 && zoom.first_row == 1 && zoom.last_row == 2);
    check_rows(session, "16, 3-1, 8", 3);
    g_free(cfg);
    tnd_session_free(session);
}

/* Each line of the picture has the colours of its row, in colours and as lines of both timelines. */
static void test_picture(void)
{
    TndSession *session = open_session();
    tnd_session_set_messages(session, TND_MESSAGES_NONE);
    tnd_session_add_view(session, "mpi-calls", NULL);
    g_assert_true(tnd_session_choose_rows(session, "16, 3-1, 8", NULL));
    tnd_session_pin_row(session, 7);
    tnd_session_set_zoom(session, (TndZoom){0, 387022, 1, 2}, FALSE);
    TndLaneStackSubject subject;
    g_assert_true(tnd_session_stack(session, TRUE, &subject));
    TndLaneStack *stack = tnd_lane_stack_new(&subject, 1000, 500, 1);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1000, 500);
    cairo_t *cr = cairo_create(surface);
    tnd_lane_stack_paint(stack, cr);
    cairo_destroy(cr);
    cairo_surface_flush(surface);
    const guint32 *pixels = (const guint32 *)(const void *)cairo_image_surface_get_data(surface);
    const guint lines[] = {7, 2, 1}; /* 8 is pinned; then 3 and 2 of 16, 3, 2, 1 */
    guint n = 0;
    for (guint lane = 0; lane < 2; lane++)
        for (guint line = 0; line < G_N_ELEMENTS(lines); line++) {
            const TndTimeline *timeline = tnd_lane_stack_timeline(stack, lane);
            TndView *view = tnd_session_lane_view(session, lane);
            const TndPaletteScale *scale = subject.parts[lane].timeline.scale;
            double top, bottom;
            TndBurst burst;
            g_assert_true(tnd_timeline_row_span(timeline, lines[line], &top, &bottom));
            g_assert_cmpuint(tnd_timeline_row(timeline, (top + bottom) / 2), ==, lines[line]);
            for (guint64 at = 0; tnd_view_burst_at(view, lines[line], at, &burst); at = burst.end_ns) {
                double left = tnd_timeline_x(timeline, burst.begin_ns), right = tnd_timeline_x(timeline, burst.end_ns);
                if (right - left < 5 || burst.value == 0)
                    continue;
                g_assert_cmphex(pixels[(gsize)((top + bottom) / 2) * 1000 + (gsize)((left + right) / 2)] & 0xffffff, ==,
                                tnd_palette_colour(scale, burst.value));
                n++;
            }
        }
    g_assert_cmpuint(n, >, 30);
    double top, bottom;
    g_assert_false(tnd_timeline_row_span(tnd_lane_stack_timeline(stack, 0), 12, &top, &bottom));
    cairo_surface_destroy(surface);
    tnd_lane_stack_free(stack);
    tnd_session_free(session);
}

/* The table has the rows that are on the screen. */
static void test_histogram(void)
{
    TndSession *session = open_session();
    g_assert_true(tnd_session_choose_rows(session, "16, 3-1, 8", NULL));
    g_assert_cmpuint(tnd_session_histogram(session, NULL)->n_rows, ==, 5);
    tnd_session_pin_row(session, 7);
    tnd_session_set_zoom(session, (TndZoom){0, 387022, 1, 2}, FALSE);
    const TndHistogram *histogram = tnd_session_histogram(session, NULL);
    g_assert_cmpuint(histogram->n_rows, ==, 3);
    g_assert_cmpstr(histogram->row_names[0], ==, "THREAD 1.2.1");
    g_assert_cmpstr(histogram->row_names[2], ==, "THREAD 1.8.1");
    tnd_session_free(session);
}

/* By the numbers of the table of the same stretch: average of durations, time in the call that is selected. */
static void test_sort(void)
{
    TndSession *session = open_session();
    tnd_session_open_view(session, "mpi-calls", NULL);
    tnd_session_set_zoom(session, (TndZoom){50000, 300000, 0, 15}, FALSE);
    tnd_session_set_selection(session, (TndSpot){TRUE, 0, 15000, 0});
    TndBurst burst;
    g_assert_true(tnd_view_burst_at(tnd_session_view(session), 0, 15000, &burst));
    char *label = tnd_view_value_text(tnd_session_view(session), burst.value);
    const TndHistogram *table = tnd_session_histogram(session, NULL);
    guint column = 0;
    while (strcmp(table->column_names[column], label))
        column++;
    double times[16];
    for (guint row = 0; row < 16; row++) {
        const TndHistogramCell *cell = tnd_histogram_cell(table, row, column);
        times[row] = cell ? cell->value : 0;
    }
    tnd_commands_run(session, "sort-rows");
    const TndRowOrder *order = tnd_session_rows(session);
    g_assert_nonnull(order);
    g_assert_cmpuint(order->n, ==, 16);
    g_assert_cmpfloat(times[order->rows[0]], >, 0);
    for (guint i = 1; i < 16; i++) {
        g_assert_cmpfloat(times[order->rows[i]], <=, times[order->rows[i - 1]]);
        if (times[order->rows[i]] == times[order->rows[i - 1]])
            g_assert_cmpuint(order->rows[i], >, order->rows[i - 1]);
    }
    tnd_session_pin_row(session, order->rows[15]);
    guint pinned = tnd_session_rows(session)->rows[0];
    tnd_session_open_view(session, "useful-duration", NULL);
    tnd_commands_run(session, "sort-rows");
    g_assert_cmpuint(tnd_session_rows(session)->rows[0], ==, pinned);
    g_free(label);
    tnd_session_free(session);
}

/* Two nodes, four ranks of four threads. */
static void test_fold(void)
{
    TndSession *session = tnd_session_new();
    tnd_session_set_trace(session, open_trace("hybrid-nodes"));
    tnd_session_fold(session, TND_LEVEL_TASK, 6);
    check_rows(session, "1-4, [5-8], 9-16", 13);
    tnd_session_fold(session, TND_LEVEL_NODE, 0);
    check_rows(session, "[1-8], 9-16", 9);
    tnd_session_fold(session, TND_LEVEL_NODE, 7); /* back */
    check_rows(session, "1-16", 16);
    tnd_session_hide_row(session, 5);
    tnd_session_fold_all(session, TND_LEVEL_TASK);
    check_rows(session, "[1-4], [5, 7-8], [9-12], [13-16]", 4);
    tnd_session_pin_row(session, 12);
    check_rows(session, "[13-16], [1-4], [5, 7-8], [9-12]", 3);
    tnd_session_hide_row(session, 1);
    check_rows(session, "[13-16], [5, 7-8], [9-12]", 2);
    tnd_session_fold_all(session, TND_LEVEL_TASK); /* all are folded, so all unfold */
    check_rows(session, "13-16, 5, 7-12", 7);
    tnd_session_show_all_rows(session);
    tnd_session_fold(session, TND_LEVEL_TASK, 99); /* no such row */
    check_rows(session, "1-16", 16);
    tnd_session_free(session);
}

/* A folded line has each value as often as its rows have it, and a pixel of it tells of the burst that it shows. */
static void test_fold_is_fair(void)
{
    TndSession *session = tnd_session_new();
    tnd_session_set_trace(session, open_trace("hybrid-nodes"));
    tnd_session_open_view(session, "state", NULL);
    tnd_session_fold(session, TND_LEVEL_TASK, 0);
    tnd_session_set_zoom(session, (TndZoom){0, 1000000, 0, 0}, FALSE);
    TndLaneStackSubject subject;
    g_assert_true(tnd_session_stack(session, TRUE, &subject));
    TndLaneStack *stack = tnd_lane_stack_new(&subject, 1300, 300, 1);
    const TndTimeline *timeline = tnd_lane_stack_timeline(stack, 0);
    const TndRectangle canvas = tnd_timeline_canvas(timeline);
    const double states[] = {1, 5, 12}; /* the seed's widths: 30,000 + 2,500 for each thread, of 100,000 */
    const double wanted[] = {0.3375, 0.49375, 0.16875};
    double counts[3] = {0};
    for (guint x = 0; x < canvas.width; x++) {
        guint row;
        guint64 time_ns;
        TndBurst burst;
        tnd_timeline_find(timeline, canvas.x + x + 0.5, canvas.y + canvas.height / 2, &row, &time_ns);
        g_assert_cmpuint(row, <, 4);
        g_assert_true(tnd_view_burst_at(tnd_session_view(session), row, time_ns, &burst));
        for (guint i = 0; i < 3; i++)
            counts[i] += burst.value == states[i];
    }
    for (guint i = 0; i < 3; i++)
        g_assert_cmpfloat_with_epsilon(counts[i] / canvas.width, wanted[i], 0.02);
    tnd_lane_stack_free(stack);
    tnd_session_free(session);
}

/* A view whose values are those of the node has a line for each node, whatever the others show. */
static void test_values_of_nodes(void)
{
    TndSession *session = tnd_session_new();
    tnd_session_set_trace(session, open_trace("hybrid-nodes"));
    tnd_session_open_view(session, "state", NULL);
    tnd_session_add_view(session, "power", NULL);
    TndLaneStackSubject subject;
    g_assert_true(tnd_session_stack(session, TRUE, &subject));
    g_assert_null(subject.parts[0].timeline.order);
    char *text = tnd_row_order_text(subject.parts[1].timeline.order, 16);
    g_assert_cmpstr(text, ==, "[1-8], [9-16]");
    g_assert_cmpuint(subject.parts[1].timeline.last_row, ==, 1);
    g_free(text);
    tnd_session_set_zoom(session, (TndZoom){0, 1000000, 10, 12}, FALSE);
    g_assert_true(tnd_session_stack(session, TRUE, &subject));
    g_assert_cmpuint(subject.parts[1].timeline.first_row, ==, 1);
    g_assert_cmpuint(subject.parts[1].timeline.last_row, ==, 1);
    tnd_session_show_all_rows(session);
    for (guint row = 0; row < 16; row++)
        tnd_session_pin_row(session, row);
    g_assert_true(tnd_session_stack(session, TRUE, &subject)); /* nothing is left that could be scrolled */
    g_assert_cmpuint(subject.parts[1].timeline.last_row, ==, 0);
    tnd_session_free(session);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/row-order/text", test_text);
    g_test_add_func("/row-order/lines", test_lines);
    g_test_add_func("/row-order/session", test_session);
    g_test_add_func("/row-order/window", test_window);
    g_test_add_func("/row-order/picture", test_picture);
    g_test_add_func("/row-order/histogram", test_histogram);
    g_test_add_func("/row-order/sort", test_sort);
    g_test_add_func("/row-order/fold", test_fold);
    g_test_add_func("/row-order/fold-is-fair", test_fold_is_fair);
    g_test_add_func("/row-order/values-of-nodes", test_values_of_nodes);
    return g_test_run();
}
