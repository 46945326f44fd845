/* SPDX-License-Identifier: Apache-2.0
 *
 * Parallel regions of libgomp, GNU's OpenMP library, and what its wrappers (generated ones, and gomp_task.c) share.
 *
 * The function of a region is replaced by one of ours, which calls it.  The data that ours needs is on the stack of the
 * thread that opens the region, because that waits for all others before it goes on.
 *
 * Context: openmp_self.h.
 */
#ifndef TND_GOMP_REGION_H
#define TND_GOMP_REGION_H

#include "intercept/base/callee.h"
#include "intercept/openmp/openmp_self.h"
#include "runtime/clock.h"

struct tnd_gomp_region {
    void *first; /* copy of the first word of the program's data, which libgomp reads for task reductions */
    void (*fn)(void *);
    void *data;
    uint16_t construct; /* what the region consists of: 4 a loop, 5 sections; 0: neither */
    uint16_t schedule;  /* of the loop */
    uint64_t iterations;
    long incr;
    const struct tnd_thread *opener;
};

/* A board knows the real functions by their places in the table. */
#ifdef TND_BOARD
#define TND_GOMP_NAME(name) NULL
#else
#define TND_GOMP_NAME(name) name
#endif

/* Generated: the wrapped calls. */
extern struct tnd_callee tnd_gomp_region_callees[] __attribute__((visibility("hidden")));

/* The slow half of TND_GOMP_REAL. */
void *tnd_gomp_region_find(struct tnd_callee *callee, const void *caller);

/* The real call behind a wrapper. */
#define TND_GOMP_CALLEE(callee)                                                                                        \
    (__builtin_expect((callee)->found != NULL, 1) ? (callee)->found                                                    \
                                                  : tnd_gomp_region_find(callee, __builtin_return_address(0)))
#define TND_GOMP_REAL(number) TND_GOMP_CALLEE(&tnd_gomp_region_callees[number])

/* The program runs with LLVM's library, which has libgomp's entry points, too, and is recorded by OMPT (ompt.c) or left
 * to the program's own tool: then the wrappers record nothing. */
extern bool tnd_gomp_region_is_foreign __attribute__((visibility("hidden")));

/* Notes the caller of such a call, for ompt.c. */
void tnd_gomp_region_leave_to_llvm(const void *caller);

/* Like tnd_openmp_self_thread, for use in wrappers of libgomp's functions. */
#define TND_GOMP_THREAD() tnd_gomp_region_thread(__builtin_return_address(0))
static inline struct tnd_thread *tnd_gomp_region_thread(const void *caller)
{
    if (__builtin_expect(!tnd_gomp_region_is_foreign, 1))
        return tnd_openmp_self_thread();
    tnd_gomp_region_leave_to_llvm(caller);
    return NULL;
}

/* The function that the threads of a region run instead. */
void tnd_gomp_region_run(void *region);

/* Regions as compilers before GCC 4.9 made them: one call opens the region, the opener calls its function, another call
 * closes it.  Their data is on a small stack of the thread; NULL: that is full, and the region is not recorded. */
struct tnd_gomp_region *tnd_gomp_region_push(void);
void tnd_gomp_region_started(struct tnd_thread *thread, uint64_t time);
/* The opener has run its part of such a region.  False: the region was not recorded. */
bool tnd_gomp_region_ending(struct tnd_thread *thread, uint64_t time);

#endif
