/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the bytes of a trace's blocks are while they are made: in memory, and once they are many, in a file that
 * becomes the trace's index (trace_index.h).  A file that cannot be made or written is done without.
 *
 * Cost: a copy; memory for the first tnd_trace_store_memory only, where a file can be written.
 */
#ifndef TND_TRACE_STORE_H
#define TND_TRACE_STORE_H

#include <glib.h>

/* Bytes that are kept in memory, where a file can be written: 8 MB; tests make it less. */
extern gsize tnd_trace_store_memory;

typedef struct TndTraceStore TndTraceStore;

/* Files are tried in the order of paths, which ends with NULL.  n_before: bytes of a file that are left free. */
TndTraceStore *tnd_trace_store_new(const char *const *paths, gsize n_before);
void tnd_trace_store_free(TndTraceStore *store); /* and its file, if it was not published */

/* Appends, and says at which offset of the store, which begins behind n_before. */
guint64 tnd_trace_store_add(TndTraceStore *store, gconstpointer bytes, gsize n);

/* Bytes that were added. */
guint64 tnd_trace_store_size(const TndTraceStore *store);

/* Whether it is a file by now. */
gboolean tnd_trace_store_has_file(const TndTraceStore *store);

/* Copies n bytes; behind those that there are, or that can be read, 0. */
void tnd_trace_store_read(const TndTraceStore *store, guint64 offset, gpointer to, gsize n);

/* All bytes from offset 0 on, valid until more are added; NULL: they do not fit into what memory there may be. */
const guint8 *tnd_trace_store_bytes(TndTraceStore *store);

/* Gives the file its name; `before`: what belongs in the n_before bytes.  FALSE: there is no file, or it cannot be
 * written; the bytes are there all the same. */
gboolean tnd_trace_store_publish(TndTraceStore *store, gconstpointer before);

#endif
