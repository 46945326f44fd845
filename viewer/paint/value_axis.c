/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ticks are multiples of a step, which is a small number times a power of ten; the ends are ticks.
 */
#include "viewer/paint/value_axis.h"

#include "analysis/base/quantity.h"

#include <math.h>

/* An axis includes 0 unless the smallest value is more than this fraction of the largest. */
#define FAR_FROM_ZERO 0.5

/* If there is room only for the two ends, they are rounded to a step with which the axis has at most so many steps. */
enum { STEPS_OF_TWO_TICKS = 8 };

/* The numbers that are multiplied by a power of ten to make a step. */
static const double leads[] = {1, 2, 2.5, 3, 4, 5, 6, 8};

/* The number of whole steps that cover [least, most]. */
static guint count_steps(double least, double most, double step)
{
    return (guint)MAX(ceil(most / step - 1e-9) - floor(least / step + 1e-9), 1);
}

/* Chooses the smallest step with which there are not too many ticks.  If there is room only for the two ends, the step
 * is finer, so that they are near the values.  least and most are in the axis' unit. */
static void choose_ticks(TndValueAxis *axis, double least, double most, guint most_ticks)
{
    guint most_steps = most_ticks > 2 ? most_ticks - 1 : STEPS_OF_TWO_TICKS, lead = 0;
    double power = pow(10, floor(log10(most - least)) - 2), step = power;
    while (count_steps(least, most, step) > most_steps) {
        lead = (lead + 1) % G_N_ELEMENTS(leads);
        power *= lead == 0 ? 10 : 1;
        step = leads[lead] * power;
    }
    guint n_steps = count_steps(least, most, step);
    axis->minimum = floor(least / step + 1e-9) * step;
    axis->maximum = axis->minimum + n_steps * step;
    axis->n_ticks = most_ticks > 2 ? n_steps + 1 : 2;
    axis->step = (axis->maximum - axis->minimum) / (axis->n_ticks - 1);
    axis->n_decimals = (guint)CLAMP(-floor(log10(power) + 1e-9) + (leads[lead] == 2.5), 0, 12);
}

TndValueAxis tnd_value_axis_new(double least, double most, const char *unit, gboolean without_zero, guint most_ticks)
{
    TndValueAxis axis = {0};
    if (!without_zero && (least > 0 ? least <= FAR_FROM_ZERO * most : most < 0 && most >= FAR_FROM_ZERO * least)) {
        least = MIN(least, 0);
        most = MAX(most, 0);
    }
    if (most <= least) { /* there is one value only: it is put in the middle, or at the bottom if it is 0 */
        double room = least != 0 ? fabs(least) / 10 : 1;
        least -= least != 0 ? room : 0;
        most += room;
    }
    axis.unit = tnd_quantity_unit(MAX(fabs(least), fabs(most)), unit, &axis.unit_size);
    choose_ticks(&axis, least / axis.unit_size, most / axis.unit_size, most_ticks);
    return axis;
}

void tnd_value_axis_clear(TndValueAxis *axis)
{
    g_clear_pointer(&axis->unit, g_free);
}

double tnd_value_axis_tick(const TndValueAxis *axis, guint tick)
{
    return (axis->minimum + tick * axis->step) * axis->unit_size;
}

char *tnd_value_axis_label(const TndValueAxis *axis, double value)
{
    double shown = value / axis->unit_size;
    if (fabs(shown) < axis->step / 1e6)
        shown = 0; /* not -0 */
    return g_strdup_printf("%.*f", (int)axis->n_decimals, shown);
}

double tnd_value_axis_fraction(const TndValueAxis *axis, double value)
{
    double fraction = (value / axis->unit_size - axis->minimum) / (axis->maximum - axis->minimum);
    return CLAMP(fraction, 0, 1);
}

char *tnd_value_axis_text(const TndValueAxis *axis)
{
    char *from = tnd_value_axis_label(axis, axis->minimum * axis->unit_size);
    char *to = tnd_value_axis_label(axis, axis->maximum * axis->unit_size);
    char *text = g_strdup_printf("%s to %s%s%s", from, to, *axis->unit ? " " : "", axis->unit);
    g_free(from);
    g_free(to);
    return text;
}
