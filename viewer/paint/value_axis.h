/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An axis of values as people read it: round ends and steps, in a unit that suits the largest.
 */
#ifndef TND_VALUE_AXIS_H
#define TND_VALUE_AXIS_H

#include <glib.h>

typedef struct {
    double minimum, maximum; /* round; minimum < maximum */
    double step;
    guint n_ticks;
    double unit_size; /* values of the view in one of the axis */
    char *unit;       /* "MiB", "°C", "", "thousands" */
    guint n_decimals;
} TndValueAxis;

/* Over [least, most], and 0 unless all values are far from it or `without_zero`; with most_ticks at most, but its two
 * ends at least. */
TndValueAxis tnd_value_axis_new(double least, double most, const char *unit, gboolean without_zero, guint most_ticks);
void tnd_value_axis_clear(TndValueAxis *axis);

double tnd_value_axis_tick(const TndValueAxis *axis, guint tick);       /* its value */
char *tnd_value_axis_label(const TndValueAxis *axis, double value);     /* number only; g_free */
double tnd_value_axis_fraction(const TndValueAxis *axis, double value); /* 0 at the minimum, 1 at the maximum */
char *tnd_value_axis_text(const TndValueAxis *axis);                    /* "0 to 40 MiB"; g_free */

#endif
