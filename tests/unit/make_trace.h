/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Traces for tests, made by calling the builder as a reader would.
 */
#ifndef TND_TEST_MAKE_TRACE_H
#define TND_TEST_MAKE_TRACE_H

#include "analysis/trace/trace_build.h"

/* One application of n_tasks tasks with n_threads threads each, on one node. */
static inline TndTraceBuild *make_trace_of(guint n_tasks, guint n_threads, guint64 end_time, guint32 unit_ns)
{
    struct tnd_prv_task *tasks = g_new0(struct tnd_prv_task, n_tasks);
    for (guint i = 0; i < n_tasks; i++)
        tasks[i] = (struct tnd_prv_task){.n_threads = n_threads, .node = 1};
    guint32 n_cpus = n_tasks * n_threads;
    struct tnd_prv_application application = {.n_tasks = n_tasks, .tasks = tasks};
    struct tnd_prv_header header = {.end_time = end_time,
                                    .unit_ns = unit_ns,
                                    .n_nodes = 1,
                                    .n_cpus = &n_cpus,
                                    .n_applications = 1,
                                    .applications = &application};
    TndTraceBuild *build = tnd_trace_build_new("made/made.prv.gz", FALSE);
    g_assert_true(tnd_trace_build_visitor.header(build, &header));
    g_free(tasks);
    return build;
}

static inline TndTraceBuild *make_trace(guint n_tasks, guint64 end_time, guint32 unit_ns)
{
    return make_trace_of(n_tasks, 1, end_time, unit_ns);
}

static inline void add_state(TndTraceBuild *build, guint task, guint64 begin, guint64 end, guint32 state)
{
    struct tnd_prv_state record = {.at = {0, 1, task, 1}, .begin = begin, .end = end, .state = state};
    g_assert_true(tnd_trace_build_visitor.state(build, &record));
}

static inline void add_event(TndTraceBuild *build, guint task, guint64 time, guint32 type, gint64 value)
{
    struct tnd_prv_pair pair = {type, value};
    struct tnd_prv_event record = {.at = {0, 1, task, 1}, .time = time, .n_pairs = 1, .pairs = &pair};
    g_assert_true(tnd_trace_build_visitor.event(build, &record));
}

static inline void add_message(TndTraceBuild *build, guint from, guint to, guint64 send, guint64 receive, gint64 size)
{
    struct tnd_prv_message record = {.sender = {0, 1, from, 1},
                                     .receiver = {0, 1, to, 1},
                                     .logical_send = send,
                                     .physical_send = send,
                                     .logical_receive = receive,
                                     .physical_receive = receive,
                                     .size_bytes = size,
                                     .tag = 7};
    g_assert_true(tnd_trace_build_visitor.message(build, &record));
}

#endif
