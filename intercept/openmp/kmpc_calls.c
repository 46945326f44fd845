/* SPDX-License-Identifier: Apache-2.0
 *
 * Wrappers of entry points of LLVM's OpenMP library, which code of clang and of compilers like it calls, for what OMPT
 * does not report: schedules and chunks of loops and the time to get them, waiting in doacross loops, where a taskloop
 * is, which tasks are detached.  The first arguments, the place in the source and the thread's number, are passed on as
 * they are.
 *
 * When OMPT is not in use, a call is only passed on.
 *
 * Context: openmp_self.h.
 */
#include "intercept/base/callee.h"
#include "intercept/base/guard.h"
#include "intercept/openmp/ompt.h"
#include "runtime/clock.h"

/* Functions that only compilers call are in no header. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#define GUARD(name) TND_GUARD(name, TND_GUARD_OPENMP)
#define GUARD_LOOP(suffix)                                                                                             \
    GUARD(__kmpc_for_static_init_##suffix)                                                                             \
    GUARD(__kmpc_dispatch_init_##suffix)                                                                               \
    GUARD(__kmpc_dispatch_next_##suffix)
GUARD_LOOP(4)
GUARD_LOOP(4u)
GUARD_LOOP(8)
GUARD_LOOP(8u)
GUARD(__kmpc_doacross_wait)
GUARD(__kmpc_doacross_post)
GUARD(__kmpc_taskloop)
GUARD(__kmpc_taskloop_5)
GUARD(__kmpc_task_allow_completion_event)

#define PUBLIC __attribute__((visibility("default")))

static void *find(struct tnd_callee *callee, const void *caller)
{
    static const char *const usual[] = {"libomp.so.5", "libomp.so", "libiomp5.so", NULL};
    void *library, *found = tnd_callee_find(callee->name, caller, usual, &library);
    if (found)
        tnd_callee_keep(found, library);
    __atomic_store_n(&callee->found, found, __ATOMIC_RELEASE);
    return found;
}

#define REAL(callee) ((callee).found ? (callee).found : find(&(callee), __builtin_return_address(0)))

static struct tnd_thread *hear_ordered(uint64_t *time)
{
    struct tnd_thread *thread =
        tnd_ompt_is_heard && tnd_openmp_self_wants(TND_TYPE_OPENMP_ORDERED) ? tnd_thread_get() : NULL;
    if (thread)
        *time = tnd_clock_ticks();
    return thread;
}

/* The library's numbers of schedules begin at 32, ordered ones at 64, unmerged ones higher; above bit 28 are modifiers
 * (kmp.h of LLVM 14). */
enum { SCHEDULE_STATIC = 34 };

static uint16_t schedule_of(int number)
{
    static const uint8_t schedules[32] = {0,
                                          TND_OPENMP_STATIC,
                                          TND_OPENMP_STATIC,
                                          TND_OPENMP_DYNAMIC,
                                          TND_OPENMP_GUIDED,
                                          TND_OPENMP_RUNTIME,
                                          TND_OPENMP_AUTO};
    return schedules[(number & 31)];
}

/* Iterations from low to high, both included. */
static uint64_t count(uint64_t low, uint64_t high, int64_t incr)
{
    return tnd_openmp_self_count(low, high + (incr < 0 ? -1u : 1u), (uint64_t)incr);
}

static void tell_static(int schedule, uint64_t n_iterations)
{
    struct tnd_thread *thread = tnd_thread_get();
    struct tnd_ompt_hint *hint = &tnd_ompt_hint;
    hint->schedule = 0;
    hint->is_static = false;
    if (thread && hint->loop_time && schedule == SCHEDULE_STATIC) /* another schedule may give several chunks */
        tnd_openmp_self_value(thread, hint->loop_time, TND_TYPE_OPENMP_CHUNK, n_iterations);
}

