/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window under a user's hands: xdotool moves the mouse and presses keys of the display that the test runs on;
 * what is asserted is the session, and pixels of the screen.  Every test begins with the whole trace in `state`.
 */
#include "tests/ui/hands.h"
#include "viewer/long_job.h"
#include "viewer/table_area.h"
#include "viewer/timeline_area.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

enum { END_NS = 387022 };

static const TndTimeline *picture(void)
{
    const TndTimeline *shown;
    WAIT_FOR((shown = tnd_timeline_area_picture(tnd_window_timeline(window))) != NULL);
    return shown;
}

/* On the screen: where a row and a time are. */
static void place_of(guint row, guint64 time_ns, int *x, int *y)
{
    double top, bottom;
    gdk_window_get_origin(gtk_widget_get_window(tnd_window_timeline(window)), x, y);
    *x += (int)lrint(tnd_timeline_x(picture(), time_ns));
    tnd_timeline_row_span(picture(), row, &top, &bottom);
    *y += (int)lrint((top + bottom) / 2);
}

static gboolean is_over(guint row)
{
    TndSpot hover = tnd_session_hover(session);
    return hover.is_set && hover.row == row;
}

static void move_to(guint row, guint64 time_ns)
{
    int x, y;
    for (int attempt = 0; attempt < 20 && !is_over(row); attempt++) { /* the window may still be finding its place */
        place_of(row, time_ns, &x, &y);
        input("mousemove %d %d mousemove %d %d", x + 1, y + 1, x, y);
        live(100);
    }
    WAIT_FOR(is_over(row));
}

static double pixel_ns(void)
{
    TndZoom zoom = tnd_session_zoom(session);
    return (double)(zoom.end_ns - zoom.begin_ns) / tnd_timeline_canvas(picture()).width;
}

static void assert_near(guint64 got, guint64 wanted, double tolerance)
{
    g_assert_cmpfloat(fabs((double)got - (double)wanted), <=, tolerance);
}

static gboolean is_whole(void)
{
    TndZoom zoom = tnd_session_zoom(session), whole = tnd_session_whole(session);
    return !memcmp(&zoom, &whole, sizeof zoom);
}

static void begin(void)
{
    tnd_session_set_page(session, TND_PAGE_TIMELINE);
    tnd_session_open_view(session, "state", NULL);
    tnd_session_set_zoom(session, tnd_session_whole(session), FALSE);
    tnd_session_set_messages(session, TND_MESSAGES_FITTING);
    input("mousemove 60 500"); /* over the list: beside the timeline, yet where keys go to the window */
    live(100);
    picture();
}

static void test_hover_and_click(void)
{
    begin();
    move_to(0, 15000);
    assert_near(tnd_session_hover(session).time_ns, 15000, pixel_ns());
    input("click 1");
    WAIT_FOR(tnd_session_selection(session).is_set);
    g_assert_cmpuint(tnd_session_selection(session).row, ==, 0);
    assert_near(tnd_session_selection(session).time_ns, 15000, pixel_ns());
    g_assert_true(is_whole());
    guint64 then = tnd_session_selection(session).time_ns;
    press("period");
    WAIT_FOR(tnd_session_selection(session).time_ns > then);
    g_assert_cmpuint(tnd_session_selection(session).time_ns, ==, 18317); /* the trace's next state */
    keep_screen("selection");
}

static void test_drag_and_undo(void)
{
    int x, y;
    begin();
    double tolerance = 1.5 * pixel_ns();
    move_to(3, 100000);
    place_of(10, 200000, &x, &y);
    input("mousedown 1 mousemove %d %d", x, y);
    keep_screen("drag");
    input("mouseup 1");
    WAIT_FOR(!is_whole());
    TndZoom zoom = tnd_session_zoom(session);
    assert_near(zoom.begin_ns, 100000, tolerance);
    assert_near(zoom.end_ns, 200000, tolerance);
    g_assert_cmpuint(zoom.first_row, ==, 0);
    g_assert_cmpuint(zoom.last_row, ==, 15);
    press("ctrl+z");
    WAIT_FOR(is_whole());
    press("ctrl+y");
    WAIT_FOR(tnd_session_zoom(session).begin_ns == zoom.begin_ns);
    press("ctrl+u");
    WAIT_FOR(is_whole());
    press("ctrl+r");
    WAIT_FOR(tnd_session_zoom(session).end_ns == zoom.end_ns);
    press("Home");
    WAIT_FOR(is_whole());
}

