/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows in the window: hidden, pinned, sorted and chosen with keys, menu and dialog, in all timelines at once.
 */
#include "tests/ui/hands.h"
#include "viewer/timeline_area.h"

#include <math.h>

static const TndLaneStack *stack(void)
{
    const TndLaneStack *shown;
    WAIT_FOR((shown = tnd_timeline_area_stack(tnd_window_timeline(window))) != NULL);
    return shown;
}

static void move_to(guint lane, guint row, guint64 time_ns)
{
    int x, y;
    double top, bottom;
    const TndTimeline *timeline = tnd_lane_stack_timeline(stack(), lane);
    g_assert_true(tnd_timeline_row_span(timeline, row, &top, &bottom));
    gdk_window_get_origin(gtk_widget_get_window(tnd_window_timeline(window)), &x, &y);
    x += (int)floor(tnd_timeline_x(timeline, time_ns));
    y += (int)floor((top + bottom) / 2);
    input("mousemove %d %d mousemove %d %d", x + 1, y + 1, x, y);
    WAIT_FOR(tnd_session_hover(session).is_set && tnd_session_hover(session).lane == lane &&
             tnd_session_hover(session).row == row);
}

static gboolean are_rows(const char *wanted)
{
    char *text = tnd_session_rows_text(session);
    gboolean are = !strcmp(text, wanted);
    g_free(text);
    return are;
}

static void begin(void)
{
    tnd_session_set_page(session, TND_PAGE_TIMELINE);
    while (tnd_session_close_lane(session, 0))
        ;
    tnd_session_open_view(session, "state", NULL);
    tnd_session_show_all_rows(session);
    tnd_session_add_view(session, "mpi-calls", NULL);
    tnd_session_select_lane(session, 0);
    tnd_session_set_zoom(session, tnd_session_whole(session), FALSE);
    tnd_session_set_selection(session, (TndSpot){0});
    input("mousemove 60 500");
    live(150);
    g_assert_true(are_rows("1-16"));
}

static void test_hide_and_undo(void)
{
    begin();
    press("x"); /* no row is meant */
    live(100);
    g_assert_true(are_rows("1-16"));
    move_to(1, 3, 100000);
    press("x");
    WAIT_FOR(are_rows("1-3, 5-16"));
    live(150);
    g_assert_cmpuint(tnd_session_hover(session).row, ==, 4); /* another row is under the pointer now */
    press("Delete");
    WAIT_FOR(are_rows("1-3, 6-16"));
    keep_screen("rows-hidden");
    press("ctrl+z");
    WAIT_FOR(are_rows("1-3, 5-16"));
    press("shift+x");
    WAIT_FOR(are_rows("1-16"));
}

/* A pinned row stays when the others are scrolled; it is the same in both timelines. */
static void test_pin(void)
{
    begin();
    move_to(0, 9, 200000);
    press("o");
    WAIT_FOR(are_rows("10, 1-9, 11-16"));
    tnd_session_set_zoom(session, (TndZoom){0, 387022, 4, 8}, FALSE);
    live(150);
    for (guint lane = 0; lane < 2; lane++) {
        const TndTimeline *timeline = tnd_lane_stack_timeline(stack(), lane);
        const TndRectangle canvas = tnd_timeline_canvas(timeline);
        g_assert_cmpuint(tnd_timeline_row(timeline, canvas.y + 2), ==, 9);
        g_assert_cmpuint(tnd_timeline_row(timeline, canvas.y + canvas.height - 2), ==, 8);
    }
    keep_screen("rows-pinned");
    press("Down");
    WAIT_FOR(tnd_session_zoom(session).first_row == 5);
    live(150);
    move_to(0, 9, 200000);
    press("o");
    WAIT_FOR(are_rows("1-16"));
}

