/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Frames of tasks and waits.  An event of a task that comes with the task's number begins or continues that task;
 * without a number it returns to the outer task.  A task that runs within a wait may itself wait in the same way; when
 * that wait ends, the event has the value of the outer wait.  (Traces of Extrae have 0 there.)
 */
#include "analysis/views/task_frames.h"

#include "formats/event_types.h"

const guint32 tnd_task_frames_waits[] = {
    TND_TYPE_OPENMP_BARRIER,    TND_TYPE_OPENMP_JOIN,         TND_TYPE_OPENMP_TASKWAIT, TND_TYPE_OPENMP_TASKGROUP_CALL,
    TND_TYPE_OPENMP_NAMED_LOCK, TND_TYPE_OPENMP_UNNAMED_LOCK, TND_TYPE_OPENMP_ORDERED,  0,
};
/* For each type of wait, the value of its event while a thread waits; 0: any value but 0. */
static const gint64 waiting_values[] = {0, 0, 0, 2, 3, 3, 3};

gint64 tnd_task_frames_task_value(const TndRowRecords *row, gsize at, guint32 type)
{
    for (gsize i = at + 1; i < row->n_events && row->events[i].time_ns == row->events[at].time_ns; i++) {
        if (row->events[i].type == type)
            return row->events[i].value;
        if (row->events[i].type == TND_TYPE_OPENMP_TASK || row->events[i].type == TND_TYPE_OPENMP_TASK_CREATED)
            return 0;
    }
    return 0;
}

static const TndTaskFrame *frame_at(const TndTaskFrames *frames, guint i)
{
    return &g_array_index(frames->frames, TndTaskFrame, i);
}

/* The index of the innermost frame before `end` whose `wait` is this; G_MAXUINT: there is none. */
static guint find_frame(const TndTaskFrames *frames, guint32 wait, guint end)
{
    for (guint i = end; i-- > 0;)
        if (frame_at(frames, i)->wait == wait)
            return i;
    return G_MAXUINT;
}

static TndTaskStep pop_from(guint place)
{
    return (TndTaskStep){.kind = place == G_MAXUINT ? TND_TASK_STEP_NONE : TND_TASK_STEP_POP, .keep = place};
}

static TndTaskStep step_task(const TndTaskFrames *frames, const TndRowRecords *row, gsize at)
{
    gint64 function = row->events[at].value;
    guint inner = find_frame(frames, 0, frames->frames->len);
    if (!function)
        return pop_from(inner);
    gint64 number = tnd_task_frames_task_value(row, at, TND_TYPE_OPENMP_TASK_ID);
    guint outer = inner == G_MAXUINT ? G_MAXUINT : find_frame(frames, 0, inner);
    if (!number && outer != G_MAXUINT && frame_at(frames, outer)->function == function)
        return pop_from(inner);
    return (TndTaskStep){.kind = TND_TASK_STEP_PUSH, .frame = {.function = function}, .number = number};
}

static TndTaskStep step_wait(TndTaskFrames *frames, const TndEvent *event, guint32 wait)
{
    gint64 waiting = waiting_values[wait - 1];
    gboolean waits = waiting ? event->value == waiting : event->value != 0;
    guint place = frames->frames->len; /* index of the wait of this type within the innermost task */
    while (place > 0 && frame_at(frames, place - 1)->wait && frame_at(frames, place - 1)->wait != wait)
        place--;
    gboolean is_inside = place-- > 0 && frame_at(frames, place)->wait == wait;
    gboolean is_back =
        event->type == TND_TYPE_OPENMP_TASKGROUP_CALL && frames->group == 1; /* the taskgroup's start has returned */
    if (event->type == TND_TYPE_OPENMP_TASKGROUP_CALL)
        frames->group = event->value;
    if (is_inside && (!waits || find_frame(frames, wait, place) != G_MAXUINT))
        return pop_from(place);
    if (is_inside || !waits || is_back)
        return pop_from(G_MAXUINT);
    return (TndTaskStep){.kind = TND_TASK_STEP_PUSH, .frame = {.wait = wait}};
}

TndTaskStep tnd_task_frames_step(TndTaskFrames *frames, const TndRowRecords *row, gsize at)
{
    const TndEvent *event = &row->events[at];
    if (event->type == TND_TYPE_OPENMP_TASK)
        return step_task(frames, row, at);
    if (event->type == TND_TYPE_THREAD_NUMBER) /* the row continues with another thread */
        return pop_from(frames->frames->len ? 0 : G_MAXUINT);
    for (guint32 i = 0; tnd_task_frames_waits[i]; i++)
        if (event->type == tnd_task_frames_waits[i])
            return step_wait(frames, event, i + 1);
    return pop_from(G_MAXUINT);
}
