/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads on CPUs: runs of successive records on a CPU that are of one thread, and the times at which threads move to
 * another CPU.
 *
 * Cost: 16 bytes for each state and event while the index is made, and a sort of them.
 */
#include "analysis/views/window_cpus.h"

#include "analysis/trace/walk.h"

#include <stdlib.h>

/* A row is on a CPU from time_ns on. */
typedef struct {
    guint64 time_ns;
    guint32 row, cpu;
} Stay;

typedef struct {
    GArray *runs;      /* Stay, by CPU and time: successive ones of a CPU are of different rows */
    GArray *moves;     /* Stay, by row and time: successive ones of a row are on different CPUs */
    gsize *first_run;  /* of each CPU, and the end of the last one */
    gsize *first_move; /* of each row, and the end of the last one */
} ThreadsOnCpus;

static int compare_stays(gconstpointer a, gconstpointer b)
{
    const Stay *x = a, *y = b;
    if (x->cpu != y->cpu)
        return x->cpu < y->cpu ? -1 : 1;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Adds a thread's states and events in the order of time. */
static void add_thread(GArray *stays, GArray *moves, const TndTrace *trace, guint row)
{
    gsize first_move = moves->len;
    TndWalk states = tnd_walk_states(trace, row, G_MAXUINT64), events = tnd_walk_events(trace, row, G_MAXUINT64);
    const TndState *state = tnd_walk_next_state(&states);
    const TndEvent *event = tnd_walk_next_event(&events);
    while (state || event) {
        gboolean is_state = !event || (state && state->begin_ns <= event->time_ns);
        Stay stay = {is_state ? state->begin_ns : event->time_ns, row, is_state ? state->cpu : event->cpu};
        if (is_state)
            state = tnd_walk_next_state(&states);
        else
            event = tnd_walk_next_event(&events);
        if (stay.cpu == 0)
            continue;
        g_array_append_val(stays, stay);
        if (moves->len == first_move || g_array_index(moves, Stay, moves->len - 1).cpu != stay.cpu)
            g_array_append_val(moves, stay);
    }
    tnd_walk_end(&states);
    tnd_walk_end(&events);
}

static gpointer make_cpus(const TndTrace *trace)
{
    guint n_rows = tnd_trace_n_threads(trace), n_cpus = tnd_levels_n_rows(trace, TND_LEVEL_CPU);
    ThreadsOnCpus *cpus = g_new0(ThreadsOnCpus, 1);
    GArray *stays = g_array_new(FALSE, FALSE, sizeof(Stay));
    cpus->moves = g_array_new(FALSE, FALSE, sizeof(Stay));
    cpus->first_move = g_new0(gsize, n_rows + 1);
    for (guint row = 0; row < n_rows; row++) {
        add_thread(stays, cpus->moves, trace, row);
        cpus->first_move[row + 1] = cpus->moves->len;
    }
    qsort(stays->data, stays->len, sizeof(Stay), compare_stays);
    cpus->runs = g_array_new(FALSE, FALSE, sizeof(Stay));
    cpus->first_run = g_new0(gsize, n_cpus + 1);
    for (guint i = 0; i < stays->len; i++) {
        const Stay *stay = &g_array_index(stays, Stay, i);
        if (stay->cpu > n_cpus || (i > 0 && stay[-1].cpu == stay->cpu && stay[-1].row == stay->row))
            continue;
        g_array_append_val(cpus->runs, *stay);
        cpus->first_run[stay->cpu]++;
    }
    for (guint cpu = 0; cpu < n_cpus; cpu++)
        cpus->first_run[cpu + 1] += cpus->first_run[cpu];
    g_array_unref(stays);
    return cpus;
}

static void free_cpus(gpointer data)
{
    ThreadsOnCpus *cpus = data;
    g_array_unref(cpus->runs);
    g_array_unref(cpus->moves);
    g_free(cpus->first_run);
    g_free(cpus->first_move);
    g_free(cpus);
}

/* When the row that is on a CPU at time_ns has its next record on another CPU. */
static guint64 leaves_at(const ThreadsOnCpus *cpus, guint row, guint64 time_ns)
{
    gsize low = cpus->first_move[row], high = cpus->first_move[row + 1];
    while (low < high) {
        gsize middle = (low + high) / 2;
        if (g_array_index(cpus->moves, Stay, middle).time_ns <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low < cpus->first_move[row + 1] ? g_array_index(cpus->moves, Stay, low).time_ns : G_MAXUINT64;
}

static void add_burst(GArray *bursts, guint64 begin_ns, guint64 end_ns, double value)
{
    TndBurst burst = {begin_ns, end_ns, value};
    g_array_append_val(bursts, burst);
}

/* Adds the part of a thread's bursts in [from_ns, until_ns). */
static void add_piece(GArray *bursts, const TndSignal *signal, guint64 from_ns, guint64 until_ns)
{
    gsize low = 0, high = signal->n; /* search the first burst that ends at from_ns or later */
    while (low < high) {
        gsize middle = low + (high - low) / 2;
        if (signal->bursts[middle].end_ns < from_ns)
            low = middle + 1;
        else
            high = middle;
    }
    for (gsize i = low; i < signal->n; i++) {
        const TndBurst *burst = &signal->bursts[i];
        gboolean is_within = burst->end_ns > from_ns || (burst->begin_ns == burst->end_ns && burst->end_ns == from_ns);
        if (burst->begin_ns >= until_ns)
            return;
        if (is_within)
            add_burst(bursts, MAX(burst->begin_ns, from_ns), MIN(burst->end_ns, until_ns), burst->value);
    }
}

TndSignal tnd_window_cpus_signal(const TndTrace *trace, guint cpu, TndWindowCpusSignal signal_of, gconstpointer data)
{
    const ThreadsOnCpus *cpus = tnd_trace_keep(trace, TND_TRACE_THREADS_ON_CPUS, make_cpus, free_cpus);
    guint64 end_ns = tnd_trace_end_ns(trace);
    GArray *bursts = g_array_new(FALSE, FALSE, sizeof(TndBurst));
    GHashTable *signals = g_hash_table_new(NULL, NULL);
    for (gsize run = cpus->first_run[cpu]; run < cpus->first_run[cpu + 1]; run++) {
        const Stay *stay = &g_array_index(cpus->runs, Stay, run);
        guint64 from_ns = run == cpus->first_run[cpu] ? 0 : stay->time_ns;
        guint64 until_ns = MIN(run + 1 < cpus->first_run[cpu + 1] ? stay[1].time_ns : end_ns, end_ns);
        guint64 left_ns = leaves_at(cpus, stay->row, stay->time_ns);
        TndSignal *signal = g_hash_table_lookup(signals, GUINT_TO_POINTER(stay->row + 1));
        if (!signal) {
            signal = g_new(TndSignal, 1);
            *signal = signal_of(data, stay->row);
            g_hash_table_insert(signals, GUINT_TO_POINTER(stay->row + 1), signal);
        }
        add_piece(bursts, signal, from_ns, MIN(until_ns, left_ns));
        if (left_ns < until_ns)
            add_burst(bursts, left_ns, until_ns, 0);
    }
    if (bursts->len == 0)
        add_burst(bursts, 0, end_ns, 0);
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, signals);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        g_free(((TndSignal *)value)->bursts);
        g_free(value);
    }
    g_hash_table_unref(signals);
    for (guint i = bursts->len - 1;
         i-- > 0;) { /* a burst without length gets the value of the next one, as in Paraver */
        TndBurst *burst = &g_array_index(bursts, TndBurst, i);
        if (burst->begin_ns == burst->end_ns)
            burst->value = burst[1].value;
    }
    gsize n = bursts->len;
    return (TndSignal){.bursts = (TndBurst *)(void *)g_array_free(bursts, FALSE), .n = n};
}
