/* SPDX-License-Identifier: Apache-2.0
 *
 * Wrappers of libgomp's tasks, and of its one function with a variable number of arguments.
 *
 * libgomp copies a task's data when the task is created, and passes the copy to the task's function.  We put a head
 * before the data, with the task's number, and replace the function by one of ours, which calls it.  libgomp itself
 * reads and writes the first words of the data (bounds of a taskloop's share, the event of a detached task,
 * reductions): the head begins with a copy of these words, which are copied back.
 *
 * Cost: one more copy of the data, on the stack, or in mapped pages if it is large.
 *
 * Context: openmp_self.h.
 */
#include "intercept/openmp/gomp_region.h"

#include "intercept/base/guard.h"
#include "runtime/counting.h"
#include "runtime/emit.h"
#include "runtime/place.h"
#include "runtime/target.h"

#include <stdarg.h>
#include <string.h>

/* Functions that only compilers call are in no header. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
TND_GUARD(GOMP_task, TND_GUARD_OPENMP)
TND_GUARD(GOMP_taskloop, TND_GUARD_OPENMP)
TND_GUARD(GOMP_taskloop_ull, TND_GUARD_OPENMP)
TND_GUARD(GOMP_taskwait_depend, TND_GUARD_OPENMP)
TND_GUARD(GOMP_doacross_wait, TND_GUARD_OPENMP)
TND_GUARD(GOMP_doacross_ull_wait, TND_GUARD_OPENMP)
#ifndef TND_BOARD
#define GOMP_task TND_GUARD_OWN(GOMP_task)
#define GOMP_taskloop TND_GUARD_OWN(GOMP_taskloop)
#define GOMP_taskloop_ull TND_GUARD_OWN(GOMP_taskloop_ull)
#define GOMP_taskwait_depend TND_GUARD_OWN(GOMP_taskwait_depend)
#define GOMP_doacross_wait TND_GUARD_OWN(GOMP_doacross_wait)
#define GOMP_doacross_ull_wait TND_GUARD_OWN(GOMP_doacross_ull_wait)
#endif

#define PUBLIC __attribute__((visibility("default")))
#define N_SHARED 3    /* words at the beginning of the data that libgomp may use */
#define ON_STACK 4096 /* larger data is not copied on the stack */

/* Bits of libgomp's task flags, as GCC passes them. */
enum { GOMP_UNTIED = 1, GOMP_FINAL = 2, GOMP_DEPEND = 8, GOMP_DETACH = 1 << 13 };

typedef void task_function(void *);
typedef void copy_function(void *, void *);

/* What libgomp takes for the task's data; the data itself follows at `offset`. */
struct head {
    void *shared[N_SHARED];
    task_function *fn;
    copy_function *copy;
    void *data;
    size_t size, offset;
    uint32_t number; /* 0: a taskloop's share, which gets its number when it begins */
    uint32_t creator, flags;
};

static void *payload(const struct head *head)
{
    return (char *)head + head->offset;
}

/* How many bytes at the data's beginning libgomp writes. */
static size_t n_written_bytes(const struct head *head)
{
    size_t n = head->flags & TND_TASK_LOOP ? 2 : head->flags & TND_TASK_DETACHED ? 1 : 0;
    return n * sizeof(void *) < head->size ? n * sizeof(void *) : head->size;
}

/* Runs a task. */
static void run_task(void *data)
{
    const struct head *head = data;
    struct tnd_openmp_self *self = &tnd_openmp_self;
    struct tnd_openmp_self before = *self;
    uint32_t number = head->number ? head->number : tnd_openmp_self_number();
    struct tnd_thread *thread = tnd_thread_get();
    memcpy(payload(head), head->shared, n_written_bytes(head));
    if (thread) {
        uint64_t time = tnd_clock_ticks();
        tnd_place_note(thread, time);
        if (head->flags & TND_TASK_DETACHED)
            tnd_openmp_self_task(thread, time, TND_TASK_HANDLE, number, (uintptr_t)head->shared[0]);
        tnd_emit_words(&thread->main, time, TND_RECORD_TASK, number, TND_TASK_BEGIN, head->number ? 1 : 2,
                       (uint64_t[]){(uintptr_t)head->fn, tnd_record_pair(head->creator, head->flags)});
        tnd_counting_mark(thread, time, TND_COUNTING_OPENMP);
    }
    self->task = number;
    head->fn(payload(head));
    self->task = before.task;
    self->incr = before.incr;
    if (thread && tnd_thread_get()) {
        uint64_t time = tnd_clock_ticks();
        tnd_emit_head(&thread->main, time, TND_RECORD_TASK, number, TND_TASK_END);
        tnd_counting_mark(thread, time, TND_COUNTING_OPENMP);
    }
}