static void test_drag_both_axes(void)
{
    int x, y;
    begin();
    double tolerance = 1.5 * pixel_ns();
    move_to(4, 100000);
    place_of(8, 300000, &x, &y);
    input("keydown ctrl mousedown 1 mousemove %d %d", x, y);
    live(100);
    input("mouseup 1 keyup ctrl");
    WAIT_FOR(!is_whole());
    TndZoom zoom = tnd_session_zoom(session);
    assert_near(zoom.begin_ns, 100000, tolerance);
    assert_near(zoom.end_ns, 300000, tolerance);
    g_assert_cmpuint(zoom.first_row, ==, 4);
    g_assert_cmpuint(zoom.last_row, ==, 8);
    press("Down");
    WAIT_FOR(tnd_session_zoom(session).first_row == 5);
    keep_screen("both-axes");
}

static void test_pan(void)
{
    int x, y;
    begin();
    tnd_session_set_zoom(session, (TndZoom){100000, 200000, 0, 15}, FALSE);
    live(100);
    move_to(4, 150000);
    place_of(4, 170000, &x, &y);
    input("keydown shift mousedown 1 mousemove %d %d", x, y);
    live(100);
    input("mouseup 1 keyup shift");
    WAIT_FOR(tnd_session_zoom(session).begin_ns < 90000);
    assert_near(tnd_session_zoom(session).begin_ns, 80000, 2 * pixel_ns());
    assert_near(tnd_session_zoom(session).end_ns, 180000, 2 * pixel_ns());
    guint64 then = tnd_session_zoom(session).begin_ns;
    press("d");
    WAIT_FOR(tnd_session_zoom(session).begin_ns > then);
    assert_near(tnd_session_zoom(session).begin_ns, then + 25000, 2);
}

static void test_wheel(void)
{
    begin();
    move_to(7, 120000);
    input("click 4");
    WAIT_FOR(!is_whole());
    TndZoom zoom = tnd_session_zoom(session);
    assert_near(zoom.end_ns - zoom.begin_ns, (guint64)(END_NS / 1.25), 2);
    int x, y, pointer_x, pointer_y;
    live(100);
    place_of(7, 120000, &x, &y);
    gdk_device_get_position(gdk_seat_get_pointer(gdk_display_get_default_seat(gdk_display_get_default())), NULL,
                            &pointer_x, &pointer_y);
    g_assert_cmpint(ABS(x - pointer_x), <=, 2); /* what was under the pointer still is */
    input("keydown ctrl click 4 keyup ctrl");
    WAIT_FOR(tnd_session_zoom(session).last_row - tnd_session_zoom(session).first_row + 1 == 12);
}

static void test_messages(void)
{
    begin();
    press("m");
    WAIT_FOR(!tnd_session_sees_messages(session));
    live(100);
    /* without lines over it, the cell has its pure colour on the screen */
    int x, y;
    place_of(0, 15000, &x, &y);
    GdkPixbuf *dot = gdk_pixbuf_get_from_window(gdk_get_default_root_window(), x, y, 1, 1);
    const guchar *pixel = gdk_pixbuf_read_pixels(dot);
    g_assert_cmphex((guint32)pixel[0] << 16 | (guint32)pixel[1] << 8 | pixel[2], ==, tnd_palette_muted[2]);
    g_object_unref(dot);
    press("m");
    WAIT_FOR(tnd_session_sees_messages(session));
}

