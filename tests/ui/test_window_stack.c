/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Several timelines in the window: they are added, closed, moved, divided and set apart with keys and mouse; what is
 * asserted is the session, the picture and, for the pointer's line, pixels of the screen.
 */
#include "tests/ui/hands.h"
#include "viewer/hover_card.h"
#include "viewer/table_area.h"
#include "viewer/timeline_area.h"

#include <math.h>

/* tnd_view_prepare is wrapped (meson.build): here it takes until a test allows it to go on, or the job is cancelled. */
gboolean __wrap_tnd_view_prepare(TndView *view, TndTraceProgress progress, gpointer data);
gboolean __real_tnd_view_prepare(TndView *view, TndTraceProgress progress, gpointer data);
static gint is_slow; /* atomic */

gboolean __wrap_tnd_view_prepare(TndView *view, TndTraceProgress progress, gpointer data)
{
    while (g_atomic_int_get(&is_slow)) {
        if (!progress(0.4, data))
            return FALSE;
        g_usleep(1000);
    }
    return __real_tnd_view_prepare(view, progress, data);
}

static const TndLaneStack *stack(void)
{
    const TndLaneStack *shown;
    WAIT_FOR((shown = tnd_timeline_area_stack(tnd_window_timeline(window))) != NULL);
    return shown;
}

/* On the screen: a place in the picture. */
static void on_screen(double x, double y, int *screen_x, int *screen_y)
{
    gdk_window_get_origin(gtk_widget_get_window(tnd_window_timeline(window)), screen_x, screen_y);
    *screen_x += (int)floor(x);
    *screen_y += (int)floor(y);
}

static void place_of(guint lane, guint row, guint64 time_ns, int *x, int *y)
{
    double top, bottom;
    const TndTimeline *timeline = tnd_lane_stack_timeline(stack(), lane);
    tnd_timeline_row_span(timeline, row, &top, &bottom);
    on_screen(tnd_timeline_x(timeline, time_ns), (top + bottom) / 2, x, y);
}

static void move_to(guint lane, guint row, guint64 time_ns)
{
    int x, y;
    place_of(lane, row, time_ns, &x, &y);
    input("mousemove %d %d mousemove %d %d", x + 1, y + 1, x, y);
    WAIT_FOR(tnd_session_hover(session).is_set && tnd_session_hover(session).lane == lane &&
             tnd_session_hover(session).row == row);
}

/* The first three views, the first one selected. */
static void begin(void)
{
    g_atomic_int_set(&is_slow, 0);
    tnd_session_set_page(session, TND_PAGE_TIMELINE);
    while (tnd_session_close_lane(session, 0))
        ;
    tnd_session_open_view(session, "state", NULL);
    tnd_session_add_view(session, "useful-duration", NULL);
    tnd_session_add_view(session, "mpi-calls", NULL);
    tnd_session_select_lane(session, 0);
    tnd_session_set_zoom(session, tnd_session_whole(session), FALSE);
    tnd_session_set_messages(session, TND_MESSAGES_NONE);
    input("mousemove 60 500");
    live(150);
    g_assert_cmpuint(tnd_lane_stack_n(stack()), ==, 3);
}

static const char *view_of(guint lane)
{
    TndView *view = tnd_session_lane_view(session, lane);
    return view ? tnd_view_rule(view)->name : NULL;
}

static gboolean is_whole(guint lane)
{
    TndZoom zoom = tnd_session_lane_zoom(session, lane);
    return zoom.begin_ns == 0 && zoom.end_ns == tnd_trace_end_ns(tnd_session_trace(session));
}

