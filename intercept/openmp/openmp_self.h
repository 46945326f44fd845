/* SPDX-License-Identifier: Apache-2.0
 *
 * What a thread knows of the OpenMP code that it runs, and the records of it, for both libraries (libgomp, libomp).
 * Cost: a record takes about 6 ns with the call; the caller reads the clock, once for all records of one moment.
 *
 * Context: the program's OpenMP calls, in the calling thread; not for handlers.  Nothing here allocates or locks.
 */
#ifndef TND_OPENMP_SELF_H
#define TND_OPENMP_SELF_H

#include "formats/event_types.h"
#include "runtime/machine.h"
#include "runtime/thread.h"

#include <stdbool.h>
#include <stdint.h>

/* Values of event type OPENMP_SCHEDULE. */
enum tnd_openmp_schedule {
    TND_OPENMP_STATIC = 1,
    TND_OPENMP_DYNAMIC = 2,
    TND_OPENMP_GUIDED = 3,
    TND_OPENMP_AUTO = 4,
    TND_OPENMP_RUNTIME = 5, /* as OMP_SCHEDULE or omp_set_schedule() says */
};

struct tnd_openmp_self {
    uint32_t task;                   /* number of the task whose code runs, 0 for an implicit task that has none yet */
    uint32_t next_task, n_task_left; /* numbers that this thread has reserved */
    bool has_worked;                 /* it is a worker that has run its part of a region */
    bool is_waiting;                 /* it is a worker between two regions: OPENMP_POOL is open */
    int64_t incr;                    /* of the loop that is being shared */
};

extern _Thread_local struct tnd_openmp_self tnd_openmp_self
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Whether OpenMP is to be recorded at all. */
extern bool tnd_openmp_self_wanted __attribute__((visibility("hidden")));

/* What the user may leave out (settings `openmp-functions`, `openmp-exclude`); regions and the time of their workers
 * between them are always recorded. */
enum tnd_openmp_construct {
    TND_OPENMP_REGION,
    TND_OPENMP_WORKSHARING, /* without it chunks are left out, too */
    TND_OPENMP_CHUNK,
    TND_OPENMP_JOIN,
    TND_OPENMP_BARRIER,
    TND_OPENMP_LOCK,
    TND_OPENMP_ORDERED,
    TND_OPENMP_TASK,
    TND_OPENMP_TASKWAIT,
    TND_OPENMP_TASKGROUP,
    TND_OPENMP_TASKYIELD,
    TND_OPENMP_TARGET,
    TND_OPENMP_NUM_THREADS,
    TND_OPENMP_N_CONSTRUCTS
};

static inline enum tnd_openmp_construct tnd_openmp_self_construct(uint32_t type)
{
    switch (type) {
    case TND_TYPE_OPENMP_WORKSHARING:
    case TND_TYPE_OPENMP_SCHEDULE:
    case TND_TYPE_OPENMP_ITERATIONS:
        return TND_OPENMP_WORKSHARING;
    case TND_TYPE_OPENMP_CHUNK:
        return TND_OPENMP_CHUNK;
    case TND_TYPE_OPENMP_JOIN:
        return TND_OPENMP_JOIN;
    case TND_TYPE_OPENMP_BARRIER:
        return TND_OPENMP_BARRIER;
    case TND_TYPE_OPENMP_NAMED_LOCK:
    case TND_TYPE_OPENMP_UNNAMED_LOCK:
    case TND_TYPE_OPENMP_LOCK_NAME:
        return TND_OPENMP_LOCK;
    case TND_TYPE_OPENMP_ORDERED:
        return TND_OPENMP_ORDERED;
    case TND_TYPE_OPENMP_TASK:
    case TND_TYPE_OPENMP_TASK_CREATED:
    case TND_TYPE_OPENMP_TASKLOOP:
    case TND_TYPE_OPENMP_TASKLOOP_ID:
        return TND_OPENMP_TASK;
    case TND_TYPE_OPENMP_TASKWAIT:
        return TND_OPENMP_TASKWAIT;
    case TND_TYPE_OPENMP_TASKGROUP:
    case TND_TYPE_OPENMP_TASKGROUP_CALL:
        return TND_OPENMP_TASKGROUP;
    case TND_TYPE_OPENMP_TASKYIELD:
        return TND_OPENMP_TASKYIELD;
    case TND_TYPE_OPENMP_TARGET:
        return TND_OPENMP_TARGET;
    case TND_TYPE_OPENMP_SET_THREADS:
        return TND_OPENMP_NUM_THREADS;
    default:
        return TND_OPENMP_REGION;
    }
}

/* Those that are left out. */
extern bool tnd_openmp_self_excluded[TND_OPENMP_N_CONSTRUCTS] __attribute__((visibility("hidden")));

