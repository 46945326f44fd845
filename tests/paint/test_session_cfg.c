/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Configurations in the session, without any window: what is listed, what opening one of it shows, planes, limits of
 * time and rows, files that are bad or were changed.
 */
#include "viewer/batch.h"
#include "viewer/commands.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

enum { END_NS = 106179215 };

/* 2 tasks of 2 threads each, 4 CPUs. */
static TndSession *open_session(void)
{
    char *path = g_test_build_filename(G_TEST_DIST, "data", "traces", "hybrid", "hybrid.prv", NULL);
    GError *error = NULL;
    TndTrace *trace = tnd_trace_open(path, NULL, NULL, &error);
    g_assert_no_error(error);
    g_free(path);
    TndSession *session = tnd_session_new();
    tnd_session_set_trace(session, trace);
    return session;
}

static void open_cfg(TndSession *session, const char *name)
{
    GError *error = NULL;
    char *path = g_test_build_filename(G_TEST_DIST, "data", "cfgs", name, NULL);
    tnd_session_open_cfg(session, path, &error);
    g_assert_no_error(error);
    g_free(path);
}

/* A configuration of the tests with some words for others, as a file that the caller removes. */
static char *write_changed(const char *name, const char *const *words, guint n)
{
    char *path = g_test_build_filename(G_TEST_DIST, "data", "cfgs", name, NULL), *text;
    g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_free(path);
    for (guint i = 0; i < n; i += 2) {
        char **parts = g_strsplit(text, words[i], -1);
        g_assert_cmpuint(g_strv_length(parts), >, 1);
        g_free(text);
        text = g_strjoinv(words[i + 1], parts);
        g_strfreev(parts);
    }
    path = g_build_filename(g_get_tmp_dir(), "session-cfg-XXXXXX.cfg", NULL);
    g_close(g_mkstemp(path), NULL);
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    g_free(text);
    return path;
}

static const TndItem *item_at(const TndSession *session, guint behind_rules)
{
    const GArray *list = tnd_session_items(session)->list;
    guint at = list->len;
    while (at > 0 && g_array_index(list, TndItem, at - 1).file)
        at--;
    at += behind_rules;
    return at < list->len ? &g_array_index(list, TndItem, at) : NULL;
}

static void check_item(const TndSession *session, guint at, TndItemKind kind, const char *title)
{
    const TndItem *item = item_at(session, at);
    g_assert_nonnull(item);
    g_assert_cmpint(item->kind, ==, kind);
    g_assert_cmpstr(item->title, ==, title);
}

static guint n_current(const TndSession *session)
{
    const GArray *list = tnd_session_items(session)->list;
    guint n = 0;
    for (guint i = 0; i < list->len; i++)
        n += tnd_session_is_item_current(session, &g_array_index(list, TndItem, i));
    return n;
}

static void check_zoom(TndSession *session, guint64 begin_ns, guint64 end_ns, guint first_row, guint last_row)
{
    TndZoom zoom = tnd_session_zoom(session);
    g_assert_cmpuint(zoom.begin_ns, ==, begin_ns);
    g_assert_cmpuint(zoom.end_ns, ==, end_ns);
    g_assert_cmpuint(zoom.first_row, ==, first_row);
    g_assert_cmpuint(zoom.last_row, ==, last_row);
}

static void note(TndSession *session, guint changes, gpointer data)
{
    *(guint *)data |= changes;
}

static void test_items(void)
{
    TndSession *session = open_session();
    guint changes = 0;
    g_assert_null(item_at(session, 0));
    tnd_session_watch(session, note, &changes);
    open_cfg(session, "derived_counter_in_useful.cfg");
    g_assert_true(changes & TND_CHANGED_ITEMS && changes & TND_CHANGED_VIEW);
    check_item(session, 0, TND_ITEM_HEADING, "derived_counter_in_useful.cfg");
    g_assert_true(tnd_session_is_item_current(session, item_at(session, 3))); /* its last window */
    g_assert_cmpuint(n_current(session), ==, 1);
    g_assert_cmpint(tnd_session_page(session), ==, TND_PAGE_TIMELINE);
    open_cfg(session, "useful_task.cfg");
    check_item(session, 4, TND_ITEM_HEADING, "useful_task.cfg");
    check_item(session, 5, TND_ITEM_WINDOW, "Useful by task");
    g_assert_null(item_at(session, 6));
    g_assert_true(tnd_session_is_item_current(session, item_at(session, 5)));
    tnd_commands_run(session, "previous-view"); /* over the heading */
    g_assert_true(tnd_session_is_item_current(session, item_at(session, 3)));
    g_assert_false(tnd_session_is_item_open(session, item_at(session, 2)));
    g_assert_false(tnd_session_open_item(session, item_at(session, 0), NULL));
    for (guint i = 0; i < 4; i++)
        tnd_commands_run(session, "previous-view");
    g_assert_cmpint(tnd_session_level(session), ==, TND_LEVEL_THREAD);
    g_assert_cmpuint(n_current(session), ==, 1);
    g_assert_true(tnd_session_open_item(session, item_at(session, 5), NULL));
    g_assert_cmpint(tnd_session_level(session), ==, TND_LEVEL_TASK);
    tnd_session_free(session);
}

