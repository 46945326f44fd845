/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a thread is: on which CPU, and how deep in its stack.  Both are recorded as events at boundaries (calls of MPI,
 * parallel regions, the user's regions) and at samples, if they have changed since the last such event.
 *
 * The CPU is read from where the kernel keeps it for the thread (rseq): a load and a comparison, about 1 ns.  With
 * kernels that do not keep it, only samples ask for it, through the vDSO.  The stack's depth is recorded only with
 * --stack.
 *
 * Context: the thread itself; a handler of ours only tnd_place_note_sample.
 */
#ifndef TND_PLACE_H
#define TND_PLACE_H

#include "runtime/thread.h"

#include <stddef.h>

extern ptrdiff_t tnd_place_cpu_offset __attribute__((visibility("hidden"))); /* from the thread's pointer */
extern bool tnd_place_has_stack __attribute__((visibility("hidden")));       /* --stack */

static inline int32_t tnd_place_cpu(void)
{
    return *(const volatile int32_t *)(tnd_machine_thread_pointer() + tnd_place_cpu_offset);
}

/* The rare halves of tnd_place_note and tnd_place_note_cpu. */
void tnd_place_tell(struct tnd_thread *thread, uint64_t time);
void tnd_place_tell_cpu(struct tnd_thread *thread, uint64_t time);

/* At a boundary, in the calling thread, just before the boundary's own record, so that the value belongs to what ends
 * there. */
static inline void tnd_place_note(struct tnd_thread *thread, uint64_t time)
{
    if (__builtin_expect((tnd_place_cpu() != thread->place.cpu_seen) | tnd_place_has_stack, 0))
        tnd_place_tell(thread, time);
}

/* The same for the CPU alone: for calls within a region. */
static inline void tnd_place_note_cpu(struct tnd_thread *thread, uint64_t time)
{
    if (__builtin_expect(tnd_place_cpu() != thread->place.cpu_seen, 0))
        tnd_place_tell_cpu(thread, time);
}

/* The same in our handler, which interrupted the thread when its stack pointer was this. */
void tnd_place_note_sample(struct tnd_thread *thread, uint64_t time, uintptr_t stack_pointer);

#endif