/* The first long burst in the first row that has this value, or has another one. */
static double middle_of_burst(double value, gboolean is_other)
{
    TndBurst burst;
    for (guint64 time_ns = 0; tnd_view_burst_at(tnd_session_view(session), 0, time_ns, &burst); time_ns = burst.end_ns)
        if ((burst.value != value) == is_other && (double)(burst.end_ns - burst.begin_ns) > 6 * pixel_ns() &&
            burst.value != 0)
            return (tnd_timeline_x(picture(), burst.begin_ns) + tnd_timeline_x(picture(), burst.end_ns)) / 2;
    g_assert_not_reached();
}

/* Every burst of Running, in all rows by time, by J, and around the end; back by Shift+J. */
static void assert_goes_on(void)
{
    TndSpot first = tnd_session_selection(session), before = first;
    TndBurst burst;
    g_assert_true(tnd_view_burst_at(tnd_session_view(session), first.row, first.time_ns, &burst) && burst.value == 1);
    for (guint i = 0; i < 3; i++) {
        press("j");
        WAIT_FOR(tnd_session_selection(session).row != before.row ||
                 tnd_session_selection(session).time_ns != before.time_ns);
        TndSpot spot = tnd_session_selection(session);
        g_assert_true(spot.time_ns > before.time_ns || (spot.time_ns == before.time_ns && spot.row > before.row));
        tnd_view_burst_at(tnd_session_view(session), spot.row, spot.time_ns, &burst);
        g_assert_true(burst.value == 1 && burst.begin_ns == spot.time_ns);
        before = spot;
    }
    for (guint i = 0; i < 3; i++)
        press("shift+j");
    WAIT_FOR(tnd_session_selection(session).row == first.row &&
             tnd_session_selection(session).time_ns == first.time_ns);
}

static void test_copied_picture(void)
{
    GdkPixbuf *copied = NULL;
    begin();
    press("ctrl+shift+c");
    WAIT_FOR((copied = gtk_clipboard_wait_for_image(gtk_widget_get_clipboard(window, GDK_SELECTION_CLIPBOARD))));
    GtkWidget *timelines = tnd_window_timeline(window);
    g_assert_cmpint(gdk_pixbuf_get_width(copied), ==, gtk_widget_get_allocated_width(timelines));
    g_assert_cmpint(gdk_pixbuf_get_height(copied), ==, gtk_widget_get_allocated_height(timelines));
    char *path = g_strdup_printf("%s/tests/ui/copied.png", g_getenv("TANDEM_BUILD"));
    g_assert_true(gdk_pixbuf_save(copied, path, "png", NULL, NULL));
    g_free(path);
    g_object_unref(copied);
}

static void test_legend(void)
{
    int left, top;
    double x, y, value = 0, rows_top, rows_bottom;
    begin();
    tnd_session_open_view(session, "state", NULL);
    live(300);
    const TndRectangle canvas = tnd_timeline_canvas(picture());
    for (x = canvas.x, y = canvas.y + canvas.height; value != 1; x = x < canvas.x + canvas.width ? x + 5 : canvas.x)
        if (tnd_timeline_find_legend(picture(), x, y, &value) ? FALSE : x >= canvas.x + canvas.width)
            y += 5; /* Running is found, whose number is 1 */
    tnd_timeline_row_span(picture(), 0, &rows_top, &rows_bottom);
    const double middle = (rows_top + rows_bottom) / 2, of_value = middle_of_burst(1, FALSE),
                 of_other = middle_of_burst(1, TRUE);
    const guint32 bright = screen_at(of_value, middle), other = screen_at(of_other, middle);
    gdk_window_get_origin(gtk_widget_get_window(tnd_window_timeline(window)), &left, &top);
    input("mousemove %d %d click 1", left + (int)x, top + (int)y);
    live(200);
    g_assert_cmphex(screen_at(of_value, middle), ==, bright);
    g_assert_cmphex(screen_at(of_other, middle), ==, other >> 2 & 0x3f3f3f);
    keep_screen("legend-lit");
    input("keydown shift click 1 keyup shift");
    live(200);
    g_assert_cmphex(screen_at(of_value, middle), ==, bright >> 2 & 0x3f3f3f);
    g_assert_cmphex(screen_at(of_other, middle), ==, other);
    input("keydown shift click 1 keyup shift");
    live(200);
    g_assert_cmphex(screen_at(of_value, middle), ==, bright);
    live(400); /* else a double click would count on from those before */
    input("click --repeat 2 --delay 60 1");
    WAIT_FOR(tnd_session_selection(session).is_set);
    live(100);
    g_assert_cmphex(screen_at(of_other, middle), ==, other); /* nothing is dimmed */
    assert_goes_on();
}

