/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Levels: the threads of a row are those that have this row above them, on nodes whose threads do not follow each
 * other, too.
 */
#include "analysis/trace/levels.h"
#include "analysis/trace/trace_build.h"

/* Two applications, of two tasks and of one, on two nodes in turn; two threads in each task. */
static TndTrace *make_nodes(void)
{
    struct tnd_prv_task tasks[] = {
        {.n_threads = 2, .node = 1}, {.n_threads = 2, .node = 2}, {.n_threads = 2, .node = 1}};
    struct tnd_prv_application applications[] = {{.n_tasks = 2, .tasks = tasks}, {.n_tasks = 1, .tasks = tasks + 2}};
    struct tnd_prv_header header = {.end_time = 1000,
                                    .unit_ns = 1,
                                    .n_nodes = 2,
                                    .n_cpus = (guint32[]){4, 4},
                                    .n_applications = 2,
                                    .applications = applications};
    TndTraceBuild *build = tnd_trace_build_new("made/made.prv.gz", -1);
    g_assert_true(tnd_trace_build_visitor.header(build, &header));
    return tnd_trace_build_finish(build, NULL, NULL);
}

/* wanted: the numbers of the row's threads. */
static void check(const TndTrace *trace, TndLevel level, guint row, const char *wanted)
{
    GString *found = g_string_new(NULL);
    guint n, *threads = tnd_levels_threads(trace, level, row, &n);
    for (guint i = 0; i < n; i++)
        g_string_append_printf(found, "%s%u", i ? " " : "", threads[i]);
    g_assert_cmpstr(found->str, ==, wanted);
    g_string_free(found, TRUE);
    g_free(threads);
}

static void test_threads(void)
{
    TndTrace *trace = make_nodes();
    check(trace, TND_LEVEL_WORKLOAD, 0, "0 1 2 3 4 5");
    check(trace, TND_LEVEL_APPLICATION, 0, "0 1 2 3");
    check(trace, TND_LEVEL_APPLICATION, 1, "4 5");
    check(trace, TND_LEVEL_TASK, 1, "2 3");
    check(trace, TND_LEVEL_TASK, 2, "4 5");
    check(trace, TND_LEVEL_THREAD, 3, "3");
    check(trace, TND_LEVEL_SYSTEM, 0, "0 1 2 3 4 5");
    check(trace, TND_LEVEL_NODE, 0, "0 1 4 5");
    check(trace, TND_LEVEL_NODE, 1, "2 3");
    check(trace, TND_LEVEL_CPU, 0, "");
    tnd_trace_free(trace);
}

static void test_threads_are_below(void)
{
    TndTrace *trace = make_nodes();
    for (TndLevel level = TND_LEVEL_WORKLOAD; level < TND_LEVEL_CPU; level++) {
        guint n_found = 0;
        for (guint row = 0; row < tnd_levels_n_rows(trace, level); row++) {
            guint n, *threads = tnd_levels_threads(trace, level, row, &n);
            for (guint i = 0; i < n; i++)
                g_assert_cmpuint(tnd_levels_row_above(trace, TND_LEVEL_THREAD, threads[i], level), ==, row);
            n_found += n;
            g_free(threads);
        }
        g_assert_cmpuint(n_found, ==, tnd_trace_n_threads(trace));
    }
    tnd_trace_free(trace);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/levels/threads", test_threads);
    g_test_add_func("/levels/threads-are-below", test_threads_are_below);
    return g_test_run();
}
