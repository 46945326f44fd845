/* SPDX-License-Identifier: Apache-2.0
 *
 * CSV as RFC 4180 has it (comma, quotes where needed), with \n line ends and numbers independent of the locale.
 *
 * Context: not for handlers.
 */
#ifndef TND_CSV_H
#define TND_CSV_H

#include <stdint.h>
#include <stdio.h>

/* A field; the first of a line has first = 1.  Quotes it where it must be quoted.  Control characters but \n become
 * plain (plain_text.h), and a text that a spreadsheet would take for a formula has a ' before it. */
void tnd_csv_text(FILE *file, int first, const char *text);

/* A number with `decimals` places, "." as the point whatever the locale. */
void tnd_csv_number(FILE *file, int first, double value, int decimals);

/* A whole number, exact however large it is, in the same form, with a minus before it if negative is not 0. */
void tnd_csv_whole(FILE *file, int first, uint64_t value, int negative, int decimals);

void tnd_csv_end_line(FILE *file);

#endif
