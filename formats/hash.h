/* SPDX-License-Identifier: Apache-2.0
 *
 * A hash of bytes, one after another: FNV-1a of 64 bits (Fowler, Noll and Vo).  Not safe against somebody who looks for
 * collisions.
 *
 * Context: any.
 */
#ifndef TND_HASH_H
#define TND_HASH_H

#include <stddef.h>
#include <stdint.h>

#define TND_HASH_BEGIN 0xcbf29ce484222325u

static inline uint64_t tnd_hash_add(uint64_t hash, const void *bytes, size_t n)
{
    for (const unsigned char *p = bytes; n > 0; n--)
        hash = (hash ^ *p++) * 0x100000001b3u;
    return hash;
}

#endif
