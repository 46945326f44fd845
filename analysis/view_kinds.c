/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Evaluations, each one pass over a row's records.
 */
#include "analysis/view_kinds.h"

#include "analysis/burst_list.h"
#include "analysis/task_frames.h"
#include "analysis/view_types.h"
#include "analysis/walk.h"
#include "formats/event_types.h"

static int compare_times(gconstpointer a, gconstpointer b, gpointer unused)
{
    guint64 x = *(const guint64 *)a, y = *(const guint64 *)b;
    return (x > y) - (x < y);
}

/* When states end, in order of time; those of no length are left out. */
static guint64 *sorted_ends(const TndTrace *trace, guint row, gsize *n_ends)
{
    guint64 *ends = g_new(guint64, tnd_trace_thread(trace, row)->n_states + 1);
    gsize n = 0;
    gboolean unsorted = FALSE;
    TndWalk walk = tnd_walk_states(trace, row, G_MAXUINT64);
    for (const TndState *state; (state = tnd_walk_next_state(&walk));) {
        if (state->end_ns == state->begin_ns)
            continue;
        ends[n] = state->end_ns;
        unsorted |= n > 0 && ends[n] < ends[n - 1];
        n++;
    }
    tnd_walk_end(&walk);
    if (unsorted && n <= G_MAXINT) /* states overlap: Paraver shows the latest begun, and idle after any end */
        g_qsort_with_data(ends, (gint)n, sizeof *ends, compare_times, NULL);
    *n_ends = n;
    return ends;
}

typedef double (*StateValue)(const TndViewDefinition *definition, const TndState *state);

/* A burst at each state's begin, and one of idle at each end at which no state begins. */
static TndBurst *evaluate_states(const TndViewSubject *subject, guint row, StateValue value_of, gsize *n_bursts)
{
    gsize n_ends, next_end = 0;
    guint64 *ends = sorted_ends(subject->trace, row, &n_ends);
    guint64 instant_ns = G_MAXUINT64; /* of the state before, if it had no length */
    TndBurstList list = tnd_burst_list_start(tnd_trace_end_ns(subject->trace));
    TndWalk walk = tnd_walk_states(subject->trace, row, G_MAXUINT64);
    for (const TndState *state; (state = tnd_walk_next_state(&walk));) {
        if (instant_ns < state->begin_ns)
            tnd_burst_list_begin(&list, instant_ns, 0.0);
        for (; next_end < n_ends && ends[next_end] <= state->begin_ns; next_end++)
            if (ends[next_end] < state->begin_ns)
                tnd_burst_list_begin(&list, ends[next_end], 0.0);
        tnd_burst_list_begin(&list, state->begin_ns, value_of(subject->definition, state));
        instant_ns = state->end_ns == state->begin_ns ? state->end_ns : G_MAXUINT64;
    }
    if (instant_ns != G_MAXUINT64)
        tnd_burst_list_begin(&list, instant_ns, 0.0);
    tnd_walk_end(&walk);
    for (; next_end < n_ends; next_end++)
        tnd_burst_list_begin(&list, ends[next_end], 0.0);
    g_free(ends);
    return tnd_burst_list_finish(&list, n_bursts);
}

static double state_itself(const TndViewDefinition *definition, const TndState *state)
{
    return state->state;
}

static double state_duration(const TndViewDefinition *definition, const TndState *state)
{
    return state->state == definition->state ? (double)(state->end_ns - state->begin_ns) : 0.0;
}

TndBurst *tnd_view_kinds_state(const TndViewSubject *subject, guint row, gsize *n_bursts)
{
    return evaluate_states(subject, row, state_itself, n_bursts);
}

TndBurst *tnd_view_kinds_state_duration(const TndViewSubject *subject, guint row, gsize *n_bursts)
{
    return evaluate_states(subject, row, state_duration, n_bursts);
}

TndBurst *tnd_view_kinds_last_value(const TndViewSubject *subject, guint row, gsize *n_bursts)
{
    const TndViewTypes *types = &subject->types;
    TndBurstList list = tnd_burst_list_start(tnd_trace_end_ns(subject->trace));
    TndWalk walk = tnd_walk_events(subject->trace, row, tnd_view_types_bits(types));
    for (const TndEvent *event; (event = tnd_walk_next_event(&walk));) {
        int index = tnd_view_types_find(types, event->type);
        if (index >= 0)
            tnd_burst_list_begin(&list, event->time_ns, (double)event->value / types->divisors[index]);
    }
    tnd_walk_end(&walk);
    return tnd_burst_list_finish(&list, n_bursts);
}

