/* SPDX-License-Identifier: Apache-2.0
 *
 * An OMPT tool: writes for LLVM's OpenMP library the records that libgomp's wrappers write.
 *
 * The library asks for a tool by the name ompt_start_tool when it is first used.  Another one of that name, or one that
 * OMP_TOOL_LIBRARIES names, is the program's own and is left to it: then OpenMP is not recorded, and a note says so.
 *
 * Differences to libgomp: a region and a task are known by where the program creates them, not by their own functions;
 * what has one callback (creating a task, releasing a lock, a single) takes no time; a critical's lock has an address,
 * and no name; a worker's part of a region ends when it arrives at the region's last barrier.
 *
 * Cost: a callback is a call more than a record and the clock.
 *
 * Context: callbacks, in the thread that they are about; nothing here allocates or locks.
 */
#include "intercept/openmp/ompt.h"

#include "intercept/openmp/ompt_interface.h"
#include "runtime/config.h"
#include "runtime/counting.h"
#include "runtime/emit.h"
#include "runtime/place.h"
#include "runtime/run.h"

#include <dlfcn.h>
#include <errno.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#define PUBLIC __attribute__((visibility("default")))
#define MAX_REGIONS 16 /* nested regions of a thread; deeper ones are not recorded */
#define MAX_WAITS 8    /* nested taskwaits with depend; deeper ones are not recorded */
#define PLACE_BITS 10  /* of a table of places that create tasks; tasks of further places have no function */

_Thread_local struct tnd_ompt_hint tnd_ompt_hint;
bool tnd_ompt_is_heard, tnd_ompt_is_asked;

/* What the thread runs.  It must be small: thread-local storage of a library that is loaded late is limited. */
static _Thread_local struct {
    const void *regions[MAX_REGIONS]; /* implicit tasks, by where their regions are created, innermost last; NULL: not
                                       * in the program */
    uint32_t numbers[MAX_REGIONS];    /* their numbers, as creators; 0: none yet */
    uint16_t are_workers, are_left;   /* a bit for each of them */
    uint16_t are_within;              /* a worker waits for its next region, and runs a task meanwhile */
    uint16_t are_sharing;             /* it is in a loop, or sections, whose iterations are handed out */
    uint16_t were_single;             /* the construct that ended last in it was a single */
    unsigned n;                       /* number of implicit tasks; may be more than MAX_REGIONS */
    union tnd_ompt_data *task;        /* the explicit task that runs */
    unsigned n_at_task;               /* the value of n when that task began or was resumed */
    const union tnd_ompt_data *wait;  /* of the last taskwait with depend */
    uint32_t waits[MAX_WAITS];        /* numbers of nested taskwaits with depend, innermost last; 0: not recorded */
    unsigned n_waits;                 /* may be more */
} inside __attribute__((tls_model("initial-exec")));

/* An explicit task's data: its number, its place's number, flags.  Implicit tasks and taskwaits get no data: when a
 * thread waits for dependences, LLVM 14 has copies of it where it expects none, and aborts. */
enum { IS_EXPLICIT = 1, HAS_BEGUN = 2, IS_RUNNING = 4, IS_DETACHED = 8, IS_SHARE = 16 };
#define PLACE_SHIFT 32
#define IS_SHIFT 48

static uint32_t number_in(const union tnd_ompt_data *task)
{
    return (uint32_t)task->value;
}

static bool is(const union tnd_ompt_data *task, unsigned what)
{
    return task && (task->value >> IS_SHIFT & what) != 0;
}

static void mark(union tnd_ompt_data *task, unsigned what, bool holds)
{
    if (holds)
        task->value |= (uint64_t)what << IS_SHIFT;
    else
        task->value &= ~((uint64_t)what << IS_SHIFT);
}

