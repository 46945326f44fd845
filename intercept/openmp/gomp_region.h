/* SPDX-License-Identifier: Apache-2.0
 *
 * libgomp, GNU's OpenMP library: what its wrappers (generated, and gomp_task.c) share, and parallel regions.
 *
 * The function that the threads of a region are to run is replaced by one of ours, which runs it; its data lies with
 * the thread that opens the region, which waits for all others before it goes on.
 *
 * Context: openmp_self.h.
 */
#ifndef TND_GOMP_REGION_H
#define TND_GOMP_REGION_H

#include "intercept/base/callee.h"
#include "intercept/openmp/openmp_self.h"
#include "runtime/clock.h"

struct tnd_gomp_region {
    void *first; /* first word of the program's data where libgomp itself reads it (task reductions), else anything */
    void (*fn)(void *);
    void *data;
    uint16_t construct; /* that the region consists of: 4 a loop, 5 sections; 0: none */
    uint16_t schedule;  /* of the loop */
    uint64_t iterations;
    long incr;
    const struct tnd_thread *opener;
};

/* Generated: the wrapped calls. */
extern struct tnd_callee tnd_gomp_region_callees[] __attribute__((visibility("hidden")));

/* The slow half of TND_GOMP_REAL. */
void *tnd_gomp_region_find(struct tnd_callee *callee, const void *caller);

/* The real call behind a wrapper. */
#define TND_GOMP_CALLEE(callee)                                                                                        \
    (__builtin_expect((callee)->found != NULL, 1) ? (callee)->found                                                    \
                                                  : tnd_gomp_region_find(callee, __builtin_return_address(0)))
#define TND_GOMP_REAL(number) TND_GOMP_CALLEE(&tnd_gomp_region_callees[number])

/* LLVM's library has these entry points too, and tells of itself what happens (ompt.c): then they are not recorded. */
extern bool tnd_gomp_region_is_foreign __attribute__((visibility("hidden")));

/* It will tell of a call that `caller` makes. */
void tnd_gomp_region_leave_to_llvm(const void *caller);

/* As tnd_openmp_self_thread, for libgomp's own calls; in a wrapper. */
#define TND_GOMP_THREAD() tnd_gomp_region_thread(__builtin_return_address(0))
static inline struct tnd_thread *tnd_gomp_region_thread(const void *caller)
{
    if (__builtin_expect(!tnd_gomp_region_is_foreign, 1))
        return tnd_openmp_self_thread();
    tnd_gomp_region_leave_to_llvm(caller);
    return NULL;
}

/* What the threads of a region run. */
void tnd_gomp_region_run(void *region);

/* The form of regions that compilers before GCC 4.9 made: open it, run its function, close it.  Regions then lie on a
 * small stack of the thread's; NULL: it is full, the region will not be recorded. */
struct tnd_gomp_region *tnd_gomp_region_push(void);
void tnd_gomp_region_started(struct tnd_thread *thread, uint64_t time);
/* The opener has run its part.  False: the region was not recorded. */
bool tnd_gomp_region_ending(struct tnd_thread *thread, uint64_t time);

#endif
