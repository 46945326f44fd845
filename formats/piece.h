/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams as a board writes them: one file of pieces, each a head and bytes of one stream, in the order in which they
 * were written.  A board needs no directory, and no more than open, write and close, or a serial line; bytes of others
 * between two pieces are passed over.  Numbers are in the writer's byte order.
 *
 * Cost: 40 bytes a piece.
 * Context: the layout is for anyone; tnd_piece_unpack is not for handlers.
 */
#ifndef TND_PIECE_H
#define TND_PIECE_H

#include "formats/stream.h"

#define TND_PIECE_MAGIC "tndpiece"

struct tnd_piece {
    char magic[8];
    uint32_t byte_order; /* TND_STREAM_BYTE_ORDER as the writer has it */
    uint16_t version;    /* TND_RECORD_VERSION */
    uint16_t context;    /* enum tnd_context */
    uint32_t slot;
    uint32_t n_bytes;    /* of the stream that follow; may be 0 */
    uint32_t n_lost;     /* records of the stream that could not be written so far */
    uint32_t stop_errno; /* why recording stopped; 0 while it goes on */
    uint64_t offset;     /* of those bytes in the stream */
};

_Static_assert(sizeof(struct tnd_piece) == 40, "a piece's head is 40 bytes");

/* Whether a file begins with a piece, or has one in its first 64 KiB. */
bool tnd_piece_is(int fd);

struct tnd_piece_found {
    uint64_t n_pieces;
    uint64_t n_foreign_bytes; /* between pieces */
    uint64_t n_cut_bytes;     /* that the last piece lacks */
};

/* Makes the streams that the file has, in the directory of an image of a run.  NULL, or a sentence about what is wrong,
 * and errno may say more. */
const char *tnd_piece_unpack(int fd, int dir_fd, struct tnd_piece_found *found);

#endif
