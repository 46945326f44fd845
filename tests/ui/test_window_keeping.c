/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is kept for the next time: the last state of a trace, recent traces, sessions that are saved and opened.
 */
#include "tests/ui/hands.h"

#include "viewer/keeping.h"
#include "viewer/session_file.h"

#include <glib/gstdio.h>

static char *folder; /* of this run */

static char *path_of(const char *trace)
{
    char *file = g_strconcat(trace, ".prv", NULL);
    char *path = g_test_build_filename(G_TEST_DIST, "data", "traces", trace, file, NULL);
    g_free(file);
    return path;
}

static void open_and_wait(const char *trace)
{
    char *path = path_of(trace);
    tnd_window_open(window, path);
    WAIT_FOR(tnd_session_trace(session) && !strcmp(tnd_trace_name(tnd_session_trace(session)), trace));
    live(300);
    g_free(path);
}

static const char *view_of(guint lane)
{
    return tnd_view_rule(tnd_session_lane_view(session, lane))->name;
}

static gboolean are_rows(const char *wanted)
{
    char *text = tnd_session_rows_text(session);
    gboolean are = !strcmp(text, wanted);
    g_free(text);
    return are;
}

/* Two timelines, the upper one apart, folded rows, zoomed, another scale. */
static void arrange(void)
{
    tnd_session_open_view(session, "state", NULL);
    tnd_session_add_view(session, "power", NULL);
    tnd_session_fold(session, TND_LEVEL_TASK, 4);
    tnd_session_pin_row(session, 15);
    tnd_session_select_lane(session, 0);
    tnd_session_set_zoom(session, (TndZoom){100000, 500000, 0, 3}, FALSE);
    tnd_session_set_lane_height(session, 1, 0.5);
    tnd_session_set_lane_apart(session, TRUE);
    tnd_session_set_zoom(session, (TndZoom){200000, 300000, 1, 2}, FALSE);
    tnd_session_select_lane(session, 1);
    tnd_session_set_draw(session, TND_DRAW_COLOUR);
    TndLook look = tnd_session_look(session);
    look.scale = TND_SCALE_LINEAR;
    tnd_session_set_look(session, look);
}

static void check(void)
{
    g_assert_cmpuint(tnd_session_n_lanes(session), ==, 2);
    g_assert_cmpstr(view_of(0), ==, "state");
    g_assert_cmpstr(view_of(1), ==, "power");
    g_assert_cmpuint(tnd_session_lane(session), ==, 1);
    TndZoom zoom = tnd_session_lane_zoom(session, 0);
    g_assert_true(zoom.begin_ns == 200000 && zoom.end_ns == 300000 && zoom.first_row == 1 && zoom.last_row == 2);
    zoom = tnd_session_zoom(session);
    g_assert_true(zoom.begin_ns == 100000 && zoom.end_ns == 500000 && zoom.first_row == 0 && zoom.last_row == 3);
    g_assert_true(tnd_session_lane_is_apart(session, 0));
    g_assert_true(are_rows("16, 1-4, [5-8], 9-15"));
    g_assert_cmpuint(tnd_session_rows(session)->n_pinned, ==, 1);
    g_assert_cmpint(tnd_session_draw(session), ==, TND_DRAW_COLOUR);
    g_assert_cmpint(tnd_session_look(session).scale, ==, TND_SCALE_LINEAR);
}

/* What was shown of a trace comes back when it is opened again. */
static void test_last_state(void)
{
    arrange();
    check();
    open_and_wait("synthetic-16");
    g_assert_cmpuint(tnd_session_n_lanes(session), ==, 1);
    open_and_wait("hybrid-nodes");
    check();
    keep_screen("kept-last");
}

/* Keys and GTK's own dialog.  The file is written on another trace, too, without what that does not have. */
static void test_session(void)
{
    char *path = g_build_filename(folder, "mine.tview", NULL);
    g_timeout_add(300, accept_path, path);
    press("ctrl+shift+s");
    WAIT_FOR(g_file_test(path, G_FILE_TEST_EXISTS));
    live(300);
    tnd_session_show_all_rows(session);
    while (tnd_session_close_lane(session, 0))
        ;
    tnd_session_open_view(session, "mpi-calls", NULL);
    tnd_window_open(window, path);
    live(200);
    check();
    open_and_wait("synthetic-16");
    tnd_window_open(window, path);
    WAIT_FOR(find_dialog(GTK_TYPE_MESSAGE_DIALOG)); /* there is no power */
    keep_screen("session-left-out");
    GtkWidget *dialog = find_dialog(GTK_TYPE_MESSAGE_DIALOG);
    char *text;
    g_object_get(dialog, "secondary-text", &text, NULL);
    g_assert_nonnull(strstr(text, "power"));
    g_free(text);
    gtk_dialog_response(GTK_DIALOG(dialog), GTK_RESPONSE_CLOSE);
    g_assert_cmpstr(view_of(0), ==, "state");
    g_assert_cmpuint(tnd_session_n_lanes(session), ==, 1);
    g_assert_true(are_rows("16, 1-4, [5-8], 9-15"));
    g_assert_cmpuint(tnd_session_lane_zoom(session, 0).end_ns, ==, 300000);
    g_free(path);
}

