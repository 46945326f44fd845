/* SPDX-License-Identifier: Apache-2.0
 *
 * CSV.  A number that is not whole is printed with the C library and its point put right.
 *
 * Context: not for handlers.
 */
#include "formats/csv.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define MAX_DECIMALS 100
#define MAX_WHOLE 0x1p53 /* of a double: above, not all whole numbers are */

void tnd_csv_text(FILE *file, int first, const char *text)
{
    if (!first)
        putc(',', file);
    size_t length = strlen(text);
    bool quote = strpbrk(text, ",\"\r\n") || (length && (text[0] == ' ' || text[length - 1] == ' '));
    if (!quote) {
        fputs(text, file);
        return;
    }
    putc('"', file);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', file);
        putc(*text, file);
    }
    putc('"', file);
}

/* The locale's point, wherever it is and however many bytes it has, becomes ".". */
static void put_point(char *text)
{
    const char *point = localeconv()->decimal_point;
    char *at = *point && strcmp(point, ".") != 0 ? strstr(text, point) : NULL;
    if (!at)
        return;
    *at = '.';
    memmove(at + 1, at + strlen(point), strlen(at + strlen(point)) + 1);
}

static int clamp_decimals(int decimals)
{
    return decimals < 0 ? 0 : decimals > MAX_DECIMALS ? MAX_DECIMALS : decimals;
}

void tnd_csv_whole(FILE *file, int first, uint64_t value, int negative, int decimals)
{
    char text[32 + MAX_DECIMALS], *end = text + sizeof text, *at = end;
    decimals = clamp_decimals(decimals);
    for (int i = 0; i < decimals; i++)
        *--at = '0';
    if (decimals > 0)
        *--at = '.';
    uint64_t left = value;
    do
        *--at = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    if (negative && value > 0)
        *--at = '-';
    if (!first)
        *--at = ',';
    fwrite(at, 1, (size_t)(end - at), file);
}

void tnd_csv_number(FILE *file, int first, double value, int decimals)
{
    char text[512]; /* the largest double has 309 digits */
    if (fabs(value) < MAX_WHOLE && (double)(int64_t)value == value) {
        tnd_csv_whole(file, first, (uint64_t)fabs(value), value < 0, decimals);
        return;
    }
    decimals = clamp_decimals(decimals);
    if (!first)
        putc(',', file);
    snprintf(text, sizeof text, "%.*f", decimals, value);
    if (isfinite(value))
        put_point(text);
    if (text[0] == '-' && !strpbrk(text, "123456789in")) /* no negative zero */
        memmove(text, text + 1, strlen(text));
    fputs(text, file);
}

void tnd_csv_end_line(FILE *file)
{
    putc('\n', file);
}
