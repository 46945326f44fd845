/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Thread functions that Paraver does not have: readings of sensors and processes, waits in OpenMP, samples, waits
 * for other threads, and a constant.
 */
#include "analysis/views/semantic.h"

#include "analysis/causes/wait_states.h"
#include "analysis/views/task_frames.h"
#include "analysis/views/view_readings.h"
#include "analysis/views/view_sensors.h"
#include "analysis/views/view_types.h"
#include "formats/event_types.h"

/* The innermost wait of a thread; 0 while it runs a task within the wait. */
static void waits(TndSemanticRow *row, TndBurstStream *stream)
{
    TndTaskFrames frames = {g_array_new(FALSE, FALSE, sizeof(TndTaskFrame)), 0};
    TndRowRecords records;
    tnd_walk_all_events(row->plan->trace, row->row, &records);
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

/* Readings; where sensors are about some CPUs only, those about the row's CPU. */
static void readings(TndSemanticRow *row, TndBurstStream *stream)
{
    if (row->plan->sensors)
        tnd_view_sensors_evaluate(row->plan, row->row, stream);
    else
        tnd_view_readings_evaluate(row, stream);
}

/* Functions of samples, or of waits: each holds for the time that it stands for, which ends with it.  In traces that do
 * not say how long that is, a sample holds until the next one. */
static void samples(TndSemanticRow *row, TndBurstStream *stream)
{
    const TndViewTypes *types = &row->plan->types;
    gboolean are_waits = types->n_types && types->types[0].type >= TND_TYPE_WAITING_FUNCTION;
    guint32 weight_type = are_waits ? TND_TYPE_WAITED_TIME : TND_TYPE_SAMPLE_WEIGHT;
    gboolean have_weights = tnd_trace_n_events_of(row->plan->trace, weight_type) > 0;
    guint64 sampled_ns = G_MAXUINT64, until_ns = 0;
    double value = 0, found;
    TndWalk walk =
        tnd_walk_events(row->plan->trace, row->row, tnd_view_types_bits(types) | tnd_blocks_bit(weight_type));
    for (const TndEvent *event; (event = tnd_walk_next_event(&walk));) {
        if (event->type == weight_type && sampled_ns == event->time_ns) {
            guint64 begin_ns = MAX(until_ns, sampled_ns - MIN(sampled_ns, (guint64)MAX(event->value, 0)));
            if (begin_ns > until_ns)
                tnd_burst_stream_begin(stream, until_ns, 0);
            if (begin_ns < sampled_ns)
                tnd_burst_stream_begin(stream, begin_ns, value);
            until_ns = sampled_ns;
        } else if (tnd_view_types_value(types, event, &found)) {
            value = found;
            sampled_ns = event->time_ns;
            if (!have_weights)
                tnd_burst_stream_begin(stream, sampled_ns, value);
        }
    }
    tnd_walk_end(&walk);
    if (have_weights)
        tnd_burst_stream_begin(stream, until_ns, 0);
}

/* The waits of a row (wait_states.h): their kinds, or the numbers of the rows that are waited for, from 1. */
static void follow_waits(TndSemanticRow *row, TndBurstStream *stream, gboolean is_cause)
{
    const TndWaitStates *states = tnd_wait_states_of(row->plan->trace);
    for (gsize i = 0; i < tnd_wait_states_n(states, row->row); i++) {
        const TndWait *wait = tnd_wait_states_at(states, row->row, i);
        tnd_burst_stream_begin(stream, wait->begin_ns, is_cause ? wait->cause_row + 1 : wait->kind);
        tnd_burst_stream_begin(stream, wait->end_ns, 0);
    }
}

static void wait_states(TndSemanticRow *row, TndBurstStream *stream)
{
    follow_waits(row, stream, FALSE);
}

static void waited_for(TndSemanticRow *row, TndBurstStream *stream)
{
    follow_waits(row, stream, TRUE);
}

static void one(TndSemanticRow *row, TndBurstStream *stream)
{
    tnd_burst_stream_begin(stream, 0, 1);
}

const TndSemanticThread tnd_semantic_own[] = {
    {{TND_SEMANTIC_READINGS, 0, {0}}, TND_SEMANTIC_EVENTS, readings},
    {{TND_SEMANTIC_WAITS, 0, {0}}, TND_SEMANTIC_EVENTS, waits},
    {{TND_SEMANTIC_SAMPLES, 0, {0}}, TND_SEMANTIC_EVENTS, samples},
    {{TND_SEMANTIC_WAIT_STATES, 0, {0}}, TND_SEMANTIC_EVENTS, wait_states},
    {{TND_SEMANTIC_WAITED_FOR, 0, {0}}, TND_SEMANTIC_NUMBERS, waited_for},
    {{TND_SEMANTIC_ONE, 0, {0}}, TND_SEMANTIC_NUMBERS, one},
    {{NULL, 0, {0}}, 0, NULL},
};