/* Called by libgomp to copy the data of a task that has a copy function of its own. */
static void copy_task(void *to, void *from)
{
    struct head *head = to;
    *head = *(const struct head *)from;
    memcpy(head->data, head->shared, n_written_bytes(head));
    head->copy(payload(head), head->data);
}

/* A task's data with its head, to be passed to libgomp. */
struct parcel {
    struct head *head;
    long size, align;
    copy_function *copy;
    size_t n_mapped_bytes;
};

static size_t offset_of(size_t align)
{
    return (sizeof(struct head) + align - 1) / align * align;
}

/* Bytes of stack that a parcel needs, whatever its alignment; 0: it is too large for the stack. */
static size_t room_of(const struct head *facts, long align)
{
    size_t n = facts->copy ? sizeof(struct head) : offset_of((size_t)align) + facts->size;
    return n + (size_t)align <= ON_STACK ? n + (size_t)align : 0;
}

static bool pack(struct parcel *parcel, const struct head *facts, long align_wanted, void *room)
{
    size_t align = (size_t)align_wanted > sizeof(void *) ? (size_t)align_wanted : sizeof(void *);
    size_t offset = offset_of(align), size = offset + facts->size;
    *parcel = (struct parcel){NULL, (long)size, (long)align, facts->copy ? copy_task : NULL, room ? 0 : size};
    if (room)
        parcel->head = (struct head *)(((uintptr_t)room + align - 1) / align * align);
    else
        parcel->head = align <= 4096 ? tnd_target_pages(size) : NULL;
    if (!parcel->head)
        return false;
    *parcel->head = *facts;
    parcel->head->offset = offset;
    if (facts->size)
        memcpy(parcel->head->shared, facts->data,
               facts->size < sizeof facts->shared ? facts->size : sizeof facts->shared);
    if (!facts->copy && facts->size)
        memcpy(payload(parcel->head), facts->data, facts->size);
    return true;
}

/* A macro, because alloca must allocate in the caller's frame. */
#define PACK(parcel, facts, align)                                                                                     \
    pack(parcel, facts, align, room_of(facts, align) ? __builtin_alloca(room_of(facts, align)) : NULL)

static void unpack(const struct parcel *parcel)
{
    if (parcel->n_mapped_bytes)
        tnd_target_pages_free(parcel->head, parcel->n_mapped_bytes);
}

static enum tnd_task_depend kind_of_object(uintptr_t kind)
{
    static const enum tnd_task_depend kinds[] = {
        TND_DEPEND_OUT, TND_DEPEND_IN, TND_DEPEND_OUT, TND_DEPEND_OUT, TND_DEPEND_MUTEXINOUTSET, TND_DEPEND_INOUTSET};
    return kinds[kind < sizeof kinds / sizeof *kinds ? kind : 0];
}

static uint64_t dependence(const void *address, enum tnd_task_depend kind)
{
    return address ? (uint64_t)(uintptr_t)address << 4 | kind : TND_DEPEND_ALL;
}

/* Records what a task depends on, from the array that GCC makes: the number of dependences, the number of each kind,
 * the addresses, and (in the longer form, which begins with 0) omp_depend_t objects, each an address and a kind. */
