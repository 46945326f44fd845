/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes a stream (formats/stream.h) that is written by nobody else: its ring is empty, all records are in the .stream
 * file.  What has been flushed survives the writer.
 */
#ifndef TND_ATTACH_STREAM_H
#define TND_ATTACH_STREAM_H

#include "formats/stream.h"

#include <glib.h>

typedef struct TndAttachStream TndAttachStream;

/* In the directory of an image, which must live as long.  NULL with *error. */
TndAttachStream *tnd_attach_stream_new(int dir_fd, guint slot, enum tnd_context context, guint pid, GError **error);

/* Writes the rest.  FALSE with *error, which may be that of an earlier record.  Frees the stream in any case. */
gboolean tnd_attach_stream_close(TndAttachStream *stream, GError **error);

/* Appends a record. */
void tnd_attach_stream_put(TndAttachStream *stream, const struct tnd_record *head, const guint64 *words);

/* Appends a TEXT, in as many records as it takes; or, with words before the text, one MODULE. */
void tnd_attach_stream_text(TndAttachStream *stream, guint64 time, guint role, const char *text, gsize n_bytes);
void tnd_attach_stream_module(TndAttachStream *stream, guint64 time, const guint64 words[3], const char *path);

/* Records were lost before they came here. */
void tnd_attach_stream_lose(TndAttachStream *stream, guint64 n);

/* Writes out what there is.  An error is told at the end. */
void tnd_attach_stream_flush(TndAttachStream *stream);

#endif
