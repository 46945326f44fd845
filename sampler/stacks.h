/* SPDX-License-Identifier: Apache-2.0
 *
 * What a thread's stack has in common with that of its sample before: the outer frames, mostly all but the innermost
 * few.  They are not written again (formats/record.h).
 *
 * Cost: a comparison a frame.
 * Context: in the thread itself, handlers included, with the sampling signal held.
 */
#ifndef TND_STACKS_H
#define TND_STACKS_H

#include "runtime/thread.h"

#include <stdint.h>

/* How many of the outermost of n frames, innermost first, are those of the sample before in that stream. */
unsigned tnd_stacks_common(const struct tnd_writer *writer, const uint64_t *frames, unsigned n);

/* The same; and the frames are the sample's from now on. */
unsigned tnd_stacks_take(struct tnd_writer *writer, const uint64_t *frames, unsigned n);

/* How many frames the last sample has; and it has none, because its record was lost, or its thread begins. */
unsigned tnd_stacks_last(const struct tnd_writer *writer);
void tnd_stacks_forget(struct tnd_writer *writer);

#endif