/* A loop with iterations of one type: divided once (static), or handed out in chunks. */
#define LOOP(suffix, type, signed_type)                                                                                \
    PUBLIC void TND_GUARD_OWN(__kmpc_for_static_init_##suffix)(void *place, int number, int schedule, int *is_last,    \
                                                               type *low, type *high, signed_type *stride,             \
                                                               signed_type incr, signed_type chunk)                    \
    {                                                                                                                  \
        static struct tnd_callee callee = {"__kmpc_for_static_init_" #suffix, NULL};                                   \
        void (*real)(void *, int, int, int *, type *, type *, signed_type *, signed_type, signed_type) = REAL(callee); \
        if (!tnd_ompt_is_heard) {                                                                                      \
            real(place, number, schedule, is_last, low, high, stride, incr, chunk);                                    \
            return;                                                                                                    \
        }                                                                                                              \
        tnd_ompt_hint.loop_time = 0;                                                                                   \
        tnd_ompt_hint.schedule = TND_OPENMP_STATIC;                                                                    \
        tnd_ompt_hint.is_static = true;                                                                                \
        real(place, number, schedule, is_last, low, high, stride, incr, chunk);                                        \
        tell_static(schedule, count((uint64_t)*low, (uint64_t)*high, incr));                                           \
    }                                                                                                                  \
                                                                                                                       \
    PUBLIC void TND_GUARD_OWN(__kmpc_dispatch_init_##suffix)(void *place, int number, int schedule, type low,          \
                                                             type high, signed_type stride, signed_type chunk)         \
    {                                                                                                                  \
        static struct tnd_callee callee = {"__kmpc_dispatch_init_" #suffix, NULL};                                     \
        void (*real)(void *, int, int, type, type, signed_type, signed_type) = REAL(callee);                           \
        tnd_ompt_hint.schedule = schedule_of(schedule);                                                                \
        real(place, number, schedule, low, high, stride, chunk);                                                       \
        tnd_ompt_hint.schedule = 0;                                                                                    \
    }                                                                                                                  \
                                                                                                                       \
    PUBLIC int TND_GUARD_OWN(__kmpc_dispatch_next_##suffix)(void *place, int number, int *is_last, type *low,          \
                                                            type *high, signed_type *stride)                           \
    {                                                                                                                  \
        static struct tnd_callee callee = {"__kmpc_dispatch_next_" #suffix, NULL};                                     \
        int (*real)(void *, int, int *, type *, type *, signed_type *) = REAL(callee);                                 \
        bool is_wanted = tnd_ompt_is_heard && tnd_openmp_self_wants(TND_TYPE_OPENMP_CHUNK);                            \
        struct tnd_thread *thread = is_wanted ? tnd_thread_get() : NULL;                                               \
        int is_given = real(place, number, is_last, low, high, stride);                                                \
        if (thread)                                                                                                    \
            tnd_openmp_self_value(thread, tnd_clock_ticks(), TND_TYPE_OPENMP_CHUNK,                                    \
                                  is_given ? count((uint64_t)*low, (uint64_t)*high, stride ? *stride : 1) : 0);        \
        return is_given;                                                                                               \
    }

LOOP(4, int32_t, int32_t)
LOOP(4u, uint32_t, int32_t)
LOOP(8, int64_t, int64_t)
LOOP(8u, uint64_t, int64_t)

PUBLIC void TND_GUARD_OWN(__kmpc_doacross_wait)(void *place, int number, const int64_t *iteration)
{
    static struct tnd_callee callee = {"__kmpc_doacross_wait", NULL};
    void (*real)(void *, int, const int64_t *) = REAL(callee);
    uint64_t time;
    struct tnd_thread *thread = hear_ordered(&time);
    if (thread)
        tnd_openmp_self_enter(thread, time, TND_TYPE_OPENMP_ORDERED, 3);
    real(place, number, iteration);
    if (thread)
        tnd_openmp_self_leave(thread, tnd_clock_ticks(), TND_TYPE_OPENMP_ORDERED, 6);
}

PUBLIC void TND_GUARD_OWN(__kmpc_doacross_post)(void *place, int number, const int64_t *iteration)
{
    static struct tnd_callee callee = {"__kmpc_doacross_post", NULL};
    void (*real)(void *, int, const int64_t *) = REAL(callee);
    uint64_t time;
    struct tnd_thread *thread = hear_ordered(&time);
    if (thread)
        tnd_openmp_self_enter(thread, time, TND_TYPE_OPENMP_ORDERED, 5);
    real(place, number, iteration);
    if (thread)
        tnd_openmp_self_leave(thread, tnd_clock_ticks(), TND_TYPE_OPENMP_ORDERED, 0);
}

/* The library creates a taskloop's shares in this call; a share may run at once, and contain a taskloop itself. */
#define TASKLOOP(name, parameters, arguments)                                                                          \
    PUBLIC void TND_GUARD_OWN(name) parameters                                                                         \
    {                                                                                                                  \
        static struct tnd_callee callee = {#name, NULL};                                                               \
        void(*real) parameters = REAL(callee);                                                                         \
        const struct tnd_ompt_hint before = tnd_ompt_hint;                                                             \
        tnd_ompt_hint.taskloop = __builtin_return_address(0);                                                          \
        real arguments;                                                                                                \
        tnd_ompt_hint.taskloop = before.taskloop;                                                                      \
        tnd_ompt_hint.loop_task = before.loop_task;                                                                    \
        tnd_ompt_hint.loop_number = before.loop_number;                                                                \
    }

TASKLOOP(__kmpc_taskloop,
         (void *place, int number, void *task, int if_value, uint64_t *low, uint64_t *high, int64_t stride,
          int no_group, int schedule, uint64_t grain, void *copy),
         (place, number, task, if_value, low, high, stride, no_group, schedule, grain, copy))
TASKLOOP(__kmpc_taskloop_5,
         (void *place, int number, void *task, int if_value, uint64_t *low, uint64_t *high, int64_t stride,
          int no_group, int schedule, uint64_t grain, int modifier, void *copy),
         (place, number, task, if_value, low, high, stride, no_group, schedule, grain, modifier, copy))

/* Called between the allocation and the creation of a detached task. */
PUBLIC void *TND_GUARD_OWN(__kmpc_task_allow_completion_event)(void *place, int number, void *task)
{
    static struct tnd_callee callee = {"__kmpc_task_allow_completion_event", NULL};
    void *(*real)(void *, int, void *) = REAL(callee);
    tnd_ompt_hint.is_detached = true;
    return real(place, number, task);
}
