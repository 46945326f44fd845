/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The session without any window: zooms and their history, commands, descriptions, files.
 */
#include "analysis/views/views.h"
#include "viewer/batch.h"
#include "viewer/commands.h"
#include "viewer/description.h"
#include "viewer/view_groups.h"

#include <string.h>

/* Takes the path. */
static TndSession *open_at(char *path)
{
    GError *error = NULL;
    TndTrace *trace = tnd_trace_open(path, NULL, NULL, &error);
    g_assert_no_error(error);
    g_free(path);
    TndSession *session = tnd_session_new();
    tnd_session_set_trace(session, trace);
    return session;
}

static TndSession *open_session(void)
{
    return open_at(g_test_build_filename(G_TEST_DIST, "data", "traces", "synthetic-16", "synthetic-16.prv", NULL));
}

static void open_cfg_view(TndSession *session, const char *name)
{
    GError *error = NULL;
    char *path = g_test_build_filename(G_TEST_DIST, "data", "cfgs", name, NULL);
    tnd_session_open_view(session, path, &error);
    g_assert_no_error(error);
    g_free(path);
}

static void check_zoom(TndSession *session, guint64 begin_ns, guint64 end_ns, guint first_row, guint last_row)
{
    TndZoom zoom = tnd_session_zoom(session);
    g_assert_cmpuint(zoom.begin_ns, ==, begin_ns);
    g_assert_cmpuint(zoom.end_ns, ==, end_ns);
    g_assert_cmpuint(zoom.first_row, ==, first_row);
    g_assert_cmpuint(zoom.last_row, ==, last_row);
}

static void test_history(void)
{
    TndSession *session = open_session();
    check_zoom(session, 0, 387022, 0, 15);
    g_assert_false(tnd_session_undo(session));
    tnd_session_set_zoom(session, (TndZoom){1000, 200000, 0, 15}, FALSE);
    tnd_session_set_zoom(session, (TndZoom){5000, 6000, 3, 4}, FALSE);
    g_assert_true(tnd_session_undo(session));
    check_zoom(session, 1000, 200000, 0, 15);
    g_assert_true(tnd_session_redo(session));
    check_zoom(session, 5000, 6000, 3, 4);
    g_assert_false(tnd_session_redo(session));
    tnd_session_undo(session);
    tnd_session_set_zoom(session, (TndZoom){7, 77, 0, 0}, FALSE); /* a new branch: nothing to redo */
    g_assert_false(tnd_session_redo(session));
    tnd_commands_run(session, "undo");
    tnd_commands_run(session, "undo");
    check_zoom(session, 0, 387022, 0, 15);
    tnd_session_free(session);
}

static void note(TndSession *session, guint changes, gpointer data)
{
    *(guint *)data |= changes;
}

/* 2 tasks of 2 threads each, 4 CPUs: time is of all views, rows are of each level. */
static void test_levels(void)
{
    TndSession *session = open_at(g_test_build_filename(G_TEST_DIST, "data", "traces", "hybrid", "hybrid.prv", NULL));
    check_zoom(session, 0, 106179215, 0, 3);
    tnd_session_set_zoom(session, (TndZoom){0, 106179215, 2, 3}, FALSE);
    tnd_session_set_zoom(session, (TndZoom){1000, 2000, 2, 3}, FALSE);
    tnd_session_set_selection(session, (TndSpot){TRUE, 3, 1500});
    guint changes = 0;
    tnd_session_watch(session, note, &changes);
    open_cfg_view(session, "useful_task.cfg");
    g_assert_cmpint(tnd_session_level(session), ==, TND_LEVEL_TASK);
    g_assert_true(changes & TND_CHANGED_ZOOM);
    check_zoom(session, 1000, 2000, 0, 1);
    g_assert_cmpuint(tnd_session_selection(session).row, ==, 1);
    tnd_session_scale_rows(session, 0.1, 1);
    check_zoom(session, 1000, 2000, 1, 1);
    tnd_session_pan(session, 0, 1);
    check_zoom(session, 1000, 2000, 1, 1);
    open_cfg_view(session, "state_cpu.cfg");
    check_zoom(session, 1000, 2000, 0, 3);
    g_assert_false(tnd_session_selection(session).is_set);
    tnd_session_set_zoom(session, (TndZoom){1000, 3000, 0, 99}, FALSE);
    open_cfg_view(session, "parallelism_workload.cfg");
    check_zoom(session, 1000, 3000, 0, 0);
    g_assert_true(tnd_session_undo(session));
    check_zoom(session, 1000, 2000, 0, 0);
    g_assert_true(tnd_session_undo(session)); /* past what only rows of tasks and threads know of */
    check_zoom(session, 0, 106179215, 0, 0);
    g_assert_false(tnd_session_undo(session));
    g_assert_true(tnd_session_redo(session));
    g_assert_true(tnd_session_redo(session));
    check_zoom(session, 1000, 3000, 0, 0);
    g_assert_false(tnd_session_redo(session));
    tnd_session_open_view(session, "state", NULL);
    check_zoom(session, 1000, 3000, 2, 3);
    g_assert_true(tnd_session_undo(session));
    g_assert_true(tnd_session_undo(session));
    check_zoom(session, 0, 106179215, 2, 3);
    g_assert_true(tnd_session_undo(session));
    check_zoom(session, 0, 106179215, 0, 3);
    tnd_session_free(session);
}

