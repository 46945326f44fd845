/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Efficiencies of examples that are worked out by hand: load balance, communication, serialisation and transfer; the
 * model of MPI and OpenMP; what is lost adds up; runs with more processes.
 */
#include "analysis/causes/efficiency.h"
#include "tests/unit/make_trace.h"

#define SECOND G_GUINT64_CONSTANT(1000000000)
#define P2P 50000001
#define OTHER 50000003

enum { SEND = 1, RECEIVE = 2, INIT = 31, FINALIZE = 32, TEST = 39 };

static void assert_adds_up(const TndEfficiencyLosses *lost, double parallel)
{
    double sum = lost->load_balance + lost->stopped + lost->serialisation + lost->transfer + lost->openmp + parallel;
    g_assert_cmpfloat_with_epsilon(sum, 1, 1e-12);
}

static TndEfficiency efficiency_of(TndTrace *trace, gboolean with_ideal, guint64 begin_s, guint64 end_s,
                                   gboolean is_mpi)
{
    TndSyncOps *ops = tnd_sync_ops_new(trace, NULL, NULL, NULL);
    TndReplay *ideal = with_ideal ? tnd_replay_new(ops, &tnd_replay_ideal, NULL, NULL, NULL) : NULL;
    TndEfficiency efficiency = tnd_efficiency_of(ops, ideal, begin_s * SECOND, end_s * SECOND, is_mpi);
    tnd_replay_free(ideal);
    tnd_sync_ops_free(ops);
    return efficiency;
}

/* Two processes, 10 s, useful for 8 s and 4 s: load balance 6/8, communication 8/10, parallel 12/20.  A message takes a
 * second, without which they would need 9 s: serialisation 8/9, transfer 9/10. */
static void test_ideal(void)
{
    TndTraceBuild *build = make_trace(2, 10, SECOND);
    add_state(build, 1, 0, 8, 1);
    add_event(build, 1, 6, P2P, SEND);
    add_event(build, 1, 6, P2P, 0);
    add_state(build, 2, 0, 1, 1);
    add_state(build, 2, 1, 7, 3);
    add_state(build, 2, 7, 10, 1);
    add_event(build, 2, 1, P2P, RECEIVE);
    add_event(build, 2, 7, P2P, 0);
    struct tnd_prv_message message = {.sender = {0, 1, 1, 1},
                                      .receiver = {0, 1, 2, 1},
                                      .logical_send = 6,
                                      .physical_send = 6,
                                      .logical_receive = 1,
                                      .physical_receive = 7};
    g_assert_true(tnd_trace_build_visitor.message(build, &message));
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndEfficiency without = efficiency_of(trace, FALSE, 0, 10, FALSE), with = efficiency_of(trace, TRUE, 0, 10, FALSE);
    g_assert_cmpfloat_with_epsilon(without.processes.load_balance, 0.75, 1e-12);
    g_assert_cmpfloat_with_epsilon(without.processes.communication, 0.80, 1e-12);
    g_assert_cmpfloat_with_epsilon(without.processes.parallel, 0.60, 1e-12);
    g_assert_cmpfloat(without.processes.transfer, ==, 0);
    assert_adds_up(&without.lost, without.processes.parallel);
    g_assert_cmpfloat_with_epsilon(with.processes.running, 1, 1e-12);
    g_assert_cmpfloat_with_epsilon(with.processes.serialisation, 8.0 / 9, 1e-12);
    g_assert_cmpfloat_with_epsilon(with.processes.transfer, 0.9, 1e-12);
    g_assert_cmpfloat_with_epsilon(with.lost.load_balance, 0.2, 1e-12);
    g_assert_cmpfloat_with_epsilon(with.lost.serialisation, 0.1, 1e-12);
    g_assert_cmpfloat_with_epsilon(with.lost.transfer, 0.1, 1e-12);
    assert_adds_up(&with.lost, with.processes.parallel);
    g_assert_false(with.has_openmp);
    tnd_trace_free(trace);
}

/* A process that computes for 3 s, is stopped for 6 s, computes for 1 s, and is in MPI for 2 s of 12: nobody waits for
 * anybody.  Another one ends after 4 s: what comes then is not time outside of MPI. */
static void test_stopped(void)
{
    TndTraceBuild *build = make_trace(2, 12, SECOND);
    add_state(build, 1, 0, 3, 1);
    add_state(build, 1, 3, 9, 35);
    add_event(build, 1, 9, P2P, SEND);
    add_state(build, 1, 9, 11, 4);
    add_event(build, 1, 11, P2P, 0);
    add_state(build, 1, 11, 12, 1);
    add_state(build, 2, 0, 4, 1);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndEfficiency of = efficiency_of(trace, TRUE, 0, 12, FALSE);
    g_assert_cmpfloat_with_epsilon(of.processes.communication, 4.0 / 12, 1e-12);
    g_assert_cmpfloat_with_epsilon(of.processes.running, 4.0 / 10, 1e-12);
    g_assert_cmpfloat_with_epsilon(of.processes.serialisation, 1, 1e-12);
    g_assert_cmpfloat_with_epsilon(of.processes.transfer, 10.0 / 12, 1e-12);
    g_assert_cmpfloat_with_epsilon(of.lost.stopped, 6.0 / 12, 1e-12);
    assert_adds_up(&of.lost, of.processes.parallel);
    tnd_trace_free(trace);
}