static void test_add_and_undo(void)
{
    begin();
    while (tnd_session_close_lane(session, 1))
        ;
    press("t"); /* the next view of the list */
    WAIT_FOR(tnd_session_n_lanes(session) == 2);
    g_assert_cmpstr(view_of(1), ==, "useful-duration");
    g_assert_cmpstr(current_view(), ==, "useful-duration");
    input("keydown ctrl");
    choose_view(place_of_view("cpu-use")); /* Ctrl + double click */
    input("keyup ctrl");
    WAIT_FOR(tnd_session_n_lanes(session) == 3);
    g_assert_cmpstr(view_of(2), ==, "cpu-use");
    choose_view(place_of_view("mpi-calls")); /* in place of the selected one */
    WAIT_FOR(!strcmp(view_of(2), "mpi-calls"));
    g_assert_cmpuint(tnd_session_n_lanes(session), ==, 3);
    press("ctrl+z");
    WAIT_FOR(tnd_session_n_lanes(session) == 2);
    g_assert_cmpstr(current_view(), ==, "useful-duration");
    press("ctrl+y");
    WAIT_FOR(tnd_session_n_lanes(session) == 3);
    g_assert_cmpstr(view_of(2), ==, "mpi-calls");
    keep_screen("stack");
}

static guint brightness_at(guint lane, guint row, guint64 time_ns)
{
    int x, y;
    place_of(lane, row, time_ns, &x, &y);
    GdkPixbuf *dot = gdk_pixbuf_get_from_window(gdk_get_default_root_window(), x, y, 1, 1);
    const guchar *pixel = gdk_pixbuf_read_pixels(dot);
    guint sum = (guint)pixel[0] + pixel[1] + pixel[2];
    g_object_unref(dot);
    return sum;
}

/* At 380000 nearly all is black: the line is the only thing there. */
static void test_pointer_in_all(void)
{
    begin();
    for (guint lane = 0; lane < 3; lane++)
        g_assert_cmpuint(brightness_at(lane, 1, 380000), ==, 0);
    move_to(1, 3, 380000);
    live(150);
    for (guint lane = 0; lane < 3; lane++) {
        g_assert_cmpuint(brightness_at(lane, 1, tnd_session_hover(session).time_ns), >, 400);
        g_assert_cmpuint(brightness_at(lane, 1, 370000), ==, 0);
    }
    keep_screen("stack-pointer");
}

static void test_drag_in_one(void)
{
    int x, y;
    begin();
    move_to(1, 3, 100000);
    place_of(1, 10, 200000, &x, &y);
    input("mousedown 1 mousemove %d %d", x, y);
    keep_screen("stack-drag");
    g_assert_cmpuint(tnd_session_lane(session), ==, 1); /* where the mouse was pressed */
    input("mouseup 1");
    WAIT_FOR(!is_whole(1));
    for (guint lane = 0; lane < 3; lane++) {
        g_assert_cmpfloat(fabs((double)tnd_session_lane_zoom(session, lane).begin_ns - 100000), <, 1000);
        g_assert_cmpfloat(fabs((double)tnd_session_lane_zoom(session, lane).end_ns - 200000), <, 1000);
    }
    press("ctrl+z");
    WAIT_FOR(is_whole(0) && is_whole(1) && is_whole(2));
    g_assert_cmpuint(tnd_session_n_lanes(session), ==, 3);
}

static void test_escape(void)
{
    int x, y;
    begin();
    move_to(0, 3, 100000);
    place_of(0, 10, 200000, &x, &y);
    input("mousedown 1 mousemove %d %d", x, y);
    live(100);
    press("Escape");
    input("mouseup 1");
    live(200);
    g_assert_true(is_whole(0));
    input("keydown shift mousedown 1");
    input("mousemove %d %d", x - 100, y);
    live(100);
    press("Escape");
    input("mouseup 1 keyup shift");
    live(200);
    g_assert_true(is_whole(0));
    tnd_session_set_zoom(session, (TndZoom){100000, 200000, 0, 15}, FALSE);
    live(100);
    input("mousemove %d %d keydown shift mousedown 1", x, y);
    input("mousemove %d %d", x - 100, y);
    WAIT_FOR(tnd_session_zoom(session).begin_ns > 100000);
    press("Escape");
    WAIT_FOR(tnd_session_zoom(session).begin_ns == 100000);
    input("mouseup 1 keyup shift");
}