static void test_zoom_stays_inside(void)
{
    TndSession *session = open_session();
    tnd_session_set_zoom(session, (TndZoom){300000, G_MAXUINT64, 9, 99}, FALSE);
    check_zoom(session, 0, 387022, 9, 15);
    tnd_session_set_zoom(session, (TndZoom){387022, 387022, 20, 3}, FALSE);
    check_zoom(session, 387012, 387022, 15, 15);
    tnd_session_set_zoom(session, (TndZoom){100000, 200000, 4, 7}, FALSE);
    tnd_session_pan(session, -5, -5);
    check_zoom(session, 0, 100000, 0, 3);
    tnd_session_pan(session, 50, 50);
    check_zoom(session, 287022, 387022, 12, 15);
    for (int i = 0; i < 200; i++)
        tnd_commands_run(session, "zoom-in");
    TndZoom zoom = tnd_session_zoom(session);
    g_assert_cmpuint(zoom.end_ns - zoom.begin_ns, ==, 10);
    for (int i = 0; i < 200; i++)
        tnd_commands_run(session, "zoom-out");
    check_zoom(session, 0, 387022, 12, 15);
    tnd_session_free(session);
}

static void test_zoom_keeps_the_pointer(void)
{
    TndSession *session = open_session();
    tnd_session_scale_time(session, 0.5, 100000);
    TndZoom zoom = tnd_session_zoom(session);
    double before = 100000.0 / 387022, now = (100000.0 - (double)zoom.begin_ns) / (double)(zoom.end_ns - zoom.begin_ns);
    g_assert_cmpfloat_with_epsilon(before, now, 1e-4);
    tnd_session_scale_rows(session, 0.5, 12);
    zoom = tnd_session_zoom(session);
    g_assert_cmpuint(zoom.last_row - zoom.first_row + 1, ==, 8);
    g_assert_true(zoom.first_row <= 12 && zoom.last_row >= 12);
    tnd_session_free(session);
}

static void test_commands(void)
{
    TndSession *session = open_session();
    guint changes = 0;
    tnd_session_watch(session, note, &changes);
    g_assert_true(tnd_session_sees_messages(session));
    tnd_commands_run(session, "messages");
    g_assert_false(tnd_session_sees_messages(session));
    g_assert_cmphex(changes, ==, TND_CHANGED_OPTIONS);
    changes = 0;
    tnd_commands_run(session, "next-view");
    g_assert_cmpstr(tnd_view_rule(tnd_session_view(session))->name, ==, "useful-duration");
    g_assert_cmpuint(tnd_session_n_open(session), ==, 2);
    g_assert_true(changes & TND_CHANGED_VIEW);
    tnd_commands_run(session, "histogram");
    g_assert_cmpint(tnd_session_page(session), ==, TND_PAGE_HISTOGRAM);
    g_assert_false(tnd_commands_run(session, "no-such-command"));
    for (guint i = 0; i < tnd_commands_n; i++)
        for (guint j = 0; j < i; j++)
            g_assert_cmpstr(tnd_commands[i].id, !=, tnd_commands[j].id);
    changes = 0;
    tnd_session_unwatch(session, &changes);
    tnd_commands_run(session, "messages");
    g_assert_cmphex(changes, ==, 0);
    tnd_session_free(session);
}