/* Asking for 5 of 10 s whether a request is complete is time in MPI, which an ideal network does not need. */
static void test_polls(void)
{
    TndTraceBuild *build = make_trace(1, 10, SECOND);
    add_state(build, 1, 0, 4, 1);
    add_event(build, 1, 4, OTHER, TEST);
    add_event(build, 1, 9, OTHER, 0);
    add_state(build, 1, 9, 10, 1);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndEfficiency of = efficiency_of(trace, TRUE, 0, 10, FALSE);
    g_assert_cmpfloat_with_epsilon(of.processes.serialisation, 1, 1e-12);
    g_assert_cmpfloat_with_epsilon(of.processes.transfer, 0.5, 1e-12);
    tnd_trace_free(trace);
}

/* Two processes and one that is none of MPI's, 20 s.  MPI_Init ends after 6 and 7 s, MPI_Finalize begins after 17 and
 * 18; within these 10 s they are useful for 8 and 4.  What they compute before and after does not count. */
static void test_run(void)
{
    TndTraceBuild *build = make_trace(3, 20, SECOND);
    for (guint task = 1; task <= 2; task++) {
        guint64 begin = 5 + task, useful = task == 1 ? 15 : 11, end = 16 + task;
        add_state(build, task, 0, 1, 1);
        add_state(build, task, 1, begin, 9);
        add_state(build, task, begin, useful, 1);
        add_state(build, task, useful, end, 9);
        add_state(build, task, end, 20, 1);
        add_event(build, task, 1, OTHER, INIT);
        add_event(build, task, begin, OTHER, 0);
        add_event(build, task, end, OTHER, FINALIZE);
        add_event(build, task, 20, OTHER, 0);
    }
    add_state(build, 3, 0, 20, 1);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndSyncOps *ops = tnd_sync_ops_new(trace, NULL, NULL, NULL);
    guint64 begin_ns, end_ns;
    g_assert_true(tnd_sync_ops_run(ops, &begin_ns, &end_ns));
    g_assert_cmpuint(begin_ns, ==, 7 * SECOND);
    g_assert_cmpuint(end_ns, ==, 17 * SECOND);
    tnd_sync_ops_free(ops);
    TndEfficiency run = efficiency_of(trace, TRUE, 7, 17, TRUE), whole = efficiency_of(trace, TRUE, 0, 20, FALSE);
    g_assert_cmpuint(run.n_processes, ==, 2);
    g_assert_cmpfloat_with_epsilon(run.processes.load_balance, 0.75, 1e-12);
    g_assert_cmpfloat_with_epsilon(run.processes.communication, 0.80, 1e-12);
    g_assert_cmpfloat_with_epsilon(run.processes.parallel, 0.60, 1e-12);
    assert_adds_up(&run.lost, run.processes.parallel);
    g_assert_cmpuint(whole.n_processes, ==, 3);
    tnd_trace_free(trace);
}

static void add_thread_state(TndTraceBuild *build, guint task, guint thread, guint64 begin, guint64 end, guint32 state)
{
    struct tnd_prv_state record = {.at = {0, 1, task, thread}, .begin = begin, .end = end, .state = state};
    g_assert_true(tnd_trace_build_visitor.state(build, &record));
}

static void add_thread_event(TndTraceBuild *build, guint task, guint thread, guint64 time, guint32 type, gint64 value)
{
    struct tnd_prv_pair pair = {type, value};
    struct tnd_prv_event record = {.at = {0, 1, task, thread}, .time = time, .n_pairs = 1, .pairs = &pair};
    g_assert_true(tnd_trace_build_visitor.event(build, &record));
}

/* Two processes of two threads, 10 s.  Outside of MPI the first threads are for 9 and 6 s; useful are the threads for 8
 * and 4, and for 5 and 3 s: of MPI 7.5/10 (balance 7.5/9, communication 9/10), of all 20/40 (balance 5/8, communication
 * 8/10), of OpenMP what is left. */