static void test_menu(void)
{
    begin();
    tnd_session_set_zoom(session, (TndZoom){10000, 20000, 2, 5}, FALSE);
    move_to(3, 15000);
    press("ctrl+c");
    char *text = NULL;
    WAIT_FOR((text = gtk_clipboard_wait_for_text(gtk_widget_get_clipboard(window, GDK_SELECTION_CLIPBOARD))));
    g_assert_cmpstr(text, ==, "--begin 10000ns --end 20000ns");
    g_free(text);
    input("click 3");
    WAIT_FOR(tnd_session_selection(session).is_set && tnd_session_selection(session).row == 3);
    keep_screen("menu");
    input("key Down Down Down Return"); /* back, forward, the whole trace */
    WAIT_FOR(is_whole());
}

static void test_views(void)
{
    begin();
    press("Page_Down");
    WAIT_FOR(!strcmp(current_view(), "useful-duration"));
    keep_screen("useful-duration");
    choose_view(place_of_view("mpi-calls"));
    WAIT_FOR(!strcmp(current_view(), "mpi-calls"));
    keep_screen("view-groups");
    choose_view(place_of_view("useful-duration"));
    WAIT_FOR(!strcmp(current_view(), "useful-duration"));
    press("Up");
    press("Return");
    WAIT_FOR(!strcmp(current_view(), "state"));
    g_assert_cmpuint(tnd_session_n_open(session), ==, 3);
}

static void test_histogram(void)
{
    begin();
    tnd_session_open_view(session, "mpi-calls", NULL);
    press("h");
    WAIT_FOR(tnd_session_page(session) == TND_PAGE_HISTOGRAM);
    GtkWidget *chooser = find_widget(window, GTK_TYPE_COMBO_BOX);
    gtk_combo_box_set_active_id(GTK_COMBO_BOX(chooser), "time-percent");
    g_assert_cmpint(tnd_session_statistic(session), ==, TND_STATISTIC_TIME_PERCENT);
    WAIT_FOR(tnd_session_has_histogram(session));
    const TndHistogram *histogram = tnd_session_histogram(session, NULL);
    g_assert_cmpuint(histogram->n_rows, ==, 16);
    g_assert_cmpstr(histogram->unit, ==, "%");
    keep_screen("histogram");
    for (TndStatistic statistic = 0; statistic <= TND_STATISTIC_BURSTS; statistic++)
        tnd_session_set_statistic(session, statistic); /* faster than it is summed up */
    g_assert_false(tnd_session_has_histogram(session));
    WAIT_FOR(tnd_session_has_histogram(session));
    g_assert_cmpint(tnd_session_histogram(session, NULL)->statistic, ==, TND_STATISTIC_BURSTS);
    press("h");
    WAIT_FOR(tnd_session_page(session) == TND_PAGE_TIMELINE);
}

