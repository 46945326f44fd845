/* SPDX-License-Identifier: Apache-2.0
 *
 * CPUs and stacks of threads.  The high-water mark of a stack is the lowest word in it that was ever written: the
 * kernel gives pages of zeros, so that the stack need not be filled with a pattern first.  It is looked for when the
 * thread ends; for threads that still run then, when the process ends.
 *
 * Context: place.h; hooks as runtime/source.h says.
 */
#include "runtime/place.h"

#include "formats/event_types.h"
#include "runtime/config.h"
#include "runtime/emit.h"
#include "runtime/source.h"
#include "runtime/target.h"

/* Bytes that an earlier thread may have left in a stack that the C library gives to one thread after another: glibc
 * keeps 16 KiB (PTHREAD_STACK_MIN).  Where more than this was there when the thread began, what it wrote itself cannot
 * be told. */
#define LEFT_BYTES 32768

ptrdiff_t tnd_place_cpu_offset;
bool tnd_place_has_stack;

static void tell(struct tnd_writer *writer, uint64_t time, uint32_t type, uint64_t value)
{
    if (value <= UINT16_MAX)
        tnd_emit_head(writer, time, TND_RECORD_EVENT, type, (uint16_t)value);
    else
        tnd_emit_word(writer, time, TND_RECORD_EVENT, type, 0, value);
}

static void tell_cpu(struct tnd_thread *thread, struct tnd_writer *writer, uint64_t time)
{
    thread->place.cpu_seen = tnd_place_cpu();
    int32_t cpu = tnd_target_cpu();
    if (cpu < 0 || cpu == thread->place.cpu_told)
        return;
    thread->place.cpu_told = cpu;
    tell(writer, time, TND_TYPE_CPU, (uint64_t)cpu + 1); /* as Extrae counts them */
}

/* 0 on a stack that is not the thread's own: a signal stack, a coroutine's. */
static uint64_t depth_of(const struct tnd_thread *thread, uintptr_t stack_pointer)
{
    uintptr_t high = (uintptr_t)thread->stack_high;
    return thread->place.stack_floor && stack_pointer > thread->place.stack_floor && stack_pointer < high
               ? high - stack_pointer
               : 0;
}

void tnd_place_tell_cpu(struct tnd_thread *thread, uint64_t time)
{
    tell_cpu(thread, &thread->main, time);
}

void tnd_place_tell(struct tnd_thread *thread, uint64_t time)
{
    if (tnd_place_cpu() != thread->place.cpu_seen)
        tell_cpu(thread, &thread->main, time);
    if (!tnd_place_has_stack)
        return;
    uint64_t depth = depth_of(thread, (uintptr_t)__builtin_frame_address(0));
    if (depth == thread->place.depth_told && !thread->place.is_depth_sampled)
        return;
    thread->place.is_depth_sampled = false; /* a sample from here on has a later time */
    thread->place.depth_told = depth;
    tell(&thread->main, time, TND_TYPE_STACK_DEPTH, depth);
}

void tnd_place_note_sample(struct tnd_thread *thread, uint64_t time, uintptr_t stack_pointer)
{
    int32_t cpu = tnd_place_cpu();
    if (cpu < 0 || cpu != thread->place.cpu_seen)
        tell_cpu(thread, &thread->signal, time);
    if (!tnd_place_has_stack)
        return;
    uint64_t depth = depth_of(thread, stack_pointer);
    if (depth == thread->place.depth_told)
        return;
    thread->place.is_depth_sampled = true;
    thread->place.depth_told = depth;
    tell(&thread->signal, time, TND_TYPE_STACK_DEPTH, depth);
}

/* Bytes of its stack that the thread used; 0: unknown, because of what was there before. */
static uint64_t mark_of(const struct tnd_thread *thread)
{
    uintptr_t high = (uintptr_t)thread->stack_high, floor = thread->place.stack_floor,
              before = thread->place.stack_touched;
    uintptr_t touched = floor ? tnd_target_stack_touched(floor, high) : 0;
    return touched && before && (touched < before || high - before <= LEFT_BYTES) ? high - touched : 0;
}

static bool start(void)
{
    tnd_place_cpu_offset = tnd_target_cpu_place();
    tnd_place_has_stack = tnd_config.stack;
    return true;
}

static void thread_start(struct tnd_thread *thread)
{
    thread->place.cpu_seen = thread->place.cpu_told = -1;
    thread->place.depth_told = 0;
    thread->place.is_depth_sampled = false;
    thread->place.stack_floor = thread->place.stack_touched = 0;
    tell_cpu(thread, &thread->main, thread->born_ticks);
    if (!tnd_place_has_stack || !thread->stack_high)
        return;
    uint64_t size_bytes = 0;
    thread->place.stack_floor = tnd_target_stack_floor((uintptr_t)thread->stack_high, &size_bytes);
    if (!thread->place.stack_floor)
        return;
    thread->place.stack_touched = tnd_target_stack_touched(thread->place.stack_floor, (uintptr_t)thread->stack_high);
    if (size_bytes)
        tell(&thread->main, thread->born_ticks, TND_TYPE_STACK_SIZE, size_bytes);
}

static void tell_mark(struct tnd_thread *thread)
{
    uint64_t mark = tnd_place_has_stack ? mark_of(thread) : 0;
    if (mark)
        tell(&thread->main, tnd_clock_ticks(), TND_TYPE_STACK_HIGH, mark);
}

static void tell_mark_of_other(const struct tnd_thread *thread, void *writer)
{
    uint64_t mark = thread != tnd_thread_self ? mark_of(thread) : 0;
    if (mark)
        tnd_emit_words(writer, tnd_clock_ticks(), TND_RECORD_DEFINE, thread->number, TND_DEFINE_STACK, 2,
                       (uint64_t[]){mark, 0});
}

/* For threads that still run and will never call thread_end. */
static void stop(void)
{
    if (tnd_place_has_stack && tnd_thread_self)
        tnd_thread_each(tell_mark_of_other, &tnd_thread_self->main);
}

static const struct tnd_source place = {
    .name = "place",
    .rank = 10,
    .start = start,
    .thread_start = thread_start,
    .thread_end = tell_mark,
    .before_exec = tell_mark,
    .stop = stop,
};
TND_SOURCE(place);
