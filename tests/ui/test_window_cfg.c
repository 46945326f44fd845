/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Configurations of Paraver's in the window: what the list shows, what a double click opens, the cells on the screen
 * and the numbers of tables, which are those of views and tables that are made here without the session.
 */
#include "tests/ui/hands.h"
#include "viewer/table_area.h"
#include "viewer/timeline_area.h"

#include <glib/gstdio.h>
#include <math.h>

static char *cfg_path(const char *name)
{
    return g_test_build_filename(G_TEST_DIST, "data", "cfgs", name, NULL);
}

static const TndTrace *shown_trace(void)
{
    return tnd_session_trace(session);
}

/* The place in the list of what has this title, the first or the last one. */
static guint place_of_title(const char *title, gboolean is_last)
{
    guint place = G_MAXUINT;
    GtkListBoxRow *row;
    for (int i = 0; (row = gtk_list_box_get_row_at_index(view_list(), i)); i++)
        if (!strcmp(gtk_label_get_text(GTK_LABEL(gtk_bin_get_child(GTK_BIN(row)))), title) &&
            (is_last || place == G_MAXUINT))
            place = (guint)i;
    if (place == G_MAXUINT)
        g_error("\"%s\" is not in the list", title);
    return place;
}

static gboolean is_ready(void)
{
    TndView *view = tnd_session_view(session);
    return view && tnd_view_is_prepared(view) && gtk_widget_get_mapped(tnd_window_timeline(window)) &&
           tnd_timeline_area_picture(tnd_window_timeline(window));
}

/* On the screen, in the middle of each burst that is some pixels wide: the colour of its value. */
static void check_cells(const char *cfg, guint least)
{
    GError *error = NULL;
    char *path = cfg_path(cfg);
    TndView *view = tnd_view_new(shown_trace(), path, &error);
    g_assert_no_error(error);
    const TndPaletteScale scale = tnd_palette_scale(view);
    WAIT_FOR(is_ready());
    input("mousemove 60 500"); /* no line at the pointer */
    live(200);
    const TndTimeline *picture = tnd_timeline_area_picture(tnd_window_timeline(window));
    guint n = 0;
    for (guint row = 0; row < tnd_view_n_rows(view); row++) {
        TndBurst burst;
        for (guint64 at = 0; tnd_view_burst_at(view, row, at, &burst); at = burst.end_ns) {
            double left = tnd_timeline_x(picture, burst.begin_ns), right = tnd_timeline_x(picture, burst.end_ns);
            double top, bottom;
            if (right - left < 5 || burst.value == 0)
                continue;
            tnd_timeline_row_span(picture, row, &top, &bottom);
            g_assert_cmphex(screen_at((left + right) / 2, (top + bottom) / 2), ==,
                            tnd_palette_colour(&scale, burst.value));
            n++;
        }
    }
    g_assert_cmpuint(n, >=, least);
    tnd_view_free(view);
    g_free(path);
}

/* Whether the table on the screen has the texts that a plane of the configuration's histogram has. */
static gboolean is_table_shown(const char *cfg, guint plane)
{
    GError *error = NULL;
    char *path = cfg_path(cfg);
    TndCfg *read = tnd_cfg_read(path, &error);
    TndView **views = tnd_view_new_of_cfg(shown_trace(), read, &error);
    TndCfgTables *tables = tnd_cfg_histogram_new(views, read, 0, NULL, &error);
    g_assert_no_error(error);
    GtkWidget *canvas = find_widget(tnd_window_table(window), GTK_TYPE_DRAWING_AREA);
    const TndHistogramTableSubject subject = {.histogram = tables->planes[plane],
                                              .trace_name = tnd_trace_name(shown_trace()),
                                              .trace = shown_trace(),
                                              .title = tnd_cfg_histogram(read, 0)->name,
                                              .plane = tables->plane_names[plane],
                                              .level = TND_LEVEL_THREAD,
                                              .cells = TND_CELLS_COLOURS};
    TndHistogramTable *wanted = tnd_histogram_table_new(&subject, gtk_widget_get_allocated_width(canvas),
                                                        gtk_widget_get_allocated_height(canvas));
    const TndHistogramTable *shown = tnd_table_area_picture(tnd_window_table(window));
    const GArray *texts = shown ? tnd_histogram_table_texts(shown) : NULL, *others = tnd_histogram_table_texts(wanted);
    gboolean same = texts && texts->len == others->len && gtk_widget_get_mapped(tnd_window_table(window));
    for (guint i = 0; same && i < texts->len; i++)
        same = !strcmp(g_array_index(texts, TndText, i).text, g_array_index(others, TndText, i).text);
    tnd_histogram_table_free(wanted);
    tnd_cfg_histogram_free(tables);
    tnd_view_free_all(views);
    tnd_cfg_free(read);
    g_free(path);
    return same;
}

static char *plane_in_chooser(void)
{
    return gtk_combo_box_text_get_active_text(GTK_COMBO_BOX_TEXT(find_named(window, "plane-chooser")));
}