static void test_sort(void)
{
    begin();
    tnd_session_open_view(session, "useful-duration", NULL);
    tnd_session_set_zoom(session, (TndZoom){300000, 380000, 0, 15}, FALSE);
    press("z");
    WAIT_FOR(!are_rows("1-16"));
    const TndRowOrder *order = tnd_session_rows(session);
    g_assert_cmpuint(order->n, ==, 16);
    keep_screen("rows-sorted");
    press("ctrl+z");
    WAIT_FOR(are_rows("1-16"));
}

/* The order is another one, begins with the row that was the first, and can be undone. */
static void test_alike(void)
{
    begin();
    g_assert_true(tnd_session_choose_rows(session, "2,1,3-16", NULL));
    press("y");
    WAIT_FOR(!are_rows("2-1, 3-16"));
    const TndRowOrder *order = tnd_session_rows(session);
    g_assert_cmpuint(order->n, ==, 16);
    g_assert_cmpuint(order->rows[0], ==, 1);
    keep_screen("rows-alike");
    press("ctrl+z");
    WAIT_FOR(are_rows("2-1, 3-16"));
}

/* The middle of a row's label. */
static void label_at(guint lane, guint row, int *x, int *y)
{
    double top, bottom;
    const TndTimeline *timeline = tnd_lane_stack_timeline(stack(), lane);
    g_assert_true(tnd_timeline_row_span(timeline, row, &top, &bottom));
    gdk_window_get_origin(gtk_widget_get_window(tnd_window_timeline(window)), x, y);
    *x += (int)tnd_timeline_canvas(timeline).x - 20;
    *y += (int)((top + bottom) / 2);
}

static void test_move(void)
{
    int x, y, to_x, to_y;
    begin();
    label_at(0, 2, &x, &y);
    label_at(0, 9, &to_x, &to_y);
    input("mousemove %d %d mousedown 1 mousemove %d %d mousemove %d %d", x, y, x + 3, (y + to_y) / 2, to_x, to_y);
    live(150);
    keep_screen("rows-dragged");
    input("mouseup 1");
    WAIT_FOR(are_rows("1-2, 4-10, 3, 11-16"));
    label_at(0, 2, &x, &y);
    input("mousemove %d %d mousedown 1 mousemove %d %d", x, y, to_x, y - 60);
    live(100);
    press("Escape");
    input("mouseup 1");
    live(100);
    g_assert_true(are_rows("1-2, 4-10, 3, 11-16"));
    move_to(1, 2, 100000);
    press("alt+Up");
    WAIT_FOR(are_rows("1-2, 4-9, 3, 10-16"));
    move_to(1, 2, 100000);
    press("alt+Down");
    WAIT_FOR(are_rows("1-2, 4-10, 3, 11-16"));
    press("shift+Down");
    WAIT_FOR(tnd_session_zoom(session).last_row - tnd_session_zoom(session).first_row < 13);
    press("shift+Up");
    press("shift+Up");
    WAIT_FOR(tnd_session_zoom(session).last_row == 15);
    press("shift+x");
    WAIT_FOR(are_rows("1-16"));
}

/* The dialog has a main loop of its own, so that one xdotool does all. */
static void test_choose(void)
{
    begin();
    move_to(0, 8, 200000); /* over the dialog, too, which gets the keys then */
    input("key r sleep 0.7 key ctrl+a 1 6 comma 3 minus 1 comma 9 9 Return sleep 0.4 " /* there is no row 99 */
          "key BackSpace BackSpace BackSpace Return");
    WAIT_FOR(are_rows("16, 3-1"));
    keep_screen("rows-chosen");
    input("key r sleep 0.7 key Escape");
    live(200);
    g_assert_true(are_rows("16, 3-1"));
}

int main(int argc, char **argv)
{
    begin_tests(&argc, &argv);
    open_window("synthetic-16", NULL);
    g_test_add_func("/window-rows/hide-and-undo", test_hide_and_undo);
    g_test_add_func("/window-rows/pin", test_pin);
    g_test_add_func("/window-rows/sort", test_sort);
    g_test_add_func("/window-rows/alike", test_alike);
    g_test_add_func("/window-rows/move", test_move);
    g_test_add_func("/window-rows/choose", test_choose);
    return end_tests();
}
