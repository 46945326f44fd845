/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pieces of JSON, appended to bytes.
 *
 * Cost: some ns for each; printf would take ten times as long.
 */
#ifndef TND_JSON_H
#define TND_JSON_H

#include <glib.h>
#include <string.h>

/* Text as it is. */
static inline void tnd_json_put(GByteArray *bytes, const char *text)
{
    g_byte_array_append(bytes, (const guint8 *)text, (guint)strlen(text));
}

/* A string in quotes; invalid UTF-8 is made valid. */
void tnd_json_text(GByteArray *bytes, const char *text);
void tnd_json_number(GByteArray *bytes, guint64 number);
void tnd_json_signed(GByteArray *bytes, gint64 number);
void tnd_json_double(GByteArray *bytes, double number); /* null if it is not finite */

/* A time in microseconds, with all its digits: 1234567 ns is 1234.567. */
void tnd_json_microseconds(GByteArray *bytes, guint64 time_ns);

#endif
