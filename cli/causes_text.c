/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of wait states, in at most 120 columns where names are short.
 */
#include "cli/causes_text.h"

#include "analysis/base/quantity.h"
#include "analysis/reports/critical_path.h"
#include "analysis/reports/culprit_functions.h"
#include "analysis/reports/ready_tasks.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "formats/event_types.h"

#include <math.h>
#include <stdio.h>

#define LINES_SHOWN 12
#define FUNCTIONS_SHOWN 6 /* each needs a replay */
#define PATH_FRAMES 3
#define PLACE_WIDTH 90

/* What both commands need; states is NULL: complained. */
typedef struct {
    TndSyncOps *ops;
    TndWaitStates *states;
} Causes;

static Causes find_causes(const TndTrace *trace)
{
    TndProgress progress;
    Causes causes = {0};
    GError *error = NULL;
    tnd_progress_begin(&progress, "looking for causes");
    causes.ops = tnd_sync_ops_new(trace, tnd_progress_show, &progress, &error);
    if (causes.ops)
        causes.states = tnd_wait_states_new(causes.ops, tnd_progress_show, &progress, &error);
    tnd_progress_end(&progress);
    if (error)
        tnd_cli_complain_error(&error);
    return causes;
}

static void clear_causes(Causes *causes)
{
    tnd_wait_states_free(causes->states);
    tnd_sync_ops_free(causes->ops);
}

static const char *row_name(const TndTrace *trace, guint row)
{
    return tnd_trace_thread(trace, row)->name;
}

static void print_time(double ns)
{
    char *text = tnd_quantity_text(ns < 1e3 ? (double)(guint64)(ns + 0.5) : ns, "ns");
    printf(" %11s", text);
    g_free(text);
}

static void print_place(const TndSyncOps *ops, TndSyncPlace place, gboolean all)
{
    char *text = tnd_sync_ops_place_text(ops, place, PATH_FRAMES),
         *cut = all ? g_strdup(text) : tnd_cli_cut(text, PLACE_WIDTH);
    printf("  %s\n", cut);
    g_free(cut);
    g_free(text);
}

/* What most samples of a place are in, below a line of a table. */
static void print_functions(const TndSyncOps *ops, guint row, TndSyncPlace place, int indentation)
{
    double percent;
    char *functions = tnd_culprit_functions_text(ops, row, place, &percent);
    if (functions)
        printf("%*s %.0f %% of its samples: %s\n", indentation, "", percent, functions);
    g_free(functions);
}

static void print_more(guint n, guint n_shown)
{
    if (n > n_shown)
        printf("  ... and %u more: --all shows them\n", n - n_shown);
}

static double lifetime_ns(const TndTrace *trace)
{
    double ns = 0;
    for (guint row = 0; row < tnd_trace_n_threads(trace); row++)
        ns += (double)(tnd_trace_thread(trace, row)->end_ns - tnd_trace_thread(trace, row)->begin_ns);
    return MAX(ns, 1);
}

static void print_kinds(const TndTrace *trace, const TndWaitStates *states)
{
    double all_ns = lifetime_ns(trace);
    TndWaitSum sum = tnd_wait_states_all(states);
    printf("%s\n\nTime lost by waiting for others, and its share of the time of all threads\n", tnd_trace_shown(trace));
    printf("  %-26s %10s %11s %8s %11s\n", "wait", "times", "lost", "share", "average");
    for (guint kind = 0; kind <= TND_WAIT_N_KINDS; kind++) {
        TndWaitSum of_kind = kind < TND_WAIT_N_KINDS ? tnd_wait_states_sum(states, (TndWaitKind)kind) : sum;
        if (!of_kind.n)
            continue;
        char *times = tnd_quantity_text((double)of_kind.n, "");
        printf("  %-26s %10s", kind < TND_WAIT_N_KINDS ? tnd_wait_titles[kind] : "all", times);
        print_time(of_kind.lost_ns);
        printf(" %6.2f %%", 100 * of_kind.lost_ns / all_ns);
        print_time(of_kind.lost_ns / (double)of_kind.n);
        putchar('\n');
        g_free(times);
    }
}

