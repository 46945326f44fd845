/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formats numbers with their units for people: 12.5 ms, 1,234, 3.2 MiB.
 */
#ifndef TND_QUANTITY_H
#define TND_QUANTITY_H

#include <glib.h>

/* Values in "ns", "B", "B/s", "W" and "J" get the prefix that suits them, and four digits without trailing zeros; "%"
 * always gets one decimal; in any other unit (or "") a value is a number with separators of thousands, followed by the
 * unit.  The locale does not matter.  Free with g_free. */
char *tnd_quantity_text(double value, const char *unit);

/* A text in which quantities are, as pictures, windows and pages show it: "12.5 us" and "(us)" have a µ.  Terminals and
 * files for programs keep the u, which takes one column and is in any character set.  Free with g_free. */
char *tnd_quantity_shown(const char *text);

/* Reads what tnd_quantity_text writes of a value in this unit, with or without a space, a sign, or separators left out:
 * "+2.5ms" in "ns" is 2,500,000.  FALSE: the text is not such a value. */
gboolean tnd_quantity_parse(double *value, const char *text, const char *unit);

/* The unit in which values up to `largest` read best ("ms", "MiB", "million instructions"); *size is its size in
 * `unit`. Free with g_free. */
char *tnd_quantity_unit(double largest, const char *unit, double *size);

#endif
