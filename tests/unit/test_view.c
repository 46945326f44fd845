/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Views: bursts as Paraver makes them, and what is drawn of them against a look at every nanosecond of random traces.
 */
#include "analysis/views/view.h"
#include "tests/unit/all_bursts.h"
#include "tests/unit/make_trace.h"

#include <math.h>
#include <string.h>

/* NaN: outside the trace. */
static double value_at(TndView *view, guint row, guint64 time_ns)
{
    TndBurst burst;
    return tnd_view_burst_at(view, row, time_ns, &burst) ? burst.value : NAN;
}

static void check_bursts(TndView *view, guint row, const TndBurst *expected, gsize n)
{
    GArray *bursts = all_bursts(view, row);
    g_assert_cmpuint(bursts->len, ==, n);
    for (guint i = 0; i < n; i++) {
        g_assert_cmpuint(BURST(bursts, i).begin_ns, ==, expected[i].begin_ns);
        g_assert_cmpuint(BURST(bursts, i).end_ns, ==, expected[i].end_ns);
        g_assert_cmpfloat(BURST(bursts, i).value, ==, expected[i].value);
    }
    g_array_unref(bursts);
}
#define CHECK_BURSTS(view, row, ...)                                                                                   \
    check_bursts(view, row, (const TndBurst[]){__VA_ARGS__}, G_N_ELEMENTS(((const TndBurst[]){__VA_ARGS__})))

/* What Paraver prints for the same records: gaps, states of no length, states within states. */
static TndTrace *odd_trace(void)
{
    TndTraceBuild *build = make_trace(4, 200, 1);
    add_state(build, 1, 0, 50, 1);
    add_state(build, 1, 50, 50, 5);
    add_state(build, 1, 80, 100, 2);
    add_event(build, 1, 60, 7, 3);
    add_state(build, 2, 0, 60, 1);
    add_state(build, 2, 20, 30, 5);
    add_state(build, 2, 25, 30, 6);
    add_event(build, 2, 0, 7, 3);
    add_event(build, 2, 10, 7, 4);
    add_event(build, 2, 10, 7, 5);
    add_event(build, 2, 200, 7, 9);
    add_state(build, 3, 10, 20, 1);
    add_state(build, 3, 40, 200, 1);
    return tnd_trace_build_finish(build, NULL, NULL);
}

static void test_states(void)
{
    TndTrace *trace = odd_trace();
    TndView *view = tnd_view_new(trace, "state", NULL);
    CHECK_BURSTS(view, 0, {0, 50, 1}, {50, 50, 5}, {50, 80, 0}, {80, 100, 2}, {100, 200, 0});
    CHECK_BURSTS(view, 1, {0, 20, 1}, {20, 25, 5}, {25, 30, 6}, {30, 30, 0}, {30, 60, 0}, {60, 200, 0});
    CHECK_BURSTS(view, 2, {0, 10, 0}, {10, 20, 1}, {20, 40, 0}, {40, 200, 1});
    CHECK_BURSTS(view, 3, {0, 200, 0});
    tnd_view_free(view);
    tnd_trace_free(trace);
}

static void test_useful_duration(void)
{
    TndTrace *trace = odd_trace();
    TndView *view = tnd_view_new(trace, "useful-duration", NULL);
    CHECK_BURSTS(view, 0, {0, 50, 50}, {50, 50, 0}, {50, 80, 0}, {80, 100, 0}, {100, 200, 0});
    CHECK_BURSTS(view, 1, {0, 20, 60}, {20, 25, 0}, {25, 30, 0}, {30, 30, 0}, {30, 60, 0}, {60, 200, 0});
    CHECK_BURSTS(view, 2, {0, 10, 0}, {10, 20, 10}, {20, 40, 0}, {40, 200, 160});
    double minimum, maximum;
    g_assert_true(tnd_view_range(view, 0, 200, &minimum, &maximum));
    g_assert_cmpfloat(minimum, ==, 10);
    g_assert_cmpfloat(maximum, ==, 160);
    g_assert_true(tnd_view_range(view, 10, 40, &minimum, &maximum));
    g_assert_cmpfloat(maximum, ==, 60);
    g_assert_false(tnd_view_range(view, 200, 300, &minimum, &maximum));
    tnd_view_free(view);
    tnd_trace_free(trace);
}

