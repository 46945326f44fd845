/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stack of OpenMP tasks, and of waits in which a thread may run other tasks, from the events of its row.  An event
 * only says which task or wait a thread is in from then on; this finds out whether that one begins or is returned to.
 */
#ifndef TND_TASK_FRAMES_H
#define TND_TASK_FRAMES_H

#include "analysis/trace/walk.h"

typedef struct {
    guint32 wait;    /* index in tnd_task_frames_waits, from 1; 0: a task */
    gint64 function; /* of a task: the value of its event */
    guint32 index;   /* the caller's, who pushes the frame */
} TndTaskFrame;

typedef struct {
    GArray *frames; /* TndTaskFrame, the innermost last */
    gint64 group;   /* the last value of TND_TYPE_OPENMP_TASKGROUP_CALL */
} TndTaskFrames;

/* What an event means. */
typedef struct {
    enum {
        TND_TASK_STEP_NONE,
        TND_TASK_STEP_PUSH, /* the caller pushes `frame` */
        TND_TASK_STEP_POP,  /* the caller pops all frames but the first `keep` */
    } kind;
    TndTaskFrame frame;
    gint64 number; /* of the task that begins or continues; 0: it has none */
    guint keep;
} TndTaskStep;

/* The event types of waits; 0 at the end. */
extern const guint32 tnd_task_frames_waits[];

/* What the event at `at` means.  The caller changes the stack of frames as the step says. */
TndTaskStep tnd_task_frames_step(TndTaskFrames *frames, const TndRowRecords *row, gsize at);

static inline TndTaskFrame *tnd_task_frames_top(const TndTaskFrames *frames)
{
    return frames->frames->len ? &g_array_index(frames->frames, TndTaskFrame, frames->frames->len - 1) : NULL;
}

/* The value of the event of this type that accompanies the task event at `at`; 0: there is none. */
gint64 tnd_task_frames_task_value(const TndRowRecords *row, gsize at, guint32 type);

#endif
