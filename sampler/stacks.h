/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes samples and waits with their stacks, packed (formats/pack.h): into an open record, as long as nothing
 * else is written to the stream.
 *
 * Context: in the thread itself, handlers included, with the sampling signal held.
 */
#ifndef TND_STACKS_H
#define TND_STACKS_H

#include "formats/pack.h"
#include "runtime/thread.h"
#include "unwind/unwind_trail.h"

#include <stdbool.h>
#include <stdint.h>

/* Gives a writer the memory for it, if it has none, and forgets its last sample.  Thread start; false: there is no
 * memory. */
bool tnd_stacks_open(struct tnd_writer *writer);

/* The trail of the thread's walks, for one who has taken the writer. */
struct tnd_unwind_trail *tnd_stacks_trail(const struct tnd_writer *writer);

/* Takes the writer for a record of that time.  The room for its frames, TND_PACK_MOST_FRAMES of them; NULL: the record
 * is lost, and counted. */
uint64_t *tnd_stacks_begin(struct tnd_writer *writer, uint64_t time);

/* Writes it, with n frames, innermost first. */
void tnd_stacks_end(struct tnd_writer *writer, const struct tnd_pack_entry *entry, unsigned n);

#endif