/* The table of a view as it ought to look, made without the session. */
static TndHistogramTable *wanted_table(const char *name)
{
    GError *error = NULL;
    TndView *view = tnd_view_new((TndTrace *)tnd_session_trace(session), name, &error);
    g_assert_no_error(error);
    TndHistogramSource *source = tnd_session_histogram_source(session);
    TndHistogram *histogram = tnd_histogram_new_with(view, &source->options, &error);
    g_assert_no_error(error);
    tnd_histogram_page_free_source(source);
    TndHistogramTableSubject subject = {.histogram = histogram,
                                        .trace_name = tnd_trace_name(tnd_session_trace(session)),
                                        .trace = tnd_session_trace(session),
                                        .level = TND_LEVEL_THREAD,
                                        .cells = TND_CELLS_COLOURS};
    GtkWidget *canvas = find_widget(tnd_window_table(window), GTK_TYPE_DRAWING_AREA);
    TndHistogramTable *table = tnd_histogram_table_new(&subject, gtk_widget_get_allocated_width(canvas),
                                                       gtk_widget_get_allocated_height(canvas));
    tnd_histogram_free(histogram);
    tnd_view_free(view);
    return table;
}

/* Whether the table on the screen has those texts: title, heads, cells, totals. */
static gboolean is_shown(const TndHistogramTable *wanted)
{
    const TndHistogramTable *shown = tnd_table_area_picture(tnd_window_table(window));
    const GArray *texts = shown ? tnd_histogram_table_texts(shown) : NULL, *others = tnd_histogram_table_texts(wanted);
    gboolean same = texts && texts->len == others->len && gtk_widget_get_mapped(tnd_window_table(window));
    for (guint i = 0; same && i < texts->len; i++)
        same = !strcmp(g_array_index(texts, TndText, i).text, g_array_index(others, TndText, i).text);
    return same;
}

static void choose_and_compare(guint i)
{
    const TndViewRule *rule = tnd_session_rules(session)->pdata[i];
    choose_view(place_of_view(rule->name));
    WAIT_FOR(tnd_session_is_current(session, rule));
    TndHistogramTable *wanted = wanted_table(rule->name);
    WAIT_FOR(is_shown(wanted));
    GtkWidget *row = GTK_WIDGET(gtk_list_box_get_selected_row(view_list()));
    g_assert_cmpstr(gtk_label_get_text(GTK_LABEL(gtk_bin_get_child(GTK_BIN(row)))), ==, rule->title);
    tnd_histogram_table_free(wanted);
}

/* Opens the trace again, so that of its views only the first is open, while the histogram is shown. */
static void open_histogram_anew(void)
{
    tnd_session_open_view(session, "mpi-calls", NULL);
    tnd_session_set_statistic(session, TND_STATISTIC_TIME);
    tnd_session_set_page(session, TND_PAGE_HISTOGRAM);
    char *path = g_strdup(tnd_trace_path(tnd_session_trace(session)));
    tnd_window_open(window, path);
    WAIT_FOR(tnd_session_n_open(session) == 1);
    live(300);
    g_free(path);
}

/* Each view is opened for the first time while the table of another is shown: forwards, then backwards; then again,
 * when all are open. */
static void test_histogram_of_each_view(void)
{
    begin();
    open_histogram_anew();
    guint n = tnd_session_rules(session)->len;
    g_assert_cmpuint(n, >, 8);
    for (guint i = 0; i < n; i++)
        choose_and_compare(i);
    keep_screen("histogram-of-the-last");
    open_histogram_anew();
    for (guint i = n; i-- > 0;)
        choose_and_compare(i);
    for (guint i = 0; i < n; i++)
        choose_and_compare(i);
}

static void test_keys(void)
{
    GtkWidget *dialog, *scrolled;
    begin();
    press("question");
    WAIT_FOR((dialog = find_dialog(GTK_TYPE_DIALOG)) != NULL);
    g_assert_cmpint(gtk_widget_get_allocated_height(dialog), <, 720); /* also on a small screen */
    g_assert_true(GTK_IS_SCROLLED_WINDOW(scrolled = gtk_window_get_focus(GTK_WINDOW(dialog))));
    keep_screen("keys");
    GtkAdjustment *down = gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scrolled));
    gtk_bindings_activate(G_OBJECT(scrolled), GDK_KEY_Page_Down, 0); /* without a window manager it gets no keys */
    WAIT_FOR(gtk_adjustment_get_value(down) > 0);
    gtk_widget_destroy(dialog);
}