/* Two timelines become two windows of Paraver's, of the stretch of time that is shown. */
static void test_cfg(void)
{
    char *path = g_build_filename(folder, "mine.cfg", NULL), *text;
    while (tnd_session_close_lane(session, 0))
        ;
    tnd_session_open_view(session, "mpi-calls", NULL);
    tnd_session_add_view(session, "state", NULL);
    g_timeout_add(300, accept_path, path);
    press("ctrl+shift+e");
    WAIT_FOR(g_file_test(path, G_FILE_TEST_EXISTS));
    live(300);
    g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_assert_true(g_str_has_prefix(text, "#ParaverCFG\n") && strstr(text, "\nConfigFile.NumWindows: 2\n"));
    while (tnd_session_close_lane(session, 0))
        ;
    tnd_window_open(window, path);
    WAIT_FOR(tnd_session_items(session)->files->len == 1);
    g_assert_cmpstr(tnd_view_rule(tnd_session_view(session))->title, ==, "State");
    keep_screen("cfg-saved");
    g_remove(path);
    g_free(text);
    g_free(path);
}

static void test_rubbish(void)
{
    char *path = g_build_filename(folder, "rubbish.tview", NULL);
    static const char *const texts[] = {"", "\377\376\001", "[tview session]\n", "[tview session]\nversion=99\n"};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_assert_true(g_file_set_contents(path, texts[i], -1, NULL));
        tnd_window_open(window, path);
        WAIT_FOR(find_dialog(GTK_TYPE_MESSAGE_DIALOG));
        gtk_dialog_response(GTK_DIALOG(find_dialog(GTK_TYPE_MESSAGE_DIALOG)), GTK_RESPONSE_CLOSE);
        live(50);
    }
    /* It is a session, but all in it is wrong. */
    g_assert_true(g_file_set_contents(
        path,
        "[tview session]\nversion=1\npage=moon\nmessages=x\nscale=y\nlimits=9\ndraw-mode=z\nbegin=99999999999\nend=-4\n"
        "rows-thread=1,99\npinned-thread=-5\nshown-thread=7-3\n"
        "[timeline 1]\nview=nothing\n[timeline 3]\nheight=-1\n[timeline 7]\nview=mpi-calls\ndraw=q\nheight=nan\n",
        -1, NULL));
    tnd_window_open(window, path);
    WAIT_FOR(find_dialog(GTK_TYPE_MESSAGE_DIALOG));
    gtk_dialog_response(GTK_DIALOG(find_dialog(GTK_TYPE_MESSAGE_DIALOG)), GTK_RESPONSE_CLOSE);
    g_assert_cmpstr(view_of(0), ==, "mpi-calls");
    g_assert_true(are_rows("1-16"));
    g_assert_cmpuint(tnd_session_zoom(session).end_ns, ==, tnd_trace_end_ns(tnd_session_trace(session)));
    g_free(path);
}

/* Gives GTK's own dialog a path and, by keys, what the traces are aligned by. */
static gboolean accept_beside(gpointer path)
{
    static GtkWidget *to;
    GtkWidget *dialog = find_dialog(GTK_TYPE_FILE_CHOOSER_DIALOG);
    if (to && dialog != to)
        return G_SOURCE_REMOVE;
    if (!dialog || !gtk_widget_get_mapped(dialog))
        return G_SOURCE_CONTINUE;
    if (!to) {
        gtk_file_chooser_set_filename(GTK_FILE_CHOOSER(dialog), path);
        WAIT_FOR(!g_strcmp0(gtk_file_chooser_get_filename(GTK_FILE_CHOOSER(dialog)), path)); /* the folder is read */
        press("alt+a");
        press("ctrl+a");
        input("type 50000003:MPI_Init");
        keep_screen("open-beside");
    }
    to = dialog;
    press("Return"); /* again, if it was still looking at the file */
    return G_SOURCE_CONTINUE;
}