static const char *shown_plane(TndSession *session)
{
    guint shown;
    g_assert_nonnull(tnd_session_histogram(session, NULL));
    return tnd_session_planes(session, &shown)->plane_names[shown];
}

/* MPI calls by state: 2 windows and a histogram of them. */
static void test_table(void)
{
    TndSession *session = open_session();
    open_cfg(session, "histo_3d.cfg");
    check_item(session, 2, TND_ITEM_WINDOW, "State As Is");
    check_item(session, 3, TND_ITEM_TABLE, "MPI by state");
    g_assert_cmpint(tnd_session_page(session), ==, TND_PAGE_HISTOGRAM);
    g_assert_true(tnd_session_is_item_current(session, item_at(session, 3)));
    g_assert_cmpuint(n_current(session), ==, 1);
    g_assert_cmpint(tnd_session_statistic(session), ==, TND_CFG_FILE_OWN);
    g_assert_cmpstr(shown_plane(session), ==, "Idle");
    g_assert_cmpint(tnd_session_statistic(session), ==, TND_STATISTIC_TIME);
    tnd_commands_run(session, "next-plane");
    g_assert_cmpstr(shown_plane(session), ==, "Running");
    tnd_commands_run(session, "previous-plane");
    tnd_commands_run(session, "previous-plane"); /* there is none */
    g_assert_cmpstr(shown_plane(session), ==, "Idle");
    g_assert_true(tnd_session_set_plane(session, "Running"));
    g_assert_false(tnd_session_set_plane(session, "Walking"));
    tnd_session_set_statistic(session, TND_STATISTIC_BURSTS);
    g_assert_cmpstr(shown_plane(session), ==, "Running"); /* whatever it is of */
    g_assert_cmpint(tnd_session_histogram(session, NULL)->statistic, ==, TND_STATISTIC_BURSTS);
    tnd_session_set_zoom(session, (TndZoom){50000000, 60000000, 2, 3}, FALSE);
    const TndHistogram *histogram = tnd_session_histogram(session, NULL);
    g_assert_cmpuint(histogram->begin_ns, ==, 50000000);
    g_assert_cmpuint(histogram->n_rows, ==, 2);
    g_assert_cmpstr(histogram->row_names[0], ==, "THREAD 1.2.1");
    g_assert_true(tnd_session_open_item(session, item_at(session, 2), NULL));
    g_assert_cmpint(tnd_session_page(session), ==, TND_PAGE_TIMELINE); /* whence the table came */
    g_assert_cmpint(tnd_session_statistic(session), ==, TND_STATISTIC_TIME);
    tnd_session_set_page(session, TND_PAGE_HISTOGRAM);
    g_assert_true(tnd_session_is_item_current(session, item_at(session, 2)));
    g_assert_cmpstr(tnd_session_histogram(session, NULL)->subject, ==, "State As Is");
    check_zoom(session, 50000000, 60000000, 2, 3);
    tnd_session_free(session);
}

/* Where nothing is in any plane, that is said. */
static void test_no_plane(void)
{
    static const char *const words[] = {"3D_Minimum: 0.000000", "3D_Minimum: 100", "3D_Maximum: 15.000000",
                                        "3D_Maximum: 115"};
    TndSession *session = open_session();
    GError *error = NULL;
    char *path = write_changed("histo_3d.cfg", words, G_N_ELEMENTS(words));
    g_assert_true(tnd_session_open_cfg(session, path, NULL));
    g_assert_null(tnd_session_histogram(session, &error));
    g_assert_nonnull(strstr(error->message, "MPI by state: there are no values in this stretch of time"));
    g_clear_error(&error);
    g_unlink(path);
    g_free(path);
    tnd_session_free(session);
}

