/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MPI_Init and MPI_Finalize are known by the labels of the values of MPI calls.
 */
#include "analysis/reports/efficiency.h"

#include "analysis/views/view.h"
#include "formats/event_types.h"

#include <string.h>

/* Which processes count, and the time that counts. */
typedef struct {
    gboolean *is_chosen; /* of each thread: the first one of a process that counts */
    guint64 begin_ns, end_ns;
} Focus;

typedef struct {
    TndView *calls;
    GHashTable *edges; /* value of a call -> whether it is MPI_Init (1) or MPI_Finalize (2), or another one (3) */
    Focus *focus;
    guint row;
} Finding;

enum { INIT = 1, FINALIZE, OTHER };

static guint edge_of(Finding *finding, gint64 value)
{
    guint edge = GPOINTER_TO_UINT(g_hash_table_lookup(finding->edges, &value));
    if (edge)
        return edge;
    char *name = tnd_view_value_text(finding->calls, (double)value);
    edge = !strcmp(name, "MPI_Init") || !strcmp(name, "MPI_Init_thread") ? INIT
           : !strcmp(name, "MPI_Finalize")                               ? FINALIZE
                                                                         : OTHER;
    g_free(name);
    g_hash_table_insert(finding->edges, g_memdup2(&value, sizeof value), GUINT_TO_POINTER(edge));
    return edge;
}

static void see_calls(const TndBurst *bursts, gsize n, gpointer data)
{
    Finding *finding = data;
    Focus *focus = finding->focus;
    for (gsize i = 0; i < n; i++) {
        guint edge = bursts[i].value ? edge_of(finding, (gint64)bursts[i].value) : OTHER;
        if (edge == INIT) {
            focus->is_chosen[finding->row] = TRUE;
            focus->begin_ns = MAX(focus->begin_ns, bursts[i].end_ns);
        } else if (edge == FINALIZE) {
            focus->end_ns = MIN(focus->end_ns, bursts[i].begin_ns);
        }
    }
}

static gboolean is_first(const TndTrace *trace, guint row)
{
    return tnd_trace_thread(trace, row)->thread == 1;
}

static Focus find_run(const TndTrace *trace)
{
    guint n_rows = tnd_trace_n_threads(trace);
    Focus focus = {g_new0(gboolean, n_rows + 1), 0, tnd_trace_end_ns(trace)};
    Finding finding = {tnd_view_new(trace, "mpi-calls", NULL),
                       g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL), &focus, 0};
    for (; finding.row < n_rows; finding.row++)
        if (is_first(trace, finding.row))
            tnd_view_each_burst(finding.calls, finding.row, see_calls, &finding);
    g_hash_table_unref(finding.edges);
    tnd_view_free(finding.calls);
    return focus;
}

typedef struct {
    const Focus *focus;
    guint64 useful_ns;
} Summing;

static void add_useful(const TndBurst *bursts, gsize n, gpointer data)
{
    Summing *summing = data;
    for (gsize i = 0; i < n; i++) {
        guint64 begin_ns = MAX(bursts[i].begin_ns, summing->focus->begin_ns);
        guint64 end_ns = MIN(bursts[i].end_ns, summing->focus->end_ns);
        if (bursts[i].value == TND_STATE_RUNNING && begin_ns < end_ns)
            summing->useful_ns += end_ns - begin_ns;
    }
}

static TndEfficiency compute(const TndTrace *trace, const Focus *focus)
{
    TndEfficiency efficiency = {.begin_ns = focus->begin_ns, .end_ns = focus->end_ns};
    double sum_ns = 0, maximum_ns = 0, duration_ns = (double)(focus->end_ns - focus->begin_ns);
    TndView *states = tnd_view_new(trace, "state", NULL);
    for (guint row = 0; row < tnd_trace_n_threads(trace); row++) {
        Summing summing = {focus, 0};
        if (!focus->is_chosen[row])
            continue;
        tnd_view_each_burst(states, row, add_useful, &summing);
        efficiency.n_processes++;
        sum_ns += (double)summing.useful_ns;
        maximum_ns = MAX(maximum_ns, (double)summing.useful_ns);
    }
    tnd_view_free(states);
    if (maximum_ns <= 0 || duration_ns <= 0)
        return efficiency;
    efficiency.load_balance = sum_ns / efficiency.n_processes / maximum_ns;
    efficiency.communication = maximum_ns / duration_ns;
    efficiency.parallel = sum_ns / efficiency.n_processes / duration_ns;
    return efficiency;
}

TndEfficiency tnd_efficiency_whole(const TndTrace *trace)
{
    guint n_rows = tnd_trace_n_threads(trace);
    Focus focus = {g_new0(gboolean, n_rows + 1), 0, tnd_trace_end_ns(trace)};
    for (guint row = 0; row < n_rows; row++)
        focus.is_chosen[row] = is_first(trace, row);
    TndEfficiency efficiency = compute(trace, &focus);
    g_free(focus.is_chosen);
    return efficiency;
}

gboolean tnd_efficiency_run(const TndTrace *trace, TndEfficiency *efficiency)
{
    Focus focus = find_run(trace);
    *efficiency = (TndEfficiency){0};
    if (focus.begin_ns && focus.begin_ns < focus.end_ns)
        *efficiency = compute(trace, &focus);
    g_free(focus.is_chosen);
    return efficiency->parallel > 0;
}