/* The trace whose MPI_Init begins earlier is delayed; the session of both is written and opened again. */
static void test_beside(void)
{
    char *other = g_test_build_filename(G_TEST_DIST, "data", "traces", "mpi-pingpong", "mpi-pingpong.prv", NULL);
    char *path = g_build_filename(folder, "two.tview", NULL);
    open_and_wait("hybrid");
    const guint n = tnd_trace_n_threads(tnd_session_trace(session));
    g_timeout_add(300, accept_beside, other);
    press("ctrl+shift+o");
    WAIT_FOR(tnd_trace_beside(tnd_session_trace(session)));
    const TndTrace *trace = tnd_session_trace(session);
    g_assert_cmpstr(tnd_trace_beside(trace), ==, other);
    g_assert_cmpstr(tnd_trace_alignment(trace), ==, "50000003:MPI_Init");
    g_assert_cmpuint(tnd_trace_n_threads(trace), ==, n + 2);
    g_assert_cmpuint(tnd_trace_thread(trace, 0)->begin_ns, >, 0); /* it waits for the other one */
    tnd_session_open_view(session, "mpi-calls", NULL);
    keep_screen("two-traces");
    g_assert_true(tnd_session_file_write(session, path, NULL));
    TndOpening *opening = tnd_session_file_opening(path, NULL);
    g_assert_cmpstr(opening->beside, ==, other);
    g_assert_cmpstr(opening->alignment, ==, "50000003:MPI_Init");
    tnd_opening_free(opening);
    g_remove(path);
    g_free(path);
    g_free(other);
}

static void click(GtkWidget *button)
{
    GtkAllocation place;
    int x, y;
    gtk_widget_get_allocation(button, &place);
    gdk_window_get_origin(gtk_widget_get_window(button), &x, &y);
    input("mousemove %d %d click 1", x + place.x + 30, y + place.y + place.height / 2);
}

/* The window without a trace shows an example, and lists the recent traces; a click opens one. */
static void test_empty(void)
{
    TndSession *first = session;
    GtkWidget *before = window;
    live(500);
    char **recent = tnd_keeping_recent(5);
    g_assert_cmpuint(g_strv_length(recent), ==, 3);
    g_strfreev(recent);
    gtk_widget_hide(before);
    for (guint i = 0; i < 2; i++) {
        session = tnd_session_new();
        window = tnd_window_new(application, session, NULL);
        live(600);
        keep_screen("empty");
        GtkWidget *example = find_labelled(window, "Show an example");
        GList *children = gtk_container_get_children(GTK_CONTAINER(gtk_widget_get_parent(example)));
        click(i ? example : g_list_nth_data(children, 5)); /* after texts and buttons: the first recent one */
        g_list_free(children);
        WAIT_FOR(tnd_session_trace(session));
        live(300);
        g_assert_true(!i == !g_str_has_suffix(tnd_trace_path(tnd_session_trace(session)), "halo.prv.gz"));
        keep_screen("example");
        gtk_widget_destroy(window);
        tnd_session_free(session);
    }
    session = first;
    window = before;
}

/* What the run has missed is told where the trace's name is. */
static void test_notes(void)
{
    static const char text[] = "#Paraver (21/11/2026 at 22:48):10_ns:1(1):1:1(1:1)\n"
                               "#tandem:note=not recorded: app: linked statically\n1:1:1:1:1:0:10:1\n";
    char *path = g_build_filename(folder, "noted.prv", NULL);
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    tnd_window_open(window, path);
    WAIT_FOR(!strcmp(tnd_trace_name(tnd_session_trace(session)), "noted"));
    GtkWidget *bar = gtk_window_get_titlebar(GTK_WINDOW(window));
    WAIT_FOR(!g_strcmp0(gtk_header_bar_get_subtitle(GTK_HEADER_BAR(bar)), "not all was recorded"));
    char *told = gtk_widget_get_tooltip_text(bar);
    g_assert_nonnull(strstr(told, "noted.prv\nnot recorded: app: linked statically"));
    g_free(told);
    open_and_wait("hybrid");
    g_assert_null(gtk_header_bar_get_subtitle(GTK_HEADER_BAR(bar)));
    g_free(path);
}

int main(int argc, char **argv)
{
    folder = g_dir_make_tmp("test-keeping-XXXXXX", NULL);
    g_setenv("XDG_STATE_HOME", folder, TRUE);
    g_setenv("XDG_DATA_HOME", folder, TRUE);
    begin_tests(&argc, &argv);
    open_window("hybrid-nodes", NULL);
    g_test_add_func("/window-keeping/last-state", test_last_state);
    g_test_add_func("/window-keeping/session", test_session);
    g_test_add_func("/window-keeping/cfg", test_cfg);
    g_test_add_func("/window-keeping/rubbish", test_rubbish);
    g_test_add_func("/window-keeping/beside", test_beside);
    g_test_add_func("/window-keeping/empty", test_empty);
    g_test_add_func("/window-keeping/notes", test_notes);
    return end_tests();
}
