/* SPDX-License-Identifier: Apache-2.0
 *
 * The file of a process's directory that has the rings of all its threads' slots: `rings`.  It begins with the main
 * ring of slot 0, whose header says how far the next slot's is (`stride`); a slot's signal ring follows its main one.
 * What no thread has used is a hole.  Each ring is as it would be in a file of its own (formats/stream.h).
 *
 * Context: the layout is for anyone; the functions make system calls only.
 */
#ifndef TND_RINGS_H
#define TND_RINGS_H

#include "formats/stream.h"

#include <stdbool.h>
#include <stdint.h>

#define TND_RINGS_FILE "rings"

struct tnd_rings {
    uint64_t stride_bytes; /* from a slot's rings to the next slot's */
    uint64_t main_bytes;   /* of a main ring with its header */
    uint32_t n_slots;      /* that the file has room for */
};

/* How the rings of a file lie.  False: it is no file of rings, or damaged. */
bool tnd_rings_read(int fd, struct tnd_rings *rings);

/* Where a slot's ring is.  False: it has none there. */
bool tnd_rings_find(int fd, const struct tnd_rings *rings, uint32_t slot, enum tnd_context context, uint64_t *offset);

#endif