static void print_waiters(const TndTrace *trace, const Causes *causes, gboolean all)
{
    guint n;
    const TndWaiter *waiters = tnd_wait_states_waiters(causes->states, &n);
    guint n_shown = all ? n : MIN(n, LINES_SHOWN);
    printf("\nWho waits: where, and which thread most\n  %11s %10s  %-26s %-16s  %s\n", "lost", "times", "wait", "most",
           "where");
    for (guint i = 0; i < n_shown; i++) {
        char *times = tnd_quantity_text((double)waiters[i].sum.n, "");
        char *row = tnd_cli_fit(row_name(trace, waiters[i].worst_row), 16);
        print_time(waiters[i].sum.lost_ns);
        printf("  %10s  %-26s %s", times, tnd_wait_titles[waiters[i].kind], row);
        print_place(causes->ops, waiters[i].place, all);
        g_free(times);
        g_free(row);
    }
    print_more(n, n_shown);
}

/* The kind of wait that a culprit causes most. */
static const char *worst_kind(const TndCulprit *culprit)
{
    guint worst = 0;
    for (guint kind = 1; kind < TND_WAIT_N_KINDS; kind++)
        if (culprit->by_kind_ns[kind] > culprit->by_kind_ns[worst])
            worst = kind;
    return tnd_wait_titles[worst];
}

static void print_culprits(const TndTrace *trace, const Causes *causes, gboolean all)
{
    guint n;
    const TndCulprit *culprits = tnd_wait_states_culprits(causes->states, &n);
    guint n_shown = all ? n : MIN(n, LINES_SHOWN);
    printf("\nWho causes it: the thread that came late, and what it did meanwhile\n  %11s %11s  %-26s %-16s  %s\n",
           "lost", "itself", "mostly", "thread", "what");
    for (guint i = 0; i < n_shown; i++) {
        char *row = tnd_cli_fit(row_name(trace, culprits[i].row), 16);
        print_time(culprits[i].lost_ns);
        print_time(culprits[i].itself_ns);
        printf("  %-26s %s", worst_kind(&culprits[i]), row);
        print_place(causes->ops, culprits[i].place, all);
        print_functions(causes->ops, culprits[i].row, culprits[i].place, 73);
        g_free(row);
    }
    print_more(n, n_shown);
}

static void print_tasks(const TndTrace *trace, gboolean all)
{
    GArray *tasks = tnd_trace_n_events_of(trace, TND_TYPE_OPENMP_TASK) ? tnd_ready_tasks_new(trace) : NULL;
    guint n = tasks ? tasks->len : 0, n_shown = all ? n : MIN(n, LINES_SHOWN);
    if (n)
        printf("\nTasks of OpenMP that were ready and not begun: how long, and what their thread did meanwhile\n"
               "  %11s %10s %11s  %-40s  %s\n",
               "lost", "tasks", "longest", "task", "meanwhile");
    for (guint i = 0; i < n_shown; i++) {
        const TndReadyTasks *ready = &g_array_index(tasks, TndReadyTasks, i);
        char *times = tnd_quantity_text((double)ready->n, ""), *name = tnd_cli_fit(ready->name, 40);
        print_time((double)ready->lost_ns);
        printf("  %10s", times);
        print_time((double)ready->longest_ns);
        printf("  %s  %s\n", name, ready->before ? ready->before : "no task");
        g_free(times);
        g_free(name);
    }
    print_more(n, n_shown);
    if (tasks)
        g_array_unref(tasks);
}

int tnd_causes_text_waits(const TndTrace *trace, gboolean all)
{
    Causes causes = find_causes(trace);
    gboolean is_good = causes.states != NULL;
    if (is_good && !tnd_wait_states_all(causes.states).n) {
        printf("%s: no thread waits for another one, as far as was recorded\n", tnd_trace_shown(trace));
    } else if (is_good) {
        print_kinds(trace, causes.states);
        print_waiters(trace, &causes, all);
        print_culprits(trace, &causes, all);
    }
    if (is_good)
        print_tasks(trace, all);
    clear_causes(&causes);
    return is_good ? TND_EXIT_FINE : TND_EXIT_INPUT;
}

