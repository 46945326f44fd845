/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The records of a burst as text: those nearest to a moment, none of other bursts or threads, with names and numbers.
 */
#include "tests/unit/make_trace.h"
#include "viewer/burst_records.h"

enum { N = 300, END_NS = 100000 };

/* Task 1 has a burst from 10000 to 50000 with an event each 100 ns;two tasks of two threads. */
static TndTrace *make_records(void)
{
    TndTraceBuild *build = make_trace_of(2, 2, END_NS, 1);
    add_state(build, 1, 0, 10000, 1);
    add_state(build, 1, 10000, 50000, 7);
    add_state(build, 1, 50000, END_NS, 1);
    for (guint i = 0; i < N; i++)
        add_event(build, 1, 10000 + i * 100, 77, i);
    add_event(build, 1, 9999, 77, 1000);
    add_event(build, 1, 50000, 77, 1001);
    add_event(build, 2, 20000, 77, 1002);
    return tnd_trace_build_finish(build, NULL, NULL);
}

static void check(const TndBurstRecords *records, guint n, guint64 n_before, guint64 n_after, const char *first,
                  const char *here, const char *last)
{
    g_assert_cmpuint(records->lines->len, ==, n);
    g_assert_cmpuint(records->n_before, ==, n_before);
    g_assert_cmpuint(records->n_after, ==, n_after);
    g_assert_cmpstr(records->lines->pdata[0], ==, first);
    g_assert_cmpstr(records->lines->pdata[records->here], ==, here);
    g_assert_cmpstr(records->lines->pdata[n - 1], ==, last);
}

static void test_nearest(void)
{
    TndTrace *trace = make_records();
    TndView *view = tnd_view_new(trace, "state", NULL);
    TndBurst burst;
    g_assert_true(tnd_view_burst_at(view, 0, 25050, &burst));
    TndBurstRecords records = tnd_burst_records_new(view, 0, &burst, 25050); /* after the 151st event */
    check(&records, 120, 151 + 1 - 40, N - 151 - 80, "21.1 us  event (77): 111", "25 us  event (77): 150",
          "33 us  event (77): 230");
    tnd_burst_records_clear(&records);
    records = tnd_burst_records_new(view, 0, &burst, 10000);
    check(&records, 2 + 80, 0, N - 1 - 80, "10 us  state Scheduling and Fork/Join (7), lasts 40 us",
          "10 us  event (77): 0", "18 us  event (77): 80");
    tnd_burst_records_clear(&records);
    tnd_view_free(view);
    tnd_trace_free(trace);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/burst-records/nearest", test_nearest);
    return g_test_run();
}
