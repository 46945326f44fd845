/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The index of a large trace: its blocks (blocks.h), the blocks of each row, and its event types.  It is a file next to
 * the trace (app.prv.tvx), or in the user's cache directory if that cannot be written.  It is valid for a trace with
 * the same size, time of change, first and last bytes; else it is made again.  It may be deleted at any time.
 *
 * What it says of itself has checksums that are compared when it is opened; a block has one that is compared when it is
 * first read.  If a block is damaged, the trace is read again, and the index is made again.
 *
 * Cost: opening maps it, and checks the entries of its blocks, about one for 2,000 records.  Comparing the sum of a
 * block takes 1 us with ISA-L, 10 with zlib, once.
 */
#ifndef TND_TRACE_INDEX_H
#define TND_TRACE_INDEX_H

#include "analysis/trace/trace_build.h"
#include "analysis/trace/trace_store.h"

/* What tells a trace from another one with the same name. */
typedef struct {
    guint64 size_bytes;
    gint64 changed_s, changed_ns;
    guint64 hash; /* of its first and last bytes */
} TndTraceIdentity;

/* Tells what is open, before it is read: whoever changes it from then on changes its identity.  Waits some milliseconds
 * if it has just been changed.  FALSE: it is not a regular file. */
gboolean tnd_trace_index_identify(int fd, TndTraceIdentity *identity);

/* The paths where the index of a trace may be, the preferred one first; NULL at the end.  Free with g_strfreev. */
char **tnd_trace_index_paths(const char *path);

/* The size of the head of an index. */
gsize tnd_trace_index_head_bytes(void);

/* Gives a trace, whose rows are numbered, the contents of its index.  fd: the trace, of which nothing but the header
 * has been read since it was identified.  FALSE: there is no valid index, and the trace is unchanged. */
gboolean tnd_trace_index_open(TndTrace *trace, int fd, const TndTraceIdentity *identity);

/* The bytes of a block of a trace that has an index; from any thread.  NULL: the index is damaged there, and the trace
 * cannot be read again. */
const guint8 *tnd_trace_index_block(const TndTrace *trace, TndBlockKind kind, const TndBlock *block);

/* Writes the head and the directory of an index, whose blocks are in the store, and publishes it.  The store was made
 * with tnd_trace_index_paths and tnd_trace_index_head_bytes.  fd: what the blocks were read from.  There is no index if
 * that fails, or if the trace is no longer what was identified, or no longer has its name. */
void tnd_trace_index_write(const TndTrace *trace, TndTraceStore *store, int fd, const TndTraceIdentity *identity);

/* Undoes tnd_trace_index_open. */
void tnd_trace_index_close(TndTrace *trace);

#endif