static void test_close_and_move(void)
{
    int x, y;
    begin();
    press("ctrl+Down");
    WAIT_FOR(tnd_session_lane(session) == 1);
    g_assert_cmpstr(current_view(), ==, "useful-duration");
    GtkWidget *row = GTK_WIDGET(gtk_list_box_get_selected_row(view_list()));
    g_assert_cmpstr(gtk_label_get_text(GTK_LABEL(gtk_bin_get_child(GTK_BIN(row)))), ==, "Useful duration");
    press("ctrl+shift+Down");
    WAIT_FOR(!strcmp(view_of(2), "useful-duration"));
    g_assert_cmpuint(tnd_session_lane(session), ==, 2);
    g_assert_cmpstr(view_of(1), ==, "mpi-calls");
    press("ctrl+shift+Down"); /* it is the last one */
    press("ctrl+shift+Up");
    WAIT_FOR(!strcmp(view_of(1), "useful-duration"));
    TndRectangle button = tnd_lane_stack_button(stack(), 0);
    on_screen(button.x + button.width / 2, button.y + button.height / 2, &x, &y);
    input("mousemove %d %d click 1", x, y);
    WAIT_FOR(tnd_session_n_lanes(session) == 2);
    g_assert_cmpstr(view_of(0), ==, "useful-duration");
    g_assert_cmpuint(tnd_session_lane(session), ==, 0);
    press("ctrl+w");
    WAIT_FOR(tnd_session_n_lanes(session) == 1);
    g_assert_cmpstr(view_of(0), ==, "mpi-calls");
    press("ctrl+w"); /* the only one stays */
    live(100);
    g_assert_cmpuint(tnd_session_n_lanes(session), ==, 1);
    press("ctrl+z");
    press("ctrl+z");
    WAIT_FOR(tnd_session_n_lanes(session) == 3);
    g_assert_cmpstr(view_of(0), ==, "state");
}

static void test_border(void)
{
    int x, y;
    begin();
    const double heights[] = {tnd_lane_stack_height(stack(), 0), tnd_lane_stack_height(stack(), 1),
                              tnd_lane_stack_height(stack(), 2)};
    const TndRectangle map = tnd_lane_stack_map(stack());
    on_screen(300, map.y + heights[0] + 9, &x, &y); /* the map's room, the first timeline, half of the gap */
    input("mousemove %d %d mousedown 1", x, y);
    input("mousemove %d %d", x, y + 20);
    input("mousemove %d %d mouseup 1", x, y + 40);
    live(150);
    g_assert_cmpfloat(fabs(tnd_lane_stack_height(stack(), 0) - heights[0] - 40), <=, 2);
    g_assert_cmpfloat(fabs(tnd_lane_stack_height(stack(), 1) - heights[1] + 40), <=, 2);
    g_assert_cmpfloat(fabs(tnd_lane_stack_height(stack(), 2) - heights[2]), <=, 2);
    g_assert_true(is_whole(0));
    keep_screen("stack-heights");
    input("mousemove %d %d mousedown 1 mousemove %d %d", x, y + 40, x, 5);
    input("mouseup 1");
    live(150);
    g_assert_cmpfloat(tnd_lane_stack_height(stack(), 0), >=, 50); /* no timeline vanishes */
}

static void test_map(void)
{
    int x, y;
    begin();
    tnd_session_set_zoom(session, (TndZoom){0, 40000, 0, 15}, FALSE);
    live(100);
    const TndRectangle map = tnd_lane_stack_map(stack());
    on_screen(map.x + map.width / 2, map.y + 2, &x, &y);
    input("mousemove %d %d click 1", x, y);
    WAIT_FOR(tnd_session_zoom(session).begin_ns > 0);
    TndZoom zoom = tnd_session_zoom(session);
    g_assert_cmpfloat(fabs((double)(zoom.begin_ns + zoom.end_ns) / 2 - 387022 / 2.0), <, 1000);
    g_assert_cmpuint(zoom.end_ns - zoom.begin_ns, ==, 40000);
}

