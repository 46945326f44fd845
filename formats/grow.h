/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays that grow one element at a time, without a field for their capacity: it is the next power of two.  For the
 * tools only: without memory it ends the process, as GLib does.
 *
 * Context: tools only; allocates.
 */
#ifndef TND_GROW_H
#define TND_GROW_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory for n elements, for one if n is 0. */
static inline void *tnd_grow_memory(void *array, size_t n, size_t size)
{
    n += !n;
    void *grown = n <= SIZE_MAX / size ? realloc(array, n * size) : NULL;
    if (!grown) {
        fputs("tandem: out of memory\n", stderr);
        abort();
    }
    return grown;
}

/* The array with room for an element after the n that it has. */
static inline void *tnd_grow_by_one(void *array, size_t n, size_t size)
{
    return n & (n - 1) ? array : tnd_grow_memory(array, n ? 2 * n : 1, size);
}

static inline char *tnd_grow_text(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(tnd_grow_memory(NULL, size, 1), text, size);
}

#endif
