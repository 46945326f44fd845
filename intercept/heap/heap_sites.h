/* SPDX-License-Identifier: Apache-2.0
 *
 * Call sites of the heap: the stacks that allocate, and what each has live.  Either of all blocks, or of a sample: a
 * block of n bytes is in the sample with probability 1 - exp(-n / period), and counts as the reciprocal of that many
 * blocks; sums are right on average, and all blocks much larger than the period are in the sample.
 *
 * A block of the sample has one word in a table: its address and its site's number.  The table consists of lines as
 * long as a cache's.  A word is written by the thread that allocates the block and cleared by the one that frees it; in
 * between no other thread touches it, so that no lock is needed.  A line that is full is continued in another one.
 *
 * Cost: a free takes one load where no block is in its line; a block of the sample, an unwinding and some 50 ns.
 * Memory: 200 bytes a site, 10 a block.
 *
 * Context: wherever the program may allocate; keeps errno.
 */
#ifndef TND_HEAP_SITES_H
#define TND_HEAP_SITES_H

#include "runtime/thread.h"

/* Once, at start.  all: not a sample, but all blocks.  False: there is no table of sites, which a note says. */
bool tnd_heap_sites_start(bool all);

/* Bytes allocated to one block of the sample, on average; 0: all blocks are in it. */
uint64_t tnd_heap_sites_period(void);

/* Bytes to allocate until the next block that is in the sample. */
int64_t tnd_heap_sites_next(void);

/* A block of the sample was allocated.  start: as for tnd_unwind_here. */
void tnd_heap_sites_took(const void *block, size_t n_bytes, const void *start);

/* A block may be freed: its word is cleared, and its site returned (0: it is not in the sample).  After that either it
 * was freed, or it stays where it is. */
uint32_t tnd_heap_sites_clear(const void *block);
void tnd_heap_sites_gave(uint32_t site, size_t n_bytes);
void tnd_heap_sites_stays(const void *block, uint32_t site);

/* The number of the site that called the function of this frame; 0: there is no room for another site. */
uint32_t tnd_heap_sites_here(const void *start);

/* Remembers what each site has now, because the heap has never been larger. */
void tnd_heap_sites_keep(void);

/* Records what each site has, and the stacks of sites that this image has not recorded yet.  One thread at a time. */
void tnd_heap_sites_tell(struct tnd_thread *thread, uint64_t time);

void tnd_heap_sites_fork_child(void);

/* How many blocks there are in each line, up to 254. */
enum { TND_HEAP_LINE_BITS = 14, TND_HEAP_LINE_BITS_ALL = 18 };
struct tnd_heap_lines {
    uint8_t *counts;
    unsigned shift; /* 64 - log2 of how many lines there are */
};
extern struct tnd_heap_lines tnd_heap_lines __attribute__((visibility("hidden")));

static inline uint64_t tnd_heap_sites_line(const void *block)
{
    return ((uint64_t)(uintptr_t)block >> 4) * 0x9e3779b97f4a7c15u >>
           tnd_heap_lines.shift; /* 2^64 / phi: Knuth's multiplier */
}

/* False: the block is not in the sample. */
static inline bool tnd_heap_sites_may_have(const void *block)
{
    return __atomic_load_n(&tnd_heap_lines.counts[tnd_heap_sites_line(block)], __ATOMIC_RELAXED) != 0;
}

#endif
