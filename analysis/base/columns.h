/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compressed columns of numbers.  A column has the smallest of three forms: one number that all are equal to; every
 * number in as many bytes as the largest one needs; or each number in as few bytes as it needs, and half a byte for its
 * length.
 *
 * A column is read as a whole; there is no search in it.
 *
 * Cost: 3 to 4 ns to write a number, less than 1 to read one (measured): no branch depends on a number.
 */
#ifndef TND_COLUMNS_H
#define TND_COLUMNS_H

#include <glib.h>

/* Bytes behind the end of a column that may be read; their values do not matter. */
#define TND_COLUMNS_SLACK 8

/* Appends a column of n numbers. */
void tnd_columns_write(GByteArray *to, const guint64 *numbers, gsize n);

/* Reads a column of n numbers that begins at `from`.  TND_COLUMNS_SLACK bytes behind `end` must be readable.  Returns
 * the end of the column; NULL: the bytes are not a column of n numbers. */
const guint8 *tnd_columns_read(const guint8 *from, const guint8 *end, guint64 *numbers, gsize n);

/* Maps signed numbers to unsigned ones, so that numbers near 0 stay small. */
static inline guint64 tnd_columns_zigzag(guint64 number)
{
    return number << 1 ^ (guint64)((gint64)number >> 63);
}

static inline guint64 tnd_columns_unzigzag(guint64 number)
{
    return number >> 1 ^ -(number & 1);
}

#endif
