/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bursts against those that Paraver's kernel wrote for the same traces (tests/goldens/paraver): every line of them.
 */
#include "analysis/views/view.h"
#include "tests/unit/all_bursts.h"

#include <gio/gio.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const char *trace, *file, *view;
    double unit_ns; /* of its times and of values that are times */
    double value_unit;
} Case;

static const Case cases[] = {
    {"hybrid", "state", "state", 1, 1},
    {"hybrid", "mpi-p2p", "user-events:50000001", 1, 1},
    {"hybrid", "useful-duration", "useful-duration", 1000, 1000},
    {"py-mpi4py", "state", "state", 1, 1},
    {"py-mpi4py", "mpi-p2p", "user-events:50000001", 1, 1},
    {"py-mpi4py", "useful-duration", "useful-duration", 1000, 1000},
    {"synthetic-16", "state", "state", 1, 1},
    {"synthetic-16", "mpi-p2p", "user-events:50000001", 1, 1},
    {"synthetic-16", "useful-duration", "useful-duration", 1000, 1000},
};

static char *read_golden(const Case *c)
{
    char *name = g_strconcat(c->file, ".bursts.txt", NULL);
    char *path = g_test_build_filename(G_TEST_DIST, "goldens", "paraver", c->trace, name, NULL);
    char *text;
    GError *error = NULL;
    g_file_get_contents(path, &text, NULL, &error);
    g_assert_no_error(error);
    g_free(path);
    g_free(name);
    return text;
}

static TndTrace *open_trace(const char *name)
{
    char *file = g_strconcat(name, ".prv", NULL);
    char *path = g_test_build_filename(G_TEST_DIST, "data", "traces", name, file, NULL);
    GError *error = NULL;
    TndTrace *trace = tnd_trace_open(path, NULL, NULL, &error);
    g_assert_no_error(error);
    g_free(path);
    g_free(file);
    return trace;
}

/* "object<tab>begin<tab>duration<tab>value", two decimals. */
static char *print_burst(const TndThread *thread, const TndBurst *burst, const Case *c)
{
    return g_strdup_printf("%u.%u.%u\t%.2f\t%.2f\t%.2f", thread->application, thread->task, thread->thread,
                           (double)burst->begin_ns / c->unit_ns, (double)(burst->end_ns - burst->begin_ns) / c->unit_ns,
                           burst->value / c->value_unit);
}

static void test_timeline(gconstpointer data)
{
    const Case *c = data;
    char *golden = read_golden(c), *rest = golden;
    TndTrace *trace = open_trace(c->trace);
    GError *error = NULL;
    TndView *view = tnd_view_new(trace, c->view, &error);
    g_assert_no_error(error);
    for (guint row = 0; row < tnd_trace_n_threads(trace); row++) {
        GArray *bursts = all_bursts(view, row);
        for (guint i = 0; i < bursts->len; i++) {
            char *wanted = strsep(&rest, "\n");
            char *found = print_burst(tnd_trace_thread(trace, row), &BURST(bursts, i), c);
            g_assert_cmpstr(found, ==, wanted);
            g_free(found);
        }
        g_array_unref(bursts);
    }
    g_assert_true(!rest || !*rest);
    tnd_view_free(view);
    tnd_trace_free(trace);
    g_free(golden);
}

/* Stretches of one value, as text; Paraver begins a new one of the same value where two changes cancel out. */
static void add_stretch(GString *text, double begin, double value, double *last)
{
    if (value != *last)
        g_string_append_printf(text, "%.0f %.0f\n", begin, value);
    *last = value;
}

/* Of the whole trace; its lines have no object. */
static void test_parallelism(gconstpointer trace_name)
{
    const Case c = {trace_name, "parallelism", "parallelism", 1, 1};
    char *golden = read_golden(&c), *rest = golden;
    GString *wanted = g_string_new(NULL), *found = g_string_new(NULL);
    double begin, duration, value, last = -1;
    for (char *line; (line = strsep(&rest, "\n")) && *line;) {
        g_assert_cmpint(sscanf(line, "\t%lf\t%lf\t%lf", &begin, &duration, &value), ==, 3);
        add_stretch(wanted, begin, value, &last);
    }
    TndTrace *trace = open_trace(trace_name);
    TndView *view = tnd_view_new(trace, "parallelism", NULL);
    for (guint row = 0; row < tnd_trace_n_threads(trace); row++) {
        GArray *bursts = all_bursts(view, row);
        g_string_truncate(found, 0);
        last = -1;
        for (guint i = 0; i < bursts->len; i++)
            add_stretch(found, (double)BURST(bursts, i).begin_ns, BURST(bursts, i).value, &last);
        g_array_unref(bursts);
        g_assert_cmpstr(found->str, ==, wanted->str);
    }
    tnd_view_free(view);
    tnd_trace_free(trace);
    g_string_free(wanted, TRUE);
    g_string_free(found, TRUE);
    g_free(golden);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        char *path = g_strdup_printf("/timelines/%s/%s", cases[i].trace, cases[i].file);
        g_test_add_data_func(path, &cases[i], test_timeline);
        g_free(path);
    }
    static const char *const traces[] = {"hybrid", "omp-for", "omp-tasks", "synthetic-16"};
    for (guint i = 0; i < G_N_ELEMENTS(traces); i++) {
        char *path = g_strdup_printf("/timelines/%s/parallelism", traces[i]);
        g_test_add_data_func(path, traces[i], test_parallelism);
        g_free(path);
    }
    return g_test_run();
}
