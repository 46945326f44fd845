/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An allocator for large data that is written once and freed as a whole.  Beyond tnd_large_memory_limit bytes, or four
 * times that of all such memories together, it maps an unnamed file, which the kernel can write out and read again when
 * memory is short.  If no file can be made, it uses ordinary memory.
 *
 * Cost: a lock for each allocation.  The rest of an area is lost when the next one is begun.
 */
#ifndef TND_LARGE_MEMORY_H
#define TND_LARGE_MEMORY_H

#include <glib.h>

/* Bytes that are allocated before a file is used: 64 MB; tests make it less. */
extern gsize tnd_large_memory_limit;

typedef struct TndLargeMemory TndLargeMemory;

/* The file is made in the directory of `path`; if that fails, in the directory for temporary files. */
TndLargeMemory *tnd_large_memory_new(const char *path);
void tnd_large_memory_free(TndLargeMemory *memory);

/* n bytes, aligned for any type, valid until tnd_large_memory_free.  May be called by several threads at once. */
gpointer tnd_large_memory_take(TndLargeMemory *memory, gsize n);

/* The same, and copies n bytes into it. */
gpointer tnd_large_memory_copy(TndLargeMemory *memory, gconstpointer bytes, gsize n);

#endif
