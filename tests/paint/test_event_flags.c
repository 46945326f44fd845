/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Flags are where the events of a view are: of its types, or all; and of none if there are too many.
 */
#include "tests/unit/make_trace.h"
#include "viewer/paint/event_flags.h"

enum { END_NS = 10000000, N_COLUMNS = 100, COLUMN_NS = END_NS / N_COLUMNS };

static TndTrace *make_events(guint n_many)
{
    TndTraceBuild *build = make_trace_of(2, 2, END_NS, 1);
    for (guint task = 1; task <= 2; task++)
        add_state(build, task, 0, END_NS, 1);
    add_event(build, 1, 5 * COLUMN_NS, 50000001, 1);
    add_event(build, 1, 5 * COLUMN_NS + 10, 50000001, 0);
    add_event(build, 1, 7 * COLUMN_NS + 10, 77, 1);
    add_event(build, 2, 99 * COLUMN_NS + 10, 50000001, 2);
    add_event(build, 2, END_NS, 50000001, 0);
    for (guint i = 0; i < n_many; i++)
        add_event(build, 1, i, 77, i);
    return tnd_trace_build_finish(build, NULL, NULL);
}

/* wanted: "line:column line:column" of the flags. */
static void check(TndView *view, guint64 begin_ns, guint64 end_ns, guint64 n, const char *wanted)
{
    TndEventFlags *flags = tnd_event_flags_new(view, NULL, begin_ns, end_ns, 0, tnd_view_n_rows(view) - 1, N_COLUMNS);
    GString *found = g_string_new(NULL);
    g_assert_cmpuint(flags->n, ==, n);
    for (guint i = 0; flags->are_there && i < flags->n_lines * N_COLUMNS; i++)
        if (flags->are_there[i])
            g_string_append_printf(found, "%s%u:%u", found->len ? " " : "", i / N_COLUMNS, i % N_COLUMNS);
    g_assert_cmpstr(found->str, ==, wanted);
    g_string_free(found, TRUE);
    tnd_event_flags_free(flags);
}

static void test_places(void)
{
    TndTrace *trace = make_events(0);
    TndView *calls = tnd_view_new(trace, "mpi-calls", NULL), *states = tnd_view_new(trace, "state", NULL);
    check(calls, 0, END_NS, 3, "0:5 2:99");
    check(states, 0, END_NS, 4, "0:5 0:7 2:99");
    check(states, 7 * COLUMN_NS, 8 * COLUMN_NS, 1, "0:0");
    check(calls, 7 * COLUMN_NS, 8 * COLUMN_NS, 0, "");
    tnd_view_free(states);
    tnd_view_free(calls);
    tnd_trace_free(trace);
}

static void test_too_many(void)
{
    TndTrace *trace = make_events(TND_EVENT_FLAGS_MOST);
    TndView *calls = tnd_view_new(trace, "mpi-calls", NULL), *states = tnd_view_new(trace, "state", NULL);
    TndEventFlags *flags = tnd_event_flags_new(states, NULL, 0, END_NS, 0, 3, N_COLUMNS);
    g_assert_null(flags->are_there);
    g_assert_cmpuint(flags->n, >=, TND_EVENT_FLAGS_MOST);
    tnd_event_flags_free(flags);
    check(calls, 0, END_NS, 3, "0:5 2:99"); /* of its types there are few */
    tnd_view_free(states);
    tnd_view_free(calls);
    tnd_trace_free(trace);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/event-flags/places", test_places);
    g_test_add_func("/event-flags/too-many", test_too_many);
    return g_test_run();
}
