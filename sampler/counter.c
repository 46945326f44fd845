/* SPDX-License-Identifier: Apache-2.0
 *
 * Event types of counters, as Extrae numbers them.
 *
 * Context: any.
 */
#include "sampler/counter.h"

#include <string.h>

/* Austin Appleby's MurmurHash2 with seed 0, which Extrae takes the name's value of. */
static uint32_t murmur(const char *text)
{
    const uint32_t factor = 0x5bd1e995;
    size_t n = strlen(text);
    uint32_t hash = (uint32_t)n, word;
    for (; n >= 4; n -= 4, text += 4) {
        memcpy(&word, text, 4);
        word *= factor;
        word ^= word >> 24;
        hash = hash * factor ^ word * factor;
    }
    for (size_t i = n; i-- > 0;)
        hash ^= (uint32_t)(unsigned char)text[i] << 8 * i;
    if (n)
        hash *= factor;
    hash = (hash ^ hash >> 13) * factor;
    return hash ^ hash >> 15;
}

uint32_t tnd_counter_native(const char *name)
{
    return 44000000u + murmur(name) % 1000000u;
}