static void test_apart(void)
{
    begin();
    tnd_session_select_lane(session, 1);
    press("ctrl+l");
    WAIT_FOR(tnd_session_lane_is_apart(session, 1));
    move_to(1, 3, 100000);
    input("click 4");
    WAIT_FOR(!is_whole(1));
    g_assert_true(is_whole(0) && is_whole(2));
    keep_screen("stack-apart");
    move_to(0, 3, 200000);
    input("click 4 click 4");
    WAIT_FOR(!is_whole(0));
    g_assert_cmpuint(tnd_session_lane_zoom(session, 0).end_ns, ==, tnd_session_lane_zoom(session, 2).end_ns);
    g_assert_cmpuint(tnd_session_lane_zoom(session, 0).end_ns, !=, tnd_session_lane_zoom(session, 1).end_ns);
    press("ctrl+z");
    WAIT_FOR(is_whole(0));
    tnd_session_select_lane(session, 1);
    press("ctrl+l");
    WAIT_FOR(!tnd_session_lane_is_apart(session, 1));
    g_assert_true(is_whole(1));
}

/* Histogram and details are about the selected timeline. */
static void test_selected(void)
{
    begin();
    move_to(2, 0, 20000);
    input("click 1");
    WAIT_FOR(tnd_session_selection(session).is_set);
    g_assert_cmpuint(tnd_session_selection(session).lane, ==, 2);
    g_assert_cmpstr(current_view(), ==, "mpi-calls");
    press("h");
    WAIT_FOR(tnd_session_page(session) == TND_PAGE_HISTOGRAM && tnd_session_has_histogram(session));
    const TndHistogram *histogram = tnd_session_histogram(session, NULL);
    gboolean has_call = FALSE;
    for (guint i = 0; i < histogram->n_columns; i++)
        has_call |= !strcmp(histogram->column_names[i], "MPI_Send");
    g_assert_true(has_call);
    press("h");
    WAIT_FOR(tnd_session_page(session) == TND_PAGE_TIMELINE);
}

/* Begins anew, with the histogram of the third timeline. */
static const TndHistogramTable *begin_with_table(void)
{
    begin();
    tnd_session_select_lane(session, 2);
    press("h");
    WAIT_FOR(tnd_session_page(session) == TND_PAGE_HISTOGRAM && tnd_session_has_histogram(session));
    live(200);
    return tnd_table_area_picture(tnd_window_table(window));
}

/* A click on a cell, and the timeline shows only its bursts. */
static void test_light(void)
{
    guint row, column;
    int x, y;
    const TndHistogramTable *table = begin_with_table();
    GtkWidget *canvas = find_widget(tnd_window_table(window), GTK_TYPE_DRAWING_AREA);
    double at_x = 250, at_y = 0;
    while (!tnd_histogram_table_find(table, at_x, at_y, &row, &column) || row != 3)
        at_y += 3;
    gdk_window_get_origin(gtk_widget_get_window(canvas), &x, &y);
    input("mousemove %d %d click 1", x + (int)at_x, y + (int)at_y + 4);
    keep_screen("light-cell");
    press("h");
    WAIT_FOR(tnd_session_page(session) == TND_PAGE_TIMELINE);
    live(200);
    TndLaneStackSubject subject;
    g_assert_true(tnd_session_stack(session, FALSE, &subject));
    g_assert_nonnull(subject.parts[2].timeline.lit);
    g_assert_null(subject.parts[0].timeline.lit);
    g_assert_cmpuint(subject.parts[2].timeline.lit->row, ==, 3);
    keep_screen("light");
    press("h");
    WAIT_FOR(tnd_session_page(session) == TND_PAGE_HISTOGRAM);
    live(300);
    input("mousemove %d %d click 1", x + (int)at_x, y + (int)at_y + 4);
    live(200);
    g_assert_true(tnd_session_stack(session, FALSE, &subject));
    g_assert_null(subject.parts[2].timeline.lit);
}

