/* SPDX-License-Identifier: Apache-2.0
 *
 * The heap in numbers: what the process has allocated and not freed.  Bytes are those that the allocator says the
 * program may use (malloc_usable_size), so that a free needs no memory of what was asked for: no block has a place in a
 * table, and one that was allocated before we came, or by another thread, is counted right.
 *
 * Every slot of threads has counters that only its thread writes; a slot that another thread takes over goes on where
 * it was.  Whoever tells adds them up: the sum is exact while nobody else allocates.  A thread tells when its own part
 * has changed by a 128th of the whole (by 4 KiB at least) or after a number of calls that take about a quarter of
 * --heap-period; but on average over the run no more often than that period, of which 1000 may come at once.  Exact
 * values stand at events of the program's own (tandem.h) and at the end of the process.
 *
 * Cost: two calls of malloc_usable_size and ten instructions a pair of malloc and free.
 * Context: wherever the program may allocate: no lock is waited for, errno is kept.
 */
#ifndef TND_HEAP_SELF_H
#define TND_HEAP_SELF_H

#include "runtime/thread.h"

struct tnd_heap_counters {
    int64_t live; /* bytes; below 0 where others' blocks are freed */
    uint64_t n_allocations, allocated;
    int64_t top;              /* the most that live was since it was told */
    int64_t countdown;        /* calls until it is told */
    int64_t until_site;       /* bytes until a block's site is wanted */
    int64_t low;              /* told when live is not from here ... */
    uint64_t span;            /* ... to so many bytes above */
    uint64_t set_ns, n_calls; /* when countdown was set, and to what */
} __attribute__((aligned(64)));

extern struct tnd_heap_counters tnd_heap_counters[TND_THREAD_MAX_SLOTS + 1] __attribute__((visibility("hidden")));

/* What is wanted.  Until the setting has been read: counting. */
enum tnd_heap_flag { TND_HEAP_OFF = 1, TND_HEAP_CALLS = 2, TND_HEAP_SITES = 4 };
extern unsigned tnd_heap_flags __attribute__((visibility("hidden")));

/* For a thread that has no slot: n bytes came (n_blocks 1) or went (0). */
void tnd_heap_self_count(int64_t n_bytes, unsigned n_blocks);

/* The rare half of counting: something is to be told, or the block's site is wanted.  block: the one that came, of n
 * bytes; NULL: one went. */
void tnd_heap_self_turn(struct tnd_thread *thread, struct tnd_heap_counters *own, const void *block, size_t n_bytes);

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

/* A block of n bytes came. */
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

/* A block of n bytes is going. */
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