static void print_gain(const TndCriticalPath *path, double gain_ns)
{
    if (isnan(gain_ns)) {
        printf(" %11s %8s", "-", "-");
        return;
    }
    print_time(MAX(gain_ns, 0));
    printf(" %6.2f %%", 100 * MAX(gain_ns, 0) / (double)MAX(path->end_ns - path->begin_ns, 1));
}

static void print_path_places(const TndTrace *trace, const TndSyncOps *ops, const TndCriticalPath *path, gboolean all)
{
    double length_ns = (double)MAX(path->end_ns - path->begin_ns, 1);
    guint n = path->places->len, n_shown = all ? n : MIN(n, LINES_SHOWN);
    double gains_ns[FUNCTIONS_SHOWN] = {0};
    tnd_critical_path_gains(path, ops, MIN(n, FUNCTIONS_SHOWN), gains_ns);
    printf("\nWhat is on it, and what the run would gain if it took 10 %% less time (by a replay)\n"
           "  %11s %8s %11s %8s  %-16s  %s\n",
           "on the path", "share", "gain", "of run", "mostly", "where");
    for (guint i = 0; i < n_shown; i++) {
        const TndPathPlace *place = &g_array_index(path->places, TndPathPlace, i);
        char *row = tnd_cli_fit(row_name(trace, place->worst_row), 16);
        print_time(place->path_ns);
        printf(" %6.2f %%", 100 * place->path_ns / length_ns);
        if (i < FUNCTIONS_SHOWN && tnd_sync_ops_place_is_code(place->place))
            print_gain(path, gains_ns[i]);
        else
            printf(" %11s %8s", "", "");
        printf("  %s", row);
        print_place(ops, place->place, all);
        print_functions(ops, place->worst_row, place->place, 62);
        g_free(row);
    }
    print_more(n, n_shown);
}

static void print_path_functions(const TndSyncOps *ops, const TndCriticalPath *path, gboolean all)
{
    double length_ns = (double)MAX(path->end_ns - path->begin_ns, 1);
    guint n = path->functions->len, n_shown = all ? n : MIN(n, LINES_SHOWN);
    if (!n)
        return;
    printf("\nFunctions on it, themselves; the gain is with what they call\n  %11s %8s %11s %8s  %-12s  %s\n",
           "on the path", "share", "gain", "of run", "by", "function");
    for (guint i = 0; i < n_shown; i++) {
        const TndPathFunction *function = &g_array_index(path->functions, TndPathFunction, i);
        print_time(function->path_ns);
        printf(" %6.2f %%", 100 * function->path_ns / length_ns);
        if (i < FUNCTIONS_SHOWN)
            print_gain(path, tnd_critical_path_gain_ns(path, ops, function->name));
        else
            printf(" %11s %8s", "", "");
        printf("  %-12s  %s\n", function->is_sampled ? "samples" : "its calls", function->name);
    }
    print_more(n, n_shown);
}

int tnd_causes_text_path(const TndTrace *trace, gboolean all)
{
    Causes causes = find_causes(trace);
    gboolean is_good = causes.states != NULL;
    if (is_good) {
        TndCriticalPath *path = tnd_critical_path_new(causes.states);
        char *length = tnd_quantity_text((double)(path->end_ns - path->begin_ns), "ns");
        gsize n = path->n_pieces;
        printf("%s\n\nThe critical path of %s%s: ", tnd_trace_shown(trace), length,
               path->is_mpi ? " from MPI_Init to MPI_Finalize" : "");
        printf(n == 1 ? "all of it on one thread\n" : "%zu pieces, each on another thread than the one before\n", n);
        print_path_places(trace, causes.ops, path, all);
        print_path_functions(causes.ops, path, all);
        g_free(length);
        tnd_critical_path_free(path);
    }
    clear_causes(&causes);
    return is_good ? TND_EXIT_FINE : TND_EXIT_INPUT;
}
