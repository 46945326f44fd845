/* SPDX-License-Identifier: Apache-2.0
 *
 * Entering and leaving wrapped functions.  Compiled without vector registers.  Context: library_shadow.h.
 */
#include "intercept/library/library_shadow.h"

#include "formats/event_types.h"
#include "intercept/library/library_counted.h"
#include "intercept/library/library_emit.h"
#include "intercept/library/library_values.h"
#include "runtime/target.h"

struct tnd_library_function *tnd_library_functions;
uint32_t tnd_library_n_functions;
_Thread_local struct tnd_library_shadow *tnd_library_shadow;

#if !defined(__x86_64__) && !defined(__aarch64__) /* there is no trampoline (library_stubs.c) */
const char tnd_library_enter[1], tnd_library_back[1];

uint64_t tnd_library_shadow_guarded(uint64_t (*function)(void *), void *argument)
{
    return function(argument);
}
#endif

/* The tables of threads that have ended. */
static struct tnd_library_shadow *unused;
static struct tnd_library_shadow *made; /* all tables, the last one first */
static char is_taken;                   /* one thread at a time; another that comes meanwhile does without */

bool tnd_library_shadow_take(void)
{
    struct tnd_library_shadow *shadow = NULL;
    if (!__atomic_test_and_set(&is_taken, __ATOMIC_ACQUIRE)) {
        shadow = unused;
        unused = shadow ? shadow->next : NULL;
        __atomic_clear(&is_taken, __ATOMIC_RELEASE);
    }
    if (!shadow && (shadow = tnd_target_pages(sizeof *shadow))) {
        shadow->made = __atomic_load_n(&made, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n(&made, &shadow->made, shadow, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
            ;
    }
    tnd_library_shadow = shadow;
    return shadow != NULL;
}

static uint64_t prepare(void *nothing)
{
    return tnd_thread_get() && (tnd_library_shadow || tnd_library_shadow_take());
}

static uint64_t ticks(void *nothing)
{
    return tnd_clock_ticks();
}

static inline uint64_t read_clock(void)
{
    return __builtin_expect(tnd_clock_is_inline(), 1) ? tnd_clock_ticks() : tnd_library_shadow_guarded(ticks, NULL);
}

static inline void emit(struct tnd_thread *thread, uint64_t time, uint8_t kind, uint16_t value)
{
    tnd_library_emit(&thread->main, time, kind, TND_TYPE_LIBRARY_FUNCTION, value, 0, 0);
}

/* A call begins: writes its ENTER, unless the function's calls are counted. */
static inline void tell_enter(struct tnd_thread *thread, struct tnd_library_entry *entry, const uint64_t *slot)
{
    const struct tnd_library_function *function = entry->function;
    entry->nature = __atomic_load_n(&function->nature, __ATOMIC_RELAXED);
    uint64_t time = read_clock();
    if (__builtin_expect(entry->nature != TND_LIBRARY_RECORDED, 0)) {
        entry->begin = time;
        entry->next = thread->main.next;
    }
    if (entry->nature != TND_LIBRARY_COUNTED)
        emit(thread, time, TND_RECORD_ENTER, (uint16_t)function->number);
    if (__builtin_expect(function->n_values, 0))
        tnd_library_values_enter(thread, entry, slot, time);
}

/* A call ends whose function's calls are counted.  True: it was too long, and its ENTER has been written. */
__attribute__((noinline)) static bool tell_late(struct tnd_thread *thread, const struct tnd_library_entry *entry,
                                                uint64_t time)
{
    if (!tnd_library_counted_tells(thread, entry, time - entry->begin))
        return false;
    emit(thread, entry->begin, TND_RECORD_ENTER, (uint16_t)entry->function->number);
    return true;
}

/* rax: NULL: the function has not returned, but was left. */
static void tell_leave(struct tnd_library_entry *entry, const uint64_t *rax)
{
    bool is_counted = entry->nature == TND_LIBRARY_COUNTED;
    struct tnd_thread *thread = tnd_thread_recording || is_counted ? tnd_thread_self : NULL;
    if (!entry->is_told && thread) {
        uint64_t time = read_clock();
        if (!is_counted || tell_late(thread, entry, time))
            emit(thread, time, TND_RECORD_LEAVE, 0);
        if (__builtin_expect(entry->function->n_values, 0))
            tnd_library_values_leave(thread, entry, rax, time);
        if (__builtin_expect(entry->nature == TND_LIBRARY_TRIED, 0))
            tnd_library_counted_try(entry->function, time - entry->begin);
    }
    entry->is_told = true;
}

static inline const struct tnd_library_entry *innermost(const struct tnd_library_shadow *shadow)
{
    return &shadow->entries[shadow->open[shadow->depth - 1]];
}

/* An entry for a new call; NULL: all are in use. */
static inline struct tnd_library_entry *take_entry(struct tnd_library_shadow *shadow)
{
    uint32_t number;
    if (__builtin_expect(shadow->n_free, 1))
        number = shadow->free[--shadow->n_free];
    else if (shadow->n_fresh < TND_LIBRARY_MAX_DEPTH)
        number = shadow->n_fresh++;
    else if (shadow->queue_begin != shadow->queue_end)
        number = shadow->queue[shadow->queue_begin++ % TND_LIBRARY_MAX_DEPTH];
    else
        return NULL;
    shadow->entries[number].number = number;
    return &shadow->entries[number];
}

/* Takes the open calls from `place` on out of the list, as far as they have ended: returned ones are free, those that
 * were left go into the queue. */
static void close_from(struct tnd_library_shadow *shadow, uint32_t place)
{
    uint32_t kept = place;
    for (; place < shadow->depth; place++) {
        uint32_t number = shadow->open[place];
        const struct tnd_library_entry *entry = &shadow->entries[number];
        if (entry->is_over)
            shadow->free[shadow->n_free++] = number;
        else if (entry->is_left)
            shadow->queue[shadow->queue_end++ % TND_LIBRARY_MAX_DEPTH] = number;
        else
            shadow->open[kept++] = number;
    }
    shadow->depth = kept;
}

/* The stack pointer of the thread's own stack is back at or above `bound`: calls below it were left by an exception or
 * a jump.  Calls on other stacks may be among them. */
__attribute__((noinline)) static void leave_below(struct tnd_library_shadow *shadow, uintptr_t bound)
{
    uint32_t place = shadow->depth;
    for (; place > 0; place--) {
        struct tnd_library_entry *entry = &shadow->entries[shadow->open[place - 1]];
        if (entry->slot >= bound && entry->slot != UINTPTR_MAX)
            break;
        entry->is_left = entry->slot < bound;
        if (entry->is_left && !entry->is_over)
            tell_leave(entry, NULL);
    }
    close_from(shadow, place);
}

static inline bool is_own_stack(const struct tnd_thread *thread, uintptr_t address)
{
    return address - (uintptr_t)thread->stack_low < (uintptr_t)thread->stack_high - (uintptr_t)thread->stack_low;
}

/* Whether the table is in use by a call that a handler of the program's has interrupted.  If the handler left by
 * longjmp, that call is no more. */
static inline bool is_interrupted(const struct tnd_library_shadow *shadow, uintptr_t slot, bool is_own)
{
    return shadow->owner && !(is_own && slot >= shadow->owner);
}

/* Fills an entry, and its number in behind those of the open calls. */
static inline void fill_entry(struct tnd_library_shadow *shadow, struct tnd_library_entry *entry,
                              struct tnd_library_function *function, const uint64_t *slot, bool is_own)
{
    entry->return_address = *slot;
    entry->slot = is_own ? (uintptr_t)slot : UINTPTR_MAX;
    entry->shadow = shadow;
    entry->function = function;
    entry->is_told = entry->is_left = entry->is_over = false;
    shadow->open[shadow->depth] = entry->number;
}

/* A call begins, whatever it is. */
__attribute__((noinline)) static struct tnd_library_begun begin_any(struct tnd_library_function *function,
                                                                    uint64_t *slot)
{
    struct tnd_library_begun begun = {NULL, function->real};
    if (!tnd_thread_recording)
        return begun;
    if (__builtin_expect(!tnd_thread_self || !tnd_library_shadow, 0) && !tnd_library_shadow_guarded(prepare, NULL))
        return begun;
    struct tnd_thread *thread = tnd_thread_self;
    struct tnd_library_shadow *shadow = tnd_library_shadow;
    bool is_own = is_own_stack(thread, (uintptr_t)slot), is_landing = function->number == 0;
    if (is_landing && !shadow->depth)
        return begun;
    if (__builtin_expect(is_interrupted(shadow, (uintptr_t)slot, is_own), 0)) {
        tnd_emit_lose(&thread->main);
        return begun;
    }
    shadow->owner = (uintptr_t)slot;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (shadow->depth && is_own) {
        /* A tail call has the slot of its caller, which does not come back before. */
        uintptr_t bound = (uintptr_t)slot + (*slot != (uint64_t)tnd_library_back);
        const struct tnd_library_entry *last = innermost(shadow);
        if (__builtin_expect(last->slot < bound || last->is_over || is_landing, 0))
            leave_below(shadow, bound);
    }
    begun.entry = is_landing ? NULL : take_entry(shadow);
    if (begun.entry) {
        fill_entry(shadow, begun.entry, function, slot, is_own);
        shadow->depth++;
        tell_enter(thread, begun.entry, slot);
    } else if (!is_landing) {
        tnd_emit_lose(&thread->main);
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    shadow->owner = 0;
    return begun;
}

/*
 * Most calls are plain ones: on the thread's own stack, one within the other, with nothing to be done but to write a
 * record or to count.  They have functions of their own, which call no other but at their end, so that few registers
 * are saved: two thirds of the time beside the clock that begin_any and end_any take (measured, tests/bench).
 */
static inline bool is_recording(const struct tnd_thread *thread)
{
    return tnd_thread_recording && thread && tnd_clock_is_inline();
}

static inline bool is_plain(uint8_t nature)
{
    return nature == TND_LIBRARY_RECORDED || nature == TND_LIBRARY_COUNTED;
}

/* Whether the thread's stack stands where a further call on it leaves all calls open that are.  A tail call, which has
 * the slot of its caller, does not count. */
static inline bool is_deeper(const struct tnd_library_shadow *shadow, const uint64_t *slot)
{
    if (!shadow->depth)
        return true;
    const struct tnd_library_entry *last = innermost(shadow);
    return last->slot > (uintptr_t)slot && !last->is_over;
}

/* A plain call begins, in an entry that was used before; what is written to that and behind the open ones means nothing
 * until their numbers say that it is there.  NULL: it is not a plain call, and nothing has changed. */
static inline struct tnd_library_entry *begin_plain(struct tnd_thread *thread, struct tnd_library_shadow *shadow,
                                                    struct tnd_library_function *function, uint64_t *slot)
{
    uint8_t nature = __atomic_load_n(&function->nature, __ATOMIC_RELAXED);
    if (!is_plain(nature) || !is_own_stack(thread, (uintptr_t)slot) || !shadow->n_free || !is_deeper(shadow, slot))
        return NULL;
    struct tnd_library_entry *entry = &shadow->entries[shadow->free[shadow->n_free - 1]];
    entry->nature = nature;
    fill_entry(shadow, entry, function, slot, true);
    uint64_t time = tnd_clock_ticks_inline();
    if (nature == TND_LIBRARY_COUNTED) {
        entry->begin = time;
        entry->next = thread->main.next;
    } else if (tnd_emit_take(&thread->main, 0)) {
        tnd_emit_end(&thread->main, tnd_emit_fill(&thread->main, time, TND_RECORD_ENTER, TND_TYPE_LIBRARY_FUNCTION,
                                                  (uint16_t)function->number, 0));
    } else {
        return NULL;
    }
    shadow->n_free--;
    shadow->depth++;
    return entry;
}

struct tnd_library_begun tnd_library_shadow_begin(uint64_t index, uint64_t *slot)
{
    struct tnd_library_function *function = &tnd_library_functions[index];
    struct tnd_thread *thread = tnd_thread_self;
    struct tnd_library_shadow *shadow = tnd_library_shadow;
    if (__builtin_expect(is_recording(thread) && shadow && !shadow->owner, 1)) {
        shadow->owner = (uintptr_t)slot;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        struct tnd_library_entry *entry = begin_plain(thread, shadow, function, slot);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        shadow->owner = 0;
        if (__builtin_expect(entry != NULL, 1))
            return (struct tnd_library_begun){entry, function->real};
    }
    return begin_any(function, slot);
}

/* The place of an open call in the list; `depth` if it is not there, because it was believed to be left. */
static uint32_t find_place(const struct tnd_library_shadow *shadow, const struct tnd_library_entry *entry)
{
    uint32_t place = shadow->depth;
    while (place > 0 && shadow->open[place - 1] != entry->number)
        place--;
    return place ? place - 1 : shadow->depth;
}

/* A call returns that is not the innermost one. */
__attribute__((noinline)) static void end_outer(struct tnd_library_shadow *shadow, struct tnd_library_entry *entry,
                                                const uint64_t *rax)
{
    if (entry->slot != UINTPTR_MAX && !entry->is_left)
        leave_below(shadow, entry->slot);
    tell_leave(entry, rax);
    entry->is_over = true;
    close_from(shadow, find_place(shadow, entry));
}

/* A call ends, whatever it is. */
__attribute__((noinline)) static void end_any(struct tnd_library_entry *entry, const uint64_t *rax)
{
    struct tnd_library_shadow *shadow = entry->shadow;
    if (__builtin_expect(shadow != tnd_library_shadow, 0)) { /* a coroutine has changed its thread */
        tell_leave(entry, rax);
        entry->is_over = true; /* the other thread will see it */
        return;
    }
    shadow->owner = (uintptr_t)&shadow; /* lower than the slot of the call that returns */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (__builtin_expect(shadow->depth && entry == innermost(shadow), 1)) {
        tell_leave(entry, rax);
        shadow->depth--;
        shadow->free[shadow->n_free++] = entry->number;
    } else {
        end_outer(shadow, entry, rax);
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    shadow->owner = 0;
}

/* The end of a call that began as a plain one and is the innermost.  False: it is another, and nothing has changed. */
static inline bool end_plain(struct tnd_thread *thread, struct tnd_library_shadow *shadow,
                             struct tnd_library_entry *entry)
{
    if (!is_plain(entry->nature) || entry->is_told || entry->number != shadow->open[shadow->depth - 1])
        return false;
    uint64_t time = tnd_clock_ticks_inline();
    if (entry->nature == TND_LIBRARY_COUNTED) {
        if (!tnd_library_counted_adds(shadow, entry, time - entry->begin))
            return false;
    } else {
        if (!tnd_emit_take(&thread->main, 0))
            return false;
        tnd_emit_end(&thread->main,
                     tnd_emit_fill(&thread->main, time, TND_RECORD_LEAVE, TND_TYPE_LIBRARY_FUNCTION, 0, 0));
    }
    entry->is_told = true;
    shadow->depth--;
    shadow->free[shadow->n_free++] = entry->number;
    return true;
}

void tnd_library_shadow_end(struct tnd_library_entry *entry, const uint64_t *rax)
{
    struct tnd_library_shadow *shadow = entry->shadow;
    struct tnd_thread *thread = tnd_thread_self;
    if (__builtin_expect(is_recording(thread) && shadow == tnd_library_shadow && shadow->depth, 1)) {
        shadow->owner = (uintptr_t)rax; /* lower than the slot of the call that returns */
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        bool is_ended = end_plain(thread, shadow, entry);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        shadow->owner = 0;
        if (__builtin_expect(is_ended, 1))
            return;
    }
    end_any(entry, rax);
}

void tnd_library_shadow_give_back(struct tnd_thread *thread)
{
    struct tnd_library_shadow *shadow = tnd_library_shadow;
    if (!shadow)
        return;
    tnd_library_shadow = NULL;
    leave_below(shadow,
                UINTPTR_MAX); /* its stack ends; what is left are coroutines, which another thread may go on with */
    tnd_library_counted_write(&thread->main, shadow);
    if (!shadow->depth && !__atomic_test_and_set(&is_taken, __ATOMIC_ACQUIRE)) {
        shadow->next = unused;
        unused = shadow;
        __atomic_clear(&is_taken, __ATOMIC_RELEASE);
    }
}

/* Other threads may still run: what they count from now on is lost. */
void tnd_library_shadow_stop(void)
{
    struct tnd_library_shadow *shadow = tnd_thread_self ? __atomic_load_n(&made, __ATOMIC_ACQUIRE) : NULL;
    for (; shadow; shadow = shadow->made)
        tnd_library_counted_write(&tnd_thread_self->main, shadow);
}

/* The child's streams have no ENTER of the calls that it is in. */
void tnd_library_shadow_fork_child(void)
{
    struct tnd_library_shadow *shadow = tnd_library_shadow;
    __atomic_clear(&is_taken, __ATOMIC_RELEASE);
    for (uint32_t i = 0; shadow && i < shadow->depth; i++)
        shadow->entries[shadow->open[i]].is_told = true;
    for (shadow = made; shadow; shadow = shadow->made)
        tnd_library_counted_forget(shadow);
}
