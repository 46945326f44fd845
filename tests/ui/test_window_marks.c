/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Marking a stretch of time by mouse and keys, what is measured in it, and that it is kept.
 */
#include "tests/ui/hands.h"
#include "viewer/session_file.h"
#include "viewer/timeline_area.h"

#include <glib/gstdio.h>
#include <math.h>

static const TndTimeline *timeline(void)
{
    return tnd_timeline_area_picture(tnd_window_timeline(window));
}

/* Of the screen: the pixel of a moment, in a row. */
static void find_pixel(guint row, guint64 time_ns, int *x, int *y)
{
    double top, bottom;
    WAIT_FOR(timeline());
    g_assert_true(tnd_timeline_row_span(timeline(), row, &top, &bottom));
    gdk_window_get_origin(gtk_widget_get_window(tnd_window_timeline(window)), x, y);
    *x += (int)lround(tnd_timeline_x(timeline(), time_ns));
    *y += (int)floor((top + bottom) / 2);
}

/* down, up: words for xdotool that press and release keys, after a blank. */
static void drag(guint row, guint64 from_ns, guint64 to_ns, const char *down, const char *up)
{
    int x, y, to_x, to_y;
    find_pixel(row, from_ns, &x, &y);
    find_pixel(row, to_ns, &to_x, &to_y);
    input("mousemove %d %d%s mousedown 1 mousemove %d %d mousemove %d %d mouseup 1%s", x, y, down, (x + to_x) / 2, y,
          to_x, to_y, up);
    live(100);
}

static const char *heading(void)
{
    return gtk_label_get_text(GTK_LABEL(find_named(window, "mark-heading")));
}

static guint64 pixel_ns(void)
{
    const TndZoom zoom = tnd_session_zoom(session);
    return (guint64)((double)(zoom.end_ns - zoom.begin_ns) / tnd_timeline_canvas(timeline()).width) + 1;
}

static void assert_marked(guint64 begin_ns, guint64 end_ns, guint64 tolerance_ns)
{
    const TndMarks *marks = tnd_session_marks(session);
    g_assert_cmpfloat(fabs((double)marks->begin_ns - (double)begin_ns), <=, (double)tolerance_ns);
    g_assert_cmpfloat(fabs((double)marks->end_ns - (double)end_ns), <=, (double)tolerance_ns);
}

/* The time of a value that the list in the window says; an empty text: it does not have it. */
static char *listed(const char *value, int column)
{
    GtkTreeModel *model = gtk_tree_view_get_model(GTK_TREE_VIEW(find_named(window, "mark-list")));
    GtkTreeIter at;
    for (gboolean is = gtk_tree_model_get_iter_first(model, &at); is; is = gtk_tree_model_iter_next(model, &at)) {
        char *name, *text;
        gtk_tree_model_get(model, &at, 1, &name, column, &text, -1);
        const gboolean is_it = !strcmp(name, value);
        g_free(name);
        if (is_it)
            return text;
        g_free(text);
    }
    return g_strdup("");
}

static void assert_listed(const char *value, const char *time, const char *share, const char *bursts)
{
    char *texts[] = {listed(value, 2), listed(value, 3), listed(value, 4)};
    g_assert_cmpstr(texts[0], ==, time);
    g_assert_cmpstr(texts[1], ==, share);
    g_assert_cmpstr(texts[2], ==, bursts);
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
}

/* Rank 1 is in 10 barriers, each of 66 us, in the trace of 1 ms; a barrier begins every 100 us, at 34 us. */
static void test_totals(void)
{
    tnd_session_open_view(session, "mpi-calls", NULL);
    tnd_session_set_zoom(session, (TndZoom){0, G_MAXUINT64, 4, 4}, FALSE);
    tnd_session_mark(session, 0, 1000000);
    WAIT_FOR(tnd_session_measure(session));
    WAIT_FOR(!strstr(heading(), "measuring"));
    g_assert_cmpstr(heading(), ==, "\316\224t 1000 us  ·  0 ns – 1000 us  ·  MPI calls, 1 thread");
    assert_listed("MPI_Barrier", "660 us", "66.00 %", "10");
    tnd_session_mark(session, 250000, 200000); /* 34 us of nothing, 16 us of the call */
    WAIT_FOR(g_str_has_prefix(heading(), "\316\224t 50 us  ·  200 us – 250 us  ·  MPI calls"));
    assert_listed("MPI_Barrier", "16 us", "32.00 %", "1");
    tnd_session_set_zoom(session, tnd_session_whole(session), FALSE);
    WAIT_FOR(strstr(heading(), "16 threads"));
}

