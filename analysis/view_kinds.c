/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Evaluations, each one pass over a row's records.
 */
#include "analysis/view_kinds.h"

#include "analysis/burst_list.h"
#include "analysis/task_frames.h"
#include "analysis/view_types.h"
#include "formats/event_types.h"

static int compare_times(gconstpointer a, gconstpointer b, gpointer unused)
{
    guint64 x = *(const guint64 *)a, y = *(const guint64 *)b;
    return (x > y) - (x < y);
}

/* When states end, in order of time; those of no length are left out. */
static guint64 *sorted_ends(const TndThread *thread, gsize *n_ends)
{
    guint64 *ends = g_new(guint64, thread->n_states + 1);
    gsize n = 0;
    gboolean unsorted = FALSE;
    for (gsize i = 0; i < thread->n_states; i++) {
        if (thread->states[i].end_ns == thread->states[i].begin_ns)
            continue;
        ends[n] = thread->states[i].end_ns;
        unsorted |= n > 0 && ends[n] < ends[n - 1];
        n++;
    }
    if (unsorted && n <= G_MAXINT) /* states overlap: Paraver shows the latest begun, and idle after any end */
        g_qsort_with_data(ends, (gint)n, sizeof *ends, compare_times, NULL);
    *n_ends = n;
    return ends;
}

typedef double (*StateValue)(const TndViewDefinition *definition, const TndState *state);

/* A burst at each state's begin, and one of idle at each end at which no state begins. */
static TndBurst *evaluate_states(const TndViewSubject *subject, guint row, StateValue value_of, gsize *n_bursts)
{
    const TndThread *thread = tnd_trace_thread(subject->trace, row);
    gsize n_ends, next_end = 0;
    guint64 *ends = sorted_ends(thread, &n_ends);
    TndBurstList list = tnd_burst_list_start(2 * thread->n_states + 1, tnd_trace_end_ns(subject->trace));
    for (gsize i = 0; i < thread->n_states; i++) {
        const TndState *state = &thread->states[i];
        for (; next_end < n_ends && ends[next_end] <= state->begin_ns; next_end++)
            if (ends[next_end] < state->begin_ns)
                tnd_burst_list_begin(&list, ends[next_end], 0.0);
        tnd_burst_list_begin(&list, state->begin_ns, value_of(subject->definition, state));
        gboolean alone = i + 1 == thread->n_states || state[1].begin_ns > state->begin_ns;
        if (state->end_ns == state->begin_ns && alone)
            tnd_burst_list_begin(&list, state->end_ns, 0.0);
    }
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
    const TndThread *thread = tnd_trace_thread(subject->trace, row);
    const TndViewTypes *types = &subject->types;
    gsize n_matching = 0;
    for (gsize i = 0; i < thread->n_events; i++)
        n_matching += tnd_view_types_find(types, thread->events[i].type) >= 0;
    TndBurstList list = tnd_burst_list_start(n_matching + 1, tnd_trace_end_ns(subject->trace));
    for (gsize i = 0; i < thread->n_events; i++) {
        int index = tnd_view_types_find(types, thread->events[i].type);
        if (index >= 0)
            tnd_burst_list_begin(&list, thread->events[i].time_ns,
                                 (double)thread->events[i].value / types->divisors[index]);
    }
    return tnd_burst_list_finish(&list, n_bursts);
}

/* What the first of the view's events at the trace's end says, where bursts have ended; 0: there is none. */
static double value_at_end(const TndViewSubject *subject, const TndThread *thread)
{
    double value = 0.0;
    for (gsize i = thread->n_events; i-- > 0 && thread->events[i].time_ns >= tnd_trace_end_ns(subject->trace);) {
        int index = tnd_view_types_find(&subject->types, thread->events[i].type);
        if (index >= 0)
            value = (double)thread->events[i].value / subject->types.divisors[index];
    }
    return value;
}

TndBurst *tnd_view_kinds_next_value(const TndViewSubject *subject, guint row, gsize *n_bursts)
{
    TndBurst *bursts = tnd_view_kinds_last_value(subject, row, n_bursts);
    double value = value_at_end(subject, tnd_trace_thread(subject->trace, row));
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
    TndBurstList list = tnd_burst_list_start(changes->len + 1, tnd_trace_end_ns(subject->trace));
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
    TndBurstList list = tnd_burst_list_start(1, tnd_trace_end_ns(subject->trace));
    guint n_rows = 0;
    for (guint other = row; other < tnd_trace_n_threads(subject->trace); other++)
        n_rows += subject->first_rows[other] == subject->first_rows[row];
    tnd_burst_list_begin(&list, 0, n_rows);
    return tnd_burst_list_finish(&list, n_bursts);
}

TndBurst *tnd_view_kinds_wait(const TndViewSubject *subject, guint row, gsize *n_bursts)
{
    const TndThread *thread = tnd_trace_thread(subject->trace, row);
    TndTaskFrames frames = {g_array_new(FALSE, FALSE, sizeof(TndTaskFrame)), 0};
    gsize n_matching = 0;
    for (gsize i = 0; i < thread->n_events; i++)
        n_matching += tnd_view_types_find(&subject->types, thread->events[i].type) >= 0 ||
                      thread->events[i].type == TND_TYPE_OPENMP_TASK ||
                      thread->events[i].type == TND_TYPE_THREAD_NUMBER;
    TndBurstList list = tnd_burst_list_start(n_matching + 1, tnd_trace_end_ns(subject->trace));
    for (gsize i = 0; i < thread->n_events; i++) {
        const TndTaskStep step = tnd_task_frames_step(&frames, thread, i);
        if (step.kind == TND_TASK_STEP_NONE)
            continue;
        if (step.kind == TND_TASK_STEP_PUSH)
            g_array_append_val(frames.frames, step.frame);
        else
            g_array_set_size(frames.frames, step.keep);
        const TndTaskFrame *top = tnd_task_frames_top(&frames);
        tnd_burst_list_begin(&list, thread->events[i].time_ns, top ? top->wait : 0);
    }
    g_array_unref(frames.frames);
    return tnd_burst_list_finish(&list, n_bursts);
}
