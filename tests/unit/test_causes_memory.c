/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What causes are found by is not kept in ordinary memory where there is much of it: a trace of any length has its page
 * within the same memory.
 */
#include "analysis/base/large_memory.h"
#include "analysis/causes/replay.h"
#include "analysis/causes/wait_states.h"
#include "analysis/reports/critical_path.h"
#include "formats/event_types.h"
#include "tests/unit/make_trace.h"

#include <malloc.h>

#define P2P 50000001
#define COLLECTIVE 50000002
#define N_STEPS 100000
#define STEP 100
#define MOST_BYTES 4 /* of ordinary memory a step; a piece of the path or a group would be more */

enum { SEND = 1, RECEIVE = 2, ALLREDUCE = 10 };

static void add_call(TndTraceBuild *build, guint task, guint64 begin, guint64 end, guint32 type, gint64 value)
{
    add_event(build, task, begin, type, value);
    add_event(build, task, end, type, 0);
}

/* Two processes that send to each other in turn, so that the path changes the row each time. */
static void add_messages(TndTraceBuild *build, guint64 time, guint sender, guint other)
{
    add_call(build, other, time, time + 80, P2P, RECEIVE);
    add_call(build, sender, time + 40, time + 50, P2P, SEND);
    add_message(build, sender, other, time + 40, time + 80, 8);
}

static void add_collectives(TndTraceBuild *build, guint64 time, guint first, guint last)
{
    add_call(build, first, time, time + 80, COLLECTIVE, ALLREDUCE);
    add_call(build, last, time + 40, time + 80, COLLECTIVE, ALLREDUCE);
}

typedef void (*AddStep)(TndTraceBuild *build, guint64 time, guint one, guint other);

static TndTrace *make_steps(AddStep add, guint n)
{
    guint64 end = (guint64)(n + 1) * STEP;
    TndTraceBuild *build = make_trace(2, end, 1);
    for (guint task = 1; task <= 2; task++)
        add_state(build, task, 0, end, TND_STATE_RUNNING);
    for (guint i = 0; i < n; i++)
        add(build, (guint64)(i + 1) * STEP, 1 + i % 2, 2 - i % 2);
    return tnd_trace_build_finish(build, NULL, NULL);
}

static gsize used_bytes(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/* The ordinary memory that is used when all is found. */
static gsize bytes_of(const TndTrace *trace, guint n)
{
    gsize before = used_bytes();
    TndSyncOps *ops = tnd_sync_ops_new(trace, NULL, NULL, NULL);
    TndReplay *ideal = tnd_replay_new(ops, &tnd_replay_ideal, NULL, NULL, NULL);
    TndWaitStates *states = tnd_wait_states_new(ops, NULL, NULL, NULL);
    TndCriticalPath *path = tnd_critical_path_new(states);
    gsize used = used_bytes();
    g_assert_cmpuint(tnd_wait_states_all(states).n, ==, n);
    g_assert_cmpuint(path->n_pieces, >=, n);
    tnd_critical_path_free(path);
    tnd_wait_states_free(states);
    tnd_replay_free(ideal);
    tnd_sync_ops_free(ops);
    return used > before ? used - before : 0;
}

static void test_steps(gconstpointer add)
{
    TndTrace *few = make_steps(*(const AddStep *)add, 10), *many = make_steps(*(const AddStep *)add, N_STEPS);
    (void)bytes_of(few, 10); /* tables that are made once */
    gsize of_few = bytes_of(few, 10), of_many = bytes_of(many, N_STEPS);
    g_test_message("%zu bytes for 10 steps, %zu for %d", of_few, of_many, N_STEPS);
    g_assert_cmpuint(of_many, <, of_few + (gsize)MOST_BYTES * N_STEPS);
    tnd_trace_free(few);
    tnd_trace_free(many);
}

int main(int argc, char **argv)
{
    static const AddStep messages = add_messages, collectives = add_collectives;
    g_test_init(&argc, &argv, NULL);
    tnd_large_memory_limit = 0;
    g_test_add_data_func("/causes-memory/messages", &messages, test_steps);
    g_test_add_data_func("/causes-memory/collectives", &collectives, test_steps);
    return g_test_run();
}
