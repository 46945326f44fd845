/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An axis of values for people to read: with round ends and steps, in a unit that suits the largest value.
 */
#ifndef TND_VALUE_AXIS_H
#define TND_VALUE_AXIS_H

#include <glib.h>

typedef struct {
    double minimum, maximum; /* round numbers, in the axis' unit; minimum < maximum */
    double step;             /* from tick to tick, in the axis' unit */
    guint n_ticks;
    double unit_size; /* the axis' unit in units of the view's values */
    char *unit;       /* "MiB", "°C", "", "thousands"; owned by the axis */
    guint n_decimals;
} TndValueAxis;

/* An axis over [least, most], in units of the view's values.  It includes 0 unless all values are far from it or
 * `without_zero` is set.  It has at most `most_ticks` ticks, but at least those at its two ends. */
TndValueAxis tnd_value_axis_new(double least, double most, const char *unit, gboolean without_zero, guint most_ticks);
void tnd_value_axis_clear(TndValueAxis *axis);

double tnd_value_axis_tick(const TndValueAxis *axis, guint tick);       /* value of a tick */
char *tnd_value_axis_label(const TndValueAxis *axis, double value);     /* the number without its unit; g_free */
double tnd_value_axis_fraction(const TndValueAxis *axis, double value); /* 0 at the minimum, 1 at the maximum */
char *tnd_value_axis_text(const TndValueAxis *axis);                    /* "0 to 40 MiB"; g_free */

#endif