static void test_events(void)
{
    TndTrace *trace = odd_trace();
    TndView *view = tnd_view_new(trace, "user-events:7", NULL);
    CHECK_BURSTS(view, 0, {0, 60, 0}, {60, 200, 3});
    CHECK_BURSTS(view, 1, {0, 10, 3}, {10, 10, 4}, {10, 200, 5});
    CHECK_BURSTS(view, 2, {0, 200, 0});
    g_assert_cmpfloat(value_at(view, 1, 10), ==, 5); /* the last one at a moment holds */
    g_assert_cmpfloat(value_at(view, 1, 9), ==, 3);
    g_assert_true(isnan(value_at(view, 1, 200)));
    tnd_view_free(view);
    view = tnd_view_new(trace, "user-events", NULL); /* the same: it is the only type of the program's own */
    CHECK_BURSTS(view, 0, {0, 60, 0}, {60, 200, 3});
    tnd_view_free(view);
    tnd_trace_free(trace);
}

/* How many are in state 1, from the same bursts as the states' view; on every row. */
static void test_parallelism(void)
{
    TndTrace *trace = odd_trace();
    TndView *view = tnd_view_new(trace, "parallelism", NULL);
    for (guint row = 0; row < 4; row++)
        CHECK_BURSTS(view, row, {0, 10, 2}, {10, 20, 3}, {20, 40, 1}, {40, 50, 2}, {50, 200, 1});
    tnd_view_free(view);
    tnd_trace_free(trace);
    trace = tnd_trace_build_finish(make_trace(1, 200, 1), NULL, NULL);
    view = tnd_view_new(trace, "parallelism", NULL);
    CHECK_BURSTS(view, 0, {0, 200, 0});
    tnd_view_free(view);
    tnd_trace_free(trace);
}

/* A lock that is held is no wait; of two waits the later one counts, and the earlier again when that is over; none
 * while a task runs. */
static void test_openmp_sync(void)
{
    TndTraceBuild *build = make_trace(1, 200, 1);
    const guint64 events[][3] = {{10, 60000005, 1},   {20, 60000007, 3},  {30, 60000007, 6},  {40, 60000007, 5},
                                 {45, 60000007, 0},   {50, 60000005, 0},  {60, 60000025, 1},  {70, 60000025, 0},
                                 {80, 60000025, 2},   {90, 60000025, 0},  {100, 60000016, 2}, {110, 60000016, 0},
                                 {120, 60000018, 77}, {130, 60000022, 1}, {140, 60000023, 5}, {150, 60000023, 0},
                                 {160, 60000022, 0}};
    for (guint i = 0; i < G_N_ELEMENTS(events); i++)
        add_event(build, 1, events[i][0], (guint32)events[i][1], (gint64)events[i][2]);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndView *view = tnd_view_new(trace, "openmp-sync", NULL);
    static const char *const expected = "0 Outside, 10 Barrier, 20 Lock, 30 Barrier, 50 Outside, 80 End of taskgroup, "
                                        "90 Outside, 100 Join, 110 Outside, "
                                        "130 Taskwait, 140 Outside, 150 Taskwait, 160 Outside";
    GString *found = g_string_new(NULL);
    GArray *bursts = all_bursts(view, 0);
    for (guint i = 0; i < bursts->len; i++) {
        const TndBurst *burst = &BURST(bursts, i);
        char *text = tnd_view_value_text(view, burst->value);
        if (i == 0 || burst->value != burst[-1].value)
            g_string_append_printf(found, "%s%" G_GUINT64_FORMAT " %s", i ? ", " : "", burst->begin_ns, text);
        g_free(text);
    }
    g_array_unref(bursts);
    g_assert_cmpstr(found->str, ==, expected);
    g_string_free(found, TRUE);
    tnd_view_free(view);
    tnd_trace_free(trace);
}