/* A drag across columns: their bursts are bright in all rows, and they are the only columns, until Escape. */
static void test_columns(void)
{
    int x, y;
    const TndHistogramTable *table = begin_with_table();
    const guint n = tnd_session_histogram(session, NULL)->n_columns;
    const double least = tnd_session_histogram(session, NULL)->column_ends[2];
    const double largest = tnd_session_histogram(session, NULL)->column_ends[5];
    const TndRectangle first = tnd_histogram_table_columns(table, 1, 1),
                       last = tnd_histogram_table_columns(table, 2, 2);
    GtkWidget *canvas = find_widget(tnd_window_table(window), GTK_TYPE_DRAWING_AREA);
    gdk_window_get_origin(gtk_widget_get_window(canvas), &x, &y);
    y += (int)(last.y + last.height - 8);
    g_assert_cmpuint(n, >, 2);
    input("mousemove %d %d mousedown 1", x + (int)(last.x + last.width / 2), y);
    input("mousemove %d %d", x + (int)(first.x + first.width / 2), y + 300); /* only the column counts */
    keep_screen("columns-drag");
    input("mouseup 1");
    WAIT_FOR(tnd_session_has_histogram(session));
    live(200);
    const TndHistogram *histogram = tnd_session_histogram(session, NULL);
    g_assert_cmpfloat(histogram->column_ends[0], ==, least);
    g_assert_cmpfloat(histogram->column_ends[2 * histogram->n_columns - 1], ==, largest);
    keep_screen("columns");
    TndLaneStackSubject subject;
    press("h");
    WAIT_FOR(tnd_session_page(session) == TND_PAGE_TIMELINE);
    g_assert_true(tnd_session_stack(session, FALSE, &subject));
    g_assert_cmpuint(subject.parts[2].timeline.lit->row, ==, G_MAXUINT);
    g_assert_cmpfloat(subject.parts[2].timeline.lit->least, ==, least);
    keep_screen("columns-lit");
    press("h");
    WAIT_FOR(tnd_session_page(session) == TND_PAGE_HISTOGRAM);
    press("Escape");
    WAIT_FOR(tnd_session_has_histogram(session));
    g_assert_cmpuint(tnd_session_histogram(session, NULL)->n_columns, ==, n);
    g_assert_true(tnd_session_stack(session, FALSE, &subject));
    g_assert_null(subject.parts[2].timeline.lit);
    press("h");
    WAIT_FOR(tnd_session_page(session) == TND_PAGE_TIMELINE);
}

/* Rows stacked by their values, by a key: a click still selects a burst of the value that is there. */
static void test_breakdown(void)
{
    int x, y;
    begin();
    tnd_session_select_lane(session, 2);
    press("shift+l");
    WAIT_FOR(tnd_session_draw(session) == TND_DRAW_STACK);
    live(200);
    const TndTimeline *timeline = tnd_timeline_area_picture(tnd_window_timeline(window));
    const TndRectangle canvas = tnd_timeline_canvas(timeline);
    gdk_window_get_origin(gtk_widget_get_window(tnd_window_timeline(window)), &x, &y);
    input("mousemove %d %d click 1", x + (int)(canvas.x + canvas.width * 0.4), y + (int)(canvas.y + canvas.height) - 2);
    live(200);
    const TndSpot spot = tnd_session_selection(session);
    TndBurst burst;
    g_assert_true(spot.is_set && tnd_view_burst_at(tnd_session_view(session), spot.row, spot.time_ns, &burst));
    g_assert_cmpfloat(burst.value, !=, 0); /* what is at the bottom is a call */
    keep_screen("breakdown");
    press("shift+l");
    WAIT_FOR(tnd_session_draw(session) == TND_DRAW_COLOUR);
    press("ctrl+shift+f");
    WAIT_FOR(tnd_session_shows_flags(session));
    keep_screen("flags");
    press("ctrl+shift+f");
    WAIT_FOR(!tnd_session_shows_flags(session));
    press("q"); /* codes have no axis */
    live(200);
    g_assert_cmpint(tnd_session_draw(session), ==, TND_DRAW_COLOUR);
    g_assert_true(tnd_session_open_view(session, "useful-duration", NULL));
    press("q");
    WAIT_FOR(tnd_session_draw(session) == TND_DRAW_POINTS);
    keep_screen("points");
    press("q");
    WAIT_FOR(tnd_session_draw(session) == TND_DRAW_COLOUR);
}

