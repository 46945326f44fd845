/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Evaluations, each one pass over a row's records.
 */
#include "analysis/views/view_kinds.h"

#include "analysis/bursts/burst_stream.h"
#include "analysis/trace/walk.h"
#include "analysis/views/task_frames.h"
#include "analysis/views/view_types.h"
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
static void evaluate_states(const TndViewSubject *subject, guint row, StateValue value_of, TndBurstStream *stream)
{
    gsize n_ends, next_end = 0;
    guint64 *ends = sorted_ends(subject->trace, row, &n_ends);
    guint64 instant_ns = G_MAXUINT64; /* of the state before, if it had no length */
    TndWalk walk = tnd_walk_states(subject->trace, row, G_MAXUINT64);
    for (const TndState *state; (state = tnd_walk_next_state(&walk));) {
        if (instant_ns < state->begin_ns)
            tnd_burst_stream_begin(stream, instant_ns, 0.0);
        for (; next_end < n_ends && ends[next_end] <= state->begin_ns; next_end++)
            if (ends[next_end] < state->begin_ns)
                tnd_burst_stream_begin(stream, ends[next_end], 0.0);
        tnd_burst_stream_begin(stream, state->begin_ns, value_of(subject->definition, state));
        instant_ns = state->end_ns == state->begin_ns ? state->end_ns : G_MAXUINT64;
    }
    if (instant_ns != G_MAXUINT64)
        tnd_burst_stream_begin(stream, instant_ns, 0.0);
    tnd_walk_end(&walk);
    for (; next_end < n_ends; next_end++)
        tnd_burst_stream_begin(stream, ends[next_end], 0.0);
    g_free(ends);
}

static double state_itself(const TndViewDefinition *definition, const TndState *state)
{
    return state->state;
}

static double state_duration(const TndViewDefinition *definition, const TndState *state)
{
    return state->state == definition->state ? (double)(state->end_ns - state->begin_ns) : 0.0;
}

void tnd_view_kinds_state(const TndViewSubject *subject, guint row, TndBurstStream *stream)
{
    evaluate_states(subject, row, state_itself, stream);
}

void tnd_view_kinds_state_duration(const TndViewSubject *subject, guint row, TndBurstStream *stream)
{
    evaluate_states(subject, row, state_duration, stream);
}

void tnd_view_kinds_last_value(const TndViewSubject *subject, guint row, TndBurstStream *stream)
{
    const TndViewTypes *types = &subject->types;
    TndWalk walk = tnd_walk_events(subject->trace, row, tnd_view_types_bits(types));
    for (const TndEvent *event; (event = tnd_walk_next_event(&walk));) {
        int index = tnd_view_types_find(types, event->type);
        if (index >= 0)
            tnd_burst_stream_begin(stream, event->time_ns, (double)event->value / types->divisors[index]);
    }
    tnd_walk_end(&walk);
}

void tnd_view_kinds_next_value(const TndViewSubject *subject, guint row, TndBurstStream *stream)
{
    const TndViewTypes *types = &subject->types;
    guint64 before_ns = 0;
    TndWalk walk = tnd_walk_events(subject->trace, row, tnd_view_types_bits(types));
    for (const TndEvent *event; (event = tnd_walk_next_event(&walk));) {
        int index = tnd_view_types_find(types, event->type);
        if (index < 0)
            continue;
        tnd_burst_stream_begin(stream, before_ns, (double)event->value / types->divisors[index]);
        before_ns = event->time_ns;
    }
    tnd_walk_end(&walk);
    tnd_burst_stream_begin(stream, before_ns, 0.0); /* nothing is known of what is after the last one */
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

static void add_changes(const TndBurst *bursts, gsize n, gpointer changes)
{
    for (gsize i = 0; i < n; i++) {
        const Change ends[] = {{bursts[i].begin_ns, 1}, {bursts[i].end_ns, -1}};
        if (bursts[i].value != 0.0)
            g_array_append_vals(changes, ends, 2);
    }
}

void tnd_view_kinds_threads_in_state(const TndViewSubject *subject, guint row, TndBurstStream *stream)
{
    GArray *changes = g_array_new(FALSE, FALSE, sizeof(Change));
    TndBurstStream threads;
    for (guint other = row; other < tnd_trace_n_threads(subject->trace); other++) {
        if (subject->first_rows[other] != subject->first_rows[row])
            continue;
        tnd_burst_stream_start(&threads, tnd_trace_end_ns(subject->trace), add_changes, changes);
        evaluate_states(subject, other, state_is, &threads);
        tnd_burst_stream_finish(&threads);
    }
    g_array_sort(changes, compare_changes);
    gint32 n_threads = 0, n_before = 0;
    for (guint i = 0; i < changes->len; i++) {
        const Change *change = &g_array_index(changes, Change, i);
        n_threads += change->change;
        gboolean is_last = i + 1 == changes->len || change[1].time_ns > change->time_ns;
        if (is_last && n_threads != n_before) {
            tnd_burst_stream_begin(stream, change->time_ns, n_threads);
            n_before = n_threads;
        }
    }
    g_array_unref(changes);
}

void tnd_view_kinds_rows(const TndViewSubject *subject, guint row, TndBurstStream *stream)
{
    guint n_rows = 0;
    for (guint other = row; other < tnd_trace_n_threads(subject->trace); other++)
        n_rows += subject->first_rows[other] == subject->first_rows[row];
    tnd_burst_stream_begin(stream, 0, n_rows);
}

void tnd_view_kinds_wait(const TndViewSubject *subject, guint row, TndBurstStream *stream)
{
    TndTaskFrames frames = {g_array_new(FALSE, FALSE, sizeof(TndTaskFrame)), 0};
    TndRowRecords records;
    tnd_walk_all_events(subject->trace, row, &records);
    for (gsize i = 0; i < records.n_events; i++) {
        const TndTaskStep step = tnd_task_frames_step(&frames, &records, i);
        if (step.kind == TND_TASK_STEP_NONE)
            continue;
        if (step.kind == TND_TASK_STEP_PUSH)
            g_array_append_val(frames.frames, step.frame);
        else
            g_array_set_size(frames.frames, step.keep);
        const TndTaskFrame *top = tnd_task_frames_top(&frames);
        tnd_burst_stream_begin(stream, records.events[i].time_ns, top ? top->wait : 0);
    }
    g_free(records.events);
    g_array_unref(frames.frames);
}
