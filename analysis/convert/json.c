/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes digits from their end.
 */
#include "analysis/convert/json.h"

#include <math.h>
#include <stdio.h>

#define MOST_DIGITS 20

/* At least `least` digits. */
static void put_digits(GByteArray *bytes, guint64 number, guint least)
{
    guint8 digits[MOST_DIGITS];
    guint at = MOST_DIGITS;
    for (; number || MOST_DIGITS - at < least; number /= 10)
        digits[--at] = (guint8)('0' + number % 10);
    g_byte_array_append(bytes, digits + at, MOST_DIGITS - at);
}

void tnd_json_number(GByteArray *bytes, guint64 number)
{
    put_digits(bytes, number, 1);
}

void tnd_json_signed(GByteArray *bytes, gint64 number)
{
    if (number < 0)
        tnd_json_put(bytes, "-");
    put_digits(bytes, number < 0 ? 0 - (guint64)number : (guint64)number, 1);
}

void tnd_json_double(GByteArray *bytes, double number)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    tnd_json_put(bytes, isfinite(number) ? g_ascii_dtostr(text, sizeof text, number) : "null");
}

void tnd_json_microseconds(GByteArray *bytes, guint64 time_ns)
{
    put_digits(bytes, time_ns / 1000, 1);
    if (time_ns % 1000) {
        tnd_json_put(bytes, ".");
        put_digits(bytes, time_ns % 1000, 3);
    }
}

void tnd_json_text(GByteArray *bytes, const char *text)
{
    char *valid = g_utf8_validate(text, -1, NULL) ? NULL : g_utf8_make_valid(text, -1);
    tnd_json_put(bytes, "\"");
    for (const char *at = valid ? valid : text; *at; at++) {
        char escaped[8] = {*at};
        if (*at == '"' || *at == '\\')
            snprintf(escaped, sizeof escaped, "\\%c", *at);
        else if ((guchar)*at < ' ')
            snprintf(escaped, sizeof escaped, "\\u%04x", (guint)*at);
        tnd_json_put(bytes, escaped);
    }
    tnd_json_put(bytes, "\"");
    g_free(valid);
}
