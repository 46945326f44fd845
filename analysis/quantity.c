/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers with their units as people read them.
 */
#include "analysis/quantity.h"

#include <math.h>
#include <string.h>

typedef struct {
    const char *name;
    double factor;
} Unit;

static const Unit time_units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
static const Unit byte_units[] = {
    {"B", 1}, {"KiB", 1024}, {"MiB", 1048576}, {"GiB", 1073741824}, {"TiB", 1099511627776}};

/* The largest unit that leaves at least 1. */
static const Unit *choose(const Unit *units, guint n, double value)
{
    const Unit *unit = units;
    for (guint i = 1; i < n && fabs(value) >= units[i].factor; i++)
        unit = &units[i];
    return unit;
}

/* "1234567.5" to "1,234,567.5", in place; room is there. */
static void mark_thousands(char *text)
{
    char *digits = text + (*text == '-');
    gsize n = strspn(digits, "0123456789");
    for (gsize left = n; left > 3; left -= 3) {
        memmove(digits + left - 2, digits + left - 3, strlen(digits + left - 3) + 1);
        digits[left - 3] = ',';
    }
}

/* With thousands marked. */
static char *plain_number(double value, int decimals, gboolean keeps_zeros)
{
    char format[16], text[512];
    g_snprintf(format, sizeof format, "%%.%df", decimals);
    g_ascii_formatd(text, sizeof text / 2, format, value);
    if (strchr(text, '.') && !keeps_zeros) {
        char *end = text + strlen(text);
        while (end[-1] == '0')
            *--end = '\0';
        if (end[-1] == '.')
            *--end = '\0';
    }
    if (strcmp(text, "-0") == 0)
        return g_strdup("0");
    mark_thousands(text);
    return g_strdup(text);
}

static char *scaled(double value, const Unit *units, guint n_units)
{
    const Unit *unit = choose(units, n_units, value);
    double shown = value / unit->factor;
    int decimals = unit == units ? 0 : fabs(shown) < 10 ? 3 : fabs(shown) < 100 ? 2 : fabs(shown) < 1000 ? 1 : 0;
    if (unit == units && shown != floor(shown))
        decimals = 2;
    char *number = plain_number(shown, decimals, FALSE);
    char *text = g_strconcat(number, " ", unit->name, NULL);
    g_free(number);
    return text;
}

char *tnd_quantity_text(double value, const char *unit)
{
    if (strcmp(unit, "ns") == 0)
        return scaled(value, time_units, G_N_ELEMENTS(time_units));
    if (strcmp(unit, "B") == 0)
        return scaled(value, byte_units, G_N_ELEMENTS(byte_units));
    gboolean percent = strcmp(unit, "%") == 0;
    char *number = plain_number(value, percent ? 1 : value == floor(value) ? 0 : 6, percent);
    char *text = *unit ? g_strconcat(number, " ", unit, NULL) : g_strdup(number);
    g_free(number);
    return text;
}

const char *tnd_quantity_time_unit(double duration_ns, double *unit_ns)
{
    const Unit *unit = choose(time_units, G_N_ELEMENTS(time_units), duration_ns);
    *unit_ns = unit->factor;
    return unit->name;
}
