/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Thread functions that Paraver does not have: readings of sensors and processes, waits in OpenMP, and a constant.
 */
#include "analysis/views/semantic.h"

#include "analysis/views/task_frames.h"
#include "analysis/views/view_readings.h"
#include "analysis/views/view_sensors.h"

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

static void one(TndSemanticRow *row, TndBurstStream *stream)
{
    tnd_burst_stream_begin(stream, 0, 1);
}

const TndSemanticThread tnd_semantic_own[] = {
    {{TND_SEMANTIC_READINGS, 0, {0}}, TND_SEMANTIC_EVENTS, readings},
    {{TND_SEMANTIC_WAITS, 0, {0}}, TND_SEMANTIC_EVENTS, waits},
    {{TND_SEMANTIC_ONE, 0, {0}}, TND_SEMANTIC_NUMBERS, one},
    {{NULL, 0, {0}}, 0, NULL},
};
