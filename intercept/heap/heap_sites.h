/* SPDX-License-Identifier: Apache-2.0
 *
 * Call sites of the heap: stacks that allocate, and what each has live.  Either of all blocks, or of a sample: a block
 * of n bytes is in it with probability 1 - exp(-n / period), and stands for its reciprocal; sums are right on average,
 * and blocks much larger than the period are all in it.
 *
 * A block that is in it has one word in a table of lines of a cache's size: its address and its site's number.  A word
 * is written by whoever allocated the block and cleared by whoever frees it, and between these two nobody else may:
 * nothing is locked.  A line that is full is continued in another one.
 *
 * Cost: of a free, one load where no block is in its line; of a block that is in the sample, an unwinding and some 50
 * ns.  Memory: 200 bytes a site, 10 a block.
 *
 * Context: wherever the program may allocate; keeps errno.
 */
#ifndef TND_HEAP_SITES_H
#define TND_HEAP_SITES_H

#include "runtime/thread.h"

/* Once, at start.  False: no memory. */
bool tnd_heap_sites_start(bool all);

/* Bytes that a sampled block stands for, on average; 0: all blocks are in it. */
uint64_t tnd_heap_sites_period(void);

/* Bytes to allocate until the next block that is in the sample. */
int64_t tnd_heap_sites_next(void);

/* A block of the sample came.  start: as tnd_unwind_here has it. */
void tnd_heap_sites_took(const void *block, size_t n_bytes, const void *start);

/* A block may go: its place is cleared, and what it was is returned (0: it is not in the sample).  Then it goes, or
 * stays where it is after all. */
uint32_t tnd_heap_sites_clear(const void *block);
void tnd_heap_sites_gave(uint32_t site, size_t n_bytes);
void tnd_heap_sites_stays(const void *block, uint32_t site);

/* The number of the site that the frame was led to from; 0: there is no room for another. */
uint32_t tnd_heap_sites_here(const void *start);

/* Remembers what each site has now: the heap has never been so large. */
void tnd_heap_sites_keep(void);

/* Writes what each site has, and sites that this image has not told of.  One thread at a time. */
void tnd_heap_sites_tell(struct tnd_thread *thread, uint64_t time);

void tnd_heap_sites_fork_child(void);

/* How many blocks there are in each line, as far as 254. */
enum { TND_HEAP_LINE_BITS = 14, TND_HEAP_LINE_BITS_ALL = 18 };
struct tnd_heap_lines {
    uint8_t *counts;
    unsigned shift; /* 64 - log2 of how many lines there are */
};
extern struct tnd_heap_lines tnd_heap_lines __attribute__((visibility("hidden")));

static inline uint64_t tnd_heap_sites_line(const void *block)
{
    return ((uint64_t)block >> 4) * 0x9e3779b97f4a7c15u >> tnd_heap_lines.shift; /* 2^64 / phi: Knuth's multiplier */
}

/* False: the block is not in the sample. */
static inline bool tnd_heap_sites_may_have(const void *block)
{
    return __atomic_load_n(&tnd_heap_lines.counts[tnd_heap_sites_line(block)], __ATOMIC_RELAXED) != 0;
}

#endif
