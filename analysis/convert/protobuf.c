/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A message within a message gets one byte for its length, and moves on if that is not enough.
 */
#include "analysis/convert/protobuf.h"

#include <string.h>

#define MOST_BYTES 10 /* of a varint */

enum { VARINT = 0, FIXED64 = 1, BYTES = 2 }; /* how a field is encoded */

static guint encode(guint8 *to, guint64 number)
{
    guint n = 0;
    for (; number >= 0x80; number >>= 7)
        to[n++] = (guint8)(number | 0x80);
    to[n++] = (guint8)number;
    return n;
}

/* The head of a field, and a varint: its value, or its length. */
static void put_head(GByteArray *bytes, guint field, guint encoding, guint64 number)
{
    guint8 head[2 * MOST_BYTES];
    guint n = encode(head, (guint64)field << 3 | encoding);
    n += encode(head + n, number);
    g_byte_array_append(bytes, head, n);
}

void tnd_protobuf_number(GByteArray *bytes, guint field, guint64 number)
{
    put_head(bytes, field, VARINT, number);
}

void tnd_protobuf_double(GByteArray *bytes, guint field, double number)
{
    guint8 head[MOST_BYTES];
    guint64 bits;
    memcpy(&bits, &number, sizeof bits);
    bits = GUINT64_TO_LE(bits);
    g_byte_array_append(bytes, head, encode(head, (guint64)field << 3 | FIXED64));
    g_byte_array_append(bytes, (const guint8 *)&bits, sizeof bits);
}

void tnd_protobuf_bytes(GByteArray *bytes, guint field, gconstpointer data, gsize size)
{
    put_head(bytes, field, BYTES, size);
    g_byte_array_append(bytes, data, (guint)size);
}

void tnd_protobuf_text(GByteArray *bytes, guint field, const char *text)
{
    gsize size = strlen(text);
    char *valid = g_utf8_validate(text, (gssize)size, NULL) ? NULL : g_utf8_make_valid(text, (gssize)size);
    tnd_protobuf_bytes(bytes, field, valid ? valid : text, valid ? strlen(valid) : size);
    g_free(valid);
}

guint tnd_protobuf_begin(GByteArray *bytes, guint field)
{
    put_head(bytes, field, BYTES, 0);
    return bytes->len;
}

void tnd_protobuf_end(GByteArray *bytes, guint begin)
{
    guint8 length[MOST_BYTES];
    guint size = bytes->len - begin, n = encode(length, size);
    if (n > 1) {
        g_byte_array_set_size(bytes, bytes->len + n - 1);
        memmove(bytes->data + begin + n - 1, bytes->data + begin, size);
    }
    memcpy(bytes->data + begin - 1, length, n);
}
