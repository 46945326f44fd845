/* SPDX-License-Identifier: Apache-2.0
 *
 * Call sites: the callers of a call that is recorded.  A wrapper calls, right after its ENTER,
 *
 *     tnd_callers_mark(thread, time, type);
 *
 * and with --callers a CALLERS record is written.  Frames of this library are left out, so that this may be called at
 * any depth within the wrapper.
 *
 * Cost: a load without --callers; else some 40 ns and 7 ns a level (measured, tests/bench).
 * Context: hot path.
 */
#ifndef TND_CALLERS_H
#define TND_CALLERS_H

#include "runtime/config.h"
#include "runtime/thread.h"

/* The ENTER's time and type; start: as for tnd_unwind_here. */
void tnd_callers_emit(struct tnd_thread *thread, uint64_t time, uint32_t type, const void *start);

static inline void tnd_callers_mark(struct tnd_thread *thread, uint64_t time, uint32_t type)
{
    if (__builtin_expect(tnd_config.callers != 0, 0))
        tnd_callers_emit(thread, time, type, __builtin_frame_address(0));
}

#endif
