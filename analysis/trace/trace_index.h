/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The index of a large trace: its blocks (blocks.h), the blocks of each row, and its event types.  It is a file next to
 * the trace (app.prv.tvx), or in the user's cache directory if that cannot be written.  It is valid for a trace with
 * the same size, time of change, first and last bytes; else it is made again.  It may be deleted at any time.
 *
 * Cost: opening maps it, and checks the entries of its blocks, about one for 2,000 records.
 */
#ifndef TND_TRACE_INDEX_H
#define TND_TRACE_INDEX_H

#include "analysis/trace/trace_build.h"
#include "analysis/trace/trace_store.h"

/* The paths where the index of a trace may be, the preferred one first; NULL at the end.  Free with g_strfreev. */
char **tnd_trace_index_paths(const char *path);

/* The size of the head of an index. */
gsize tnd_trace_index_head_bytes(void);

/* Gives a trace, whose rows are numbered, the contents of its index.  FALSE: there is no valid index, and the trace is
 * unchanged. */
gboolean tnd_trace_index_open(TndTrace *trace);

/* Writes the head and the directory of an index, whose blocks are in the store, and publishes it.  The store was made
 * with tnd_trace_index_paths and tnd_trace_index_head_bytes.  If it fails, there is no index. */
void tnd_trace_index_write(const TndTrace *trace, TndTraceStore *store);

/* Undoes tnd_trace_index_open. */
void tnd_trace_index_close(TndTrace *trace);

#endif