static void test_hybrid(void)
{
    static const guint64 outside[] = {9, 6}, useful[2][2] = {{8, 4}, {5, 3}};
    TndTraceBuild *build = make_trace_of(2, 2, 10, SECOND);
    for (guint task = 1; task <= 2; task++) {
        for (guint thread = 1; thread <= 2; thread++) {
            add_thread_state(build, task, thread, 0, useful[task - 1][thread - 1], 1);
            add_thread_state(build, task, thread, useful[task - 1][thread - 1], 10, 5);
        }
        add_thread_event(build, task, 1, outside[task - 1], P2P, RECEIVE);
        add_thread_event(build, task, 1, 10, P2P, 0);
        add_thread_event(build, task, 2, useful[task - 1][1], 92000023, 1);
        add_thread_event(build, task, 2, 10, 92000023, 0);
    }
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndEfficiency efficiency = efficiency_of(trace, FALSE, 0, 10, FALSE);
    g_assert_true(efficiency.has_openmp);
    g_assert_cmpuint(efficiency.n_threads, ==, 4);
    g_assert_cmpfloat_with_epsilon(efficiency.hybrid.parallel, 0.5, 1e-12);
    g_assert_cmpfloat_with_epsilon(efficiency.hybrid.load_balance, 5.0 / 8, 1e-12);
    g_assert_cmpfloat_with_epsilon(efficiency.hybrid.communication, 0.8, 1e-12);
    g_assert_cmpfloat_with_epsilon(efficiency.mpi.parallel, 0.75, 1e-12);
    g_assert_cmpfloat_with_epsilon(efficiency.mpi.load_balance, 7.5 / 9, 1e-12);
    g_assert_cmpfloat_with_epsilon(efficiency.mpi.communication, 0.9, 1e-12);
    g_assert_cmpfloat_with_epsilon(efficiency.openmp.parallel, 0.5 / 0.75, 1e-12);
    g_assert_cmpfloat_with_epsilon(efficiency.openmp.load_balance, 0.625 / (7.5 / 9), 1e-12);
    g_assert_cmpfloat_with_epsilon(efficiency.openmp.communication, 8.0 / 9, 1e-12);
    g_assert_cmpfloat_with_epsilon(efficiency.openmp.load_balance * efficiency.openmp.communication,
                                   efficiency.openmp.parallel, 1e-12);
    g_assert_cmpfloat_with_epsilon(efficiency.hybrid_lost.openmp, 0.25, 1e-12);
    assert_adds_up(&efficiency.hybrid_lost, efficiency.hybrid.parallel);
    tnd_trace_free(trace);
}

/* A counter's value is of the time since the one before: 100 of 10 s of which 4 are useful, then 50 of 5 useful ones.
 */
static void test_counters(void)
{
    TndTraceBuild *build = make_trace(1, 20, SECOND);
    add_state(build, 1, 0, 4, 1);
    add_state(build, 1, 4, 10, 9);
    add_state(build, 1, 10, 15, 1);
    add_event(build, 1, 10, 42000050, 100);
    add_event(build, 1, 10, 42000059, 200);
    add_event(build, 1, 15, 42000050, 50);
    add_event(build, 1, 15, 42000059, 60);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndEfficiency efficiency = efficiency_of(trace, FALSE, 0, 20, FALSE);
    g_assert_cmpfloat_with_epsilon(efficiency.instructions, 90, 1e-9);
    g_assert_cmpfloat_with_epsilon(efficiency.cycles, 140, 1e-9);
    tnd_trace_free(trace);
}

/* Scalabilities multiply; the work is the same if the instructions are, and grows if they do. */
static void test_scaling(void)
{
    TndEfficiency runs[] = {{.end_ns = 100, .n_threads = 2, .useful_ns = 160, .instructions = 1000, .cycles = 800},
                            {.end_ns = 60, .n_threads = 4, .useful_ns = 200, .instructions = 1100, .cycles = 1100}};
    TndScaling scalings[2];
    runs[1].processes.parallel = 0.5;
    tnd_efficiency_scale(runs, 2, scalings);
    g_assert_false(scalings[1].is_weak);
    g_assert_cmpfloat_with_epsilon(scalings[0].computation, 1, 1e-12);
    g_assert_cmpfloat_with_epsilon(scalings[1].computation, 0.8, 1e-12);
    g_assert_cmpfloat_with_epsilon(scalings[1].global, 0.4, 1e-12);
    g_assert_cmpfloat_with_epsilon(scalings[1].speedup, 100.0 / 60, 1e-12);
    g_assert_cmpfloat_with_epsilon(scalings[1].instructions * scalings[1].ipc * scalings[1].frequency,
                                   scalings[1].computation, 1e-12);
    runs[1].instructions = 1900;
    tnd_efficiency_scale(runs, 2, scalings);
    g_assert_true(scalings[1].is_weak);
    g_assert_cmpfloat_with_epsilon(scalings[1].computation, 1.6, 1e-12);
    g_assert_cmpfloat_with_epsilon(scalings[1].instructions * scalings[1].ipc * scalings[1].frequency,
                                   scalings[1].computation, 1e-12);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/efficiency/ideal", test_ideal);
    g_test_add_func("/efficiency/stopped", test_stopped);
    g_test_add_func("/efficiency/polls", test_polls);
    g_test_add_func("/efficiency/run", test_run);
    g_test_add_func("/efficiency/hybrid", test_hybrid);
    g_test_add_func("/efficiency/counters", test_counters);
    g_test_add_func("/efficiency/scaling", test_scaling);
    return g_test_run();
}