/* What a key press makes of messages that are too many to fit: it shows them all the same. */
static void test_messages(void)
{
    TndSession *session = open_session();
    tnd_session_note_messages_fit(session, FALSE);
    g_assert_false(tnd_session_sees_messages(session));
    tnd_commands_run(session, "messages");
    g_assert_cmpint(tnd_session_messages(session), ==, TND_MESSAGES_ALL);
    g_assert_true(tnd_session_sees_messages(session));
    tnd_commands_run(session, "messages");
    g_assert_cmpint(tnd_session_messages(session), ==, TND_MESSAGES_NONE);
    tnd_session_note_messages_fit(session, TRUE);
    tnd_commands_run(session, "messages");
    g_assert_cmpint(tnd_session_messages(session), ==, TND_MESSAGES_FITTING);
    tnd_session_free(session);
}

/* A choice is a view's own, and stays with it; codes have another one. */
static void test_draw(void)
{
    TndSession *session = open_session();
    g_assert_true(tnd_session_open_view(session, "counter", NULL));
    g_assert_cmpint(tnd_session_draw(session), ==, TND_DRAW_COLOUR);
    tnd_commands_run(session, "lines");
    g_assert_cmpint(tnd_session_draw(session), ==, TND_DRAW_LINE);
    TndLaneStackSubject subject;
    g_assert_true(tnd_session_stack(session, TRUE, &subject));
    g_assert_cmpint(subject.parts[0].timeline.draw, ==, TND_DRAW_LINE);
    g_assert_true(tnd_session_open_view(session, "state", NULL));
    tnd_commands_run(session, "lines");
    g_assert_cmpint(tnd_session_draw(session), ==, TND_DRAW_COLOUR);
    tnd_commands_run(session, "stack"); /* which only codes have */
    g_assert_cmpint(tnd_session_draw(session), ==, TND_DRAW_STACK);
    g_assert_true(tnd_session_open_view(session, "useful-duration", NULL));
    tnd_commands_run(session, "stack");
    g_assert_cmpint(tnd_session_draw(session), ==, TND_DRAW_COLOUR);
    g_assert_true(tnd_session_open_view(session, "counter", NULL));
    g_assert_cmpint(tnd_session_draw(session), ==, TND_DRAW_LINE);
    tnd_commands_run(session, "lines");
    g_assert_cmpint(tnd_session_draw(session), ==, TND_DRAW_COLOUR);
    tnd_session_free(session);
}

static void test_stretch_text(void)
{
    TndSession *session = open_session();
    guint changes = 0;
    tnd_session_watch(session, note, &changes);
    tnd_session_set_zoom(session, (TndZoom){5000, 6000, 3, 4}, FALSE);
    char *text = tnd_session_stretch_text(session);
    g_assert_cmpstr(text, ==, "--begin 5000ns --end 6000ns");
    g_free(text);
    changes = 0;
    tnd_commands_run(session, "copy-time");
    g_assert_cmphex(changes, ==, TND_CHANGED_WISH);
    g_assert_cmpint(tnd_session_wish(session), ==, TND_WANTS_COPY);
    tnd_commands_run(session, "fit-scale");
    g_assert_true(tnd_session_fits_scale(session));
    TndLaneStackSubject subject;
    g_assert_true(tnd_session_stack(session, TRUE, &subject) && subject.parts[0].timeline.fits_scale);
    tnd_session_free(session);
}

static void test_bursts(void)
{
    TndSession *session = open_session();
    tnd_session_set_selection(session, (TndSpot){TRUE, 0, 15000});
    TndDescription description;
    g_assert_true(tnd_description_of(session, tnd_session_selection(session), TRUE, &description));
    g_assert_cmpstr(description.row, ==, "Rank 0 (1.1.1)");
    g_assert_cmpstr(description.value, ==, "Not created");
    tnd_description_clear(&description);
    tnd_commands_run(session, "next-burst");
    g_assert_true(tnd_description_of(session, tnd_session_selection(session), TRUE, &description));
    g_assert_cmpstr(description.value, ==, "Running");
    tnd_description_clear(&description);
    guint64 then = tnd_session_selection(session).time_ns;
    tnd_commands_run(session, "previous-burst");
    g_assert_cmpuint(tnd_session_selection(session).time_ns, <, then);
    tnd_session_set_zoom(session, (TndZoom){300000, 301000, 0, 15}, FALSE);
    tnd_commands_run(session, "previous-burst"); /* brought into sight */
    TndZoom zoom = tnd_session_zoom(session);
    guint64 at = tnd_session_selection(session).time_ns;
    g_assert_true(zoom.begin_ns <= at && at < zoom.end_ns);
    tnd_session_free(session);
}

