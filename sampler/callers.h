/* SPDX-License-Identifier: Apache-2.0
 *
 * Call sites: who made a call that a wrapper stands in front of.  A wrapper of any kind says, right after its ENTER,
 *
 *     tnd_callers_mark(thread, time, type);
 *
 * and if the user wants callers the CALLERS record follows: frames of this library are none, so it does not matter how
 * deep in the wrapper that is.
 *
 * Cost: a load where no callers are wanted; else some 40 ns and 7 ns a level (measured, tests/bench).
 * Context: hot path.
 */
#ifndef TND_CALLERS_H
#define TND_CALLERS_H

#include "runtime/config.h"
#include "runtime/thread.h"

/* The ENTER's time and type; start: as tnd_unwind_here has it. */
void tnd_callers_emit(struct tnd_thread *thread, uint64_t time, uint32_t type, const void *start);

static inline void tnd_callers_mark(struct tnd_thread *thread, uint64_t time, uint32_t type)
{
    if (__builtin_expect(tnd_config.callers != 0, 0))
        tnd_callers_emit(thread, time, type, __builtin_frame_address(0));
}

#endif
