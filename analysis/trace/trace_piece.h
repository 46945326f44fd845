/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A piece of a trace: some of its lines.  A visitor of the reader collects their records, which are then written as
 * blocks.  Pieces are independent of each other, so that all cores can make pieces at once.
 *
 * Cost: a copy of each record, a sort by rows, and the writing of blocks.
 */
#ifndef TND_TRACE_PIECE_H
#define TND_TRACE_PIECE_H

#include "analysis/trace/blocks.h"
#include "formats/prv_read.h"

#define TND_TRACE_PIECE_COMMENTS 50000 /* that are kept */

typedef struct TndTracePiece TndTracePiece;

/* The entry of a block with its row; 0 for messages. */
typedef struct {
    guint32 row;
    TndBlock block;
} TndRowBlock;

/* The contents of a finished piece. */
typedef struct {
    GByteArray *bytes;           /* of its blocks, one after another */
    GArray *blocks[TND_BLOCK_N]; /* TndRowBlock, sorted by rows and times */
    GHashTable *types;           /* event type to TndTraceType */
    GPtrArray *comments;
    guint64 end_ns; /* the latest time in any record */
    guint64 n_records;
    guint64 n_faults, first_fault_line;
    char *first_fault; /* NULL: none */
} TndPieceResult;

/* A visitor whose `self` is the piece.  It has no functions for the header and for progress. */
extern const struct tnd_prv_visitor tnd_trace_piece_visitor;

/* trace: its rows are numbered, and it must outlive the piece. */
TndTracePiece *tnd_trace_piece_new(const TndTrace *trace);
void tnd_trace_piece_free(TndTracePiece *piece);

/* A time of the file, in ns. */
guint64 tnd_trace_piece_to_ns(const TndTracePiece *piece, guint64 time);

/* Writes the blocks.  The piece owns the result. */
const TndPieceResult *tnd_trace_piece_finish(TndTracePiece *piece);

/* Writes records of a row, which are in the order of time, as blocks: appends to bytes, and their entries to blocks. */
void tnd_trace_piece_write(TndBlockKind kind, guint row, gconstpointer records, gsize n, GByteArray *bytes,
                           GArray *blocks);

/* Adds n_events to the count of a type. */
void tnd_trace_piece_count(GHashTable *types, guint32 type, guint64 n_events);

#endif
