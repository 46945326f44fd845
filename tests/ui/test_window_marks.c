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
    g_assert_cmpstr(heading(), ==, "\316\224t 1 ms  ·  0 ns – 1 ms  ·  MPI calls, 1 thread");
    assert_listed("MPI_Barrier", "660 µs", "66.00 %", "10");
    tnd_session_mark(session, 250000, 200000); /* 34 us of nothing, 16 us of the call */
    WAIT_FOR(g_str_has_prefix(heading(), "\316\224t 50 µs  ·  200 µs – 250 µs  ·  MPI calls"));
    assert_listed("MPI_Barrier", "16 µs", "32.00 %", "1");
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

/* The entry of the popover, which is no child of the window's other widgets; NULL: it is closed. */
static GtkWidget *find_entry(void)
{
    GtkWidget *focus = gtk_window_get_focus(GTK_WINDOW(window));
    return focus && !strcmp(gtk_widget_get_name(focus), "note-entry") ? focus : NULL;
}

static const TndNote *note(guint i)
{
    return &g_array_index(tnd_session_marks(session)->notes, TndNote, i);
}

static guint n_notes(void)
{
    return tnd_session_marks(session)->notes->len;
}

/* Puts the pointer there, presses b and types a text: blanks are %. */
static void write_note(guint row, guint64 time_ns, const char *text)
{
    int x, y;
    find_pixel(row, time_ns, &x, &y);
    input("mousemove %d %d mousemove %d %d", x + 2, y, x, y);
    WAIT_FOR(tnd_session_hover(session).is_set && tnd_session_hover(session).row == row);
    press("b");
    WAIT_FOR(find_entry());
    WAIT_FOR(gtk_widget_has_focus(find_entry()));
    live(300);
    press("ctrl+a");
    char **words = g_strsplit(text, "%", -1);
    for (guint i = 0; words[i]; i++) {
        if (i)
            press("space");
        if (*words[i])
            input("type %s", words[i]);
    }
    g_strfreev(words);
    press("Return");
    WAIT_FOR(!find_entry());
    live(200);
}

/* The share of pixels of the flags' colour in a picture of the window's timelines. */
static guint count_orange(void)
{
    TndLaneStackSubject subject;
    g_assert_true(tnd_session_stack(session, TRUE, &subject));
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1000, 500);
    TndLaneStack *stack = tnd_lane_stack_new(&subject, 1000, 500, 1);
    cairo_t *cr = cairo_create(surface);
    tnd_lane_stack_paint(stack, cr);
    tnd_marks_paint(tnd_session_marks(session), stack, TND_THEME_LIGHT, cr);
    cairo_destroy(cr);
    tnd_lane_stack_free(stack);
    cairo_surface_flush(surface);
    const guint32 *pixels = (const guint32 *)(gconstpointer)cairo_image_surface_get_data(surface);
    guint n = 0;
    for (guint i = 0; i < 1000 * 500; i++)
        n += (pixels[i] & 0xffffff) == 0xd95f02;
    cairo_surface_destroy(surface);
    return n;
}

enum { FLAG_PIXELS = TND_MARKS_FLAG * (TND_MARKS_FLAG - 3) + 3 };

static void test_notes(void)
{
    tnd_session_open_view(session, "mpi-calls", NULL);
    tnd_session_set_zoom(session, tnd_session_whole(session), FALSE);
    live(100);
    write_note(4, 234000, "here%rank%1%is%late");
    g_assert_cmpuint(n_notes(), ==, 1);
    g_assert_cmpstr(note(0)->text, ==, "here rank 1 is late");
    g_assert_true(note(0)->row == 4 && note(0)->level == TND_LEVEL_THREAD);
    g_assert_cmpfloat(fabs((double)note(0)->time_ns - 234000), <=, (double)pixel_ns());
    write_note(12, 700000, "");
    g_assert_cmpuint(n_notes(), ==, 2);
    g_assert_cmpstr(note(1)->text, ==, ""); /* a bookmark */
    write_note(8, 50000, "the%first%one");
    g_assert_cmpuint(n_notes(), ==, 3);
    g_assert_cmpstr(note(0)->text, ==, "the first one"); /* in the order of time */
    g_assert_cmpuint(count_orange(), ==, 3 * FLAG_PIXELS);
    keep_screen("notes");
    write_note(8, note(0)->time_ns, "changed"); /* in its place */
    g_assert_cmpuint(n_notes(), ==, 3);
    g_assert_cmpstr(note(0)->text, ==, "changed");
}