static void tell_depend(struct tnd_thread *thread, uint64_t time, uint32_t number, void **depend)
{
    bool is_long = depend[0] == NULL;
    size_t n = (size_t)depend[is_long ? 1 : 0], n_out = (size_t)depend[is_long ? 2 : 1];
    size_t n_mutex = is_long ? (size_t)depend[3] : 0;
    size_t n_plain = is_long ? n_out + n_mutex + (size_t)depend[4] : n;
    void **addresses = depend + (is_long ? 5 : 2);
    uint64_t words[TND_RECORD_MAX_WORDS];
    unsigned n_words = 0;
    for (size_t i = 0; i < n; i++) {
        void **object = addresses[i];
        words[n_words++] = i >= n_plain          ? dependence(object[0], kind_of_object((uintptr_t)object[1]))
                           : i < n_out           ? dependence(object, TND_DEPEND_OUT)
                           : i < n_out + n_mutex ? dependence(object, TND_DEPEND_MUTEXINOUTSET)
                                                 : dependence(object, TND_DEPEND_IN);
        if (n_words == TND_RECORD_MAX_WORDS || i + 1 == n) {
            tnd_emit_words(&thread->main, time, TND_RECORD_TASK, number, TND_TASK_DEPEND, n_words, words);
            n_words = 0;
        }
    }
}

static void tell_create(struct tnd_thread *thread, uint64_t time, const struct head *facts)
{
    tnd_emit_words(&thread->main, time, TND_RECORD_TASK, facts->number, TND_TASK_CREATE, 2,
                   (uint64_t[]){(uintptr_t)facts->fn, tnd_record_pair(facts->creator, facts->flags)});
}

static uint32_t flags_of(unsigned flags)
{
    return (flags & GOMP_FINAL ? TND_TASK_FINAL : 0) | (flags & GOMP_UNTIED ? TND_TASK_UNTIED : 0) |
           (flags & GOMP_DETACH ? TND_TASK_DETACHED : 0);
}

/* The thread, if tasks are recorded. */
#define TASK_THREAD() (tnd_openmp_self_wants(TND_TYPE_OPENMP_TASK) ? TND_GOMP_THREAD() : NULL)

typedef void real_task(task_function *, void *, copy_function *, long, long, bool, unsigned, void **, int, void *);

PUBLIC void GOMP_task(task_function *fn, void *data, copy_function *copy, long size, long align, bool is_deferrable,
                      unsigned flags, void **depend, int priority, void *detach)
{
    static struct tnd_callee callee = {"GOMP_task", NULL};
    real_task *real = TND_GOMP_CALLEE(&callee);
    struct tnd_thread *thread = TASK_THREAD();
    uint64_t time = thread ? tnd_clock_ticks() : 0;
    struct head facts = {.fn = fn, .copy = copy, .data = data, .size = (size_t)size};
    struct parcel parcel;
    if (thread) {
        facts.number = tnd_openmp_self_number();
        facts.creator = tnd_openmp_self_creator();
        facts.flags = flags_of(flags) | (is_deferrable ? 0 : TND_TASK_INCLUDED);
    }
    if (!thread || !PACK(&parcel, &facts, align)) {
        real(fn, data, copy, size, align, is_deferrable, flags, depend, priority, detach);
        return;
    }
    tell_create(thread, time, &facts);
    if (flags & GOMP_DEPEND)
        tell_depend(thread, time, facts.number, depend);
    real(run_task, parcel.head, parcel.copy, parcel.size, parcel.align, is_deferrable, flags, depend, priority, detach);
    time = tnd_clock_ticks();
    if (flags & GOMP_DETACH)
        tnd_openmp_self_task(thread, time, TND_TASK_HANDLE, facts.number, *(uintptr_t *)detach);
    tnd_openmp_self_leave(thread, time, TND_TYPE_OPENMP_TASK_CREATED, 0);
    unpack(&parcel);
}

