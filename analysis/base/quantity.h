/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers with their units as people read them: 12.5 ms, 1,234, 3.2 MiB.
 */
#ifndef TND_QUANTITY_H
#define TND_QUANTITY_H

#include <glib.h>

/* Units "ns", "B", "B/s", "W" and "J" are shown in the size that suits the value, with four digits but no zeros behind
 * them; "%" with one decimal, always; anything else (or ""): a number with thousands marked, followed by the unit.  The
 * same whatever the locale.  Free with g_free. */
char *tnd_quantity_text(double value, const char *unit);

/* The unit in which values up to this one read best ("ms", "MiB", "million instructions"), and what one of it is.  Free
 * with g_free. */
char *tnd_quantity_unit(double largest, const char *unit, double *size);

#endif
