/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory for what may be much, is written once, and is freed as a whole.  From tnd_large_memory_limit on it is a file
 * without a name, which the kernel writes out and reads again as it needs room; where none can be made, memory.
 *
 * Cost: a lock a piece; what is left of an area when the next one is begun is lost.
 */
#ifndef TND_LARGE_MEMORY_H
#define TND_LARGE_MEMORY_H

#include <glib.h>

/* Bytes that are taken before there is a file: 64 MB; tests make it less. */
extern gsize tnd_large_memory_limit;

typedef struct TndLargeMemory TndLargeMemory;

/* The file, if there is to be one, is in the directory of `path`, else in that for temporary files. */
TndLargeMemory *tnd_large_memory_new(const char *path);
void tnd_large_memory_free(TndLargeMemory *memory);

/* n bytes for any type, until all is freed.  Several threads may take at once. */
gpointer tnd_large_memory_take(TndLargeMemory *memory, gsize n);

/* The same, with a copy of these. */
gpointer tnd_large_memory_copy(TndLargeMemory *memory, gconstpointer bytes, gsize n);

#endif
