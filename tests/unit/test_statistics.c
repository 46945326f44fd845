/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first look: efficiencies of an example worked out by hand, calls, samples with and without weights, messages.
 */
#include "analysis/reports/statistics.h"
#include "tests/unit/make_trace.h"

#include <string.h>

#define SECOND G_GUINT64_CONSTANT(1000000000)

/* Two processes, 10 s, useful for 8 s and 4 s: load balance 6/8, communication 8/10, parallel 12/20. */
static void test_efficiencies(void)
{
    TndTraceBuild *build = make_trace(2, 10, SECOND);
    for (guint task = 1; task <= 2; task++) {
        guint64 useful = task == 1 ? 8 : 4;
        add_state(build, task, 0, useful, 1);
        add_state(build, task, useful, 10, 9);
        add_event(build, task, useful, 50000002, 8);
        add_event(build, task, 10, 50000002, 0);
    }
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndStatistics *statistics = tnd_statistics_new(trace);
    g_assert_cmpfloat_with_epsilon(statistics->efficiency.load_balance, 0.75, 1e-12);
    g_assert_cmpfloat_with_epsilon(statistics->efficiency.communication, 0.80, 1e-12);
    g_assert_cmpfloat_with_epsilon(statistics->efficiency.parallel, 0.60, 1e-12);
    g_assert_false(statistics->has_run); /* nobody calls MPI_Init */
    g_assert_cmpuint(statistics->mpi_ns, ==, 8 * SECOND);
    g_assert_cmpuint(statistics->shares[1].mpi_ns, ==, 6 * SECOND);
    g_assert_cmpuint(statistics->shares[1].other_ns, ==, 0);
    g_assert_cmpuint(statistics->calls->len, ==, 1);
    g_assert_cmpuint(g_array_index(statistics->calls, TndUser, 0).n, ==, 2);
    tnd_statistics_free(statistics);
    tnd_trace_free(trace);
}

/* Two processes and one that is none of MPI's, 20 s.  MPI_Init ends after 6 and 7 s, MPI_Finalize begins after 17 and
 * 18; within these 10 s they are useful for 8 and 4, as above.  What they compute before and after does not count. */
static void test_efficiencies_of_the_run(void)
{
    static const gint64 other = 50000003, init = 31, finalize = 32;
    TndTraceBuild *build = make_trace(3, 20, SECOND);
    for (guint task = 1; task <= 2; task++) {
        guint64 begin = 5 + task, useful = task == 1 ? 15 : 11, end = 16 + task;
        add_state(build, task, 0, 1, 1);
        add_state(build, task, 1, begin, 9);
        add_state(build, task, begin, useful, 1);
        add_state(build, task, useful, end, 9);
        add_state(build, task, end, 20, 1);
        add_event(build, task, 1, (guint32)other, init);
        add_event(build, task, begin, (guint32)other, 0);
        add_event(build, task, end, (guint32)other, finalize);
        add_event(build, task, 20, (guint32)other, 0);
    }
    add_state(build, 3, 0, 20, 1);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndStatistics *statistics = tnd_statistics_new(trace);
    g_assert_true(statistics->has_run);
    g_assert_cmpuint(statistics->of_run.begin_ns, ==, 7 * SECOND);
    g_assert_cmpuint(statistics->of_run.end_ns, ==, 17 * SECOND);
    g_assert_cmpuint(statistics->of_run.n_processes, ==, 2);
    g_assert_cmpfloat_with_epsilon(statistics->of_run.load_balance, 0.75, 1e-12);
    g_assert_cmpfloat_with_epsilon(statistics->of_run.communication, 0.80, 1e-12);
    g_assert_cmpfloat_with_epsilon(statistics->of_run.parallel, 0.60, 1e-12);
    g_assert_cmpuint(statistics->efficiency.n_processes, ==, 3);
    tnd_statistics_free(statistics);
    tnd_trace_free(trace);
}

