/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The step is the shortest round one whose labels do not touch each other.
 */
#include "viewer/paint/ruler.h"

#include "viewer/paint/text.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    double ns;
    guint n_digits; /* decimals down to 1 ns */
} units[] = {{"ns", 1, 0}, {"us", 1e3, 3}, {"ms", 1e6, 6}, {"s", 1e9, 9}};

/* The largest unit of which a time has `least`. */
static guint unit_for(guint64 time_ns, double least)
{
    guint unit = 0;
    while (unit + 1 < G_N_ELEMENTS(units) && (double)time_ns >= least * units[unit + 1].ns)
        unit++;
    return unit;
}

/* The number of decimals that times in a unit need to show steps of `step_ns`. */
static guint decimals_for(guint unit, guint64 step_ns)
{
    guint decimals = units[unit].n_digits;
    while (decimals && step_ns >= 10) {
        decimals--;
        step_ns /= 10;
    }
    return decimals;
}

char *tnd_ruler_label(const TndRuler *ruler, guint64 time_ns)
{
    return g_strdup_printf("%.*f", (int)ruler->n_decimals, (double)time_ns / ruler->unit_ns);
}

static guint64 next_step(guint64 step)
{
    guint64 power = 1;
    while (power <= step / 10)
        power *= 10;
    guint64 lead = step / power;
    return lead < 2 ? 2 * power : lead < 5 ? 5 * power : 10 * power;
}

TndRuler tnd_ruler_new(guint64 begin_ns, guint64 end_ns, double length)
{
    guint unit = unit_for(end_ns, 2);
    TndRuler ruler = {.unit = units[unit].name, .unit_ns = units[unit].ns, .step_ns = 1};
    guint64 span = MAX(end_ns - begin_ns, 1);
    for (;; ruler.step_ns = next_step(ruler.step_ns)) {
        ruler.n_decimals = decimals_for(unit, ruler.step_ns);
        char *label = tnd_ruler_label(&ruler, end_ns);
        double need = tnd_text_width(TND_TEXT_SMALL, label) + 24;
        g_free(label);
        double apart = length * (double)ruler.step_ns / (double)span;
        if (apart >= need || ruler.step_ns > span)
            break;
    }
    ruler.first_ns = (begin_ns + ruler.step_ns - 1) / ruler.step_ns * ruler.step_ns;
    ruler.n_ticks = ruler.first_ns > end_ns ? 0 : (guint)((end_ns - ruler.first_ns) / ruler.step_ns) + 1;
    return ruler;
}

char *tnd_ruler_time_text(guint64 time_ns, guint64 resolution_ns)
{
    guint64 digit = 1; /* what the last decimal stands for */
    while (digit <= resolution_ns / 10)
        digit *= 10;
    const guint64 rounded_ns = digit > 1 ? (time_ns + digit / 2) / digit * digit : time_ns;
    const guint unit = unit_for(rounded_ns, 1), decimals = decimals_for(unit, digit);
    char *number = g_strdup_printf("%.*f", (int)decimals, (double)time_ns / units[unit].ns);
    if (strchr(number, '.')) {
        char *end = number + strlen(number);
        while (end[-1] == '0')
            *--end = '\0';
        if (end[-1] == '.')
            end[-1] = '\0';
    }
    char *text = g_strdup_printf("%s %s", number, units[unit].name);
    g_free(number);
    return text;
}