static void test_limits(void)
{
    static const char *const words[] = {"window_end_time_relative 1.000000000000", "window_end_time_relative 0.5",
                                        "window_begin_time_relative 0.000000000000", "window_begin_time_relative 0.25"};
    TndSession *session = open_session();
    GError *error = NULL;
    char *path = write_changed("useful_task.cfg", words, G_N_ELEMENTS(words));
    char *name = g_strconcat(path, ":1", NULL);
    g_assert_true(tnd_session_open_view(session, name, &error));
    g_assert_cmpstr(tnd_view_rule(tnd_session_view(session))->name, ==, name);
    check_zoom(session, END_NS / 4, (END_NS + 1) / 2, 0, 1);
    g_assert_true(tnd_session_undo(session));
    check_zoom(session, 0, END_NS, 0, 1);
    tnd_session_open_view(session, "state", NULL);
    g_assert_true(tnd_session_open_view(session, path, &error)); /* again: as it is zoomed now */
    check_zoom(session, 0, END_NS, 0, 1);
    g_assert_cmpuint(tnd_session_items(session)->files->len, ==, 1);
    g_unlink(path);
    g_free(name);
    g_free(path);
    tnd_session_free(session);
}

/* Read again when it is opened again; one that cannot be read changes nothing. */
static void test_files(void)
{
    static const char *const renamed[] = {"Useful by task", "Other"}, *const broken[] = {"Useful}", "Useless}"};
    TndSession *session = open_session();
    GError *error = NULL;
    char *path = write_changed("useful_task.cfg", renamed, G_N_ELEMENTS(renamed));
    g_assert_true(tnd_session_open_cfg(session, path, &error));
    check_item(session, 1, TND_ITEM_WINDOW, "Other");
    tnd_session_set_draw(session, TND_DRAW_LINE);
    char *bad = write_changed("useful_task.cfg", broken, G_N_ELEMENTS(broken));
    g_assert_false(tnd_session_open_cfg(session, bad, &error));
    g_assert_nonnull(strstr(error->message, bad));
    g_assert_nonnull(strstr(error->message, "window \"Useful by task\": thread function \"Useless\" is not supported"));
    g_clear_error(&error);
    g_assert_true(g_file_set_contents(path, "nothing", -1, NULL));
    g_assert_false(tnd_session_open_cfg(session, path, &error));
    g_clear_error(&error);
    check_item(session, 1, TND_ITEM_WINDOW, "Other");
    g_assert_true(tnd_session_is_item_current(session, item_at(session, 1)));
    g_rename(bad, path);
    char *good = write_changed("useful_task.cfg", NULL, 0);
    g_rename(good, path);
    g_assert_true(tnd_session_open_cfg(session, path, &error));
    check_item(session, 1, TND_ITEM_WINDOW, "Useful by task");
    g_assert_null(item_at(session, 2));
    g_assert_cmpuint(tnd_session_n_open(session), ==, 2);
    g_unlink(path);
    g_free(good);
    g_free(bad);
    g_free(path);
    tnd_session_free(session);
}

static void assert_same_values(TndView *view, TndView *other)
{
    g_assert_cmpuint(tnd_view_n_rows(view), ==, tnd_view_n_rows(other));
    for (guint row = 0; row < tnd_view_n_rows(view); row++) {
        TndBurst burst, same;
        for (guint64 at = 0; tnd_view_burst_at(view, row, at, &burst); at = burst.end_ns) {
            g_assert_true(tnd_view_burst_at(other, row, at, &same));
            g_assert_cmpfloat(burst.value, ==, same.value);
            g_assert_cmpuint(burst.begin_ns, ==, same.begin_ns);
            g_assert_cmpuint(burst.end_ns, ==, same.end_ns);
        }
    }
}