static void test_bad_file(void)
{
    GtkWidget *dialog;
    char *cause;
    begin();
    tnd_window_open(window, "/nowhere/at-all.prv");
    WAIT_FOR((dialog = find_dialog(GTK_TYPE_MESSAGE_DIALOG)) != NULL);
    g_object_get(dialog, "secondary-text", &cause, NULL);
    g_assert_nonnull(strstr(cause, "/nowhere/at-all.prv"));
    g_assert_nonnull(strstr(cause, "No such file"));
    g_free(cause);
    keep_screen("bad-file");
    gtk_widget_destroy(dialog);
    g_assert_nonnull(tnd_session_trace(session)); /* the one that was open still is */
}

static gpointer open_trace(gconstpointer path, TndTraceProgress progress, gpointer data, GError **error)
{
    return tnd_trace_open(path, progress, data, error);
}

static void on_opened(gpointer trace, GError *error, gpointer data)
{
    g_assert_null(trace);
    g_assert_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    g_error_free(error);
    *(gboolean *)data = TRUE;
}

/* A trace of 30 MB: cancelled at the first sign of progress. */
static void test_cancel(void)
{
    GString *text = g_string_new("#Paraver (01/01/2026 at 12:00):2000000_ns:1(1):1:1(1:1)\n");
    for (guint i = 0; i < 1000000; i++)
        g_string_append_printf(text, "1:1:1:1:1:%u:%u:1\n", i, i + 1);
    char *path = g_build_filename(g_get_tmp_dir(), "tview-cancel-XXXXXX.prv", NULL);
    int file = g_mkstemp(path);
    g_assert_cmpint(file, >=, 0);
    g_close(file, NULL);
    g_file_set_contents(path, text->str, (gssize)text->len, NULL);
    gboolean is_done = FALSE;
    static const TndLongJobKind opening = {open_trace, g_free, (GDestroyNotify)tnd_trace_free, on_opened};
    tnd_long_job_cancel(tnd_long_job_start(&opening, g_strdup(path), &is_done));
    WAIT_FOR(is_done);
    tnd_long_job_stop(tnd_long_job_start(&opening, g_strdup(path), NULL)); /* done would write there */
    live(100);
    g_unlink(path);
    g_free(path);
    g_string_free(text, TRUE);
}

static void test_quit(void)
{
    begin();
    g_object_add_weak_pointer(G_OBJECT(window), (gpointer *)&window);
    tnd_session_set_page(session, TND_PAGE_HISTOGRAM); /* what has the focus is not to be seen */
    live(100);
    press("ctrl+q");
    WAIT_FOR(window == NULL);
}

int main(int argc, char **argv)
{
    begin_tests(&argc, &argv);
    open_window("synthetic-16", NULL);
    g_test_add_func("/window/hover-and-click", test_hover_and_click);
    g_test_add_func("/window/drag-and-undo", test_drag_and_undo);
    g_test_add_func("/window/drag-both-axes", test_drag_both_axes);
    g_test_add_func("/window/pan", test_pan);
    g_test_add_func("/window/wheel", test_wheel);
    g_test_add_func("/window/messages", test_messages);
    g_test_add_func("/window/legend", test_legend);
    g_test_add_func("/window/copied-picture", test_copied_picture);
    g_test_add_func("/window/menu", test_menu);
    g_test_add_func("/window/views", test_views);
    g_test_add_func("/window/histogram", test_histogram);
    g_test_add_func("/window/histogram-of-each-view", test_histogram_of_each_view);
    g_test_add_func("/window/keys", test_keys);
    g_test_add_func("/window/bad-file", test_bad_file);
    g_test_add_func("/window/cancel", test_cancel);
    g_test_add_func("/window/quit", test_quit); /* the last */
    return end_tests();
}
