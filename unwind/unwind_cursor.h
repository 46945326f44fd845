/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers as unwind tables have them, read in order.
 *
 * Context: handler.
 */
#ifndef TND_UNWIND_CURSOR_H
#define TND_UNWIND_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Bytes of a table, read in order; past the end there are zeros, and bad is set. */
struct tnd_unwind_cursor {
    const uint8_t *next, *end;
    bool bad;
};

static inline uint64_t tnd_unwind_cursor_take(struct tnd_unwind_cursor *cursor, unsigned n_bytes)
{
    uint64_t value = 0;
    if ((size_t)(cursor->end - cursor->next) < n_bytes) {
        cursor->bad = true;
        cursor->next = cursor->end;
        return 0;
    }
    memcpy(&value, cursor->next, n_bytes);
    cursor->next += n_bytes;
    return value;
}

static inline int64_t tnd_unwind_cursor_signed(struct tnd_unwind_cursor *cursor, unsigned n_bytes)
{
    unsigned shift = 64 - 8 * n_bytes;
    return (int64_t)(tnd_unwind_cursor_take(cursor, n_bytes) << shift) >> shift;
}

/* A number of any length, seven bits a byte (LEB128).  n_bits, if not NULL: how many there were. */
static inline uint64_t tnd_unwind_cursor_leb(struct tnd_unwind_cursor *cursor, unsigned *n_bits)
{
    uint64_t value = 0, byte;
    unsigned shift = 0;
    do {
        byte = tnd_unwind_cursor_take(cursor, 1);
        if (shift < 64)
            value |= (byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80);
    if (n_bits)
        *n_bits = shift;
    return value;
}

static inline uint64_t tnd_unwind_cursor_uleb(struct tnd_unwind_cursor *cursor)
{
    return tnd_unwind_cursor_leb(cursor, NULL);
}

static inline int64_t tnd_unwind_cursor_sleb(struct tnd_unwind_cursor *cursor)
{
    unsigned n_bits;
    uint64_t value = tnd_unwind_cursor_leb(cursor, &n_bits);
    unsigned n_above = n_bits < 64 ? 64 - n_bits : 0; /* which are as the sign */
    return (int64_t)(value << n_above) >> n_above;
}

#endif
