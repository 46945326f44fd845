/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A file with code, laid out as the loader lays it out, for reading its code and its unwind tables.  What lies between
 * and behind its segments reads as 0.
 *
 * Cost: pages that nobody reads take no memory.
 */
#ifndef TND_ATTACH_FILE_H
#define TND_ATTACH_FILE_H

#include <glib.h>

typedef struct {
    const guint8 *low, *high; /* its bytes, here */
    const guint8 *index;      /* its index of unwind tables (.eh_frame_hdr); NULL: it has none */
    guint64 first;            /* the file's address of what is at `low` */
    GArray *segments;         /* of the file, those with code */
    gboolean is_mapped;       /* by us */
} TndAttachFile;

/* NULL: it cannot be read, or is no program or library of this machine's. */
TndAttachFile *tnd_attach_file_open(const char *path);

/* The kernel's own file [vdso], which is the same in every process; NULL: there is none. */
TndAttachFile *tnd_attach_file_of_kernel(void);

void tnd_attach_file_free(TndAttachFile *file);

/* The code at an offset of the file is at an address in a process.  *bias: what to subtract from addresses there to get
 * those of the file.  FALSE: there is no code at that offset. */
gboolean tnd_attach_file_bias(const TndAttachFile *file, guint64 offset, guint64 address, guint64 *bias);

#endif