static void test_names(void)
{
    TndTrace *trace = odd_trace();
    static const char *const wrong[] = {"states",
                                        "stat",
                                        "",
                                        ":",
                                        "state:1",
                                        "user-events:",
                                        "user-events:x",
                                        "user-events:1,",
                                        "user-events:4294967296"};
    for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
        GError *error = NULL;
        g_assert_null(tnd_view_new(trace, wrong[i], &error));
        g_assert_nonnull(error);
        g_error_free(error);
    }
    const TndViewRule *const *rules = tnd_view_rules();
    guint n_available = 0;
    for (guint i = 0; rules[i]; i++) {
        TndView *view = tnd_view_new(trace, rules[i]->name, NULL);
        gboolean is_available = tnd_view_available(trace, rules[i]);
        g_assert_true(view || !is_available); /* what names counters needs a trace with them */
        if (view)
            g_assert_cmpstr(tnd_view_rule(view)->name, ==, rules[i]->name);
        n_available += is_available;
        tnd_view_free(view);
    }
    g_assert_cmpuint(n_available, ==, 5); /* no MPI, no OpenMP, no samples */
    tnd_trace_free(trace);
}

static void check_text(const TndView *view, double value, const char *expected)
{
    char *text = tnd_view_value_text(view, value);
    g_assert_cmpstr(text, ==, expected);
    g_free(text);
}

static void test_text(void)
{
    TndTraceBuild *build = make_trace(1, 200, 1);
    add_event(build, 1, 10, 50000001, 4);
    struct tnd_pcf *pcf = tnd_pcf_new();
    tnd_pcf_set_type(pcf, 50000001, "MPI Point-to-point");
    tnd_pcf_set_value(pcf, 50000001, 4, "MPI_Irecv");
    TndTrace *trace = tnd_trace_build_finish(build, pcf, NULL);
    TndView *view = tnd_view_new(trace, "mpi-calls", NULL);
    check_text(view, 4, "MPI_Irecv");
    check_text(view, 0, "Outside MPI"); /* the .pcf does not say, but the numbers are known */
    check_text(view, 1234567, "Value 1,234,567");
    tnd_view_free(view);
    view = tnd_view_new(trace, "state", NULL);
    check_text(view, 1, "Running");
    check_text(view, 4242, "State 4,242");
    tnd_view_free(view);
    view = tnd_view_new(trace, "useful-duration", NULL);
    check_text(view, 12500000, "12.5 ms");
    check_text(view, 999, "999 ns");
    check_text(view, 0, "0 ns");
    check_text(view, 1234567890123.0, "1,235 s");
    tnd_view_free(view);
    view = tnd_view_new(trace, "user-events:12", NULL);
    check_text(view, -1234567, "-1,234,567");
    check_text(view, 0, "0");
    tnd_view_free(view);
    tnd_trace_free(trace);
}

static void test_precision(void)
{
    TndTraceBuild *build = make_trace(1, 20, 1);
    add_event(build, 1, 10, 12, 1234);
    struct tnd_pcf *pcf = tnd_pcf_new();
    tnd_pcf_set_type(pcf, 12, "Temperature");
    pcf->types[tnd_pcf_type(pcf, 12) - pcf->types].precision = 2;
    TndTrace *trace = tnd_trace_build_finish(build, pcf, NULL);
    TndView *view = tnd_view_new(trace, "user-events:12", NULL);
    g_assert_cmpfloat_with_epsilon(value_at(view, 0, 15), 12.34, 1e-12);
    g_assert_cmpstr(tnd_view_rule(view)->title, ==, "Temperature");
    tnd_view_free(view);
    tnd_trace_free(trace);
}

static TndTrace *sensors_trace(void)
{
    TndTraceBuild *build = make_trace(3, 100, 1); /* all on one node */
    add_event(build, 1, 10, 92010000, 45000);
    add_event(build, 2, 20, 92010001, 50500);
    add_event(build, 1, 30, 92010000, 52000);
    add_event(build, 1, 60, 92010001, 40000);
    add_event(build, 3, 30, 92011001, 750);
    add_event(build, 3, 30, 92011002, 250);
    add_event(build, 1, 50, 92011002, 125);
    add_event(build, 2, 25, 92012000, 0);
    add_event(build, 2, 75, 92012000, 2500000);
    add_event(build, 2, 100, 92012000, 1500000);
    add_event(build, 3, 40, 92020200, 4096);
    add_event(build, 3, 50, 92020201, 30);
    add_event(build, 3, 50, 92020202, 10);
    add_event(build, 3, 90, 92020201, 20);
    struct tnd_pcf *pcf = tnd_pcf_new();
    tnd_pcf_set_type(pcf, 92010000, "Package 0 [m\302\260C] (coretemp)");
    tnd_pcf_set_type(pcf, 92010001, "Core 1 [m\302\260C] (coretemp)");
    tnd_pcf_set_type(pcf, 92011001, "A [mW] (RAPL, fixture)");
    tnd_pcf_set_type(pcf, 92011002, "B [mW] (hwmon, fixture)");
    return tnd_trace_build_finish(build, pcf, NULL);
}

