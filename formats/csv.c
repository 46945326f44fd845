/* SPDX-License-Identifier: Apache-2.0
 *
 * CSV.  A number that is not whole is printed with the C library and its point put right.
 *
 * Context: not for handlers; allocates.
 */
#include "formats/csv.h"

#include "formats/grow.h"
#include "formats/plain_text.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DECIMALS 100
#define MAX_WHOLE 0x1p53 /* of a double: above, not all whole numbers are */

/* Whether it is a number, as 12, -3.5 or +1e9, maybe with a unit in brackets behind it. */
static bool is_number(const char *text)
{
    text += *text == '-' || *text == '+';
    size_t n_whole = strspn(text, "0123456789"), n_places = 0;
    text += n_whole;
    if (*text == '.')
        text += 1 + (n_places = strspn(text + 1, "0123456789"));
    if (n_whole + n_places == 0)
        return false;
    if (*text == 'e' || *text == 'E') {
        text += 1 + (text[1] == '-' || text[1] == '+');
        size_t n_digits = strspn(text, "0123456789");
        if (n_digits == 0)
            return false;
        text += n_digits;
    }
    if (text[0] == ' ' && text[1] == '[') {
        static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/% ";
        text += 2 + strspn(text + 2, letters);
        return text[0] == ']' && text[1] == '\0';
    }
    return *text == '\0';
}

/* Whether a spreadsheet would compute it: a text of signs alone, as +-, says nothing to it. */
static bool is_formula(const char *text)
{
    const size_t n_signs = strspn(text, "=+-@\t\r ");
    return *text && strchr("=+-@\t\r", *text) && text[n_signs] && !is_number(text);
}

void tnd_csv_text(FILE *file, int first, const char *text)
{
    if (!first)
        putc(',', file);
    char *plain = tnd_grow_text(text);
    tnd_plain_text_make(plain, "\n");
    size_t length = strlen(plain);
    bool quote = strpbrk(plain, ",\"\n") || (length && (plain[0] == ' ' || plain[length - 1] == ' '));
    if (quote)
        putc('"', file);
    if (is_formula(text))
        putc('\'', file);
    for (const char *at = plain; *at; at++) {
        if (*at == '"')
            putc('"', file);
        putc(*at, file);
    }
    if (quote)
        putc('"', file);
    free(plain);
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
