/* SPDX-License-Identifier: Apache-2.0
 *
 * Call sites as records.  With --unwind=libunwind the program's own installation of that library finds them, which is
 * for those who want to compare: it takes longer.
 *
 * Context: callers.h.
 */
#include "sampler/callers.h"

#include "formats/event_types.h"
#include "runtime/emit.h"
#include "runtime/run.h"
#include "runtime/source.h"
#include "runtime/user.h"
#include "sampler/unwind.h"

#include <dlfcn.h>
#include <string.h>

#define MAX_LEVELS 99 /* run/setting.h */
#define MAX_OWN 29    /* frames of ours and of the MPI library's bindings below those */

static int (*unw_backtrace)(void **frames, int n); /* of libunwind; NULL: not wanted, or not there */

static void mark_region(struct tnd_thread *thread, uint64_t time)
{
    tnd_callers_emit(thread, time, TND_TYPE_REGION, __builtin_frame_address(0));
}

static bool start(void)
{
    tnd_user_region_begun = tnd_config.callers ? mark_region : NULL;
    if (!tnd_config.callers || strcmp(tnd_config.unwind, "libunwind") != 0)
        return false;
    void *library = dlopen("libunwind.so.8", RTLD_NOW | RTLD_LOCAL);
    unw_backtrace = library ? (int (*)(void **, int))dlsym(library, "unw_backtrace") : NULL;
    if (!unw_backtrace)
        tnd_run_tell("unwind", "unwind: libunwind.so.8 is not here; callers are found without it");
    return false; /* no other hook is needed */
}

static const struct tnd_source callers = {.name = "callers", .rank = 100, .start = start};
TND_SOURCE(callers);

static unsigned find_by_library(uint64_t *frames, unsigned max)
{
    void *all[MAX_LEVELS + MAX_OWN];
    int n_all = unw_backtrace(all, MAX_LEVELS + MAX_OWN);
    unsigned n = 0;
    for (int i = 0; i < n_all && n < max; i++)
        if (!tnd_unwind_leaves_out((uint64_t)all[i]))
            frames[n++] = (uint64_t)all[i];
    return n;
}

void tnd_callers_emit(struct tnd_thread *thread, uint64_t time, uint32_t type, const void *start)
{
    uint64_t frames[MAX_LEVELS];
    unsigned levels = (unsigned)tnd_config.callers;
    unsigned n = unw_backtrace ? find_by_library(frames, levels) : tnd_unwind_here(start, frames, levels);
    if (n)
        tnd_emit_words(&thread->main, time, TND_RECORD_CALLERS, type, (uint16_t)tnd_config.callers, n, frames);
}