/* What is black in the picture, where a thread does not live any more, is the same in words. */
static void test_no_state(void)
{
    TndSession *session = open_session();
    const TndThread *thread = tnd_trace_thread(tnd_session_trace(session), 0);
    const guint64 end_ns = tnd_trace_end_ns(tnd_session_trace(session));
    TndDescription description;
    g_assert_cmpuint(thread->end_ns, <, end_ns);
    g_assert_true(tnd_description_of(session, (TndSpot){TRUE, 0, thread->end_ns + 5}, FALSE, &description));
    g_assert_cmpstr(description.value, ==, "No state");
    char *lasts = g_strdup_printf("lasts %.6g us", (double)(end_ns - thread->end_ns) / 1000);
    char *line = tnd_description_line(&description);
    g_assert_nonnull(strstr(line, lasts));
    g_free(lasts);
    g_free(line);
    tnd_description_clear(&description);
    g_assert_true(tnd_description_of(session, (TndSpot){TRUE, 0, thread->end_ns - 1}, FALSE, &description));
    g_assert_cmpstr(description.value, ==, "Running");
    tnd_description_clear(&description);
    g_assert_true(tnd_session_open_view(session, "mpi-calls", NULL));
    g_assert_true(tnd_description_of(session, (TndSpot){TRUE, 0, end_ns - 1}, FALSE, &description));
    g_assert_cmpstr(description.value, ==, "Outside MPI");
    tnd_description_clear(&description);
    tnd_session_free(session);
}

/* THREAD 1.9.1 sends 524288 bytes to THREAD 1.15.1 at 2567. */
static void test_partners(void)
{
    TndSession *session = open_session();
    TndDescription description;
    g_assert_true(tnd_description_of(session, (TndSpot){TRUE, 8, 2600}, TRUE, &description));
    g_assert_cmpuint(description.n_messages, >=, 1);
    g_assert_nonnull(strstr(description.messages->pdata[0], "to Rank 14: 524288 bytes, tag 40"));
    tnd_description_clear(&description);
    g_assert_false(tnd_description_of(session, (TndSpot){0}, TRUE, &description));
    tnd_session_free(session);
}

/* Task 1.1 receives and sends at 56846531, by its first thread; a CPU has no messages. */
static void test_partners_of_tasks(void)
{
    TndSession *session = open_at(g_test_build_filename(G_TEST_DIST, "data", "traces", "hybrid", "hybrid.prv", NULL));
    TndDescription description;
    open_cfg_view(session, "useful_task.cfg");
    g_assert_true(tnd_description_of(session, (TndSpot){TRUE, 0, 56850000}, TRUE, &description));
    g_assert_cmpstr(description.row, ==, "Rank 0 (1.1)");
    g_assert_cmpuint(description.n_messages, ==, 2);
    g_assert_nonnull(strstr(description.messages->pdata[0], "from Rank 1 thread 0: 512 bytes"));
    g_assert_nonnull(strstr(description.messages->pdata[1], "to Rank 1 thread 0: 512 bytes"));
    tnd_description_clear(&description);
    open_cfg_view(session, "state_cpu.cfg");
    g_assert_true(tnd_description_of(session, (TndSpot){TRUE, 3, 60000000}, TRUE, &description));
    g_assert_cmpstr(description.row, ==, "CPU 1.4");
    g_assert_cmpstr(description.value, ==, "Idle");
    g_assert_true(!description.may_have_messages && description.n_messages == 0);
    tnd_description_clear(&description);
    g_assert_false(tnd_description_of(session, (TndSpot){TRUE, 4, 60000000}, TRUE, &description));
    tnd_session_free(session);
}

static void check_line(TndSession *session, guint row, guint64 time_ns, guint n, const char *first)
{
    TndDescription description;
    g_assert_true(tnd_description_of(session, (TndSpot){TRUE, row, time_ns}, TRUE, &description));
    g_assert_cmpuint(description.n_messages, ==, n);
    if (n)
        g_assert_cmpstr(description.messages->pdata[0], ==, first);
    tnd_description_clear(&description);
}