/* Saves what is shown and opens it in a session of its own, where all is the same.  FALSE: Paraver has no such view. */
static gboolean comes_back(TndSession *session)
{
    char *path = g_build_filename(g_get_tmp_dir(), "session-cfg-saved.cfg", NULL);
    GError *error = NULL;
    TndView *view = tnd_session_view(session);
    g_remove(path);
    if (!tnd_session_export(session, path, 0, 0, &error)) {
        g_assert_error(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
        g_assert_nonnull(strstr(error->message, tnd_view_rule(view)->name));
        g_assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
        g_error_free(error);
        g_free(path);
        return FALSE;
    }
    TndSession *other = open_session();
    g_assert_true(tnd_session_open_cfg(other, path, &error));
    g_assert_no_error(error);
    const TndCfgFile *file = tnd_items_find_file(tnd_session_items(other), path);
    g_assert_cmpuint(g_strv_length(file->cfg->unknown_keys), ==, 0);
    TndView *again = tnd_session_view(other);
    g_assert_cmpstr(tnd_view_rule(again)->title, ==, tnd_view_rule(view)->title);
    g_assert_cmpint(tnd_session_level(other), ==, tnd_session_level(session));
    g_assert_cmpint(tnd_session_draw(other), ==, tnd_session_draw(session));
    const TndZoom zoom = tnd_session_zoom(session);
    check_zoom(other, zoom.begin_ns, zoom.end_ns, zoom.first_row, zoom.last_row);
    assert_same_values(view, again);
    tnd_session_free(other);
    g_remove(path);
    g_free(path);
    return TRUE;
}

/* Every view that Paraver can have, and windows of configurations, at stretches of time that are no round shares. */
static void test_saved(void)
{
    static const char *const cfgs[] = {"derived_counter_in_useful.cfg",
                                       "msgs_in_transit.cfg",
                                       "parallelism_workload.cfg",
                                       "state_cpu.cfg",
                                       "state_node.cfg",
                                       "useful_task.cfg"};
    TndSession *session = open_session();
    const GPtrArray *rules = tnd_session_rules(session);
    GString *refused = g_string_new(NULL);
    for (guint i = 0; i < rules->len; i++) {
        const char *name = ((const TndViewRule *)rules->pdata[i])->name;
        g_assert_true(tnd_session_open_view(session, name, NULL));
        tnd_session_set_zoom(session, (TndZoom){1234567 + i, 98765432 + 7 * i, i % 2, 2}, FALSE);
        if (!comes_back(session))
            g_string_append_printf(refused, "%s ", name);
    }
    g_assert_cmpstr(refused->str, ==, "parallelism openmp-sync wait-states waits-for cpu-use ");
    g_string_free(refused, TRUE);
    for (guint i = 0; i < G_N_ELEMENTS(cfgs); i++) {
        open_cfg(session, cfgs[i]);
        g_assert_true(comes_back(session));
    }
    g_assert_true(tnd_session_open_view(session, "useful-duration", NULL));
    for (TndDraw draw = 0; draw < TND_DRAW_N; draw++) {
        tnd_session_set_draw(session, draw);
        g_assert_true(comes_back(session));
    }
    tnd_session_free(session);
}

/* Chosen rows of several processes; and the scale, which is that of the picture. */
static void test_saved_rows(void)
{
    char *path = g_build_filename(g_get_tmp_dir(), "session-cfg-rows.cfg", NULL), *text;
    TndSession *session = open_session(), *other = open_session();
    double begin_ns, end_ns;
    gboolean *rows;
    TndLook look = {.has_limits = TRUE, .least = 1000, .most = 2500000};
    g_assert_true(tnd_session_open_view(session, "useful-duration", NULL));
    g_assert_true(tnd_session_choose_rows(session, "4, 1-2", NULL));
    tnd_session_set_look(session, look);
    g_assert_true(tnd_session_export(session, path, 0, 0, NULL));
    g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_assert_nonnull(strstr(text, "\nwindow_maximum_y 2500000.000000\nwindow_minimum_y 1000.000000\n"));

    g_assert_true(tnd_session_open_cfg(other, path, NULL));
    tnd_view_limits(tnd_session_view(other), &begin_ns, &end_ns, &rows);
    g_assert_true(rows && rows[0] && rows[1] && !rows[2] && rows[3]);
    g_remove(path);
    g_free(rows);
    g_free(text);
    g_free(path);
    tnd_session_free(session);
    tnd_session_free(other);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/session-cfg/items", test_items);
    g_test_add_func("/session-cfg/table", test_table);
    g_test_add_func("/session-cfg/no-plane", test_no_plane);
    g_test_add_func("/session-cfg/limits", test_limits);
    g_test_add_func("/session-cfg/files", test_files);
    g_test_add_func("/session-cfg/saved", test_saved);
    g_test_add_func("/session-cfg/saved-rows", test_saved_rows);
    return g_test_run();
}