/* The share of the pixels of a timeline's canvas that are of the colour of lines over it. */
static double share_of_lines(guint lane)
{
    const TndRectangle canvas = tnd_timeline_canvas(tnd_lane_stack_timeline(stack(), lane));
    int left, top;
    on_screen(canvas.x, canvas.y, &left, &top);
    GdkPixbuf *part =
        gdk_pixbuf_get_from_window(gdk_get_default_root_window(), left, top, (int)canvas.width, (int)canvas.height);
    const guchar *pixels = gdk_pixbuf_read_pixels(part);
    guint n = 0;
    for (int y = 0; y < (int)canvas.height; y++)
        for (int x = 0; x < (int)canvas.width; x++) {
            const guchar *pixel = pixels + y * gdk_pixbuf_get_rowstride(part) + x * gdk_pixbuf_get_n_channels(part);
            n += pixel[0] == 255 && pixel[1] == 255 && pixel[2] == 255;
        }
    g_object_unref(part);
    return n / (canvas.width * canvas.height);
}

/* A view's lines over a timeline: with Shift from the list, at the pointer, and away again. */
static void test_over(void)
{
    begin();
    while (tnd_session_close_lane(session, 1))
        ;
    live(200);
    const double before = share_of_lines(0);
    input("keydown shift");
    choose_view(place_of_view("useful-duration"));
    input("keyup shift");
    WAIT_FOR(tnd_session_lane_over(session, 0));
    g_assert_cmpstr(current_view(), ==, "state");
    live(200);
    g_assert_cmpfloat(share_of_lines(0), >, before + 0.02);
    move_to(0, 1, 15000);
    char *card = tnd_hover_card_text(session);
    g_assert_nonnull(strstr(card, "\nUseful duration: "));
    g_free(card);
    keep_screen("stack-over");
    input("keydown shift");
    choose_view(place_of_view("mpi-calls")); /* codes have no lines */
    input("keyup shift");
    GtkWidget *dialog;
    WAIT_FOR((dialog = find_dialog(GTK_TYPE_MESSAGE_DIALOG)) != NULL);
    gtk_widget_destroy(dialog);
    press("shift+q");
    WAIT_FOR(!tnd_session_lane_over(session, 0));
    live(200);
    g_assert_cmpfloat(share_of_lines(0), <, before + 0.01);
}

static const char *status(void)
{
    return gtk_label_get_text(GTK_LABEL(find_named(window, "status")));
}

static void test_status(void)
{
    begin();
    move_to(0, 0, 15000);
    g_assert_true(g_str_has_prefix(status(), "Rank 0 (1.1.1)"));
    g_assert_nonnull(strstr(status(), "Not created"));
    move_to(2, 1, 15000); /* another view's value */
    g_assert_null(strstr(status(), "Not created"));
    move_to(0, 0, 15000);
    input("click 1");
    WAIT_FOR(tnd_session_selection(session).is_set);
    press("period"); /* the pointer has not moved, but another burst is selected */
    WAIT_FOR(tnd_session_selection(session).time_ns == 18317);
    g_assert_nonnull(strstr(status(), "18.32 µs"));
    g_assert_nonnull(strstr(status(), "Running"));
    press("f"); /* something else is under the pointer now */
    WAIT_FOR(!is_whole(0));
    move_to(0, 2, tnd_session_zoom(session).begin_ns + 5000);
    g_assert_true(g_str_has_prefix(status(), "Rank 2 (1.3.1)"));
    press("Home");
    WAIT_FOR(is_whole(0));
    live(150);
    TndSpot hover = tnd_session_hover(session);
    g_assert_true(hover.is_set && hover.row == 2);
    int x, y, pointer_x, pointer_y;
    place_of(0, 2, hover.time_ns, &x, &y);
    gdk_device_get_position(gdk_seat_get_pointer(gdk_display_get_default_seat(gdk_display_get_default())), NULL,
                            &pointer_x, &pointer_y);
    g_assert_cmpint(ABS(x - pointer_x), <=, 2);
}