/* What a node's sensors read is on all rows of it, in whichever row it stands; what a process has is on its own. */
static void test_readings(void)
{
    TndTrace *trace = sensors_trace();
    TndView *view = tnd_view_new(trace, "temperature", NULL);
    for (guint row = 0; row < 3; row++)
        CHECK_BURSTS(view, row, {0, 10, 0}, {10, 20, 45}, {20, 30, 50.5}, {30, 60, 52}, {60, 100, 52});
    tnd_view_free(view);
    static const char *const names[] = {"temperature:Core 1", "temperature:92010001",
                                        "temperature:Core 1 [m\302\260C] (coretemp)"};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        view = tnd_view_new(trace, names[i], NULL);
        CHECK_BURSTS(view, 2, {0, 20, 0}, {20, 60, 50.5}, {60, 100, 40});
        g_assert_cmpstr(tnd_view_rule(view)->name, ==, names[i]);
        tnd_view_free(view);
    }
    view = tnd_view_new(trace, "power", NULL); /* no sensor of the whole node: its parts; before it was read */
    CHECK_BURSTS(view, 0, {0, 30, 1}, {30, 50, 0.125}, {50, 100, 0});
    tnd_view_free(view);
    view = tnd_view_new(trace, "energy", NULL); /* was used before it was read */
    CHECK_BURSTS(view, 1, {0, 25, 0}, {25, 75, 2.5}, {75, 100, 1.5});
    tnd_view_free(view);
    view = tnd_view_new(trace, "rss", NULL);
    CHECK_BURSTS(view, 1, {0, 100, 0});
    CHECK_BURSTS(view, 2, {0, 40, 0}, {40, 100, 4096});
    tnd_view_free(view);
    view = tnd_view_new(trace, "page-faults", NULL); /* what was added: of both kinds, before it was read */
    CHECK_BURSTS(view, 2, {0, 50, 40}, {50, 90, 20}, {90, 100, 0});
    tnd_view_free(view);
    view = tnd_view_new(trace, "page-fault-rate", NULL);
    CHECK_BURSTS(view, 2, {0, 50, 8e8}, {50, 90, 5e8}, {90, 100, 0});
    tnd_view_free(view);
    static const char *const both[] = {"user-events:92010000,92010001", "user-events:Package 0,Core 1"};
    for (guint i = 0; i < G_N_ELEMENTS(both); i++) {
        view = tnd_view_new(trace, both[i], NULL);
        CHECK_BURSTS(view, 0, {0, 10, 0}, {10, 30, 45000}, {30, 60, 52000}, {60, 100, 40000});
        tnd_view_free(view);
    }
    GError *error = NULL;
    g_assert_null(tnd_view_new(trace, "user-events:92010000,Core 2", NULL));
    g_assert_null(tnd_view_new(trace, "temperature:Cor", &error));
    g_assert_cmpstr(error->message, ==,
                    "temperature:Cor: made has no event type of that number or label; it has Package 0 [m\302\260C] "
                    "(coretemp), Core 1 [m\302\260C] (coretemp)");
    g_error_free(error);
    tnd_trace_free(trace);
}

