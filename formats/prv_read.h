/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a .prv as the real loader does (its tolerance included) and says of every line that is not right what is wrong
 * with it.  The bytes come from a function of the caller's, so that a compressed trace needs nothing here.
 * Single pass, bounded memory, at least 300 MB/s of text a core.
 *
 * Context: not for handlers; allocates.
 */
#ifndef TND_PRV_READ_H
#define TND_PRV_READ_H

#include "formats/prv.h"

#include <sys/types.h>

/* Up to size bytes into buffer; 0 at the end, -1 with errno. */
typedef ssize_t (*tnd_prv_read_bytes)(void *source, char *buffer, size_t size);

/* Whole trace.  True if it was read to its end, whatever faults its lines had; false if it is refused, if source failed
 * (errno) or if the visitor ended it. */
bool tnd_prv_read(tnd_prv_read_bytes read_bytes, void *source, const struct tnd_prv_visitor *visitor, void *self);

/* Some of the lines that a visitor's `lines` had, or a copy, each with its end; by any number of threads at once.  The
 * visitor's line numbers are from 1 on.  How many lines there were. */
uint64_t tnd_prv_read_lines(const struct tnd_prv_parser *parser, const char *text, size_t size,
                            const struct tnd_prv_visitor *visitor, void *self);

/* How many lines of the trace were before the ones that `lines` has. */
uint64_t tnd_prv_read_n_lines(const struct tnd_prv_parser *parser);

/* A source for tnd_prv_read over a file descriptor: source = &fd. */
ssize_t tnd_prv_read_fd(void *source, char *buffer, size_t size);

#endif