/* The window was opened with histo_3d.cfg: its histogram is shown, of which there are planes. */
static void test_planes(void)
{
    GtkWidget *chooser = find_named(window, "plane-chooser");
    WAIT_FOR(is_table_shown("histo_3d.cfg", 0));
    g_assert_cmpuint(place_of_title("histo_3d.cfg", FALSE) + 3, ==, place_of_title("MPI by state", FALSE));
    g_assert_true(gtk_widget_get_visible(gtk_widget_get_parent(chooser)));
    char *name = plane_in_chooser();
    g_assert_cmpstr(name, ==, "Idle");
    g_free(name);
    keep_screen("cfg-plane");
    gtk_combo_box_set_active(GTK_COMBO_BOX(chooser), 1);
    WAIT_FOR(is_table_shown("histo_3d.cfg", 1));
    tnd_window_open(window, "/nowhere/at-all.cfg");
    gtk_widget_destroy(find_dialog(GTK_TYPE_MESSAGE_DIALOG));
    g_assert_true(is_table_shown("histo_3d.cfg", 1)); /* nothing was lost */
    press("p");
    WAIT_FOR(is_table_shown("histo_3d.cfg", 2));
    name = plane_in_chooser();
    g_assert_cmpstr(name, ==, "Not created");
    g_free(name);
    press("shift+p");
    WAIT_FOR(is_table_shown("histo_3d.cfg", 1));
}

/* From the histogram to the timelines of the windows, and back. */
static void test_windows(void)
{
    tnd_session_set_messages(session, TND_MESSAGES_NONE);
    choose_view(place_of_title("State As Is", TRUE));
    WAIT_FOR(tnd_session_page(session) == TND_PAGE_TIMELINE);
    check_cells("histo_3d.cfg:2", 8);
    keep_screen("cfg-window");
    choose_view(place_of_title("MPI call", FALSE));
    check_cells("histo_3d.cfg:1", 4);
    choose_view(place_of_title("MPI by state", FALSE));
    WAIT_FOR(tnd_session_page(session) == TND_PAGE_HISTOGRAM);
    WAIT_FOR(is_table_shown("histo_3d.cfg", 0));
    GtkWidget *row = GTK_WIDGET(gtk_list_box_get_selected_row(view_list()));
    g_assert_cmpstr(gtk_label_get_text(GTK_LABEL(gtk_bin_get_child(GTK_BIN(row)))), ==, "MPI by state");
    choose_view(place_of_view("state"));
    WAIT_FOR(!strcmp(current_view(), "state") && is_ready());
}

/* Two more files; rows of tasks, a CPU, the whole. */
static void test_levels(void)
{
    static const struct {
        const char *cfg, *title;
        guint n_rows, least;
    } files[] = {{"useful_task.cfg", "Useful by task", 2, 4},
                 {"state_cpu.cfg", "State by CPU", 4, 10},
                 {"parallelism_workload.cfg", "Instantaneous parallelism", 1, 4}};
    for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
        char *path = cfg_path(files[i].cfg);
        tnd_window_open(window, path);
        check_cells(files[i].cfg, files[i].least);
        g_assert_cmpuint(tnd_session_whole(session).last_row + 1, ==, files[i].n_rows);
        g_free(path);
    }
    choose_view(place_of_title("Useful by task", FALSE));
    check_cells("useful_task.cfg", 4);
    keep_screen("cfg-tasks");
    press("Page_Down");
    WAIT_FOR(tnd_session_level(session) == TND_LEVEL_CPU);
    check_cells("state_cpu.cfg", 10);
    keep_screen("cfg-cpus");
}

static void test_bad_file(void)
{
    GtkWidget *dialog;
    char *cause, *path = g_test_build_filename(G_TEST_DIST, "data", "traces", "hybrid", "hybrid.c", NULL);
    char *bad = g_build_filename(g_get_tmp_dir(), "tview-bad.cfg", NULL), *text;
    g_assert_true(g_file_get_contents(path, &text, NULL, NULL) && g_file_set_contents(bad, text, -1, NULL));
    guint n = tnd_session_items(session)->list->len;
    tnd_window_open(window, bad);
    WAIT_FOR((dialog = find_dialog(GTK_TYPE_MESSAGE_DIALOG)) != NULL);
    g_object_get(dialog, "secondary-text", &cause, NULL);
    g_assert_nonnull(strstr(cause, "tview-bad.cfg: is no configuration of Paraver's"));
    keep_screen("cfg-bad");
    gtk_widget_destroy(dialog);
    g_assert_cmpuint(tnd_session_items(session)->list->len, ==, n);
    g_assert_cmpint(tnd_session_level(session), ==, TND_LEVEL_CPU);
    g_remove(bad);
    g_free(cause);
    g_free(text);
    g_free(bad);
    g_free(path);
}

/* A configuration that comes while the trace is being opened waits for it; those before go with the trace before. */
static void test_trace_and_cfg(void)
{
    char *trace = g_strdup(tnd_trace_path(shown_trace())), *path = cfg_path("useful_task.cfg");
    tnd_window_open(window, trace);
    tnd_window_open(window, path);
    WAIT_FOR(tnd_session_items(session)->files->len == 1);
    check_cells("useful_task.cfg", 4);
    g_free(path);
    g_free(trace);
}

int main(int argc, char **argv)
{
    begin_tests(&argc, &argv);
    open_window("hybrid", "histo_3d.cfg");
    g_test_add_func("/window-cfg/planes", test_planes);
    g_test_add_func("/window-cfg/windows", test_windows);
    g_test_add_func("/window-cfg/levels", test_levels);
    g_test_add_func("/window-cfg/bad-file", test_bad_file);
    g_test_add_func("/window-cfg/trace-and-cfg", test_trace_and_cfg);
    return end_tests();
}