/* The sums of the window are those that single moments of the view have. */
static void test_moments(void)
{
    enum { STEP = 500 };
    static const char *const views[] = {"state", "mpi-calls", "useful-duration"};
    for (guint i = 0; i < G_N_ELEMENTS(views); i++) {
        tnd_session_open_view(session, views[i], NULL);
        tnd_session_mark(session, 120000, 620000);
        WAIT_FOR(tnd_session_measure(session));
        TndView *view = tnd_session_view(session);
        const TndMeasure *measure = tnd_session_measure(session);
        const gboolean are_codes = tnd_view_rule(view)->palette == TND_PALETTE_CODE;
        guint64 sum_ns = 0;
        for (guint j = 0; j < measure->totals->len; j++) {
            const TndMeasureTotal *total = &g_array_index(measure->totals, TndMeasureTotal, j);
            double expected = 0;
            sum_ns += total->time_ns;
            for (guint row = 0; row < tnd_view_n_rows(view); row++)
                for (guint64 time_ns = 120000; time_ns < 620000; time_ns += STEP) {
                    TndBurst burst;
                    g_assert_true(tnd_view_burst_at(view, row, time_ns, &burst));
                    const gboolean is = burst.value != 0 || (tnd_view_rule(view)->are_states &&
                                                             tnd_view_has_value(view, row, time_ns, &burst));
                    if (is ? (are_codes ? burst.value == total->value : !isnan(total->value)) : isnan(total->value))
                        expected += STEP;
                }
            g_test_message("%s %g: %g %g", views[i], total->value, (double)total->time_ns, expected);
            if (are_codes || isnan(total->value))
                g_assert_cmpfloat(fabs((double)total->time_ns - expected), <=, 2.0 * STEP * (double)total->n_bursts);
        }
        g_assert_cmpuint(sum_ns, ==, 500000ull * tnd_view_n_rows(view));
    }
}

static void test_mouse(void)
{
    tnd_session_open_view(session, "mpi-calls", NULL);
    tnd_session_mark(session, 0, 0);
    WAIT_FOR(!gtk_widget_get_mapped(find_named(window, "mark-list")));
    const TndZoom whole = tnd_session_zoom(session);
    drag(6, 300000, 620000, " keydown ctrl keydown shift", " keyup shift keyup ctrl");
    WAIT_FOR(tnd_session_measure(session));
    assert_marked(300000, 620000, pixel_ns());
    g_assert_true(tnd_zoom_equals(tnd_session_zoom(session), whole)); /* it measures before it zooms, or not */
    WAIT_FOR(gtk_widget_get_mapped(find_named(window, "mark-list")));
    keep_screen("mark");
    press("u"); /* the ruler: dragging marks, to the left as well */
    WAIT_FOR(tnd_session_is_ruler(session));
    drag(9, 800000, 700000, "", "");
    assert_marked(700000, 800000, pixel_ns());
    /* Escape while dragging brings the mark before back. */
    int x, y;
    find_pixel(3, 100000, &x, &y);
    input("mousemove %d %d mousedown 1 mousemove %d %d key Escape mouseup 1", x, y, x + 100, y);
    live(200);
    assert_marked(700000, 800000, pixel_ns());
    press("U");
    WAIT_FOR(!tnd_zoom_equals(tnd_session_zoom(session), whole));
    g_assert_cmpuint(tnd_session_zoom(session).begin_ns, ==, tnd_session_marks(session)->begin_ns);
    g_assert_cmpuint(tnd_session_zoom(session).end_ns, ==, tnd_session_marks(session)->end_ns);
    press("ctrl+z");
    WAIT_FOR(tnd_zoom_equals(tnd_session_zoom(session), whole));
    g_assert_true(tnd_session_is_marked(session)); /* it stays */
    press("u");
    WAIT_FOR(!tnd_session_is_ruler(session));
    drag(9, 100000, 200000, "", ""); /* zooms as ever */
    WAIT_FOR(!tnd_zoom_equals(tnd_session_zoom(session), whole));
    press("ctrl+z");
    press("Escape");
    WAIT_FOR(!tnd_session_is_marked(session));
}

/* Without the mouse: from one barrier of rank 1 to the next. */
static void test_keys(void)
{
    tnd_session_set_selection(session, (TndSpot){TRUE, 4, 40000, 0});
    press("i");
    WAIT_FOR(tnd_session_is_marked(session));
    assert_marked(34000, 100000, 0);
    press("period");
    press("period");
    press("I");
    WAIT_FOR(tnd_session_marks(session)->end_ns == 200000);
    assert_marked(34000, 200000, 0);
    press("ctrl+i");
    WAIT_FOR(!tnd_session_is_marked(session));
}

static void test_kept(void)
{
    char *path = g_build_filename(g_getenv("TANDEM_BUILD"), "tests", "ui", "mark.tview", NULL);
    GError *error = NULL;
    tnd_session_mark(session, 123456, 654321);
    tnd_session_file_write(session, path, &error);
    g_assert_no_error(error);
    tnd_session_mark(session, 0, 0);
    tnd_session_file_apply(session, path, NULL, &error);
    g_assert_no_error(error);
    assert_marked(123456, 654321, 0);
    tnd_session_mark(session, 900000, G_MAXUINT64); /* as far as the trace goes */
    assert_marked(900000, tnd_trace_end_ns(tnd_session_trace(session)), 0);
    tnd_session_mark(session, 0, 0);
    g_remove(path);
    g_free(path);
}

int main(int argc, char **argv)
{
    begin_tests(&argc, &argv);
    open_window("hybrid-nodes", NULL);
    g_test_add_func("/window-marks/totals", test_totals);
    g_test_add_func("/window-marks/moments", test_moments);
    g_test_add_func("/window-marks/mouse", test_mouse);
    g_test_add_func("/window-marks/keys", test_keys);
    g_test_add_func("/window-marks/kept", test_kept);
    return end_tests();
}
