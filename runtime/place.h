/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a thread is: on which CPU, and how deep in its stack.  Told as events at boundaries (calls of MPI, parallel
 * regions, regions of the user's) and at samples, when it is another than was told last.
 *
 * The CPU is read where the kernel keeps it for the thread (rseq): a load and a comparison, about 1 ns.  Where it keeps
 * none, only samples ask, by the vDSO.  The stack is looked at only if it was asked for (--stack).
 *
 * Context: the thread itself; a handler of ours only tnd_place_note_sample.
 */
#ifndef TND_PLACE_H
#define TND_PLACE_H

#include "runtime/thread.h"

#include <stddef.h>

extern ptrdiff_t tnd_place_cpu_offset __attribute__((visibility("hidden"))); /* from the thread's pointer */
extern bool tnd_place_has_stack __attribute__((visibility("hidden")));       /* depths were asked for */

static inline int32_t tnd_place_cpu(void)
{
    return *(const volatile int32_t *)((const char *)__builtin_thread_pointer() + tnd_place_cpu_offset);
}

/* The rare halves of tnd_place_note and tnd_place_note_cpu. */
void tnd_place_tell(struct tnd_thread *thread, uint64_t time);
void tnd_place_tell_cpu(struct tnd_thread *thread, uint64_t time);

/* At a boundary, in the calling thread, just before the record that it is: so what ends there has seen what is told. */
static inline void tnd_place_note(struct tnd_thread *thread, uint64_t time)
{
    if (__builtin_expect((tnd_place_cpu() != thread->place.cpu_seen) | tnd_place_has_stack, 0))
        tnd_place_tell(thread, time);
}

/* As well, but where only the CPU is of interest: calls within a region. */
static inline void tnd_place_note_cpu(struct tnd_thread *thread, uint64_t time)
{
    if (__builtin_expect(tnd_place_cpu() != thread->place.cpu_seen, 0))
        tnd_place_tell_cpu(thread, time);
}

/* The same in our handler, which interrupted the thread when its stack pointer was this. */
void tnd_place_note_sample(struct tnd_thread *thread, uint64_t time, uintptr_t stack_pointer);

#endif
