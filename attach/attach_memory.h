/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The code of a process that is looked at from outside, and walks up the stacks of its threads: by the files that it
 * has mapped, and by a copy of the stack.  Nothing is read in the process.
 */
#ifndef TND_ATTACH_MEMORY_H
#define TND_ATTACH_MEMORY_H

#include "unwind/unwind_tables.h"

#include <glib.h>

typedef struct TndAttachMemory TndAttachMemory;

TndAttachMemory *tnd_attach_memory_new(int pid);
void tnd_attach_memory_free(TndAttachMemory *memory);

/* A mapping with code. */
typedef struct {
    guint64 low, high; /* addresses */
    guint64 offset;    /* in the file */
    const char *path;  /* as the process sees it */
} TndAttachMapping;

/* The process has this mapping from now on, in place of what was there.  *bias: what to subtract from its addresses to
 * get those of the file.  FALSE: it is not of a file that can be read. */
gboolean tnd_attach_memory_map(TndAttachMemory *memory, const TndAttachMapping *mapping, guint64 *bias);

/* Where a thread was, and a copy of its stack from the stack pointer on. */
typedef struct {
    guint64 registers[TND_UNWIND_REGISTERS];
    const void *stack; /* aligned to 8 */
    gsize n_bytes;
    gboolean is_cut; /* there is more of the stack than was copied */
} TndAttachMoment;

/* The stack, innermost frame first: the interrupted instruction and return addresses; how many, at most max > 0.
 * *deeper: there are more. */
guint tnd_attach_memory_walk(TndAttachMemory *memory, const TndAttachMoment *moment, guint64 *frames, guint max,
                             gboolean *deeper);

#endif
