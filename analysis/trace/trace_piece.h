/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A piece of a trace: what some of its lines say, gathered as a visitor of the reader's, then written as blocks. Pieces
 * know nothing of each other, so that each core may make one.
 *
 * Cost: a copy and a sort by rows of each record, and what its block costs.
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

/* What a finished piece comes to. */
typedef struct {
    GByteArray *bytes;           /* of its blocks, one after another */
    GArray *blocks[TND_BLOCK_N]; /* of TndRowBlock, by rows, then in order of time */
    GHashTable *types;           /* event type to TndTraceType */
    GPtrArray *comments;
    guint64 end_ns; /* the latest moment of any record */
    guint64 n_records;
    guint64 n_faults, first_fault_line;
    char *first_fault; /* NULL: none */
} TndPieceResult;

/* `self` of its functions is the piece; it has no header and no progress. */
extern const struct tnd_prv_visitor tnd_trace_piece_visitor;

/* trace: one whose rows are numbered; it must outlive the piece. */
TndTracePiece *tnd_trace_piece_new(const TndTrace *trace);
void tnd_trace_piece_free(TndTracePiece *piece);

/* A time of the file's, in ns. */
guint64 tnd_trace_piece_to_ns(const TndTracePiece *piece, guint64 time);

/* Writes its blocks.  The result is the piece's. */
const TndPieceResult *tnd_trace_piece_finish(TndTracePiece *piece);

/* Appends records of a row, in order of time, as blocks to bytes, their entries to blocks. */
void tnd_trace_piece_write(TndBlockKind kind, guint row, gconstpointer records, gsize n, GByteArray *bytes,
                           GArray *blocks);

/* Counts more events of a type. */
void tnd_trace_piece_count(GHashTable *types, guint32 type, guint64 n_events);

#endif
