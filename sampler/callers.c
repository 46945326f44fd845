/* SPDX-License-Identifier: Apache-2.0
 *
 * Call sites as records.  Context: callers.h.
 */
#include "sampler/callers.h"

#include "runtime/emit.h"
#include "sampler/unwind.h"

#define MAX_LEVELS 99 /* run/setting.h */

void tnd_callers_emit(struct tnd_thread *thread, uint64_t time, uint32_t type, const void *start)
{
    uint64_t frames[MAX_LEVELS];
    unsigned n = tnd_unwind_here(start, frames, (unsigned)tnd_config.callers);
    if (n)
        tnd_emit_words(&thread->main, time, TND_RECORD_CALLERS, type, (uint16_t)tnd_config.callers, n, frames);
}
