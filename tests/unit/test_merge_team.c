/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Teams of threads merge a run of everything at random into the bytes that one rank makes of it, however small the
 * turns; and when something is wrong, all end with the same error and leave nothing.
 */
#include "tests/unit/make_run.h"

#include "analysis/merge/base/merge_threads.h"
#include "analysis/merge/match/merge_match.h"
#include "analysis/merge/match/merge_spill.h"
#include "analysis/merge/merge.h"
#include "analysis/merge/write/merge_slices.h"
#include "run/rundir.h"

#include <gio/gio.h>
#include <unistd.h>

#define N_RANKS 9

static const char *const endings[] = {".prv", ".pcf", ".row"};

static char *directory, *run;

/* Something happens to one of a few tasks, in no sensible order; most that are made depend on something. */
static void make_task(MadeStream *made, GRand *random, guint64 time)
{
    guint16 phase = (guint16)g_rand_int_range(random, TND_TASK_CREATE, TND_TASK_HANDLE + 1);
    guint32 number = (guint32)g_rand_int_range(random, 0, 8), creator = (guint32)g_rand_int_range(random, 20, 22);
    guint64 flags = (guint64)g_rand_int_range(random, 0, 64);
    guint64 place = (guint64)g_rand_int_range(random, 1, 3) << 4 | (guint64)g_rand_int_range(random, 0, 8);
    if (phase != TND_TASK_DEPEND)
        make(made, time, TND_RECORD_TASK, number, phase, 2, place, flags << 32 | creator);
    if (phase == TND_TASK_DEPEND || phase == TND_TASK_CREATE)
        make(made, time, TND_RECORD_TASK, number, TND_TASK_DEPEND, 2, place, place + 16);
}

/* One record of a thread of a rank, of any kind. */
static guint64 make_something(MadeStream *made, GRand *random, guint64 time, guint32 rank)
{
    guint64 partner = (guint64)g_rand_int_range(random, 0, N_RANKS), size = g_rand_int_range(random, 0, 5000);
    guint32 tag = g_rand_int_range(random, 0, 3);
    guint64 request = 100 + (guint64)g_rand_int_range(random, 0, 6);
    guint16 value = (guint16)g_rand_int_range(random, 1, 5);
    switch (g_rand_int_range(random, 0, 16)) {
    case 0:
    case 1:
    case 2:
        make(made, time, TND_RECORD_ENTER, TND_TYPE_MPI_P2P, value, 0);
        break;
    case 3:
    case 4:
        make(made, time, TND_RECORD_LEAVE, TND_TYPE_MPI_P2P, 0, 0);
        break;
    case 5:
    case 6:
        make(made, time, TND_RECORD_SEND, tag, 0, 3, (guint64)1, size, partner);
        break;
    case 7:
    case 8:
        make(made, time, TND_RECORD_RECV, tag, 0, 3, (guint64)1, size, partner);
        break;
    case 9:
        make(made, time, TND_RECORD_POST, TND_POST_RECV, 0, 2, (guint64)1, request);
        break;
    case 10:
        make(made, time, TND_RECORD_DONE, tag, 0, 3, request, size, partner);
        break;
    case 11:
        make(made, time, TND_RECORD_EVENT, 1000 + rank, 0, 1, size);
        break;
    case 12:
        make(made, time, TND_RECORD_COUNTER, 1, 0, 1, size);
        break;
    case 13:
        make(made, time, TND_RECORD_COLLECTIVE, 0, 0, 3, (guint64)1, size, size);
        break;
    case 14:
        make_task(made, random, time);
        break;
    case 15:
        make(made, time, value % 2 ? TND_RECORD_CODE : TND_RECORD_LEAVE, TND_TYPE_OPENMP_FUNCTION, 0, 1, (guint64)4096);
        break;
    }
    return time + (guint64)g_rand_int_range(random, 0, 4) * 7; /* often the same time, here and elsewhere */
}

static void make_counter(MadeStream *made, guint64 time, const char *name)
{
    guint64 words[2 + 4] = {0, strlen(name)};
    strcpy((char *)&words[2], name);
    make_record(made, time, TND_RECORD_DEFINE, 1, TND_DEFINE_COUNTER, 6, words);
}

/* Two applications of one world; the odd ranks have two threads, rank 3 samples, rank 5 does not end, 7 is damaged. */
static void make_member(guint32 rank, GRand *random)
{
    char image[32];
    g_snprintf(image, sizeof image, "node.%u.0", 100 + rank);
    MadeStream *made = make_stream(run, image, 0, FALSE);
    guint64 time = 2000 + rank;
    make_process(made, 1000 + rank, 100 + rank);
    make_rank(made, 1500, rank, N_RANKS);
    make_counter(made, time, rank % 2 ? "odd" : "even");
    for (guint i = 0; i < 600; i++)
        time = make_something(made, random, time, rank);
    if (rank != 5)
        make_end(made, time);
    if (rank == 7)
        made->header.published -= 12;
    make_close(made);
    for (guint slot = 1; slot <= rank % 2; slot++) {
        made = make_stream(run, image, slot, FALSE);
        make(made, 2500, TND_RECORD_THREAD, slot, 0, 1, (guint64)slot << 32 | (200 + rank));
        for (time = 2500; time < 5000;)
            time = make_something(made, random, time, rank);
        make(made, time, TND_RECORD_THREAD_END, slot, 0, 1, (guint64)0);
        make_close(made);
    }
    if (rank == 3) {
        made = make_stream(run, image, 0, TRUE);
        make(made, 2000, TND_RECORD_THREAD, 0, 0, 1, (guint64)103);
        for (guint i = 0; i < 200; i++)
            make(made, 2100 + 40 * (guint64)i, TND_RECORD_SAMPLE, 40, 0, 2, (guint64)4096 + i % 17, (guint64)65536 + i);
        make_close(made);
    }
}