static void test_samples(void)
{
    TndTraceBuild *build = make_trace(1, 100, 1);
    static const struct {
        guint64 time;
        gint64 function, weight;
    } samples[] = {{10, 2, 5}, {20, 1, 30}, {30, 2, 6}, {40, 0, 0}};
    for (guint i = 0; i < G_N_ELEMENTS(samples); i++) {
        add_event(build, 1, samples[i].time, 30000000, samples[i].function);
        add_event(build, 1, samples[i].time, 92000001, samples[i].weight);
    }
    add_event(build, 1, 50, 92000001, 1000); /* of no sample */
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndStatistics *statistics = tnd_statistics_new(trace);
    g_assert_cmpuint(statistics->n_samples, ==, 3);
    g_assert_cmpfloat(statistics->sampled_ns, ==, 41);
    const TndUser *heaviest = &g_array_index(statistics->functions, TndUser, 0);
    g_assert_cmpint(heaviest->value, ==, 1); /* rarer, but heavier */
    g_assert_cmpfloat(heaviest->time_ns, ==, 30);
    g_assert_cmpuint(g_array_index(statistics->functions, TndUser, 1).n, ==, 2);
    tnd_statistics_free(statistics);
    tnd_trace_free(trace);
}

static void test_messages(void)
{
    TndTraceBuild *build = make_trace(2, 100, 1);
    add_message(build, 1, 2, 10, 20, 100);
    add_message(build, 2, 1, 30, 25, 50); /* received before it was sent */
    static const char comment[] = "#tandem:lost=12\n";
    tnd_trace_build_visitor.comment(build, comment, sizeof comment - 1);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndStatistics *statistics = tnd_statistics_new(trace);
    g_assert_cmpuint(statistics->n_messages, ==, 2);
    g_assert_cmpuint(statistics->n_negative, ==, 1);
    g_assert_cmpfloat(statistics->message_bytes, ==, 150);
    g_assert_cmpint(statistics->largest_message_bytes, ==, 100);
    g_assert_cmpfloat(statistics->efficiency.load_balance, ==, 0); /* nothing useful: no efficiency */
    g_assert_cmpstr(tnd_statistics_comment(trace, "lost"), ==, "12");
    g_assert_null(tnd_statistics_comment(trace, "los"));
    tnd_statistics_free(statistics);
    tnd_trace_free(trace);
}

/* What the merge summed up of functions of Python's; a line that is none of it is passed over. */
static void test_python(void)
{
    TndTraceBuild *build = make_trace(1, 100, 1);
    add_event(build, 1, 10, 60000100, 7);
    static const char *const comments[] = {"#tandem:python-functions=300\n", "#tandem:python-function=7 3 40 90\n",
                                           "#tandem:python-function=2 1 20\n", "#tandem:python-function=9 1 10 10\n"};
    for (guint i = 0; i < G_N_ELEMENTS(comments); i++)
        tnd_trace_build_visitor.comment(build, comments[i], strlen(comments[i]) - 1);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndStatistics *statistics = tnd_statistics_new(trace);
    g_assert_cmpuint(statistics->python.n, ==, 300);
    g_assert_cmpuint(statistics->python.most->len, ==, 2);
    g_assert_cmpuint(statistics->python.self_ns, ==, 50);
    const TndFunctionUse *use = &g_array_index(statistics->python.most, TndFunctionUse, 0);
    g_assert_cmpint(use->value, ==, 7);
    g_assert_cmpuint(use->n_calls, ==, 3);
    g_assert_cmpuint(use->self_ns, ==, 40);
    g_assert_cmpuint(use->inclusive_ns, ==, 90);
    tnd_statistics_free(statistics);
    tnd_trace_free(trace);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/statistics/efficiencies", test_efficiencies);
    g_test_add_func("/statistics/efficiencies-of-the-run", test_efficiencies_of_the_run);
    g_test_add_func("/statistics/samples", test_samples);
    g_test_add_func("/statistics/messages", test_messages);
    g_test_add_func("/statistics/python", test_python);
    return g_test_run();
}
