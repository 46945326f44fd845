/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stores the bytes of a trace's blocks while it is built: first in memory, and beyond tnd_trace_store_memory in a file,
 * which becomes the trace's index (trace_index.h).  If no file can be made or written, they stay in memory.
 *
 * Cost: a copy.
 */
#ifndef TND_TRACE_STORE_H
#define TND_TRACE_STORE_H

#include <glib.h>

/* How many bytes are kept in memory before a file is written: 8 MB; tests make it less. */
extern gsize tnd_trace_store_memory;

typedef struct TndTraceStore TndTraceStore;

/* paths: of the file, in the order in which they are tried; NULL at the end.  n_before: bytes that are left free at the
 * begin of the file. */
TndTraceStore *tnd_trace_store_new(const char *const *paths, gsize n_before);
void tnd_trace_store_free(TndTraceStore *store); /* deletes the file, unless it is published */

/* Appends bytes, and returns their offset, which does not include n_before. */
guint64 tnd_trace_store_add(TndTraceStore *store, gconstpointer bytes, gsize n);

/* How many bytes were added. */
guint64 tnd_trace_store_size(const TndTraceStore *store);

/* Whether a file is used. */
gboolean tnd_trace_store_has_file(const TndTraceStore *store);

/* Copies n bytes from an offset.  Bytes that are not there or cannot be read are 0. */
void tnd_trace_store_read(const TndTraceStore *store, guint64 offset, gpointer to, gsize n);

/* All bytes from offset 0 on, valid until more are added; NULL: they do not fit into the memory that the process may
 * have. */
const guint8 *tnd_trace_store_bytes(TndTraceStore *store);

/* Writes `before` into the n_before bytes at the begin of the file, and gives the file its name.  FALSE: there is no
 * file, or it cannot be written; the bytes are still available. */
gboolean tnd_trace_store_publish(TndTraceStore *store, gconstpointer before);

#endif