/* A row has what is about its CPU: its core, else its package, else the hottest of the node. */
static void test_temperature_by_cpu(void)
{
    enum { PACKAGE = 92010100, OTHER_PACKAGE = 92010101, CORE = 92010201 };
    TndTraceBuild *build = make_trace(4, 100, 1);
    static const char *const comments[] = {"tandem:sensor=92010100 1 0-1,4", "tandem:sensor=92010201 1 1",
                                           "tandem:sensor=92010101 1 2-3",   "tandem:sensor=92010101 2 0",
                                           "tandem:sensor=92010999 1 2",     "tandem:sensor=",
                                           "tandem:sensor=92010201 1 x"};
    for (guint i = 0; i < G_N_ELEMENTS(comments); i++)
        g_assert_true(tnd_trace_build_visitor.comment(build, comments[i], strlen(comments[i])));
    add_event(build, 4, 10, PACKAGE, 50000);
    add_event(build, 4, 10, OTHER_PACKAGE, 70000);
    add_event(build, 4, 10, CORE, 45000);
    add_event(build, 4, 60, CORE, 46000);
    add_event(build, 1, 20, 40000033, 2); /* CPU 1: a core's */
    add_event(build, 1, 30, 40000033, 5); /* CPU 4: the package's */
    add_event(build, 1, 60, 40000033, 3);
    add_event(build, 1, 80, 40000033, 0);
    add_event(build, 2, 0, 40000033, 9); /* nobody's */
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndView *view = tnd_view_new(trace, "temperature", NULL);
    CHECK_BURSTS(view, 0, {0, 10, 0}, {10, 20, 70}, {20, 30, 45}, {30, 60, 50}, {60, 80, 70}, {80, 100, 70});
    CHECK_BURSTS(view, 1, {0, 10, 0}, {10, 60, 70}, {60, 100, 70});
    CHECK_BURSTS(view, 2, {0, 10, 0}, {10, 60, 70}, {60, 100, 70});
    tnd_view_free(view);
    view = tnd_view_new(trace, "temperature:92010201", NULL); /* that one and no other */
    CHECK_BURSTS(view, 0, {0, 10, 0}, {10, 60, 45}, {60, 100, 46});
    tnd_view_free(view);
    tnd_trace_free(trace);
}

static void test_origin(void)
{
    TndTrace *trace = sensors_trace();
    TndView *view = tnd_view_new(trace, "temperature", NULL);
    g_assert_cmpstr(tnd_view_rule(view)->title, ==, "Temperature");
    g_assert_cmpstr(tnd_view_rule(view)->origin, ==, "coretemp");
    tnd_view_free(view);
    view = tnd_view_new(trace, "temperature:Core 1", NULL);
    g_assert_cmpstr(tnd_view_rule(view)->title, ==, "Core 1");
    tnd_view_free(view);
    view = tnd_view_new(trace, "power", NULL);
    g_assert_cmpstr(tnd_view_rule(view)->origin, ==, "RAPL, hwmon, fixture");
    tnd_view_free(view);
    view = tnd_view_new(trace, "power-share", NULL);
    g_assert_cmpstr(tnd_view_rule(view)->origin, ==, "RAPL, hwmon, fixture");
    tnd_view_free(view);
    view = tnd_view_new(trace, "rss", NULL);
    g_assert_null(tnd_view_rule(view)->origin);
    tnd_view_free(view);
    tnd_trace_free(trace);
}

/* A row of random events over END ns, and its value at each of them. */
#define END 5000
static TndTrace *random_trace(double *values, guint n)
{
    TndTraceBuild *build = make_trace(1, END, 1);
    double value = 0;
    guint64 time = 0, filled = 0;
    for (guint i = 0; i < n && time < END; i++) {
        time += (guint64)(g_test_rand_int_range(0, 8) * g_test_rand_int_range(0, 3));
        for (; filled < MIN(time, END); filled++)
            values[filled] = value;
        value = g_test_rand_int_range(0, 4) ? g_test_rand_int_range(-1000, 1000) : 0;
        if (time < END)
            add_event(build, 1, time, 12, (gint64)value);
    }
    for (; filled < END; filled++)
        values[filled] = value;
    return tnd_trace_build_finish(build, NULL, NULL);
}

static double brute_peak(const double *values, guint64 from, guint64 to)
{
    double peak = 0;
    for (guint64 t = from; t < to && t < END; t++)
        if (fabs(values[t]) > fabs(peak) || (fabs(values[t]) == fabs(peak) && values[t] > peak))
            peak = values[t];
    return peak;
}

/* Of a row of one block the values are exact.  Else what is near an edge may be on its other side, by less than a
 * column: it is in one of the neighbours at least, and nothing is there that is not near. */