static uint32_t number_of(union tnd_ompt_data *task)
{
    if (number_in(task) == 0) {
        uint64_t none = task->value,
                 value = none | tnd_openmp_self_number(); /* several threads may do this for shares of a taskloop */
        __atomic_compare_exchange_n(&task->value, &none, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    }
    return number_in(task);
}

/* The number of a task that creates others in this thread. */
static uint32_t number_of_creator(union tnd_ompt_data *task)
{
    if (is(task, IS_EXPLICIT))
        return number_of(task);
    uint32_t *number = inside.n > 0 && inside.n <= MAX_REGIONS ? &inside.numbers[inside.n - 1] : NULL;
    if (number && *number == 0)
        *number = tnd_openmp_self_number();
    return number ? *number : tnd_openmp_self_number();
}

/* Places by their numbers: a hash table that only grows. */
static const void *places[1 << PLACE_BITS];

static unsigned number_of_place(const void *place)
{
    uint64_t hash = (uint64_t)(uintptr_t)place * 0x9e3779b97f4a7c15u >> (64 - PLACE_BITS);
    for (unsigned i = 0; place && i < 1 << PLACE_BITS; i++) {
        unsigned at = ((unsigned)hash + i) & ((1 << PLACE_BITS) - 1);
        const void *there = __atomic_load_n(&places[at], __ATOMIC_RELAXED);
        if (!there &&
            __atomic_compare_exchange_n(&places[at], &there, place, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return at + 1;
        if (there == place)
            return at + 1;
    }
    return 0;
}

/* Whether the place is in a wrapper of ours, called by a program that was compiled for libgomp. */
static bool is_ours(const void *place)
{
    extern const char __ehdr_start __attribute__((visibility("hidden"))), _end __attribute__((visibility("hidden")));
    return (const char *)place >= &__ehdr_start && (const char *)place < &_end;
}

static const void *place_in_program(const void *place)
{
    return is_ours(place) ? tnd_ompt_hint.caller : place;
}

static uintptr_t code_of(const union tnd_ompt_data *task)
{
    unsigned number = task->value >> PLACE_SHIFT & 0xffff;
    return number ? (uintptr_t)places[number - 1] - 1 : 0;
}

/* The thread, and the time; NULL: nothing is recorded now, or not the construct that the event type is of. */
static struct tnd_thread *hear(uint32_t type, uint64_t *time)
{
    struct tnd_thread *thread = tnd_openmp_self_wants(type) ? tnd_thread_get() : NULL;
    if (thread)
        *time = tnd_clock_ticks();
    return thread;
}

static void enter_and_leave(struct tnd_thread *thread, uint64_t time, uint32_t type, uint16_t value)
{
    tnd_openmp_self_enter(thread, time, type, value);
    tnd_openmp_self_leave(thread, time, type, 0);
}

/* A region that no code of the program opens (the one thread of a team of a league) is not recorded. */
static void on_parallel_begin(union tnd_ompt_data *task, const void *frame, union tnd_ompt_data *region,
                              unsigned n_wanted, int flags, const void *place)
{
    uint64_t time;
    struct tnd_thread *thread = hear(TND_TYPE_OPENMP_PARALLEL, &time);
    region->pointer = place_in_program(place);
    if (thread && place)
        tnd_openmp_self_enter(thread, time, TND_TYPE_OPENMP_PARALLEL, 3);
}

static void on_parallel_end(union tnd_ompt_data *region, union tnd_ompt_data *task, int flags, const void *place)
{
    uint64_t time;
    struct tnd_thread *thread = hear(TND_TYPE_OPENMP_PARALLEL, &time);
    if (thread && region->pointer)
        tnd_openmp_self_leave(thread, time, TND_TYPE_OPENMP_PARALLEL, 0);
}

/* The innermost region, as a bit; 0: there is none, or it is nested too deep. */
static unsigned region_bit(void)
{
    return inside.n > 0 && inside.n <= MAX_REGIONS ? 1u << (inside.n - 1) : 0;
}

static void leave_region(void)
{
    unsigned bit = region_bit();
    /* Only this much is restored: tasks and loops set the rest for themselves. */
    const struct tnd_openmp_self before = {.incr = 1, .is_waiting = inside.are_within & bit};
    if (bit && inside.regions[inside.n - 1] && !(inside.are_left & bit))
        tnd_openmp_self_end(&before, inside.are_workers & bit);
    inside.are_left |= (uint16_t)bit;
}

static void on_implicit_task(int endpoint, union tnd_ompt_data *parallel, union tnd_ompt_data *task, unsigned n_threads,
                             unsigned index, int flags)
{
    struct tnd_openmp_self before;
    if (endpoint == TND_OMPT_END) {
        leave_region();
        inside.n -= inside.n > 0;
        return;
    }
    inside.n++;
    unsigned bit = region_bit();
    if (!bit)
        return;
    const char *place = inside.regions[inside.n - 1] = parallel ? parallel->pointer : NULL;
    inside.numbers[inside.n - 1] = 0;
    inside.are_left &= (uint16_t)~bit;
    inside.are_sharing &= (uint16_t)~bit;
    inside.are_workers = (uint16_t)(index ? inside.are_workers | bit : inside.are_workers & ~bit);
    if (place)
        tnd_openmp_self_begin(&before, place - 1, index != 0);
    bool is_within = place && before.is_waiting;
    inside.are_within = (uint16_t)(is_within ? inside.are_within | bit : inside.are_within & ~bit);
}

static uint32_t flags_of(int flags)
{
    return (flags & TND_OMPT_TASK_UNDEFERRED ? TND_TASK_INCLUDED : 0) |
           (flags & TND_OMPT_TASK_FINAL ? TND_TASK_FINAL : 0) | (flags & TND_OMPT_TASK_UNTIED ? TND_TASK_UNTIED : 0);
}

/* Whether a task created now is a share of a taskloop: created in that call, or in a task that creates shares. */
static bool is_share_of(const union tnd_ompt_data *creator)
{
    return (tnd_ompt_hint.loop_task && creator == tnd_ompt_hint.loop_task) ||
           (is(inside.task, IS_SHARE) && inside.n == inside.n_at_task && creator != inside.task);
}

static unsigned number_of_code(bool is_share, const void *place)
{
    if (is_share && tnd_ompt_hint.loop_task)
        return number_of_place(tnd_ompt_hint.taskloop);
    return is_share ? inside.task->value >> PLACE_SHIFT & 0xffff : number_of_place(place_in_program(place));
}

static void tell_create(struct tnd_thread *thread, uint64_t time, uint32_t number, uintptr_t code, uint32_t creator,
                        uint32_t flags)
{
    tnd_emit_words(&thread->main, time, TND_RECORD_TASK, number, TND_TASK_CREATE, 2,
                   (uint64_t[]){code, tnd_record_pair(creator, flags)});
}

static void begin_wait(struct tnd_thread *thread, uint64_t time, const union tnd_ompt_data *task,
                       union tnd_ompt_data *creator)
{
    bool is_known = thread && inside.n_waits < MAX_WAITS;
    if (is_known) {
        inside.waits[inside.n_waits] = tnd_openmp_self_number();
        tnd_openmp_self_enter(thread, time, TND_TYPE_OPENMP_TASKWAIT, 1);
        tell_create(thread, time, inside.waits[inside.n_waits], 0, number_of_creator(creator), TND_TASK_WAIT);
    } else if (inside.n_waits < MAX_WAITS) {
        inside.waits[inside.n_waits] = 0;
    }
    inside.wait = task;
    inside.n_waits++;
}

/* The number of the innermost taskwait with depend; 0: it is not recorded. */
static uint32_t number_of_wait(void)
{
    return inside.n_waits > 0 && inside.n_waits <= MAX_WAITS ? inside.waits[inside.n_waits - 1] : 0;
}

static void end_wait(struct tnd_thread *thread, uint64_t time)
{
    uint32_t number = number_of_wait();
    inside.n_waits -= inside.n_waits > 0;
    if (!thread || !number)
        return;
    tnd_emit_head(&thread->main, time, TND_RECORD_TASK, number, TND_TASK_END);
    tnd_openmp_self_leave(thread, time, TND_TYPE_OPENMP_TASKWAIT, 0);
}

static void on_task_create(union tnd_ompt_data *creator, const void *frame, union tnd_ompt_data *task, int its_flags,
                           int has_dependences, const void *place)
{
    uint64_t time;
    struct tnd_thread *thread = hear(TND_TYPE_OPENMP_TASK, &time);
    if (its_flags & TND_OMPT_TASK_TASKWAIT) {
        begin_wait(thread, time, task, creator);
        return;
    }
    bool is_share = is_share_of(creator), is_detached = tnd_ompt_hint.is_detached;
    unsigned what = IS_EXPLICIT | (is_share ? IS_SHARE : 0) | (is_detached ? IS_DETACHED : 0);
    uint32_t flags = (is_share ? TND_TASK_LOOP : 0) | (is_detached ? TND_TASK_DETACHED : 0) | flags_of(its_flags);
    task->value = (uint64_t)what << IS_SHIFT | (uint64_t)number_of_code(is_share, place) << PLACE_SHIFT;
    tnd_ompt_hint.is_detached = false;
    if (!thread)
        return;
    uint32_t maker = is_share && tnd_ompt_hint.loop_task ? tnd_ompt_hint.loop_number
                     : is_share                          ? number_of(inside.task)
                                                         : number_of_creator(creator);
    tell_create(thread, time, number_of(task), code_of(task), maker, flags);
    tnd_openmp_self_leave(thread, time, TND_TYPE_OPENMP_TASK_CREATED, 0);
}

static uint64_t dependence(const struct tnd_ompt_dependence *depend)
{
    static const uint8_t kinds[] = {[TND_OMPT_IN] = TND_DEPEND_IN,
                                    [TND_OMPT_OUT] = TND_DEPEND_OUT,
                                    [TND_OMPT_INOUT] = TND_DEPEND_OUT,
                                    [TND_OMPT_MUTEXINOUTSET] = TND_DEPEND_MUTEXINOUTSET,
                                    [TND_OMPT_INOUTSET] = TND_DEPEND_INOUTSET};
    if (depend->type == TND_OMPT_OUT_ALL || depend->type == TND_OMPT_INOUT_ALL)
        return TND_DEPEND_ALL;
    unsigned kind = (unsigned)depend->type < sizeof kinds ? kinds[depend->type] : 0;
    return depend->variable.value << 4 | (kind ? kind : TND_DEPEND_OUT);
}

/* Also called for iterations of a doacross loop, which is seen by their kind. */
static void on_dependences(union tnd_ompt_data *task, const struct tnd_ompt_dependence *depends, int n)
{
    uint64_t time, words[TND_RECORD_MAX_WORDS];
    uint32_t number = is(task, IS_EXPLICIT) ? number_of(task) : task == inside.wait ? number_of_wait() : 0;
    struct tnd_thread *thread = n > 0 && number ? hear(TND_TYPE_OPENMP_TASK, &time) : NULL;
    unsigned n_words = 0;
    if (!thread || depends->type == TND_OMPT_SOURCE || depends->type == TND_OMPT_SINK)
        return;
    for (int i = 0; i < n; i++) {
        words[n_words++] = dependence(&depends[i]);
        if (n_words == TND_RECORD_MAX_WORDS || i + 1 == n) {
            tnd_emit_words(&thread->main, time, TND_RECORD_TASK, number, TND_TASK_DEPEND, n_words, words);
            n_words = 0;
        }
    }
}

/* The task's code stops here.  A task that runs another one inside itself goes on after it, and has not stopped. */
static void stop_task(struct tnd_thread *thread, uint64_t time, union tnd_ompt_data *task, int status)
{
    if (status == TND_OMPT_EARLY_FULFILL || status == TND_OMPT_LATE_FULFILL) {
        tnd_emit_head(&thread->main, time, TND_RECORD_TASK, number_of(task), TND_TASK_FULFIL);
        return;
    }
    if (!is(task, IS_RUNNING))
        return;
    bool is_over = status != TND_OMPT_YIELD && status != TND_OMPT_SWITCH;
    tnd_emit_head(&thread->main, time, TND_RECORD_TASK, number_of(task), is_over ? TND_TASK_END : TND_TASK_SUSPEND);
    tnd_counting_mark(thread, time, TND_COUNTING_OPENMP);
    mark(task, IS_RUNNING, false);
}

static void start_task(struct tnd_thread *thread, uint64_t time, union tnd_ompt_data *task)
{
    bool was_created = number_in(task) != 0, has_begun = is(task, HAS_BEGUN);
    uint32_t flags = is(task, IS_DETACHED) ? TND_TASK_DETACHED : 0;
    tnd_place_note(thread, time);
    tnd_emit_words(&thread->main, time, TND_RECORD_TASK, number_of(task), has_begun ? TND_TASK_RESUME : TND_TASK_BEGIN,
                   was_created ? 1 : 2, (uint64_t[]){code_of(task), tnd_record_pair(0, flags)});
    tnd_counting_mark(thread, time, TND_COUNTING_OPENMP);
    mark(task, HAS_BEGUN | IS_RUNNING, true);
}

static void on_task_schedule(union tnd_ompt_data *prior, int status, union tnd_ompt_data *next)
{
    uint64_t time = 0;
    struct tnd_thread *thread = hear(TND_TYPE_OPENMP_TASK, &time);
    bool goes_deeper = is(next, IS_EXPLICIT) && !is(next, IS_RUNNING);
    if (next) {
        inside.task = is(next, IS_EXPLICIT) ? next : NULL;
        inside.n_at_task = inside.n;
    }
    if (status == TND_OMPT_TASKWAIT_COMPLETE)
        end_wait(thread, time);
    if (!thread || status == TND_OMPT_TASKWAIT_COMPLETE)
        return;
    if (is(prior, IS_EXPLICIT) && !(goes_deeper && (status == TND_OMPT_SWITCH || status == TND_OMPT_YIELD)))
        stop_task(thread, time, prior, status);
    if (goes_deeper)
        start_task(thread, time, next);
}

static void begin_loop(struct tnd_thread *thread, uint64_t time, int kind, uint64_t count)
{
    struct tnd_ompt_hint *hint = &tnd_ompt_hint;
    static const uint16_t schedules[] = {TND_OPENMP_STATIC, TND_OPENMP_DYNAMIC, TND_OPENMP_GUIDED};
    unsigned schedule = hint->schedule;
    if (kind >= TND_OMPT_LOOP_STATIC && kind <= TND_OMPT_LOOP_GUIDED)
        schedule = schedules[kind - TND_OMPT_LOOP_STATIC];
    tnd_openmp_self_enter(thread, time, TND_TYPE_OPENMP_WORKSHARING, kind == TND_OMPT_SECTIONS ? 5 : 4);
    if (schedule && kind != TND_OMPT_SECTIONS)
        tnd_openmp_self_value(thread, time, TND_TYPE_OPENMP_SCHEDULE, schedule);
    tnd_openmp_self_value(thread, time, TND_TYPE_OPENMP_ITERATIONS, count);
    hint->loop_time = time;
    inside.are_sharing |= (uint16_t)(hint->is_static ? 0 : region_bit());
}

static void end_loop(struct tnd_thread *thread, uint64_t time)
{
    inside.are_sharing &= (uint16_t)~region_bit();
    tnd_openmp_self_leave(thread, time, TND_TYPE_OPENMP_WORKSHARING, 0);
}

/* The end of a cancelled loop whose iterations are handed out has no other callback. */
static void on_cancel(union tnd_ompt_data *task, int flags, const void *place)
{
    uint64_t time;
    bool is_left = flags & (TND_OMPT_CANCEL_PARALLEL | TND_OMPT_CANCEL_SECTIONS | TND_OMPT_CANCEL_LOOP) &&
                   inside.are_sharing & region_bit();
    struct tnd_thread *thread = is_left ? hear(TND_TYPE_OPENMP_WORKSHARING, &time) : NULL;
    if (thread)
        end_loop(thread, time);
}

static void begin_taskloop(struct tnd_thread *thread, uint64_t time, const union tnd_ompt_data *task)
{
    tnd_ompt_hint.loop_task = task;
    if (tnd_ompt_hint.caller)
        tnd_ompt_hint.taskloop = tnd_ompt_hint.caller;
    tnd_ompt_hint.loop_number = tnd_openmp_self_number();
    tnd_openmp_self_enter(thread, time, TND_TYPE_OPENMP_TASKLOOP, 1);
    tnd_openmp_self_value(thread, time, TND_TYPE_OPENMP_TASKLOOP_ID, tnd_ompt_hint.loop_number);
}

static void on_work(int kind, int endpoint, union tnd_ompt_data *parallel, union tnd_ompt_data *task, uint64_t count,
                    const void *place)
{
    uint64_t time;
    bool is_single = kind == TND_OMPT_SINGLE_EXECUTOR || kind == TND_OMPT_SINGLE_OTHER;
    uint32_t type = kind == TND_OMPT_TASKLOOP ? TND_TYPE_OPENMP_TASKLOOP : TND_TYPE_OPENMP_WORKSHARING;
    struct tnd_thread *thread = is_single && endpoint == TND_OMPT_END ? NULL : hear(type, &time);
    if (kind != TND_OMPT_TASKLOOP)
        inside.were_single =
            (uint16_t)(is_single ? inside.were_single | region_bit() : inside.were_single & ~region_bit());
    if (kind == TND_OMPT_TASKLOOP && endpoint == TND_OMPT_END)
        tnd_ompt_hint.loop_task = NULL;
    if (!thread)
        return;
    if (is_single)
        enter_and_leave(thread, time, TND_TYPE_OPENMP_WORKSHARING, 6);
    else if (kind == TND_OMPT_TASKLOOP && endpoint == TND_OMPT_BEGIN)
        begin_taskloop(thread, time, task);
    else if (kind == TND_OMPT_TASKLOOP)
        tnd_openmp_self_leave(thread, time, TND_TYPE_OPENMP_TASKLOOP, 0);
    else if (kind <= TND_OMPT_DISTRIBUTE || (kind >= TND_OMPT_LOOP_STATIC && kind <= TND_OMPT_LOOP_OTHER)) {
        if (endpoint == TND_OMPT_BEGIN)
            begin_loop(thread, time, kind, count);
        else
            end_loop(thread, time);
    }
}

/* Whether a barrier is a region's last.  LLVM 14 may only say that it is implicit: its place is then the region's, or
 * none. */
static bool is_last_barrier(int kind, const void *place)
{
    const void *region = region_bit() ? inside.regions[inside.n - 1] : NULL;
    return kind == TND_OMPT_BARRIER_PARALLEL || kind == TND_OMPT_BARRIER_TEAMS ||
           (kind == TND_OMPT_BARRIER_IMPLICIT && (!place || is_ours(place) || place == region));
}

static void on_barrier(int kind, int endpoint, const union tnd_ompt_data *parallel, const void *place)
{
    bool was_single = inside.were_single & region_bit();
    bool is_of_work = (kind == TND_OMPT_BARRIER_IMPLICIT || kind == TND_OMPT_BARRIER_WORKSHARE) && !was_single;
    uint32_t type = is_of_work ? TND_TYPE_OPENMP_JOIN : TND_TYPE_OPENMP_BARRIER;
    uint64_t time;
    if (is_last_barrier(kind, place)) {
        if (endpoint == TND_OMPT_BEGIN)
            leave_region();
        return;
    }
    struct tnd_thread *thread = hear(type, &time);
    if (thread && endpoint == TND_OMPT_BEGIN)
        tnd_openmp_self_enter(thread, time, type, 1);
    else if (thread)
        tnd_openmp_self_leave(thread, time, type, 0);
}

static void on_sync_region(int kind, int endpoint, union tnd_ompt_data *parallel, union tnd_ompt_data *task,
                           const void *place)
{
    uint64_t time;
    struct tnd_thread *thread;
    bool begins = endpoint == TND_OMPT_BEGIN;
    if (kind == TND_OMPT_TASKWAIT && (thread = hear(TND_TYPE_OPENMP_TASKWAIT, &time))) {
        if (begins)
            tnd_openmp_self_enter(thread, time, TND_TYPE_OPENMP_TASKWAIT, 1);
        else
            tnd_openmp_self_leave(thread, time, TND_TYPE_OPENMP_TASKWAIT, 0);
    } else if (kind == TND_OMPT_TASKGROUP && (thread = hear(TND_TYPE_OPENMP_TASKGROUP, &time))) {
        if (begins) {
            enter_and_leave(thread, time, TND_TYPE_OPENMP_TASKGROUP_CALL, 1);
            tnd_openmp_self_enter(thread, time, TND_TYPE_OPENMP_TASKGROUP, 1);
        } else {
            tnd_openmp_self_leave(thread, time, TND_TYPE_OPENMP_TASKGROUP, 0);
        }
    } else if (kind <= TND_OMPT_BARRIER_IMPLEMENTATION ||
               (kind >= TND_OMPT_BARRIER_WORKSHARE && kind <= TND_OMPT_BARRIER_TEAMS)) {
        on_barrier(kind, endpoint, parallel, place);
    }
}

/* The waiting part of what on_sync_region gets: it matters for the end of a taskgroup only. */
static void on_sync_region_wait(int kind, int endpoint, union tnd_ompt_data *parallel, union tnd_ompt_data *task,
                                const void *place)
{
    uint64_t time;
    struct tnd_thread *thread = kind == TND_OMPT_TASKGROUP ? hear(TND_TYPE_OPENMP_TASKGROUP, &time) : NULL;
    if (thread && endpoint == TND_OMPT_BEGIN)
        tnd_openmp_self_enter(thread, time, TND_TYPE_OPENMP_TASKGROUP_CALL, 2);
    else if (thread)
        tnd_openmp_self_leave(thread, time, TND_TYPE_OPENMP_TASKGROUP_CALL, 0);
}

/* 0: a lock of the program, whose functions are wrapped. */
static uint32_t type_of_mutex(int kind)
{
    return kind == TND_OMPT_ORDERED                               ? TND_TYPE_OPENMP_ORDERED
           : kind == TND_OMPT_CRITICAL || kind == TND_OMPT_ATOMIC ? TND_TYPE_OPENMP_UNNAMED_LOCK
                                                                  : 0;
}

static void on_mutex_acquire(int kind, unsigned hint, unsigned implementation, uint64_t lock, const void *place)
{
    uint64_t time;
    uint32_t type = type_of_mutex(kind);
    struct tnd_thread *thread = type ? hear(type, &time) : NULL;
    if (thread)
        tnd_openmp_self_enter(thread, time, type, 3);
}

static void on_mutex_acquired(int kind, uint64_t lock, const void *place)
{
    uint64_t time;
    uint32_t type = type_of_mutex(kind);
    struct tnd_thread *thread = type ? hear(type, &time) : NULL;
    if (!thread)
        return;
    tnd_openmp_self_leave(thread, time, type, 6);
    if (type == TND_TYPE_OPENMP_UNNAMED_LOCK)
        tnd_openmp_self_value(thread, time, TND_TYPE_OPENMP_LOCK_NAME, lock);
}

static void on_mutex_released(int kind, uint64_t lock, const void *place)
{
    uint64_t time;
    uint32_t type = type_of_mutex(kind);
    struct tnd_thread *thread = type ? hear(type, &time) : NULL;
    if (!thread)
        return;
    enter_and_leave(thread, time, type, 5);
    if (type == TND_TYPE_OPENMP_UNNAMED_LOCK)
        tnd_openmp_self_value(thread, time, TND_TYPE_OPENMP_LOCK_NAME, 0);
}

static void on_target(int kind, int endpoint, int device, union tnd_ompt_data *task, uint64_t target, const void *place)
{
    uint64_t time;
    struct tnd_thread *thread = hear(TND_TYPE_OPENMP_TARGET, &time);
    if (thread && endpoint == TND_OMPT_BEGIN)
        tnd_openmp_self_enter(thread, time, TND_TYPE_OPENMP_TARGET, 1);
    else if (thread)
        tnd_openmp_self_leave(thread, time, TND_TYPE_OPENMP_TARGET, 0);
}

static int initialize(tnd_ompt_lookup *lookup, int device, union tnd_ompt_data *tool)
{
    static const struct {
        int event;
        tnd_ompt_any *callback;
    } callbacks[] = {
        {TND_OMPT_PARALLEL_BEGIN, (tnd_ompt_any *)on_parallel_begin},
        {TND_OMPT_PARALLEL_END, (tnd_ompt_any *)on_parallel_end},
        {TND_OMPT_IMPLICIT_TASK, (tnd_ompt_any *)on_implicit_task},
        {TND_OMPT_TASK_CREATE, (tnd_ompt_any *)on_task_create},
        {TND_OMPT_TASK_SCHEDULE, (tnd_ompt_any *)on_task_schedule},
        {TND_OMPT_DEPENDENCES, (tnd_ompt_any *)on_dependences},
        {TND_OMPT_WORK, (tnd_ompt_any *)on_work},
        {TND_OMPT_SYNC_REGION, (tnd_ompt_any *)on_sync_region},
        {TND_OMPT_SYNC_REGION_WAIT, (tnd_ompt_any *)on_sync_region_wait},
        {TND_OMPT_MUTEX_ACQUIRE, (tnd_ompt_any *)on_mutex_acquire},
        {TND_OMPT_MUTEX_ACQUIRED, (tnd_ompt_any *)on_mutex_acquired},
        {TND_OMPT_MUTEX_RELEASED, (tnd_ompt_any *)on_mutex_released},
        {TND_OMPT_TARGET, (tnd_ompt_any *)on_target},
        {TND_OMPT_CANCEL, (tnd_ompt_any *)on_cancel},
    };
    tnd_ompt_set_callback *set = (tnd_ompt_set_callback *)lookup("ompt_set_callback");
    if (!set)
        return 0;
    for (unsigned i = 0; i < sizeof callbacks / sizeof *callbacks; i++)
        set(callbacks[i].event, callbacks[i].callback);
    tnd_ompt_is_heard = true;
    return 1;
}

static void finalize(union tnd_ompt_data *tool)
{
    tnd_ompt_is_heard = false;
}

/* The library calls this instead of its own function of that name, which looks for the program's tool. */
PUBLIC struct tnd_ompt_tool *ompt_start_tool(unsigned version, const char *library)
{
    static struct tnd_ompt_tool tool = {initialize, finalize, {0}};
    int saved_errno = errno;
    tnd_run_start(); /* a library's constructor may come before ours */
    const char *others = tnd_config_lookup("OMP_TOOL_LIBRARIES");
    __typeof__(ompt_start_tool) *next = dlsym(RTLD_NEXT, "ompt_start_tool");
    struct tnd_ompt_tool *other = next ? next(version, library) : NULL;
    bool is_other = other || (others && *others);
    if (is_other && tnd_openmp_self_wanted)
        tnd_run_note("OpenMP is not recorded: the program has a tool of its own for that (OMPT)");
    __atomic_store_n(&tnd_ompt_is_asked, true, __ATOMIC_RELAXED);
    errno = saved_errno;
    return is_other ? other : tnd_openmp_self_wanted ? &tool : NULL;
}
