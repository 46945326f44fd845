/* SPDX-License-Identifier: Apache-2.0
 *
 * A set of addresses, as ranges in order that do not touch: what is mapped, piece by piece or over what there was.
 *
 * Cost: a binary search, and a move of the ranges behind.
 * Context: any; allocates nothing.  Whoever shares a set sees to it that one at a time changes it.
 */
#ifndef TND_HEAP_RANGES_H
#define TND_HEAP_RANGES_H

#include <stdbool.h>
#include <stdint.h>

struct tnd_heap_range {
    uintptr_t low, high; /* the first address in it, the first behind it */
};

struct tnd_heap_ranges {
    struct tnd_heap_range *ranges;
    uint32_t n, max;
    uint64_t bytes; /* of all of them */
    bool is_short;  /* there was no room for all */
};

/* Puts addresses into the set. */
void tnd_heap_ranges_add(struct tnd_heap_ranges *set, uintptr_t low, uintptr_t high);

/* Takes them out.  How many bytes of them were in it. */
uint64_t tnd_heap_ranges_remove(struct tnd_heap_ranges *set, uintptr_t low, uintptr_t high);

#endif
