/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A column begins with a byte that is its form.  Then follow: the number that all are equal to; or the numbers, each in
 * as many bytes as the form says; or the lengths of the numbers, half a byte each (the low half is that of the even
 * index), and then the numbers.  Numbers are little-endian.
 */
#include "analysis/base/columns.h"

#include <string.h>

enum {
    FORM_EQUAL = 0, /* forms 1 to 8: numbers of so many bytes */
    FORM_OWN_LENGTHS = 9,
};

static inline guint length_of(guint64 number)
{
    return number ? (71 - (guint)__builtin_clzll(number)) / 8 : 0;
}

static inline void put(guint8 *to, guint64 number)
{
    number = GUINT64_TO_LE(number);
    memcpy(to, &number, sizeof number);
}

static inline guint64 get(const guint8 *from)
{
    guint64 number;
    memcpy(&number, from, sizeof number);
    return GUINT64_FROM_LE(number);
}

static void write_own_lengths(GByteArray *to, const guint64 *numbers, gsize n, gsize n_bytes)
{
    gsize at = to->len, n_lengths = (n + 1) / 2;
    g_byte_array_set_size(to, (guint)(at + n_lengths + n_bytes + TND_COLUMNS_SLACK));
    guint8 *lengths = to->data + at, *next = lengths + n_lengths;
    memset(lengths, 0, n_lengths);
    for (gsize i = 0; i < n; i++) {
        guint length = length_of(numbers[i]);
        lengths[i / 2] |= (guint8)(length << i % 2 * 4);
        put(next, numbers[i]);
        next += length;
    }
    g_byte_array_set_size(to, (guint)(at + n_lengths + n_bytes));
}

static void write_of_length(GByteArray *to, const guint64 *numbers, gsize n, guint length)
{
    gsize at = to->len;
    g_byte_array_set_size(to, (guint)(at + n * length + TND_COLUMNS_SLACK));
    for (gsize i = 0; i < n; i++)
        put(to->data + at + i * length, numbers[i]);
    g_byte_array_set_size(to, (guint)(at + n * length));
}

void tnd_columns_write(GByteArray *to, const guint64 *numbers, gsize n)
{
    guint64 all = 0, differ = 0;
    gsize n_bytes = 0;
    for (gsize i = 0; i < n; i++) {
        all |= numbers[i];
        differ |= numbers[i] ^ numbers[0];
    }
    guint longest = length_of(all);
    for (gsize i = 0; i < n && differ && longest > 1; i++)
        n_bytes += length_of(numbers[i]);
    gboolean has_own = longest > 1 && (n + 1) / 2 + n_bytes < n * longest;
    guint8 form = (guint8)(differ == 0 ? FORM_EQUAL : has_own ? FORM_OWN_LENGTHS : longest);
    g_byte_array_append(to, &form, 1);
    if (form == FORM_EQUAL)
        write_of_length(to, numbers, n > 0, 8);
    else if (form == FORM_OWN_LENGTHS)
        write_own_lengths(to, numbers, n, n_bytes);
    else
        write_of_length(to, numbers, n, longest);
}

static const guint64 masks[] = {
    0, 0xff, 0xffff, 0xffffff, 0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff, 0xffffffffffffffff};

/* Reads two numbers at a time, because their lengths share a byte. */
static const guint8 *read_own_lengths(const guint8 *from, const guint8 *end, guint64 *numbers, gsize n)
{
    const guint8 *next = from + (n + 1) / 2;
    for (gsize i = 0; i < n; i += 2) {
        const guint8 lengths = from[i / 2];
        const guint length = lengths & 15, next_length = i + 1 < n ? lengths >> 4 : 0;
        if (length > 8 || next_length > 8 || length > end - next)
            return NULL;
        numbers[i] = get(next) & masks[length];
        next += length;
        if (i + 1 < n)
            numbers[i + 1] = get(next) & masks[next_length];
        next += next_length;
    }
    return next <= end ? next : NULL;
}

/* Callers pass a constant length where speed matters, so that the compiler makes a loop for each. */
static inline void read_of_length(const guint8 *from, guint64 *numbers, gsize n, guint length)
{
    for (gsize i = 0; i < n; i++)
        numbers[i] = get(from + i * length) & masks[length];
}

const guint8 *tnd_columns_read(const guint8 *from, const guint8 *end, guint64 *numbers, gsize n)
{
    if (from >= end)
        return NULL;
    guint form = *from++;
    gsize left = (gsize)(end - from);
    if (form == FORM_EQUAL) {
        if (left < 8 || n == 0)
            return n == 0 ? from : NULL;
        for (gsize i = 0; i < n; i++)
            numbers[i] = get(from);
        return from + 8;
    }
    if (form == FORM_OWN_LENGTHS)
        return left >= (n + 1) / 2 ? read_own_lengths(from, end, numbers, n) : NULL;
    if (form > 8 || left / form < n)
        return NULL;
    if (form == 1)
        for (gsize i = 0; i < n; i++)
            numbers[i] = from[i];
    else if (form == 2)
        read_of_length(from, numbers, n, 2);
    else if (form == 3)
        read_of_length(from, numbers, n, 3);
    else if (form == 4)
        read_of_length(from, numbers, n, 4);
    else
        read_of_length(from, numbers, n, form);
    return from + n * form;
}
