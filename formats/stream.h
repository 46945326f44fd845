/* SPDX-License-Identifier: Apache-2.0
 *
 * A stream: the records of one slot in one context, as two files of a process's directory:
 *
 *     <slot>.<context>.ring    a header page and a small warm ring: a shared mapping, still there after SIGKILL; or a
 *                              part of the file `rings` (formats/rings.h)
 *     <slot>.<context>.stream  what the ring held each time it was full, appended by one large write
 *
 * The stream's bytes are: the first `base` bytes of the .stream file, then the first `published - base` bytes of the
 * ring's data.  The writer appends to the ring and publishes; when the ring is full it writes all of it to the .stream
 * file and then moves `base` up to `published`: one 8-byte store, so a kill at any instant loses and repeats nothing.
 * A .stream file longer than `base` was cut off in that write: the rest is ignored, because the ring still has it.
 * A record never straddles the ring's end: a ring that lacks room for it is filled with PADs and written out.
 *
 * What it is not: the writer (runtime/emit.h).
 * Context: the layout is for anyone; the reader is not for handlers: it allocates.
 */
#ifndef TND_STREAM_H
#define TND_STREAM_H

#include "formats/record.h"

#include <stdbool.h>
#include <stdio.h>

#define TND_STREAM_MAGIC "tandem\r\n" /* 8 bytes, no end mark: a copy in text mode would change it */
#define TND_STREAM_BYTE_ORDER 0x01020304u
#define TND_STREAM_HEADER_BYTES 4096 /* where the ring's data begins */

enum tnd_context { TND_CONTEXT_MAIN = 0, TND_CONTEXT_SIGNAL = 1 };

struct tnd_stream_header {
    char magic[8];
    uint32_t byte_order; /* TND_STREAM_BYTE_ORDER as the writer has it */
    uint16_t version;    /* TND_RECORD_VERSION */
    uint16_t context;    /* enum tnd_context */
    uint32_t slot;
    uint32_t pid;
    uint64_t ring_bytes; /* of data, without this header; a multiple of 8 */
    uint64_t base;       /* bytes of the stream that are in the .stream file */
    uint64_t published;  /* bytes of the stream */
    uint64_t n_lost;     /* records that could not be written */
    uint32_t stop_errno; /* why recording stopped: an errno, 0 while it goes on */
    uint32_t n_turns;    /* times that the ring was written out */
    uint64_t stride;     /* in `rings`: bytes from a slot's ring to the next slot's; 0: the file has this ring only */
};

_Static_assert(sizeof(struct tnd_stream_header) == 72, "stream header layout");
_Static_assert(offsetof(struct tnd_stream_header, base) == 32, "base at 32");
_Static_assert(offsetof(struct tnd_stream_header, published) == 40, "published at 40");

/* Reads a stream from its two files, in bounded memory.  Records come in this machine's byte order. */
struct tnd_stream_reader;

/* dir_fd: the process's directory; name: "<slot>.<context>", without an ending.  NULL if the ring cannot be read or is
 * not one: *error is then a static sentence and errno may say more. */
struct tnd_stream_reader *tnd_stream_open(int dir_fd, const char *name, const char **error);

/* As tnd_stream_open, for streams by the ten thousand: the path is the process's directory and the name, no descriptor
 * is kept, and no more than buffer_bytes, and room for one record, of the stream are in memory. */
struct tnd_stream_reader *tnd_stream_open_path(const char *path, size_t buffer_bytes, const char **error);

/* A second reader of the stream, beginning where this one stands; one thread must use both.  A block that one has read
 * the other takes over, as long as neither is more than a block ahead; after that each reads the file itself.  NULL:
 * the stream's bytes must be swapped, so that a second reader must be opened instead.
 */
struct tnd_stream_reader *tnd_stream_share(struct tnd_stream_reader *reader);

/* Puts a header into the other byte order. */
void tnd_stream_swap_header(struct tnd_stream_header *header);

/* The header, in this machine's byte order. */
const struct tnd_stream_header *tnd_stream_header(const struct tnd_stream_reader *reader);

/* The beginning of every reader: the records that are in memory.  Only for tnd_stream_next. */
struct tnd_stream_window {
    char *at, *sure; /* a record that begins before `sure` is there completely */
};

/* The slow half of tnd_stream_next, where the window may not hold a complete and sound record. */
const struct tnd_record *tnd_stream_read(struct tnd_stream_reader *reader);

/* Kinds that are not handed out, and 0, which is damage: one comparison. */
#define TND_STREAM_INNER_KINDS (TND_RECORD_PAD | TND_RECORD_PACKED)
_Static_assert((TND_RECORD_PAD & (TND_RECORD_PAD - 1)) == 0, "a bit");
_Static_assert((TND_RECORD_PACKED & (TND_RECORD_PACKED - 1)) == 0, "a bit");

/* The next record, valid until the next call; NULL at the end.  A record that is damaged (kind 0, longer than what is
 * left, or packed and not to be unpacked) ends the stream; tnd_stream_damaged then says so. */
static inline const struct tnd_record *tnd_stream_next(struct tnd_stream_reader *reader)
{
    struct tnd_stream_window *window = (struct tnd_stream_window *)reader;
    const struct tnd_record *record = (const struct tnd_record *)(void *)window->at;
    if (window->at >= window->sure || (record->kind & ~TND_STREAM_INNER_KINDS) == 0)
        return tnd_stream_read(reader);
    window->at += tnd_record_size_bytes(record);
    return record;
}

/* Bytes that could not be read as records; 0 for a sound stream. */
uint64_t tnd_stream_damaged(const struct tnd_stream_reader *reader);

/* Bytes of the stream that have been handed out. */
uint64_t tnd_stream_position(const struct tnd_stream_reader *reader);

/* Goes back to the first record; not for readers that share. */
void tnd_stream_rewind(struct tnd_stream_reader *reader);

void tnd_stream_close(struct tnd_stream_reader *reader);

#endif
