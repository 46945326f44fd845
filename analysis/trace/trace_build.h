/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes a trace of pieces (trace_piece.h), taken in the order in which they stand in the file.  tnd_trace_open is a
 * file, a reader, and this on all cores; tests call the visitor, which makes one piece.
 *
 * Cost: a copy of the blocks' bytes; a row whose records are not in order of time from block to block is written anew.
 */
#ifndef TND_TRACE_BUILD_H
#define TND_TRACE_BUILD_H

#include "analysis/trace/blocks.h"
#include "analysis/trace/trace_piece.h"

typedef struct TndTraceBuild TndTraceBuild;
typedef struct TndTraceStore TndTraceStore;

/* Blocks of a kind, by rows. */
typedef struct {
    const TndBlock *blocks;
    const guint64 *first; /* of a row; one more than there are rows, and of messages 2 */
} TndTraceBlocks;

/* The inside of a trace, for trace.c. */
struct TndTrace {
    char *path, *name;
    struct tnd_prv_header header; /* a copy, deep */
    struct tnd_pcf *pcf;
    struct tnd_row *row;
    guint64 end_ns;
    guint n_threads;
    TndThread *threads;
    char **names;      /* of the threads */
    char **node_names; /* index = node - 1 */
    guint *first_row;  /* of a task; index = number of the task over all applications */
    guint *first_task; /* of an application; one more, as for the others, than there are */
    guint *first_cpu;  /* of a node; from 0 on */
    TndTraceBlocks blocks[TND_BLOCK_N];
    const guint8 *bytes; /* that the blocks' offsets are into */
    gsize n_messages;
    TndTraceType *types; /* sorted */
    guint n_types;
    guint64 n_faults;
    char *fault;
    GPtrArray *comments;  /* ends with NULL */
    TndTraceStore *store; /* has the bytes; NULL: blocks and bytes are in the index */
    const guint8 *index;  /* mapped; NULL: there is none */
    gsize index_bytes;
    struct {
        gsize made; /* of g_once_init_enter: a pointer */
        GDestroyNotify free_it;
    } * kept; /* [TND_TRACE_N_KEPT]; apart, because the rest never changes */
};

/* Of one piece, which is begun by the header.  `self` of its functions is the TndTraceBuild. */
extern const struct tnd_prv_visitor tnd_trace_build_visitor;

/* path: what tnd_trace_path is to say.  is_indexed: a large one is to have an index. */
TndTraceBuild *tnd_trace_build_new(const char *path, gboolean is_indexed);
void tnd_trace_build_free(TndTraceBuild *build);

/* The trace that is being made: once the visitor had the header its rows are numbered. */
TndTrace *tnd_trace_build_trace(TndTraceBuild *build);

/* Why the visitor said false; NULL if it did not. */
const char *tnd_trace_build_refusal(const TndTraceBuild *build);

/* Takes records and all else from the trace's index, if it has one; then there are no pieces to take. */
gboolean tnd_trace_build_find_index(TndTraceBuild *build);

/* The next piece; n_lines_before: of the file, in front of its first one. */
void tnd_trace_build_take(TndTraceBuild *build, const TndPieceResult *piece, guint64 n_lines_before);
guint64 tnd_trace_build_n_records(const TndTraceBuild *build);

/* The trace; frees build.  pcf and row (either may be NULL) are taken over.  NULL if there was no header, or there is
 * no room for its blocks in the memory that the process may have. */
TndTrace *tnd_trace_build_finish(TndTraceBuild *build, struct tnd_pcf *pcf, struct tnd_row *row);

#endif
