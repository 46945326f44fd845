/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first look: shares of time, calls, samples with and without weights, messages.
 */
#include "analysis/reports/statistics.h"
#include "tests/unit/make_trace.h"

#include <string.h>

#define SECOND G_GUINT64_CONSTANT(1000000000)

/* Two processes that wait for each other in a barrier. */
static void test_shares(void)
{
    TndTraceBuild *build = make_trace(2, 10, SECOND);
    for (guint task = 1; task <= 2; task++) {
        guint64 useful = task == 1 ? 8 : 4;
        add_state(build, task, 0, useful, 1);
        add_state(build, task, useful, 10, 13);
        add_event(build, task, useful, 50000002, 8);
        add_event(build, task, 10, 50000002, 0);
    }
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndStatistics *statistics = tnd_statistics_new(trace);
    g_assert_cmpuint(statistics->mpi_ns, ==, 8 * SECOND);
    g_assert_cmpuint(statistics->shares[1].mpi_ns, ==, 6 * SECOND);
    g_assert_cmpuint(statistics->shares[1].other_ns, ==, 0);
    g_assert_false(statistics->has_openmp);
    g_assert_cmpuint(statistics->calls->len, ==, 1);
    g_assert_cmpuint(g_array_index(statistics->calls, TndUser, 0).n, ==, 2);
    tnd_statistics_free(statistics);
    tnd_trace_free(trace);
}

/* A thread that waits 3 s for a region, runs its part for 4 s, waits 1 s at a barrier, and is blocked for 2 s. */
static void test_openmp(void)
{
    TndTraceBuild *build = make_trace(1, 10, SECOND);
    add_event(build, 1, 0, 92000023, 1);
    add_state(build, 1, 0, 3, 0);
    add_event(build, 1, 3, 92000023, 0);
    add_event(build, 1, 3, 60000018, 5);
    add_state(build, 1, 3, 7, 1);
    add_state(build, 1, 7, 8, 5);
    add_event(build, 1, 8, 60000018, 0);
    add_state(build, 1, 8, 10, 9);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndStatistics *statistics = tnd_statistics_new(trace);
    const TndShare *share = &statistics->shares[0];
    const TndUser *region = &g_array_index(statistics->regions, TndUser, 0);
    g_assert_true(statistics->has_openmp);
    g_assert_cmpuint(share->useful_ns, ==, 4 * SECOND);
    g_assert_cmpuint(share->openmp_ns, ==, 1 * SECOND);
    g_assert_cmpuint(share->pool_ns, ==, 3 * SECOND);
    g_assert_cmpuint(share->other_ns, ==, 2 * SECOND);
    g_assert_cmpuint(statistics->state_ns[9], ==, 2 * SECOND);
    g_assert_cmpuint(statistics->regions->len, ==, 1);
    g_assert_cmpuint(region->n, ==, 1);
    g_assert_cmpfloat(region->time_ns, ==, 5e9);
    tnd_statistics_free(statistics);
    tnd_trace_free(trace);
}

/* Parts of regions within others, the first of the same function as the one around it. */
static void test_nested_regions(void)
{
    static const int values[] = {5, 5, 6, 5, 6, 5, 0, 6, 0};
    TndTraceBuild *build = make_trace(1, 10, SECOND);
    add_state(build, 1, 0, 10, 1);
    for (guint64 i = 0; i < G_N_ELEMENTS(values); i++)
        add_event(build, 1, i, 60000018, values[i]);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndStatistics *statistics = tnd_statistics_new(trace);
    g_assert_cmpuint(statistics->regions->len, ==, 2);
    for (guint i = 0; i < 2; i++) {
        const TndUser *region = &g_array_index(statistics->regions, TndUser, i);
        g_assert_cmpuint(region->n, ==, region->value == 5 ? 2 : 3);
    }
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
    g_test_add_func("/statistics/shares", test_shares);
    g_test_add_func("/statistics/openmp", test_openmp);
    g_test_add_func("/statistics/nested-regions", test_nested_regions);
    g_test_add_func("/statistics/samples", test_samples);
    g_test_add_func("/statistics/messages", test_messages);
    g_test_add_func("/statistics/python", test_python);
    return g_test_run();
}
