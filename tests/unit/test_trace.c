/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a loaded trace holds: order, units, ends, names; and what it refuses.
 */
#include "analysis/trace/walk.h"
#include "tests/unit/make_trace.h"

static void test_sorts_by_time(void)
{
    TndTraceBuild *build = make_trace(2, 100, 1);
    add_event(build, 1, 30, 5, 1);
    add_event(build, 1, 10, 5, 2);
    add_event(build, 1, 30, 5, 3);
    add_event(build, 1, 10, 6, 4);
    add_state(build, 2, 50, 60, 1);
    add_state(build, 2, 0, 50, 3);
    add_message(build, 1, 2, 40, 45, 8);
    add_message(build, 2, 1, 20, 25, 16);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    const TndThread *first = tnd_trace_thread(trace, 0), *second = tnd_trace_thread(trace, 1);
    static const gint64 values[] = {2, 4, 1, 3}; /* equal times stay as they came */
    g_assert_cmpuint(first->n_events, ==, 4);
    TndRowRecords records;
    tnd_walk_all_events(trace, 0, &records);
    g_assert_cmpuint(records.n_events, ==, 4);
    for (guint i = 0; i < 4; i++)
        g_assert_cmpint(records.events[i].value, ==, values[i]);
    g_assert_cmpuint(second->n_states, ==, 2);
    tnd_walk_all_states(trace, 1, &records);
    g_assert_cmpuint(records.states[0].state, ==, 3);
    TndWalk walk = tnd_walk_messages(trace, 0, G_MAXUINT64);
    g_assert_cmpint(tnd_walk_next_message(&walk)->size_bytes, ==, 16);
    g_assert_cmpint(tnd_walk_next_message(&walk)->size_bytes, ==, 8);
    g_assert_null(tnd_walk_next_message(&walk));
    tnd_walk_end(&walk);
    g_free(records.events);
    g_free(records.states);
    g_assert_cmpuint(tnd_trace_n_events_of(trace, 5), ==, 3);
    g_assert_cmpuint(tnd_trace_n_events_of(trace, 7), ==, 0);
    tnd_trace_free(trace);
}

static void test_units_and_ends(void)
{
    TndTraceBuild *build = make_trace(1, 10, 1000);
    add_state(build, 1, 2, G_MAXUINT64, 1);
    add_state(build, 1, 4, 6, 3);
    add_state(build, 1, 12, G_MAXUINT64, 1);
    add_event(build, 1, 15, 5, 1);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndRowRecords records;
    tnd_walk_all_states(trace, 0, &records);
    g_assert_cmpuint(tnd_trace_end_ns(trace), ==, 15000);  /* later than the header says */
    g_assert_cmpuint(records.states[0].end_ns, ==, 4000);  /* an open state lasts until the next ... */
    g_assert_cmpuint(records.states[2].end_ns, ==, 15000); /* ... or to the end */
    g_free(records.states);
    tnd_trace_free(trace);
}

static void test_names(void)
{
    TndTraceBuild *build = make_trace(2, 10, 1);
    struct tnd_row *row = tnd_row_new();
    tnd_row_add(row, TND_ROW_THREAD, "solver");
    tnd_row_add(row, TND_ROW_NODE, "host\xff");
    TndTrace *trace = tnd_trace_build_finish(build, NULL, row);
    g_assert_cmpstr(tnd_trace_thread(trace, 0)->name, ==, "solver");
    g_assert_cmpstr(tnd_trace_thread(trace, 1)->name, ==, "THREAD 1.2.1");
    g_assert_cmpstr(tnd_trace_name(trace), ==, "made");
    g_assert_true(g_utf8_validate(tnd_trace_node_name(trace, 1), -1, NULL));
    g_assert_null(tnd_trace_node_name(trace, 2));
    g_assert_null(tnd_trace_thread(trace, 2));
    g_assert_cmpuint(tnd_trace_row(trace, 1, 2, 1), ==, 1);
    g_assert_cmpuint(tnd_trace_row(trace, 1, 3, 1), ==, G_MAXUINT);
    g_assert_cmpuint(tnd_trace_row(trace, 1, 0, 1), ==, G_MAXUINT);
    g_assert_cmpuint(tnd_trace_row(trace, 2, 1, 1), ==, G_MAXUINT);
    g_assert_cmpuint(tnd_trace_row(trace, 1, 2, 2), ==, G_MAXUINT);
    tnd_trace_free(trace);
}

static void test_strangers_are_counted(void)
{
    TndTraceBuild *build = make_trace(1, 10, 1);
    add_event(build, 2, 1, 5, 1);
    add_state(build, 0, 1, 2, 1);
    add_message(build, 1, 7, 1, 2, 3);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    g_assert_cmpuint(tnd_trace_n_faults(trace), ==, 3);
    g_assert_nonnull(tnd_trace_fault(trace));
    tnd_trace_free(trace);
}

static void test_refuses_a_mad_header(void)
{
    struct tnd_prv_task task = {.n_threads = 4000000000u, .node = 1};
    struct tnd_prv_application application = {.n_tasks = 1, .tasks = &task};
    struct tnd_prv_header header = {.unit_ns = 1, .n_applications = 1, .applications = &application};
    TndTraceBuild *build = tnd_trace_build_new("mad.prv", -1);
    g_assert_false(tnd_trace_build_visitor.header(build, &header));
    g_assert_nonnull(tnd_trace_build_refusal(build));
    tnd_trace_build_free(build);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/trace/sorts-by-time", test_sorts_by_time);
    g_test_add_func("/trace/units-and-ends", test_units_and_ends);
    g_test_add_func("/trace/names", test_names);
    g_test_add_func("/trace/strangers-are-counted", test_strangers_are_counted);
    g_test_add_func("/trace/refuses-a-mad-header", test_refuses_a_mad_header);
    return g_test_run();
}
