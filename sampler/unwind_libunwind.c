/* SPDX-License-Identifier: Apache-2.0
 *
 * The stack of ordinary code, by libunwind's unw_backtrace: some 10 ns a frame once it knows the place, but it locks
 * (costs: measured, tests/bench).  The library is loaded by name at the first use, for itself alone: linked, its
 * _Unwind_* would replace libgcc's in the program.  Where it is missing, libgcc's serves.
 *
 * Context: not in a handler.
 */
#include "sampler/unwind.h"
#include "runtime/thread.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

/* Frames of this library that may lie on top of the caller's. */
#define MAX_OWN 16

static int (*next)(void **, int);

static void load(void)
{
    static const struct {
        const char *library, *function;
    } ways[] = {{"libunwind.so.8", "unw_backtrace"}, {"libc.so.6", "backtrace"}};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0] && !next; i++) {
        void *library = dlopen(ways[i].library, RTLD_NOW | RTLD_LOCAL);
        if (library)
            next = (int (*)(void **, int))dlsym(library, ways[i].function);
    }
}

unsigned tnd_unwind_here(uint64_t *frames, unsigned max)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    void *found[TND_RECORD_MAX_WORDS + MAX_OWN];
    pthread_once(&once, load);
    if (!next)
        return 0;
    if (max > TND_RECORD_MAX_WORDS)
        max = TND_RECORD_MAX_WORDS;
    int n_found = next(found, (int)max + MAX_OWN);
    unsigned n = 0;
    for (int i = 0; i < n_found && n < max; i++)
        if ((uint64_t)found[i] - (uint64_t)__ehdr_start >= (uint64_t)(_end - __ehdr_start))
            frames[n++] = (uint64_t)found[i];
    return n;
}