static void make_run_directory(void)
{
    GRand *random = g_rand_new_with_seed(20);
    for (guint32 rank = 0; rank < N_RANKS; rank++)
        make_member(rank, random);
    MadeStream *helper = make_stream(run, "node.90.0", 0, FALSE); /* no rank: left out, unless all are wanted */
    make_process(helper, 900, 90);
    make_end(helper, 9000);
    make_close(helper);
    char *description = g_build_filename(run, TND_RUNDIR_RUN_FILE, NULL);
    g_assert_true(g_file_set_contents(description, "", 0, NULL));
    g_free(description);
    helper = make_stream(run, "node.91.0", 0, FALSE); /* does not say who it is */
    make(helper, 900, TND_RECORD_EVENT, 1, 0, 1, (guint64)1);
    make_close(helper);
    g_rand_free(random);
}

static char *path_of(const char *stem, const char *ending)
{
    char *name = g_strconcat(stem, ending, NULL);
    char *path = g_build_filename(directory, name, NULL);
    g_free(name);
    return path;
}

static void merge(const char *stem, const char *ending, guint n_threads, gboolean all, TndMergeResult *result)
{
    char *output = path_of(stem, ending);
    const TndMergeOptions options = {.run_directory = run,
                                     .output = output,
                                     .force = TRUE,
                                     .all_processes = all,
                                     .n_threads = n_threads,
                                     .has_task_creation = TRUE};
    GError *error = NULL;
    tnd_merge_run(&options, result, &error);
    g_assert_no_error(error);
    g_assert_cmpstr(result->output, ==, output);
    g_free(output);
}

static void check_same(const char *stem, const char *other, const char *prv)
{
    for (guint i = 0; i < G_N_ELEMENTS(endings); i++) {
        char *a = path_of(stem, i ? endings[i] : prv), *b = path_of(other, i ? endings[i] : prv), *text_a, *text_b;
        gsize n_a, n_b;
        g_assert_true(g_file_get_contents(a, &text_a, &n_a, NULL));
        g_assert_true(g_file_get_contents(b, &text_b, &n_b, NULL));
        g_assert_cmpmem(text_a, n_a, text_b, n_b);
        g_free(text_a);
        g_free(text_b);
        g_unlink(b);
        g_free(a);
        g_free(b);
    }
}

static void check_team(const char *prv, gboolean all, guint n_threads)
{
    TndMergeResult alone, team;
    merge("alone", prv, 1, all, &alone);
    g_assert_cmpuint(alone.n_messages, >, 100);
    g_assert_cmpuint(alone.n_unmatched_sends, >, 10);
    g_assert_cmpuint(alone.n_unmatched_receives, >, 10);
    g_assert_cmpuint(alone.n_open, >, 10);
    g_assert_cmpuint(alone.n_damaged_bytes, >, 0);
    merge("team", prv, n_threads, all, &team);
    check_same("alone", "team", prv);
    g_assert_cmpuint(team.n_messages, ==, alone.n_messages);
    g_assert_cmpuint(team.notes->len, ==, alone.notes->len);
    tnd_merge_result_clear(&team);
    tnd_merge_result_clear(&alone);
}

static void check_teams(const char *prv, gboolean all)
{
    static const guint sizes[] = {2, 3, 7};
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++)
        check_team(prv, all, sizes[i]);
}

/* There is something to agree on: lines of both kinds. */
static void check_has_lines(void)
{
    char *path = path_of("alone", ".prv"), *text;
    g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_assert_nonnull(strstr(text, ":60000000\n"));
    g_assert_nonnull(strstr(text, ":60000001\n"));
    g_free(text);
    g_free(path);
}

static void test_one_turn(void)
{
    check_teams(".prv", FALSE);
    check_has_lines();
    check_teams(".prv", TRUE);
}

static void test_many_turns(void)
{
    tnd_merge_slices_limit_bytes = 20000;
    tnd_merge_match_limit = 100;
    check_teams(".prv", FALSE);
    check_teams(".prv.gz", FALSE);
    tnd_merge_slices_limit_bytes = 2000;
    tnd_merge_match_limit = 10;
    check_team(".prv", FALSE, 2);
}

