/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * More streams than files may be open: the trace is the same as where all may be.
 */
#include "tests/unit/make_run.h"

#include "analysis/merge/merge.h"
#include "run/rundir.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define N_RANKS 80
#define N_STEPS 600 /* of about 100 bytes: more than a reader's buffer */
#define N_FILES 64

static char *directory, *run;

/* A message to the next rank, one from the rank before, and an event. */
static guint64 make_step(MadeStream *made, guint64 time, guint64 step, guint32 rank)
{
    make(made, time, TND_RECORD_ENTER, TND_TYPE_MPI_P2P, 1, 0);
    make(made, time, TND_RECORD_SEND, 0, 0, 3, (guint64)1, step, (guint64)(rank + 1) % N_RANKS);
    make(made, time + 10, TND_RECORD_RECV, 0, 0, 3, (guint64)1, step, (guint64)(rank + N_RANKS - 1) % N_RANKS);
    make(made, time + 20, TND_RECORD_LEAVE, TND_TYPE_MPI_P2P, 0, 0);
    make(made, time + 30 + rank % 7, TND_RECORD_EVENT, 1000, 0, 1, step);
    return time + 50;
}

static void make_ranks(void)
{
    for (guint32 rank = 0; rank < N_RANKS; rank++) {
        char *image = g_strdup_printf("node.%u.0", 100 + rank);
        MadeStream *made = make_stream(run, image, 0, FALSE);
        guint64 time = 2000 + rank;
        make_process(made, 1000, 100 + rank);
        make_rank(made, 1000, rank, N_RANKS);
        for (guint step = 0; step < N_STEPS; step++)
            time = make_step(made, time, step, rank);
        make_end(made, time);
        make_close(made);
        g_free(image);
    }
}

static char *merge(const char *name)
{
    char *output = g_build_filename(directory, name, NULL);
    const TndMergeOptions options = {.run_directory = run, .output = output, .force = TRUE};
    TndMergeResult result;
    GError *error = NULL;
    tnd_merge_run(&options, &result, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(result.n_messages, ==, N_RANKS * N_STEPS);
    tnd_merge_result_clear(&result);
    return output;
}

static char *merge_with_few_files(const char *name)
{
    pid_t child = fork();
    g_assert_cmpint(child, >=, 0);
    if (child == 0) {
        const struct rlimit limit = {N_FILES, N_FILES};
        _exit(setrlimit(RLIMIT_NOFILE, &limit) == 0 && merge(name) ? 0 : 1);
    }
    int status;
    g_assert_cmpint(waitpid(child, &status, 0), ==, child);
    g_assert_cmpint(status, ==, 0);
    return g_build_filename(directory, name, NULL);
}

static void remove_trace(char *prv)
{
    static const char *const endings[] = {".prv", ".pcf", ".row"};
    for (guint i = 0; i < G_N_ELEMENTS(endings); i++) {
        memcpy(prv + strlen(prv) - 4, endings[i], 4);
        g_unlink(prv);
    }
    g_free(prv);
}

static void test_few_files(void)
{
    char *few = merge_with_few_files("few.prv"), *all = merge("all.prv"), *text_few, *text_all;
    gsize n_few, n_all;
    g_assert_true(g_file_get_contents(few, &text_few, &n_few, NULL));
    g_assert_true(g_file_get_contents(all, &text_all, &n_all, NULL));
    g_assert_cmpmem(text_few, n_few, text_all, n_all);
    g_free(text_few);
    g_free(text_all);
    remove_trace(few);
    remove_trace(all);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    directory = g_dir_make_tmp("tandem-many-XXXXXX", NULL);
    run = g_build_filename(directory, "ring.tandem", NULL);
    make_ranks();
    char *description = g_build_filename(run, TND_RUNDIR_RUN_FILE, NULL);
    g_assert_true(g_file_set_contents(description, "", 0, NULL));
    g_free(description);
    g_test_add_func("/merge_many/few_files", test_few_files);
    int status = g_test_run();
    tnd_rundir_remove(run);
    g_rmdir(directory);
    g_free(run);
    g_free(directory);
    return status;
}
