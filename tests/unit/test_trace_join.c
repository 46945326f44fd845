/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two small traces whose functions are numbered otherwise become one; and the moments that they are aligned by.
 */
#include "analysis/causes/alignment.h"
#include "analysis/trace/row_labels.h"
#include "analysis/trace/trace_join.h"
#include "analysis/trace/walk.h"
#include "tests/unit/make_trace.h"

#include <gio/gio.h>

enum { FUNCTION = 60000019 };

/* Two tasks.  labels: of the values 1, 2, ... of FUNCTION. */
static TndTrace *make(const char *const *labels, guint64 event_ns, gint64 value)
{
    TndTraceBuild *build = make_trace(2, 100, 1);
    struct tnd_pcf *pcf = tnd_pcf_new();
    tnd_pcf_set_type(pcf, FUNCTION, "Function");
    for (guint i = 0; labels[i]; i++)
        tnd_pcf_set_value(pcf, FUNCTION, i + 1, labels[i]);
    add_state(build, 1, 10, 60, 1);
    add_state(build, 2, 20, 100, 1);
    add_event(build, 2, event_ns, FUNCTION, value);
    add_event(build, 2, event_ns + 5, FUNCTION, 0);
    add_message(build, 1, 2, 30, 40, 8);
    return tnd_trace_build_finish(build, pcf, NULL);
}

static TndTrace *join(guint64 delay_ns)
{
    static const char *const mine[] = {"main", "solve", "write", NULL}, *const other[] = {"main", "read", "solve",
                                                                                          NULL};
    TndTrace *traces[] = {make(mine, 50, 2), make(other, 30, 3)};
    const TndTraceJoinPart parts[2] = {{traces[0], 0}, {traces[1], delay_ns}};
    TndTrace *joined = tnd_trace_join(parts, "start", NULL, NULL, NULL);
    tnd_trace_free(traces[0]);
    tnd_trace_free(traces[1]);
    g_assert_nonnull(joined);
    return joined;
}

static void test_objects(void)
{
    TndTrace *trace = join(1000);
    g_assert_cmpuint(tnd_trace_n_threads(trace), ==, 4);
    g_assert_cmpuint(tnd_trace_header(trace)->n_applications, ==, 2);
    g_assert_cmpuint(tnd_trace_thread(trace, 3)->node, ==, 2);
    g_assert_cmpuint(tnd_levels_n_rows(trace, TND_LEVEL_CPU), ==, 4);
    g_assert_cmpuint(tnd_trace_end_ns(trace), ==, 1100);
    g_assert_cmpstr(tnd_trace_name(trace), ==, "made | made");
    g_assert_cmpstr(tnd_trace_beside(trace), ==, "made/made.prv.gz");
    g_assert_cmpstr(tnd_row_labels_get(trace, TND_LEVEL_THREAD, 3), ==, "made: THREAD 1.2.1");
    g_assert_cmpstr(tnd_row_labels_get(trace, TND_LEVEL_TASK, 0), ==, "made: TASK 1.1");
    tnd_trace_free(trace);
}

static void test_records(void)
{
    TndTrace *trace = join(1000);
    TndRowRecords records = {0};
    tnd_walk_all_states(trace, 3, &records);
    tnd_walk_all_events(trace, 3, &records);
    g_assert_cmpuint(records.n_states, ==, 1);
    g_assert_cmpuint(records.states[0].begin_ns, ==, 1020);
    g_assert_cmpuint(records.states[0].end_ns, ==, 1100);
    g_assert_cmpuint(records.n_events, ==, 2);
    g_assert_cmpuint(records.events[0].time_ns, ==, 1030);
    g_assert_cmpint(records.events[0].value, ==, 2); /* it was 3: "solve" */
    g_assert_cmpint(records.events[1].value, ==, 0);
    gsize n;
    TndMessage *messages = tnd_walk_all_messages(trace, &n);
    g_assert_cmpuint(n, ==, 2);
    g_assert_cmpuint(messages[1].sender, ==, 2);
    g_assert_cmpuint(messages[1].receiver, ==, 3);
    g_assert_cmpuint(messages[1].logical_receive_ns, ==, 1040);
    g_assert_cmpuint(tnd_trace_n_events_of(trace, FUNCTION), ==, 4);
    g_free(messages);
    g_free(records.states);
    g_free(records.events);
    tnd_trace_free(trace);
}