/* What the first of the view's events at the trace's end says, where bursts have ended; 0: there is none. */
static double value_at_end(const TndViewSubject *subject, guint row)
{
    TndWalk walk = tnd_walk_events(subject->trace, row, tnd_view_types_bits(&subject->types));
    walk.from_ns = tnd_trace_end_ns(subject->trace);
    int index = -1;
    const TndEvent *event;
    while (index < 0 && (event = tnd_walk_next_event(&walk)))
        if (event->time_ns >= walk.from_ns)
            index = tnd_view_types_find(&subject->types, event->type);
    double value = index >= 0 ? (double)event->value / subject->types.divisors[index] : 0.0;
    tnd_walk_end(&walk);
    return value;
}

TndBurst *tnd_view_kinds_next_value(const TndViewSubject *subject, guint row, gsize *n_bursts)
{
    TndBurst *bursts = tnd_view_kinds_last_value(subject, row, n_bursts);
    double value = value_at_end(subject, row);
    for (gsize i = *n_bursts; i-- > 0;) {
        double own = bursts[i].value;
        bursts[i].value = value;
        value = own;
    }
    return bursts;
}

/* A thread's state begins or ends to be the view's. */
typedef struct {
    guint64 time_ns;
    gint32 change;
} Change;

static int compare_changes(gconstpointer a, gconstpointer b)
{
    guint64 x = ((const Change *)a)->time_ns, y = ((const Change *)b)->time_ns;
    return (x > y) - (x < y);
}

static double state_is(const TndViewDefinition *definition, const TndState *state)
{
    return state->state == definition->state;
}

TndBurst *tnd_view_kinds_threads_in_state(const TndViewSubject *subject, guint row, gsize *n_bursts)
{
    GArray *changes = g_array_new(FALSE, FALSE, sizeof(Change));
    for (guint other = row; other < tnd_trace_n_threads(subject->trace); other++) {
        gsize n;
        if (subject->first_rows[other] != subject->first_rows[row])
            continue;
        TndBurst *bursts = evaluate_states(subject, other, state_is, &n);
        for (gsize i = 0; i < n; i++) {
            const Change ends[] = {{bursts[i].begin_ns, 1}, {bursts[i].end_ns, -1}};
            if (bursts[i].value != 0.0)
                g_array_append_vals(changes, ends, 2);
        }
        g_free(bursts);
    }
    g_array_sort(changes, compare_changes);
    TndBurstList list = tnd_burst_list_start(tnd_trace_end_ns(subject->trace));
    gint32 n_threads = 0, n_before = 0;
    for (guint i = 0; i < changes->len; i++) {
        const Change *change = &g_array_index(changes, Change, i);
        n_threads += change->change;
        gboolean is_last = i + 1 == changes->len || change[1].time_ns > change->time_ns;
        if (is_last && n_threads != n_before) {
            tnd_burst_list_begin(&list, change->time_ns, n_threads);
            n_before = n_threads;
        }
    }
    g_array_unref(changes);
    return tnd_burst_list_finish(&list, n_bursts);
}

TndBurst *tnd_view_kinds_rows(const TndViewSubject *subject, guint row, gsize *n_bursts)
{
    TndBurstList list = tnd_burst_list_start(tnd_trace_end_ns(subject->trace));
    guint n_rows = 0;
    for (guint other = row; other < tnd_trace_n_threads(subject->trace); other++)
        n_rows += subject->first_rows[other] == subject->first_rows[row];
    tnd_burst_list_begin(&list, 0, n_rows);
    return tnd_burst_list_finish(&list, n_bursts);
}

TndBurst *tnd_view_kinds_wait(const TndViewSubject *subject, guint row, gsize *n_bursts)
{
    TndTaskFrames frames = {g_array_new(FALSE, FALSE, sizeof(TndTaskFrame)), 0};
    TndRowRecords records;
    tnd_walk_all_events(subject->trace, row, &records);
    TndBurstList list = tnd_burst_list_start(tnd_trace_end_ns(subject->trace));
    for (gsize i = 0; i < records.n_events; i++) {
        const TndTaskStep step = tnd_task_frames_step(&frames, &records, i);
        if (step.kind == TND_TASK_STEP_NONE)
            continue;
        if (step.kind == TND_TASK_STEP_PUSH)
            g_array_append_val(frames.frames, step.frame);
        else
            g_array_set_size(frames.frames, step.keep);
        const TndTaskFrame *top = tnd_task_frames_top(&frames);
        tnd_burst_list_begin(&list, records.events[i].time_ns, top ? top->wait : 0);
    }
    g_free(records.events);
    g_array_unref(frames.frames);
    return tnd_burst_list_finish(&list, n_bursts);
}
