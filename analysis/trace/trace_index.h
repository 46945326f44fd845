/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The index of a large trace: its blocks (blocks.h), where those of each row are, what types it has, in a file beside
 * it (app.prv.tvx), or in the user's cache directory if that cannot be written.  It is for the file that was read, by
 * size, time, first and last bytes: if the trace is another one, the index is made again.  It may be deleted at any
 * time.
 *
 * Cost: an opening maps it and looks at the entries of its blocks, about one for 2,000 records.
 */
#ifndef TND_TRACE_INDEX_H
#define TND_TRACE_INDEX_H

#include "analysis/trace/trace_build.h"
#include "analysis/trace/trace_store.h"

/* Where the index of a trace may be, the best place first; NULL at the end.  Free with g_strfreev. */
char **tnd_trace_index_paths(const char *path);

/* Bytes at the beginning of an index. */
gsize tnd_trace_index_head_bytes(void);

/* Gives a trace, whose rows are numbered, the blocks of its index and what else is in it.  FALSE: there is none that
 * holds; the trace is as it was. */
gboolean tnd_trace_index_open(TndTrace *trace);

/* Writes what an index has besides blocks, and publishes it.  The store is of tnd_trace_index_paths and head_bytes. */
void tnd_trace_index_write(const TndTrace *trace, TndTraceStore *store);

/* Undoes tnd_trace_index_open. */
void tnd_trace_index_close(TndTrace *trace);

#endif
