/* SPDX-License-Identifier: Apache-2.0
 *
 * Linked into every library: says so if the user wants the heap recorded and this library does not wrap the allocator.
 *
 * Context: at start.
 */
#include "runtime/config.h"
#include "runtime/miss.h"
#include "runtime/run.h"
#include "runtime/source.h"
#include "runtime/target.h"

#include <string.h>

/* intercept/heap/heap_self.h; absent in the libraries that do not wrap the allocator. */
extern unsigned tnd_heap_flags __attribute__((weak, visibility("hidden")));

extern void __tsan_init(void) __attribute__((weak)); /* of ThreadSanitizer */

static bool start(void)
{
    bool is_wanted = strcmp(tnd_config.heap, "none") != 0 && !&tnd_heap_flags;
    if (is_wanted && &__tsan_init) /* run/gate.h */
        tnd_miss_tell(TND_MISSED_HEAP, NULL);
    else if (is_wanted)
        tnd_run_note(
            "heap: not recorded: libtandem-heap.so (or libtandem-mpich-heap.so) must be preloaded instead of this "
            "library, as `tandem record --heap` does");
    return false;
}

static const struct tnd_source absence_source = {.name = "heap-absent", .rank = 221, .start = start};
TND_SOURCE(absence_source);
