/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a .prv: eight digits at a time; places, types and upper digits of times are copied from the line before. About
 * five times what copying the text costs, some 28 ns a line of 49 bytes (measured, tests/bench).  The caller writes in
 * the order of the first time field.
 *
 * Context: not for handlers; allocates on opening, and where text is kept.
 */
#ifndef TND_PRV_WRITE_H
#define TND_PRV_WRITE_H

#include "formats/prv.h"

#include <stdbool.h>
#include <sys/types.h>

struct tnd_prv_writer;

/* All size bytes or false with errno: where the text goes (a file, a compressor, memory). */
typedef bool (*tnd_prv_write_bytes)(void *sink, const char *bytes, size_t size);

/* Writes the header line and the communicator lines ("c:1:1:2:1:2", without line ends), header->n_communicators of
 * them.  NULL with errno. */
struct tnd_prv_writer *tnd_prv_write_open(tnd_prv_write_bytes write_bytes, void *sink,
                                          const struct tnd_prv_header *header, const char *const *communicators);

void tnd_prv_write_state(struct tnd_prv_writer *writer, const struct tnd_prv_state *state);
void tnd_prv_write_event(struct tnd_prv_writer *writer, const struct tnd_prv_event *event);
void tnd_prv_write_message(struct tnd_prv_writer *writer, const struct tnd_prv_message *message);
void tnd_prv_write_comment(struct tnd_prv_writer *writer, const char *text); /* "#text" */

/* Bytes of text since opening, whether buffered or not. */
uint64_t tnd_prv_write_position(const struct tnd_prv_writer *writer);

/* Gives what is buffered to write_bytes. */
void tnd_prv_write_flush(struct tnd_prv_writer *writer);

/* From here on the text goes there; what is buffered goes where it went.  NULL: nowhere; it is kept, however much it
 * is, until it is flushed. */
void tnd_prv_write_into(struct tnd_prv_writer *writer, tnd_prv_write_bytes write_bytes, void *sink);

/* The beginning of every writer: the text that it has not flushed.  Only for tnd_prv_write_kept. */
struct tnd_prv_kept {
    char *text, *next;
};

/* The text that is kept, size bytes and TND_PRV_WRITE_SPARE that may be read; until more is written. */
#define TND_PRV_WRITE_SPARE 64
static inline const char *tnd_prv_write_kept(const struct tnd_prv_writer *writer, size_t *size)
{
    const struct tnd_prv_kept *kept = (const struct tnd_prv_kept *)(const void *)writer;
    *size = (size_t)(kept->next - kept->text);
    return kept->text;
}

/* Writes what is buffered and frees.  False with errno if anything failed since opening. */
bool tnd_prv_write_close(struct tnd_prv_writer *writer);

/* A sink over a file descriptor: sink = &fd. */
bool tnd_prv_write_fd(void *sink, const char *bytes, size_t size);

#endif