/* A taskloop has a number itself, as the creator of its shares, which get theirs when they begin. */
#define TASKLOOP(name, type)                                                                                           \
    PUBLIC void name(task_function *fn, void *data, copy_function *copy, long size, long align, unsigned flags,        \
                     unsigned long n_tasks, int priority, type start, type end, type step)                             \
    {                                                                                                                  \
        static struct tnd_callee callee = {#name, NULL};                                                               \
        void (*real)(task_function *, void *, copy_function *, long, long, unsigned, unsigned long, int, type, type,   \
                     type) = TND_GOMP_CALLEE(&callee);                                                                 \
        struct tnd_thread *thread = TASK_THREAD();                                                                     \
        uint64_t time = thread ? tnd_clock_ticks() : 0;                                                                \
        struct head facts = {.fn = fn, .copy = copy, .data = data, .size = (size_t)size};                              \
        struct parcel parcel;                                                                                          \
        facts.flags = TND_TASK_LOOP | flags_of(flags);                                                                 \
        facts.creator = thread ? tnd_openmp_self_number() : 0;                                                         \
        if (!thread || !PACK(&parcel, &facts, align)) {                                                                \
            real(fn, data, copy, size, align, flags, n_tasks, priority, start, end, step);                             \
            return;                                                                                                    \
        }                                                                                                              \
        tnd_openmp_self_enter(thread, time, TND_TYPE_OPENMP_TASKLOOP, 1);                                              \
        tnd_openmp_self_value(thread, time, TND_TYPE_OPENMP_TASKLOOP_ID, facts.creator);                               \
        real(run_task, parcel.head, parcel.copy, parcel.size, parcel.align, flags, n_tasks, priority, start, end,      \
             step);                                                                                                    \
        tnd_openmp_self_leave(thread, tnd_clock_ticks(), TND_TYPE_OPENMP_TASKLOOP, 0);                                 \
        unpack(&parcel);                                                                                               \
    }

TASKLOOP(GOMP_taskloop, long)
TASKLOOP(GOMP_taskloop_ull, unsigned long long)

/* A taskwait with depend: recorded as a task without code, which ends when the tasks that it depends on have ended. */
PUBLIC void GOMP_taskwait_depend(void **depend)
{
    static struct tnd_callee callee = {"GOMP_taskwait_depend", NULL};
    void (*real)(void **) = TND_GOMP_CALLEE(&callee);
    struct tnd_thread *thread = TASK_THREAD();
    uint64_t time = thread ? tnd_clock_ticks() : 0;
    if (!thread) {
        real(depend);
        return;
    }
    struct head facts = {.flags = TND_TASK_WAIT};
    facts.number = tnd_openmp_self_number();
    facts.creator = tnd_openmp_self_creator();
    tnd_openmp_self_enter(thread, time, TND_TYPE_OPENMP_TASKWAIT, 1);
    tell_create(thread, time, &facts);
    tell_depend(thread, time, facts.number, depend);
    real(depend);
    time = tnd_clock_ticks();
    tnd_emit_head(&thread->main, time, TND_RECORD_TASK, facts.number, TND_TASK_END);
    tnd_openmp_self_leave(thread, time, TND_TYPE_OPENMP_TASKWAIT, 0);
}

/* Waits for an iteration of a doacross loop, which is given by one number for each loop of the nest.  Their count is
 * not known here, so sixteen are passed on; libgomp reads as many as there are, and the rest are arbitrary words.
 */
#define DOACROSS_WAIT(name, type)                                                                                      \
    PUBLIC void name(type first, ...)                                                                                  \
    {                                                                                                                  \
        static struct tnd_callee callee = {#name, NULL};                                                               \
        void (*real)(type, ...) = TND_GOMP_CALLEE(&callee);                                                            \
        struct tnd_thread *thread = TND_GOMP_THREAD();                                                                 \
        thread = tnd_openmp_self_wants(TND_TYPE_OPENMP_ORDERED) ? thread : NULL;                                       \
        uint64_t time = thread ? tnd_clock_ticks() : 0;                                                                \
        type n[16] = {first};                                                                                          \
        va_list more;                                                                                                  \
        va_start(more, first);                                                                                         \
        for (unsigned i = 1; i < 16; i++)                                                                              \
            n[i] = va_arg(more, type);                                                                                 \
        va_end(more);                                                                                                  \
        if (thread)                                                                                                    \
            tnd_openmp_self_enter(thread, time, TND_TYPE_OPENMP_ORDERED, 3);                                           \
        real(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11], n[12], n[13], n[14], n[15]);    \
        if (thread)                                                                                                    \
            tnd_openmp_self_leave(thread, tnd_clock_ticks(), TND_TYPE_OPENMP_ORDERED, 6);                              \
    }

DOACROSS_WAIT(GOMP_doacross_wait, long)
DOACROSS_WAIT(GOMP_doacross_ull_wait, unsigned long long)
