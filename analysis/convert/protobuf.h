/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes messages in the encoding of protocol buffers: fields of a message, each with its number in the schema.
 * Numbers are varints; negative ones take ten bytes.
 *
 * Cost: some 10 ns a field.
 */
#ifndef TND_PROTOBUF_H
#define TND_PROTOBUF_H

#include <glib.h>

void tnd_protobuf_number(GByteArray *bytes, guint field, guint64 number);
void tnd_protobuf_double(GByteArray *bytes, guint field, double number);
void tnd_protobuf_bytes(GByteArray *bytes, guint field, gconstpointer data, gsize size);
void tnd_protobuf_text(GByteArray *bytes, guint field, const char *text); /* invalid UTF-8 is made valid */

/* A message within a message: the fields between the two are its own.  End takes what begin returned. */
guint tnd_protobuf_begin(GByteArray *bytes, guint field);
void tnd_protobuf_end(GByteArray *bytes, guint begin);

#endif
