/* SPDX-License-Identifier: Apache-2.0
 *
 * A set of addresses, as sorted ranges that do not touch.
 *
 * Cost: a binary search, and a move of the ranges behind.
 * Context: any; allocates nothing.  One thread at a time may change a set.
 */
#ifndef TND_HEAP_RANGES_H
#define TND_HEAP_RANGES_H

#include <stdbool.h>
#include <stdint.h>

struct tnd_heap_range {
    uintptr_t low, high; /* the first address in it, the first one above it */
};

struct tnd_heap_ranges {
    struct tnd_heap_range *ranges;
    uint32_t n, max;
    uint64_t bytes; /* of all of them */
    bool is_short;  /* there was no room for all */
};

/* Puts addresses into the set. */
void tnd_heap_ranges_add(struct tnd_heap_ranges *set, uintptr_t low, uintptr_t high);

/* Takes addresses out.  How many of these bytes were in the set. */
uint64_t tnd_heap_ranges_remove(struct tnd_heap_ranges *set, uintptr_t low, uintptr_t high);

#endif