static void check_columns(const double *values, guint64 from, guint64 to, guint n, const double *columns,
                          gboolean is_exact)
{
    guint64 width = (to - from) / n + 2;
    for (guint c = 0; c < n; c++) {
        guint64 left = from + (to - from) * c / n, right = from + (to - from) * (c + 1) / n;
        double peak = brute_peak(values, left, MAX(right, left + 1));
        if (is_exact) {
            g_assert_cmpfloat(columns[c], ==, peak);
            continue;
        }
        double most = fabs(columns[c]);
        most = c > 0 ? MAX(most, fabs(columns[c - 1])) : most;
        most = c + 1 < n ? MAX(most, fabs(columns[c + 1])) : most;
        g_assert_cmpfloat(most, >=, fabs(peak));
        double widest = brute_peak(values, left > width ? left - width : 0, right + width);
        g_assert_cmpfloat(fabs(columns[c]), <=, fabs(widest));
    }
}

/* The point of a column, from a look at every nanosecond of it. */
static TndLinePoint brute_point(const double *values, guint64 from, guint64 to)
{
    TndLinePoint point = {INFINITY, -INFINITY, 0, FALSE};
    for (guint64 t = from; t < to && t < END; t++) {
        point.has_zero |= values[t] == 0;
        point.low = values[t] != 0 ? MIN(point.low, values[t]) : point.low;
        point.high = values[t] != 0 ? MAX(point.high, values[t]) : point.high;
        point.last = values[t];
    }
    return point;
}

static gboolean brute_range(const double *values, guint64 from, guint64 to, double *minimum, double *maximum)
{
    *minimum = INFINITY;
    *maximum = -INFINITY;
    for (guint64 t = from; t < to && t < END; t++) {
        if (values[t] != 0) {
            *minimum = MIN(*minimum, values[t]);
            *maximum = MAX(*maximum, values[t]);
        }
    }
    return *minimum <= *maximum;
}

/* Exact where there are few bursts, else with up to a column more at either edge. */
static void check_point(const double *values, guint64 left, guint64 right, TndLinePoint got, gboolean is_exact)
{
    const guint64 more = is_exact ? 0 : right - left;
    const TndLinePoint least = brute_point(values, left, right);
    const TndLinePoint most = brute_point(values, left - MIN(left, more), right + more);
    g_assert_cmpfloat(got.low, <=, least.low);
    g_assert_cmpfloat(got.low, >=, most.low);
    g_assert_cmpfloat(got.high, >=, least.high);
    g_assert_cmpfloat(got.high, <=, most.high);
    g_assert_true(got.has_zero || !least.has_zero);
    g_assert_true(most.has_zero || !got.has_zero);
    gboolean is_there = FALSE;
    for (guint64 end = right; end <= right + more && !is_there; end++)
        is_there = got.last == brute_point(values, left, end).last;
    g_assert_true(is_there);
}

static void test_drawing(void)
{
    static double values[END], columns[700];
    static TndLinePoint points[700];
    for (guint round = 0; round < 90; round++) {
        guint n_events = (guint)g_test_rand_int_range(0, round % 3 == 0 ? 30 : round % 3 == 1 ? 200 : 1500);
        TndTrace *trace = random_trace(values, n_events);
        TndView *view = tnd_view_new(trace, "user-events:12", NULL);
        for (guint64 t = 0; t < END; t++)
            g_assert_cmpfloat(value_at(view, 0, t), ==, values[t]);
        for (guint query = 0; query < 40; query++) {
            guint64 from = (guint64)g_test_rand_int_range(0, END + 50);
            guint64 to = from + (guint64)g_test_rand_int_range(1, query % 2 ? END : 60);
            guint n = (guint)g_test_rand_int_range(1, G_N_ELEMENTS(columns));
            tnd_view_columns(view, 0, from, to, n, TND_MODE_MAXIMUM, columns);
            check_columns(values, from, to, n, columns, n_events < 200);
            tnd_view_line(view, 0, from, to, n, points);
            for (guint c = 0; c < n; c++) {
                guint64 left = from + (to - from) * c / n, right = from + (to - from) * (c + 1) / n;
                check_point(values, left, MAX(right, left + 1), points[c], n_events < 30);
            }
            double minimum, maximum, found_minimum, found_maximum;
            gboolean any = brute_range(values, from, to, &minimum, &maximum);
            g_assert_cmpint(tnd_view_range(view, from, to, &found_minimum, &found_maximum), ==, any);
            if (any) {
                g_assert_cmpfloat(found_minimum, ==, minimum);
                g_assert_cmpfloat(found_maximum, ==, maximum);
            }
        }
        tnd_view_free(view);
        tnd_trace_free(trace);
    }
}

