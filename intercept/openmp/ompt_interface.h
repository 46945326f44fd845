/* SPDX-License-Identifier: Apache-2.0
 *
 * OMPT, the interface by which an OpenMP library tells a tool what happens: the part of it that ompt.c uses, with the
 * numbers and prototypes of the OpenMP 5.1 specification (chapter 4), so that no library's header is needed to build.
 * Numbers that later versions add are named as such.
 *
 * Context: declarations only.
 */
#ifndef TND_OMPT_INTERFACE_H
#define TND_OMPT_INTERFACE_H

#include <stdint.h>

/* What a tool may keep of a region or a task; 0 until it does. */
union tnd_ompt_data {
    uint64_t value;
    const void *pointer;
};

struct tnd_ompt_dependence {
    union tnd_ompt_data variable;
    int type;
};

typedef void tnd_ompt_any(void);
typedef tnd_ompt_any *tnd_ompt_lookup(const char *name);
typedef int tnd_ompt_set_callback(int event, tnd_ompt_any *callback);

struct tnd_ompt_tool {
    int (*initialize)(tnd_ompt_lookup *lookup, int device, union tnd_ompt_data *tool);
    void (*finalize)(union tnd_ompt_data *tool);
    union tnd_ompt_data data;
};

enum tnd_ompt_event {
    TND_OMPT_PARALLEL_BEGIN = 3,
    TND_OMPT_PARALLEL_END = 4,
    TND_OMPT_TASK_CREATE = 5,
    TND_OMPT_TASK_SCHEDULE = 6,
    TND_OMPT_IMPLICIT_TASK = 7,
    TND_OMPT_TARGET = 8,
    TND_OMPT_SYNC_REGION_WAIT = 16,
    TND_OMPT_MUTEX_RELEASED = 17,
    TND_OMPT_DEPENDENCES = 18,
    TND_OMPT_WORK = 20,
    TND_OMPT_SYNC_REGION = 23,
    TND_OMPT_MUTEX_ACQUIRE = 26,
    TND_OMPT_MUTEX_ACQUIRED = 27,
    TND_OMPT_CANCEL = 30,
};

enum tnd_ompt_endpoint { TND_OMPT_BEGIN = 1, TND_OMPT_END = 2 };

enum tnd_ompt_work {
    TND_OMPT_LOOP = 1,
    TND_OMPT_SECTIONS = 2,
    TND_OMPT_SINGLE_EXECUTOR = 3,
    TND_OMPT_SINGLE_OTHER = 4,
    TND_OMPT_WORKSHARE = 5,
    TND_OMPT_DISTRIBUTE = 6,
    TND_OMPT_TASKLOOP = 7,
    TND_OMPT_LOOP_STATIC = 10, /* these four: OpenMP 5.2 */
    TND_OMPT_LOOP_DYNAMIC = 11,
    TND_OMPT_LOOP_GUIDED = 12,
    TND_OMPT_LOOP_OTHER = 13,
};

enum tnd_ompt_sync {
    TND_OMPT_BARRIER = 1,
    TND_OMPT_BARRIER_IMPLICIT = 2, /* of a construct or of the region: LLVM 14 does not say which */
    TND_OMPT_BARRIER_EXPLICIT = 3,
    TND_OMPT_BARRIER_IMPLEMENTATION = 4,
    TND_OMPT_TASKWAIT = 5,
    TND_OMPT_TASKGROUP = 6,
    TND_OMPT_BARRIER_WORKSHARE = 8,
    TND_OMPT_BARRIER_PARALLEL = 9,
    TND_OMPT_BARRIER_TEAMS = 10,
};

enum tnd_ompt_mutex { TND_OMPT_CRITICAL = 5, TND_OMPT_ATOMIC = 6, TND_OMPT_ORDERED = 7 };

enum tnd_ompt_task_flag {
    TND_OMPT_TASK_TASKWAIT = 0x10,
    TND_OMPT_TASK_UNDEFERRED = 0x8000000,
    TND_OMPT_TASK_UNTIED = 0x10000000,
    TND_OMPT_TASK_FINAL = 0x20000000,
};

enum tnd_ompt_cancel_flag {
    TND_OMPT_CANCEL_PARALLEL = 1,
    TND_OMPT_CANCEL_SECTIONS = 2,
    TND_OMPT_CANCEL_LOOP = 4,
};

enum tnd_ompt_status {
    TND_OMPT_COMPLETE = 1,
    TND_OMPT_YIELD = 2,
    TND_OMPT_CANCELLED = 3,
    TND_OMPT_DETACH = 4,
    TND_OMPT_EARLY_FULFILL = 5,
    TND_OMPT_LATE_FULFILL = 6,
    TND_OMPT_SWITCH = 7,
    TND_OMPT_TASKWAIT_COMPLETE = 8,
};

enum tnd_ompt_depend {
    TND_OMPT_IN = 1,
    TND_OMPT_OUT = 2,
    TND_OMPT_INOUT = 3,
    TND_OMPT_MUTEXINOUTSET = 4,
    TND_OMPT_SOURCE = 5,
    TND_OMPT_SINK = 6,
    TND_OMPT_INOUTSET = 7,
    TND_OMPT_OUT_ALL = 34, /* these two: OpenMP 5.2 */
    TND_OMPT_INOUT_ALL = 35,
};

#endif
