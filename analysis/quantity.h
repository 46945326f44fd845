/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers with their units as people read them: 12.5 ms, 1,234, 3.2 MiB.
 */
#ifndef TND_QUANTITY_H
#define TND_QUANTITY_H

#include <glib.h>

/* unit "ns": a duration, in the unit that suits it, with four digits but no zeros behind them; "B": bytes likewise;
 * "%": with one decimal, always; anything else (or ""): a number with thousands marked, followed by the unit.  The same
 * whatever the locale.  Free with g_free. */
char *tnd_quantity_text(double value, const char *unit);

/* The unit in which a duration like this reads best ("ns", "us", "ms", "s"), and how many ns it is. */
const char *tnd_quantity_time_unit(double duration_ns, double *unit_ns);

#endif