/* Keys go from note to note, also to those that are not on the screen; the palette lists them. */
static void test_note_list(void)
{
    tnd_session_set_selection(session, (TndSpot){0});
    tnd_session_set_zoom(session, (TndZoom){0, 100000, 0, 3}, FALSE);
    press("bracketright");
    WAIT_FOR(tnd_session_selection(session).row == 8);
    press("bracketright");
    WAIT_FOR(tnd_session_selection(session).row == 4);
    const TndZoom zoom = tnd_session_zoom(session);
    g_assert_true(zoom.begin_ns <= 234000 && zoom.end_ns >= 234000 && zoom.first_row <= 4 && zoom.last_row >= 4);
    press("bracketleft");
    WAIT_FOR(tnd_session_selection(session).row == 8);
    press("bracketleft");
    WAIT_FOR(tnd_session_selection(session).row == 12);
    press("ctrl+shift+p");
    live(500);
    input("type late"); /* "Later" is a command */
    press("space");
    input("type note");
    live(200);
    keep_screen("notes-found");
    press("Return");
    WAIT_FOR(tnd_session_selection(session).row == 4);
    tnd_session_set_zoom(session, tnd_session_whole(session), FALSE);
    /* A view of nodes has the notes of its threads. */
    guint row;
    tnd_session_add_view(session, "node-threads", NULL);
    for (guint i = 0; i < tnd_session_n_lanes(session); i++)
        g_assert_true(tnd_marks_find_row(note(0), tnd_session_lane_view(session, i), &row));
    tnd_session_undo(session);
}

/* A session has notes; on a trace without their rows they are left out, and it says so. */
static void test_notes_kept(void)
{
    char *path = g_build_filename(g_getenv("TANDEM_BUILD"), "tests", "ui", "notes.tview", NULL), *text;
    GError *error = NULL;
    GPtrArray *left_out = g_ptr_array_new_with_free_func(g_free);
    const guint64 time_ns = note(1)->time_ns;
    tnd_session_file_write(session, path, &error);
    g_assert_no_error(error);
    while (n_notes()) {
        TndNote none = *note(0);
        none.text = NULL;
        tnd_session_set_note(session, &none);
    }
    g_assert_cmpuint(count_orange(), ==, 0);
    tnd_session_file_apply(session, path, left_out, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(left_out->len, ==, 0);
    g_assert_cmpuint(n_notes(), ==, 3);
    g_assert_cmpstr(note(1)->text, ==, "here rank 1 is late");
    g_assert_cmpuint(note(1)->time_ns, ==, time_ns);
    g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
    char *other = g_strconcat(text, "\n[note 9]\ntime=5\nlevel=thread\nrow=17\ntext=nowhere\n", NULL);
    g_assert_true(g_file_set_contents(path, other, -1, NULL));
    tnd_session_file_apply(session, path, left_out, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(n_notes(), ==, 3);
    g_assert_cmpuint(left_out->len, ==, 1);
    g_assert_nonnull(strstr(left_out->pdata[0], "nowhere"));
    g_ptr_array_unref(left_out);
    g_remove(path);
    g_free(other);
    g_free(text);
    g_free(path);
}

/* The button takes a note away. */
static void test_remove(void)
{
    int x, y;
    find_pixel(4, note(1)->time_ns, &x, &y);
    input("mousemove %d %d mousemove %d %d", x + 2, y, x, y);
    live(100);
    press("b");
    WAIT_FOR(find_entry());
    live(500);
    GtkWidget *button = find_labelled(gtk_widget_get_parent(find_entry()), "Remove");
    GtkAllocation place;
    gtk_widget_get_allocation(button, &place);
    gdk_window_get_origin(gtk_widget_get_window(button), &x, &y);
    input("mousemove %d %d click 1", x + place.x + place.width / 2, y + place.y + place.height / 2);
    WAIT_FOR(n_notes() == 2);
    WAIT_FOR(!find_entry());
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
    g_test_add_func("/window-marks/notes", test_notes);
    g_test_add_func("/window-marks/note-list", test_note_list);
    g_test_add_func("/window-marks/notes-kept", test_notes_kept);
    g_test_add_func("/window-marks/remove", test_remove);
    return end_tests();
}