/* Whether the construct that an event type is of is to be recorded. */
static inline bool tnd_openmp_self_wants(uint32_t type)
{
    enum tnd_openmp_construct construct = tnd_openmp_self_construct(type);
    return construct == TND_OPENMP_REGION || __builtin_expect(!tnd_openmp_self_excluded[construct], 1);
}

/* The calling thread; NULL: nothing is recorded now. */
static inline struct tnd_thread *tnd_openmp_self_thread(void)
{
    return __builtin_expect(tnd_openmp_self_wanted, 1) ? tnd_thread_get() : NULL;
}

/* The following three, whatever is left out. */
void tnd_openmp_self_emit_enter(struct tnd_thread *thread, uint64_t time, uint32_t type, uint16_t value);
void tnd_openmp_self_emit_leave(struct tnd_thread *thread, uint64_t time, uint32_t type, uint16_t value);
void tnd_openmp_self_emit_value(struct tnd_thread *thread, uint64_t time, uint32_t type, uint64_t value);

/* These record nothing of a construct that is left out.  Types are mostly constant, so that this is one load. */
static inline void tnd_openmp_self_enter(struct tnd_thread *thread, uint64_t time, uint32_t type, uint16_t value)
{
    if (tnd_openmp_self_wants(type))
        tnd_openmp_self_emit_enter(thread, time, type, value);
}

/* value: the value that holds afterwards, mostly 0. */
static inline void tnd_openmp_self_leave(struct tnd_thread *thread, uint64_t time, uint32_t type, uint16_t value)
{
    if (tnd_openmp_self_wants(type))
        tnd_openmp_self_emit_leave(thread, time, type, value);
}

static inline void tnd_openmp_self_value(struct tnd_thread *thread, uint64_t time, uint32_t type, uint64_t value)
{
    if (tnd_openmp_self_wants(type))
        tnd_openmp_self_emit_value(thread, time, type, value);
}

/* A TASK record whose only word is `word`. */
void tnd_openmp_self_task(struct tnd_thread *thread, uint64_t time, enum tnd_task_phase phase, uint32_t number,
                          uint64_t word);

/* A number for a task: unique in the process, for as long as there are fewer than 2^32. */
uint32_t tnd_openmp_self_number(void);

/* The number of the task whose code runs, giving it one if it is an implicit task without. */
uint32_t tnd_openmp_self_creator(void);

/* The thread begins to run its part of a parallel region; and has run it.  `before` keeps its state before that;
 * is_worker: another thread has opened the region, and this one waits for work before and after it.  begin returns the
 * time if it recorded something. */
uint64_t tnd_openmp_self_begin(struct tnd_openmp_self *before, const void *function, bool is_worker);
void tnd_openmp_self_end(const struct tnd_openmp_self *before, bool is_worker);

/* The libraries' numbers of schedules are those of enum tnd_openmp_schedule, with more bits above; 0 is `runtime`. */
static inline uint16_t tnd_openmp_self_schedule(long number)
{
    return number & 7 ? (uint16_t)(number & 7) : TND_OPENMP_RUNTIME;
}

/* Number of iterations of a loop, from the arguments that compilers pass. */
static inline uint64_t tnd_openmp_self_count(uint64_t start, uint64_t end, uint64_t incr)
{
    int64_t step = (int64_t)incr, distance = (int64_t)(end - start);
    if (step == 1) /* the usual case; a division takes as long as reading the clock */
        return distance < 0 ? 0 : (uint64_t)distance;
    if (step == 0 || (distance < 0) != (step < 0))
        return 0;
    uint64_t length = step < 0 ? -(uint64_t)distance : (uint64_t)distance,
             by = step < 0 ? -(uint64_t)step : (uint64_t)step;
    return tnd_machine_divide(length + by - 1, by);
}

/* The same, for a loop that this thread begins to share; keeps the step for its chunks. */
static inline uint64_t tnd_openmp_self_loop(uint64_t start, uint64_t end, uint64_t incr)
{
    tnd_openmp_self.incr = (int64_t)incr;
    return tnd_openmp_self_count(start, end, incr);
}

/* The same for a doacross loop: its outermost loop is shared, from 0 in steps of 1.  A macro, as the next: `counts`
 * points to numbers of the type that the call has. */
#define TND_OPENMP_SELF_DOACROSS(n_counts, counts) (tnd_openmp_self.incr = 1, (n_counts) ? (uint64_t)(counts)[0] : 0)

/* Number of iterations of a chunk; 0: there is none. */
#define TND_OPENMP_SELF_CHUNK(is_given, start, end)                                                                    \
    ((is_given) && (start) && (end)                                                                                    \
         ? tnd_openmp_self_count((uint64_t) * (start), (uint64_t) * (end), (uint64_t)tnd_openmp_self.incr)             \
         : 0)

#endif