static void test_too_many(void)
{
    GtkWidget *dialog;
    begin();
    for (guint i = 3; i < TND_LANE_STACK_MOST; i++)
        g_assert_true(tnd_session_add_view(session, "state", NULL));
    keep_screen("stack-most");
    press("t");
    WAIT_FOR((dialog = find_dialog(GTK_TYPE_MESSAGE_DIALOG)) != NULL);
    gtk_widget_destroy(dialog);
    g_assert_cmpuint(tnd_session_n_lanes(session), ==, TND_LANE_STACK_MOST);
}

/* A view that takes long: the others stay, it has a place with a note, and can be cancelled, and opened again. */
static void test_cancel_preparing(void)
{
    begin();
    g_atomic_int_set(&is_slow, 1);
    g_assert_true(tnd_session_add_view(session, "node-parallelism", NULL));
    g_assert_cmpuint(tnd_session_n_lanes(session), ==, 4);
    TndView *view = tnd_session_view(session);
    live(200);
    g_assert_cmpuint(tnd_lane_stack_n(stack()), ==, 4);
    g_assert_false(tnd_view_is_prepared(view));
    GtkWidget *cancel = find_labelled(window, "Cancel");
    g_assert_nonnull(cancel);
    keep_screen("stack-preparing");
    int x, y;
    GtkAllocation place;
    gtk_widget_get_allocation(cancel, &place);
    gdk_window_get_origin(gtk_widget_get_window(cancel), &x, &y);
    input("mousemove %d %d click 1", x + place.x + place.width / 2, y + place.y + place.height / 2);
    WAIT_FOR(!gtk_widget_get_mapped(cancel));
    live(200);
    g_assert_false(tnd_view_is_prepared(view));
    g_assert_false(gtk_widget_get_mapped(cancel)); /* it does not begin again by itself */
    press("ctrl+Up");
    live(100);
    g_assert_false(gtk_widget_get_mapped(cancel));
    press("ctrl+Down");
    g_atomic_int_set(&is_slow, 0);
    tnd_session_open_view(session, "node-parallelism", NULL);
    WAIT_FOR(tnd_view_is_prepared(view));
    keep_screen("stack-prepared");
}

int main(int argc, char **argv)
{
    begin_tests(&argc, &argv);
    open_window("synthetic-16", NULL);
    g_test_add_func("/window-stack/add-and-undo", test_add_and_undo);
    g_test_add_func("/window-stack/pointer-in-all", test_pointer_in_all);
    g_test_add_func("/window-stack/drag-in-one", test_drag_in_one);
    g_test_add_func("/window-stack/escape", test_escape);
    g_test_add_func("/window-stack/close-and-move", test_close_and_move);
    g_test_add_func("/window-stack/border", test_border);
    g_test_add_func("/window-stack/map", test_map);
    g_test_add_func("/window-stack/apart", test_apart);
    g_test_add_func("/window-stack/selected", test_selected);
    g_test_add_func("/window-stack/light", test_light);
    g_test_add_func("/window-stack/columns", test_columns);
    g_test_add_func("/window-stack/breakdown", test_breakdown);
    g_test_add_func("/window-stack/over", test_over);
    g_test_add_func("/window-stack/status", test_status);
    g_test_add_func("/window-stack/too-many", test_too_many);
    g_test_add_func("/window-stack/cancel-preparing", test_cancel_preparing);
    return end_tests();
}
