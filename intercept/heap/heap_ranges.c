/* SPDX-License-Identifier: Apache-2.0
 *
 * A sorted array of ranges.  Context: heap_ranges.h.
 */
#include "intercept/heap/heap_ranges.h"

#include <string.h>

/* The first range that ends at the address or above it; with `after`, above it. */
static uint32_t find(const struct tnd_heap_ranges *set, uintptr_t address, bool after)
{
    uint32_t low = 0, high = set->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        uintptr_t end = set->ranges[middle].high;
        if (end < address || (after && end == address))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Puts n_new ranges in the place of n_old.  False: no room. */
static bool replace(struct tnd_heap_ranges *set, uint32_t at, uint32_t n_old, const struct tnd_heap_range *ranges,
                    uint32_t n_new)
{
    uint32_t n = set->n - n_old + n_new;
    if (n > set->max)
        return false;
    memmove(&set->ranges[at + n_new], &set->ranges[at + n_old], (set->n - at - n_old) * sizeof *ranges);
    memcpy(&set->ranges[at], ranges, n_new * sizeof *ranges);
    set->n = n;
    return true;
}

void tnd_heap_ranges_add(struct tnd_heap_ranges *set, uintptr_t low, uintptr_t high)
{
    if (low >= high)
        return;
    struct tnd_heap_range all = {low, high};
    uint64_t bytes = 0;
    uint32_t from = find(set, low, false), to = from;
    for (; to < set->n && set->ranges[to].low <= high; to++) {
        const struct tnd_heap_range *range = &set->ranges[to];
        all.low = range->low < all.low ? range->low : all.low;
        all.high = range->high > all.high ? range->high : all.high;
        bytes += range->high - range->low;
    }
    if (replace(set, from, to - from, &all, 1))
        set->bytes += all.high - all.low - bytes;
    else
        set->is_short = true;
}

uint64_t tnd_heap_ranges_remove(struct tnd_heap_ranges *set, uintptr_t low, uintptr_t high)
{
    if (low >= high)
        return 0;
    struct tnd_heap_range left[2];
    uint64_t before = 0, after = 0;
    uint32_t n_left = 0, from = find(set, low, true), to = from;
    for (; to < set->n && set->ranges[to].low < high; to++) {
        const struct tnd_heap_range *range = &set->ranges[to];
        before += range->high - range->low;
        if (range->low < low)
            left[n_left++] = (struct tnd_heap_range){range->low, low};
        if (range->high > high)
            left[n_left++] = (struct tnd_heap_range){high, range->high};
    }
    if (to - from + set->max - set->n < n_left) { /* the range above is forgotten */
        n_left = 1;
        set->is_short = true;
    }
    for (uint32_t i = 0; i < n_left; i++)
        after += left[i].high - left[i].low;
    replace(set, from, to - from, left, n_left);
    set->bytes -= before - after;
    return before - after;
}