/* Task 2 runs on the second row from 1600 to 1650, 4 on the first from 1700; between the two the second row waits. */
static void test_task_lines(void)
{
    TndSession *session = open_at(g_test_build_filename(G_TEST_DIST, "goldens", "merge", "tasks.prv", NULL));
    check_line(session, 1, 1620, 2, "task 4 of THREAD 1.1.1 waited for this one and began 50 ns later");
    check_line(session, 1, 1660, 0, NULL);
    check_line(session, 0, 1750, 1, "task 4 waited for one of THREAD 1.1.2, which ended 50 ns before");
    check_line(session, 1, 2150, 1, "task 5 was fulfilled by THREAD 1.1.2, 300 ns later");
    tnd_session_free(session);
}

static void test_refusals(void)
{
    TndSession *session = open_session();
    GError *error = NULL;
    g_assert_false(tnd_session_open_view(session, "no-such-view", &error));
    g_assert_nonnull(strstr(error->message, "useful-duration"));
    g_clear_error(&error);
    g_assert_cmpstr(tnd_view_rule(tnd_session_view(session))->name, ==, "state");
    g_assert_false(tnd_session_export(session, "/nowhere/at/all.png", 300, 200, &error));
    g_assert_nonnull(strstr(error->message, "/nowhere/at/all.png: No such file or directory"));
    g_clear_error(&error);
    g_assert_false(tnd_session_export(session, "picture.bmp", 300, 200, &error));
    g_assert_nonnull(strstr(error->message, ".png, .svg or .pdf"));
    g_clear_error(&error);
    g_assert_false(tnd_session_write_csv(session, "/nowhere/at/all.csv", &error));
    g_clear_error(&error);
    tnd_session_free(session);
}

/* No two commands have the same key. */
static void test_keys_differ(void)
{
    GHashTable *taken = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < tnd_commands_n; i++) {
        char **keys = g_strsplit(tnd_commands[i].keys, " ", -1);
        for (guint k = 0; keys[k]; k++)
            g_assert_true(g_hash_table_add(taken, g_strdup(keys[k])));
        g_strfreev(keys);
    }
    g_hash_table_unref(taken);
}

/* Each built-in view has a group; the list has all views, each below the heading of its own. */
static void test_groups(void)
{
    TndSession *session =
        open_at(g_test_build_filename(G_TEST_DIST, "data", "traces", "hybrid-nodes", "hybrid-nodes.prv", NULL));
    const GArray *list = tnd_session_items(session)->list;
    const char *heading = NULL;
    guint n_views = 0;
    for (guint i = 0; i < tnd_views_n; i++)
        g_assert_nonnull(tnd_view_groups[tnd_view_groups_of(tnd_views_table[i].rule.name) + 1]);
    g_assert_cmpstr(tnd_view_groups[tnd_view_groups_of("of-the-user")], ==, "Own views");
    g_assert_cmpstr(tnd_view_groups[tnd_view_groups_of("calls")], ==, "Own views");
    for (guint i = 0; i < list->len; i++) {
        const TndItem *item = &g_array_index(list, TndItem, i);
        if (item->kind == TND_ITEM_HEADING) {
            g_assert_true(i + 1 < list->len && g_array_index(list, TndItem, i + 1).kind == TND_ITEM_VIEW);
            g_assert_cmpstr(item->title, !=, heading);
            heading = item->title;
            continue;
        }
        g_assert_cmpstr(heading, ==, tnd_view_groups[tnd_view_groups_of(item->name)]);
        n_views++;
    }
    g_assert_cmpuint(n_views, ==, tnd_session_rules(session)->len);
    g_assert_cmpuint(list->len, >, n_views + 2);
    tnd_session_free(session);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/session/history", test_history);
    g_test_add_func("/session/keys", test_keys_differ);
    g_test_add_func("/session/levels", test_levels);
    g_test_add_func("/session/zoom-stays-inside", test_zoom_stays_inside);
    g_test_add_func("/session/zoom-keeps-the-pointer", test_zoom_keeps_the_pointer);
    g_test_add_func("/session/commands", test_commands);
    g_test_add_func("/session/messages", test_messages);
    g_test_add_func("/session/draw", test_draw);
    g_test_add_func("/session/stretch-text", test_stretch_text);
    g_test_add_func("/session/bursts", test_bursts);
    g_test_add_func("/session/no-state", test_no_state);
    g_test_add_func("/session/partners", test_partners);
    g_test_add_func("/session/partners-of-tasks", test_partners_of_tasks);
    g_test_add_func("/session/task-lines", test_task_lines);
    g_test_add_func("/session/refusals", test_refusals);
    g_test_add_func("/session/groups", test_groups);
    return g_test_run();
}