static void test_empty_trace(void)
{
    TndTrace *trace = tnd_trace_build_finish(make_trace(1, 0, 1), NULL, NULL);
    TndView *view = tnd_view_new(trace, "state", NULL);
    double columns[3] = {1, 1, 1}, minimum, maximum;
    GArray *bursts = all_bursts(view, 0);
    g_assert_cmpuint(bursts->len, ==, 0);
    g_array_unref(bursts);
    tnd_view_columns(view, 0, 0, 100, 3, TND_MODE_MAXIMUM, columns);
    g_assert_cmpfloat(columns[2], ==, 0);
    g_assert_false(tnd_view_range(view, 0, 100, &minimum, &maximum));
    g_assert_true(isnan(value_at(view, 0, 0)));
    tnd_view_free(view);
    tnd_trace_free(trace);
}

static gboolean end_at_once(double fraction, gpointer n_calls)
{
    g_assert_cmpfloat(fraction, >, 0);
    g_assert_cmpfloat(fraction, <=, 1);
    ++*(guint *)n_calls;
    return FALSE;
}

static gboolean count_rows(double fraction, gpointer n_calls)
{
    return !end_at_once(fraction, n_calls);
}

static void test_preparation(void)
{
    static const char *const names[] = {"state", "useful-duration", "parallelism"};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        TndTrace *trace = odd_trace();
        TndView *view = tnd_view_new(trace, names[i], NULL), *other = tnd_view_new(trace, names[i], NULL);
        guint n_calls = 0;
        g_assert_false(tnd_view_prepare(view, end_at_once, &n_calls));
        g_assert_cmpuint(n_calls, >=, 1);
        g_assert_false(tnd_view_is_prepared(view));
        n_calls = 0;
        g_assert_true(tnd_view_prepare(view, count_rows, &n_calls));
        g_assert_cmpuint(n_calls, ==, 4 * 2); /* bursts of rows, and their grids */
        g_assert_true(tnd_view_is_prepared(view));
        for (guint row = 0; row < 4; row++) {
            double prepared[20], anew[20];
            tnd_view_columns(view, row, 0, 200, 20, TND_MODE_TIME, prepared);
            tnd_view_columns(other, row, 0, 200, 20, TND_MODE_TIME, anew);
            g_assert_cmpmem(prepared, sizeof prepared, anew, sizeof anew);
            guint16 prepared_codes[20 + TND_VIEW_CODES_SLACK], codes_anew[20 + TND_VIEW_CODES_SLACK];
            g_assert_true(tnd_view_codes(view, row, 0, 200, 20, TND_MODE_TIME, NULL, prepared_codes));
            g_assert_true(tnd_view_codes(other, row, 0, 200, 20, TND_MODE_TIME, NULL, codes_anew));
            g_assert_cmpmem(prepared_codes, 20 * sizeof *codes_anew, codes_anew, 20 * sizeof *codes_anew);
        }
        tnd_view_free(view);
        tnd_view_free(other);
        tnd_trace_free(trace);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/view/states", test_states);
    g_test_add_func("/view/useful-duration", test_useful_duration);
    g_test_add_func("/view/events", test_events);
    g_test_add_func("/view/parallelism", test_parallelism);
    g_test_add_func("/view/openmp-sync", test_openmp_sync);
    g_test_add_func("/view/names", test_names);
    g_test_add_func("/view/text", test_text);
    g_test_add_func("/view/precision", test_precision);
    g_test_add_func("/view/readings", test_readings);
    g_test_add_func("/view/temperature-by-cpu", test_temperature_by_cpu);
    g_test_add_func("/view/origin", test_origin);
    g_test_add_func("/view/drawing", test_drawing);
    g_test_add_func("/view/preparation", test_preparation);
    g_test_add_func("/view/empty-trace", test_empty_trace);
    return g_test_run();
}