static guint count_entries(void)
{
    guint n = 0;
    GDir *entries = g_dir_open(directory, 0, NULL);
    while (g_dir_read_name(entries))
        n++;
    g_dir_close(entries);
    return n;
}

/* What a merge of several ranks says of an error that one alone has, and leaves nothing either. */
static void check_failure(const TndMergeOptions *options, gint code, const char *words)
{
    TndMergeResult result;
    GError *error = NULL;
    guint n_before = count_entries();
    g_assert_false(tnd_merge_run(options, &result, &error));
    g_assert_error(error, G_IO_ERROR, code);
    g_assert_nonnull(strstr(error->message, words));
    g_assert_cmpuint(count_entries(), ==, n_before);
    g_clear_error(&error);
}

static gboolean stop_late(double fraction, gpointer user_data)
{
    return fraction < *(const double *)user_data;
}

/* The merge is cancelled when progress is told for the n-th time. */
static gboolean stop_nth(double fraction, gpointer user_data)
{
    return --*(guint *)user_data > 0;
}

static void check_cancelled_anywhere(guint n_threads)
{
    char *output = path_of("cancelled", ".prv");
    gboolean is_cancelled = TRUE;
    for (guint n = 1; is_cancelled; n++) {
        guint left = n, n_before = count_entries();
        const TndMergeOptions options = {
            .run_directory = run, .output = output, .n_threads = n_threads, .progress = stop_nth, .user_data = &left};
        TndMergeResult result;
        GError *error = NULL;
        is_cancelled = !tnd_merge_run(&options, &result, &error);
        g_assert_true(is_cancelled || n > N_RANKS);
        if (is_cancelled) {
            g_assert_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
            g_assert_cmpuint(count_entries(), ==, n_before);
            g_clear_error(&error);
        } else {
            tnd_merge_result_clear(&result);
        }
    }
    for (guint i = 0; i < G_N_ELEMENTS(endings); i++) {
        char *path = path_of("cancelled", endings[i]);
        g_unlink(path);
        g_free(path);
    }
    g_free(output);
}

static void test_cancelled_anywhere(void)
{
    check_cancelled_anywhere(1);
    check_cancelled_anywhere(3);
}

static void test_failures(void)
{
    char *output = path_of("failed", ".prv"), *nowhere = path_of("no/such/place", ".prv");
    TndMergeOptions options = {.run_directory = directory, .output = output, .n_threads = 3};
    double at[] = {0, 0.3, 0.6};
    check_failure(&options, G_IO_ERROR_NOT_FOUND, "no process left a stream");
    options.run_directory = run;
    options.output = nowhere;
    check_failure(&options, G_IO_ERROR_NOT_FOUND, "no/such");
    options.output = output;
    options.progress = stop_late;
    for (guint i = 0; i < G_N_ELEMENTS(at); i++) {
        options.user_data = &at[i];
        check_failure(&options, G_IO_ERROR_CANCELLED, "cancelled");
    }
    g_free(output);
    g_free(nowhere);
}

/* The second rank finds something wrong, then the third something else. */
static void disagree(TndMergeTeam *team, gpointer data)
{
    GError *error = NULL;
    guint64 sums[2] = {team->rank, 10};
    g_assert_true(tnd_merge_team_agree(team, &error));
    tnd_merge_team_sum(team, sums, 2);
    g_assert_cmpuint(sums[0], ==, 6);
    g_assert_cmpuint(sums[1], ==, 40);
    if (team->rank == 1 || team->rank == 2)
        g_set_error(&error, G_IO_ERROR, G_IO_ERROR_NO_SPACE, "rank %u has no room", team->rank);
    g_assert_false(tnd_merge_team_agree(team, &error));
    g_assert_error(error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
    g_assert_cmpstr(error->message, ==, "rank 1 has no room");
    g_clear_error(&error);
    *(gboolean *)data = TRUE;
}

static void test_agreement(void)
{
    gboolean done[4] = {0};
    gpointer data[] = {&done[0], &done[1], &done[2], &done[3]};
    tnd_merge_threads_run(4, disagree, data);
    g_assert_true(done[0] && done[1] && done[2] && done[3]);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    directory = g_dir_make_tmp("merge-team-XXXXXX", NULL);
    run = g_build_filename(directory, "all.tandem", NULL);
    make_run_directory();
    g_test_add_func("/merge_team/agreement", test_agreement);
    g_test_add_func("/merge_team/one_turn", test_one_turn);
    g_test_add_func("/merge_team/many_turns", test_many_turns);
    g_test_add_func("/merge_team/failures", test_failures);
    g_test_add_func("/merge_team/cancelled_anywhere", test_cancelled_anywhere);
    int status = g_test_run();
    tnd_rundir_remove(run);
    for (guint i = 0; i <= G_N_ELEMENTS(endings); i++) {
        char *path = path_of("alone", i < G_N_ELEMENTS(endings) ? endings[i] : ".prv.gz");
        g_unlink(path);
        g_free(path);
    }
    g_assert_cmpint(g_rmdir(directory), ==, 0);
    g_free(run);
    g_free(directory);
    return status;
}
