/* SPDX-License-Identifier: Apache-2.0
 *
 * Entering and leaving wrapped functions.  Compiled without vector registers.  Context: library_shadow.h.
 */
#include "intercept/library/library_shadow.h"

#include "formats/event_types.h"
#include "runtime/emit.h"
#include "runtime/target.h"

struct tnd_library_function *tnd_library_functions;
_Thread_local struct tnd_library_shadow *tnd_library_shadow;

/* The tables of threads that have ended. */
static struct tnd_library_shadow *unused;
static char is_taken; /* one thread at a time; another that comes meanwhile does without */

bool tnd_library_shadow_take(void)
{
    struct tnd_library_shadow *shadow = NULL;
    if (!__atomic_test_and_set(&is_taken, __ATOMIC_ACQUIRE)) {
        shadow = unused;
        unused = shadow ? shadow->next : NULL;
        __atomic_clear(&is_taken, __ATOMIC_RELEASE);
    }
    if (!shadow)
        shadow = tnd_target_pages(sizeof *shadow);
    tnd_library_shadow = shadow;
    return shadow != NULL;
}

void tnd_library_shadow_give_back(void)
{
    struct tnd_library_shadow *shadow = tnd_library_shadow;
    tnd_library_shadow = NULL;
    if (shadow && !shadow->depth && !__atomic_test_and_set(&is_taken, __ATOMIC_ACQUIRE)) {
        shadow->next = unused;
        unused = shadow;
        __atomic_clear(&is_taken, __ATOMIC_RELEASE);
    }
}

/* The child's streams have no ENTER of the calls that it is in. */
void tnd_library_shadow_fork_child(void)
{
    struct tnd_library_shadow *shadow = tnd_library_shadow;
    __atomic_clear(&is_taken, __ATOMIC_RELEASE);
    for (uint32_t i = 0; shadow && i < shadow->depth; i++)
        shadow->entries[i].is_told = true;
}

static uint64_t prepare(void *nothing)
{
    return tnd_thread_get() && (tnd_library_shadow || tnd_library_shadow_take());
}

static uint64_t ticks(void *nothing)
{
    return tnd_clock_ticks();
}

struct record {
    struct tnd_writer *writer;
    uint64_t time;
    uint8_t kind;
    uint16_t value;
};

static uint64_t emit_slowly(void *data)
{
    const struct record *record = data;
    tnd_emit_head_slowly(record->writer, record->time, record->kind, TND_TYPE_LIBRARY_FUNCTION, record->value);
    return 0;
}

/* Writes an ENTER or a LEAVE of now. */
static inline void emit(struct tnd_thread *thread, uint8_t kind, uint16_t value)
{
    struct tnd_writer *writer = &thread->main;
    uint64_t time =
        __builtin_expect(tnd_clock_is_inline(), 1) ? tnd_clock_ticks() : tnd_library_shadow_guarded(ticks, NULL);
    if (__builtin_expect(tnd_emit_take(writer, 0), 1)) {
        tnd_emit_end(writer, tnd_emit_fill(writer, time, kind, TND_TYPE_LIBRARY_FUNCTION, value, 0));
    } else {
        struct record record = {writer, time, kind, value};
        tnd_library_shadow_guarded(emit_slowly, &record);
    }
}

static void tell_leave(struct tnd_library_entry *entry)
{
    struct tnd_thread *thread = tnd_thread_recording ? tnd_thread_self : NULL;
    if (!entry->is_told && thread)
        emit(thread, TND_RECORD_LEAVE, 0);
    entry->is_told = true;
    entry->key = UINTPTR_MAX;
}

/* Whether no function can come back by the entry: it has returned, or its return address is not there any more.  Only
 * for entries of the thread's own stack that were told. */
static bool is_free(const struct tnd_library_entry *entry)
{
    return entry->is_over ||
           (entry->is_told && entry->slot && *(const uint64_t *)entry->slot != (uint64_t)tnd_library_back);
}

static void drop_free(struct tnd_library_shadow *shadow)
{
    while (shadow->depth && is_free(&shadow->entries[shadow->depth - 1]))
        shadow->depth--;
}

/* The stack pointer of the thread's own stack is back at or above `slot`: calls below it were left by an exception or a
 * jump. */
__attribute__((noinline)) static void leave_below(struct tnd_library_shadow *shadow, uintptr_t slot)
{
    for (uint32_t i = shadow->depth; i-- > 0;) {
        struct tnd_library_entry *entry = &shadow->entries[i];
        if (entry->key < slot)
            tell_leave(entry);
        else if (entry->key != UINTPTR_MAX)
            break;
    }
    drop_free(shadow);
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

static inline struct tnd_library_entry *push(struct tnd_library_shadow *shadow, uint64_t *slot, bool is_own)
{
    struct tnd_library_entry *entry = &shadow->entries[shadow->depth++];
    entry->return_address = *slot;
    entry->slot = is_own ? (uintptr_t)slot : 0;
    entry->key = is_own ? (uintptr_t)slot : UINTPTR_MAX;
    entry->shadow = shadow;
    entry->is_told = entry->is_over = false;
    return entry;
}

struct tnd_library_begun tnd_library_shadow_begin(uint64_t index, uint64_t *slot)
{
    const struct tnd_library_function *function = &tnd_library_functions[index];
    struct tnd_library_begun begun = {NULL, function->real};
    if (!tnd_thread_recording)
        return begun;
    if (__builtin_expect(!tnd_thread_self || !tnd_library_shadow, 0) && !tnd_library_shadow_guarded(prepare, NULL))
        return begun;
    struct tnd_thread *thread = tnd_thread_self;
    struct tnd_library_shadow *shadow = tnd_library_shadow;
    bool is_own = is_own_stack(thread, (uintptr_t)slot);
    bool is_landing = function->number == 0;
    if (is_landing && !shadow->depth)
        return begun;
    if (__builtin_expect((shadow->depth == TND_LIBRARY_MAX_DEPTH && !is_landing) ||
                             is_interrupted(shadow, (uintptr_t)slot, is_own),
                         0)) {
        tnd_emit_lose(&thread->main);
        return begun;
    }
    shadow->owner = (uintptr_t)slot;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (shadow->depth && is_own) {
        const struct tnd_library_entry *top = &shadow->entries[shadow->depth - 1];
        /* A tail call has the slot of its caller, which does not come back before. */
        uintptr_t bound = (uintptr_t)slot + (*slot != (uint64_t)tnd_library_back);
        if (__builtin_expect(top->key < bound || top->is_told, 0))
            leave_below(shadow, bound);
    }
    if (!is_landing) {
        begun.entry = push(shadow, slot, is_own);
        emit(thread, TND_RECORD_ENTER, (uint16_t)function->number);
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    shadow->owner = 0;
    return begun;
}

void tnd_library_shadow_end(struct tnd_library_entry *entry)
{
    struct tnd_library_shadow *shadow = entry->shadow;
    bool is_here = shadow == tnd_library_shadow; /* a coroutine may have changed its thread */
    if (is_here) {
        shadow->owner = (uintptr_t)&shadow; /* lower than the slot of the call that returns */
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        if (__builtin_expect(entry != &shadow->entries[shadow->depth - 1] && entry->slot, 0))
            leave_below(shadow, entry->slot);
    }
    tell_leave(entry);
    entry->is_over = true;
    if (is_here) {
        drop_free(shadow);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        shadow->owner = 0;
    }
}
