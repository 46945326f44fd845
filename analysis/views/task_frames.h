/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a thread is in, as far as tasks of OpenMP go: tasks, and waits in which it may run others, one within the other,
 * from the events of its row.  The value of an event is what holds from then on; whether something begins with it or is
 * come back to is found out here.
 */
#ifndef TND_TASK_FRAMES_H
#define TND_TASK_FRAMES_H

#include "analysis/trace/walk.h"

typedef struct {
    guint32 wait;    /* place among tnd_task_frames_waits, from 1; 0: a task */
    gint64 function; /* of a task: the value of its event */
    guint32 index;   /* for who pushes it */
} TndTaskFrame;

typedef struct {
    GArray *frames; /* of TndTaskFrame, the innermost last */
    gint64 group;   /* last value of TASKGROUP_CALL */
} TndTaskFrames;

/* What an event means. */
typedef struct {
    enum {
        TND_TASK_STEP_NONE,
        TND_TASK_STEP_PUSH, /* `frame` is to be pushed */
        TND_TASK_STEP_POP,  /* those from `keep` on are to be popped */
    } kind;
    TndTaskFrame frame;
    gint64 number; /* of a task that begins or goes on; 0: it has none */
    guint keep;
} TndTaskStep;

/* Event types of waits; 0 at the end. */
extern const guint32 tnd_task_frames_waits[];

TndTaskStep tnd_task_frames_step(TndTaskFrames *frames, const TndRowRecords *row, gsize at);

static inline TndTaskFrame *tnd_task_frames_top(const TndTaskFrames *frames)
{
    return frames->frames->len ? &g_array_index(frames->frames, TndTaskFrame, frames->frames->len - 1) : NULL;
}

/* The value of an event of a type that belongs to the task event at `at`; 0: there is none. */
gint64 tnd_task_frames_beside(const TndRowRecords *row, gsize at, guint32 type);

#endif
