/* SPDX-License-Identifier: Apache-2.0
 *
 * Sampling periods that differ at random.  Were they all the same, a program that repeats itself in step with them
 * would be seen at the same places again and again.
 *
 * Context: any; signal-safe, and for a board without a division.
 */
#ifndef TND_DRAW_PERIOD_H
#define TND_DRAW_PERIOD_H

#include <stdint.h>

/* Between three and five quarters of mean (below 2^48), which is the mean of all.  *random: whatever, but 0. */
static inline uint64_t tnd_draw_period(uint32_t *random, uint64_t mean)
{
    uint32_t x = *random; /* Marsaglia's xorshift generator */
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    *random = x;
    return mean - mean / 4 + ((mean / 2 * (x >> 16)) >> 16);
}

#endif
