/* SPDX-License-Identifier: Apache-2.0
 *
 * The size of the heap: what the process has allocated and not freed.  Bytes are those of malloc_usable_size, so that a
 * free need not know what was asked for: blocks are in no table, and one that was allocated before our start, or by
 * another thread, is counted correctly.
 *
 * Every slot of threads has counters that only its thread writes; a thread that takes over a slot goes on with its
 * counters.  The thread that records adds up all counters: the sum is exact while no other thread allocates.  A thread
 * records when its own part has changed by a 128th of the whole (by 4 KiB at least), or after as many calls as take
 * about a quarter of --heap-period; but on average no more often than once in that period, 1000 times without a pause.
 * Exact values are recorded at the program's own events (tandem.h) and at the end of the process.
 *
 * Cost: two calls of malloc_usable_size and ten instructions a pair of malloc and free.
 * Context: wherever the program may allocate: no lock is waited for, errno is kept.
 */
#ifndef TND_HEAP_SELF_H
#define TND_HEAP_SELF_H

#include "runtime/thread.h"

struct tnd_heap_counters {
    int64_t live; /* bytes; below 0 where the thread frees blocks of others */
    uint64_t n_allocations, allocated;
    int64_t top;              /* the maximum of live since it was last recorded */
    int64_t countdown;        /* calls until values are recorded */
    int64_t until_site;       /* bytes until the site of a block is recorded */
    int64_t low;              /* values are recorded when live is not from here ... */
    uint64_t span;            /* ... to so many bytes above */
    uint64_t set_ns, n_calls; /* when countdown was set, and to what */
} __attribute__((aligned(64)));

extern struct tnd_heap_counters tnd_heap_counters[TND_THREAD_MAX_SLOTS + 1] __attribute__((visibility("hidden")));

/* What is recorded.  0, which counts, until the setting has been read. */
enum tnd_heap_flag { TND_HEAP_OFF = 1, TND_HEAP_CALLS = 2, TND_HEAP_SITES = 4 };
extern unsigned tnd_heap_flags __attribute__((visibility("hidden")));

/* Counts for a thread without a slot: n bytes were allocated (n_blocks 1) or, below 0, freed (0). */
void tnd_heap_self_count(int64_t n_bytes, unsigned n_blocks);

/* The rare half of counting: values, or the block's site, are to be recorded.  block: the one that was allocated, of n
 * bytes; NULL: one was freed. */
void tnd_heap_self_turn(struct tnd_thread *thread, struct tnd_heap_counters *own, const void *block, size_t n_bytes);

/* Called when values were recorded, in the thread that did so.  NULL: nobody wants that. */
extern void (*tnd_heap_self_told)(struct tnd_thread *thread) __attribute__((visibility("hidden")));

/* Bytes that the program maps by itself (heap_maps.c); and that they have changed. */
extern uint64_t tnd_heap_mapped __attribute__((visibility("hidden")));
void tnd_heap_self_mapped(void);

static inline void tnd_heap_self_check(struct tnd_thread *thread, struct tnd_heap_counters *own, const void *block,
                                       size_t n_bytes)
{
    own->countdown--;
    if (__builtin_expect((own->countdown | own->until_site) < 0 || (uint64_t)(own->live - own->low) > own->span, 0))
        tnd_heap_self_turn(thread, own, block, n_bytes);
}

/* A block of n bytes was allocated. */
static inline void tnd_heap_self_took(const void *block, size_t n_bytes)
{
    struct tnd_thread *thread = tnd_thread_self;
    if (__builtin_expect(!thread, 0)) {
        tnd_heap_self_count((int64_t)n_bytes, 1);
        return;
    }
    struct tnd_heap_counters *own = &tnd_heap_counters[thread->slot];
    int64_t live = own->live + (int64_t)n_bytes;
    own->live = live;
    own->top = live > own->top ? live : own->top;
    own->n_allocations++;
    own->allocated += n_bytes;
    own->until_site -= (int64_t)n_bytes;
    tnd_heap_self_check(thread, own, block, n_bytes);
}

/* A block of n bytes is about to be freed. */
static inline void tnd_heap_self_gave(size_t n_bytes)
{
    struct tnd_thread *thread = tnd_thread_self;
    if (__builtin_expect(!thread, 0)) {
        tnd_heap_self_count(-(int64_t)n_bytes, 0);
        return;
    }
    struct tnd_heap_counters *own = &tnd_heap_counters[thread->slot];
    own->live -= (int64_t)n_bytes;
    tnd_heap_self_check(thread, own, NULL, n_bytes);
}

#endif
