/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Builds a trace from pieces (trace_piece.h), which are added in the order of the file.  tnd_trace_open makes pieces on
 * all cores; tests call the visitor, which makes one piece.
 *
 * Cost: a copy of the blocks' bytes.  A row whose blocks are not in the order of time is written a second time.
 */
#ifndef TND_TRACE_BUILD_H
#define TND_TRACE_BUILD_H

#include "analysis/trace/blocks.h"
#include "analysis/trace/trace_piece.h"

typedef struct TndTraceBuild TndTraceBuild;
typedef struct TndTraceStore TndTraceStore;

/* The blocks of a kind, by rows; messages have one row. */
typedef struct {
    const TndBlock *blocks;
    const guint64 *first; /* index of each row's first block, and the end of the last row */
} TndTraceBlocks;

struct TndTrace {
    char *path, *name, *shown;
    char *beside, *alignment;     /* NULL: it was not joined */
    struct tnd_prv_header header; /* a deep copy */
    struct tnd_pcf *pcf;
    struct tnd_row *row;
    guint64 end_ns;
    guint n_threads;
    TndThread *threads;
    GStringChunk *names; /* of the threads */
    /* These have one element more, the end of the last one. */
    guint *first_row;  /* of each task, counted over all applications */
    guint *first_task; /* of each application */
    guint *first_cpu;  /* of each node, from 0 on */
    TndTraceBlocks blocks[TND_BLOCK_N];
    const guint8 *bytes; /* of the blocks */
    gsize n_messages;
    TndTraceType *types; /* sorted by type */
    guint n_types;
    guint64 n_faults;
    char *fault;
    GPtrArray *comments;  /* char *; NULL at the end */
    TndTraceStore *store; /* owns the bytes; NULL: blocks and bytes are in the index */
    const guint8 *index;  /* mapping of the index; NULL: there is none */
    gsize index_bytes;
    guint8 *checked[TND_BLOCK_N]; /* of each block of the index: whether its sum was compared */
    struct {
        gsize made; /* a pointer, set by g_once_init_leave */
        GDestroyNotify free_it;
    } * kept; /* [TND_TRACE_N_KEPT], allocated separately because the rest of a trace never changes */
};

/* A visitor that makes one piece, which begins with the header.  Its `self` is the TndTraceBuild. */
extern const struct tnd_prv_visitor tnd_trace_build_visitor;

/* path: for tnd_trace_path.  fd: the file of which nothing has been read yet, which gets an index if it is large; it
 * stays the caller's, until the build is finished.  -1: no index. */
TndTraceBuild *tnd_trace_build_new(const char *path, int fd);
void tnd_trace_build_free(TndTraceBuild *build);

/* The trace that is being built.  Its rows are numbered once the visitor has had the header. */
TndTrace *tnd_trace_build_trace(TndTraceBuild *build);

/* Why the visitor returned false; NULL: it did not. */
const char *tnd_trace_build_refusal(const TndTraceBuild *build);

/* Takes the records and everything else from the trace's index.  FALSE: there is no valid index, and the trace has to
 * be built from pieces. */
gboolean tnd_trace_build_find_index(TndTraceBuild *build);

/* Adds the next piece.  n_lines_before: how many lines of the file precede it. */
void tnd_trace_build_take(TndTraceBuild *build, const TndPieceResult *piece, guint64 n_lines_before);
guint64 tnd_trace_build_n_records(const TndTraceBuild *build);

/* Opens a trace by its text, whatever index there is, and writes a new one.  NULL: it failed. */
TndTrace *tnd_trace_build_anew(const char *path);

/* Returns the trace and frees the build.  Takes over pcf and row, either of which may be NULL.  NULL: there was no
 * header, or the blocks do not fit into the memory that the process may have. */
TndTrace *tnd_trace_build_finish(TndTraceBuild *build, struct tnd_pcf *pcf, struct tnd_row *row);

#endif