/* A label that only one of them has keeps a value of its own. */
static void test_labels(void)
{
    TndTrace *trace = join(0);
    static const char *const labels[] = {"main", "solve", "write", "read"};
    for (guint i = 0; i < G_N_ELEMENTS(labels); i++)
        g_assert_cmpstr(tnd_pcf_value_label(tnd_trace_pcf(trace), FUNCTION, i + 1), ==, labels[i]);
    tnd_trace_free(trace);
}

static gboolean cancel(double fraction, gpointer user_data)
{
    return FALSE;
}

static void test_cancel(void)
{
    static const char *const labels[] = {NULL};
    TndTrace *trace = make(labels, 50, 1);
    const TndTraceJoinPart parts[2] = {{trace, 0}, {trace, 0}};
    GError *error = NULL;
    g_assert_null(tnd_trace_join(parts, "start", cancel, NULL, &error));
    g_assert_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    g_error_free(error);
    tnd_trace_free(trace);
}

static void test_moments(void)
{
    static const char *const labels[] = {"main", "solve", NULL};
    static const struct {
        const char *alignment;
        guint64 time_ns;
        int fault; /* -1: none */
    } cases[] = {{"start", 10, -1},
                 {"60000019", 50, -1},
                 {"60000019:2", 50, -1},
                 {"60000019:solve", 50, -1},
                 {"60000019:0", 55, -1},
                 {"60000019:main", 0, G_IO_ERROR_NOT_SUPPORTED},
                 {"60000019:nobody", 0, G_IO_ERROR_NOT_SUPPORTED},
                 {"7", 0, G_IO_ERROR_NOT_SUPPORTED},
                 {"iteration", 0, G_IO_ERROR_NOT_SUPPORTED},
                 {"", 0, G_IO_ERROR_INVALID_ARGUMENT},
                 {"noon", 0, G_IO_ERROR_INVALID_ARGUMENT},
                 {"60000019:", 0, G_IO_ERROR_INVALID_ARGUMENT},
                 {"99999999999", 0, G_IO_ERROR_INVALID_ARGUMENT}};
    TndTrace *trace = make(labels, 50, 2);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        guint64 time_ns = 0;
        GError *error = NULL;
        g_test_message("%s", cases[i].alignment);
        const gboolean is_found = tnd_alignment_find(trace, cases[i].alignment, &time_ns, NULL, NULL, &error);
        g_assert_cmpint(is_found ? -1 : error->code, ==, cases[i].fault);
        if (is_found)
            g_assert_cmpuint(time_ns, ==, cases[i].time_ns);
        g_clear_error(&error);
    }
    tnd_trace_free(trace);
}

/* After some reading, two functions call each other's turn: the moment is when that begins. */
static void test_iteration(void)
{
    enum { READ = 1, SOLVE, WRITE, N = 30 };
    TndTraceBuild *build = make_trace(1, 10000, 1);
    struct tnd_pcf *pcf = tnd_pcf_new();
    guint64 time_ns = 0;
    add_state(build, 1, 0, 10000, 1);
    add_event(build, 1, 1000, FUNCTION, READ);
    add_event(build, 1, 3000, FUNCTION, 0);
    for (guint i = 0; i < N; i++) {
        add_event(build, 1, 3000 + 200 * i, FUNCTION, SOLVE);
        add_event(build, 1, 3090 + 200 * i, FUNCTION, 0);
        add_event(build, 1, 3100 + 200 * i, FUNCTION, WRITE);
        add_event(build, 1, 3190 + 200 * i, FUNCTION, 0);
    }
    TndTrace *trace = tnd_trace_build_finish(build, pcf, NULL);
    g_assert_true(tnd_alignment_find(trace, "iteration", &time_ns, NULL, NULL, NULL));
    g_assert_cmpuint(time_ns, ==, 3000);
    tnd_trace_free(trace);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/trace-join/objects", test_objects);
    g_test_add_func("/trace-join/records", test_records);
    g_test_add_func("/trace-join/labels", test_labels);
    g_test_add_func("/trace-join/cancel", test_cancel);
    g_test_add_func("/trace-join/moments", test_moments);
    g_test_add_func("/trace-join/iteration", test_iteration);
    return g_test_run();
}
