/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formats numbers with their units.
 */
#include "analysis/base/quantity.h"

#include <math.h>
#include <string.h>

typedef struct {
    const char *name;
    double factor;
} Unit;

/* The prefixed units of each kind, the smallest first.  Factors are relative to the unit of the kind. */
static const struct {
    const char *unit;
    Unit sizes[6]; /* the last one has no name */
} kinds[] = {
    {"ns", {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}},
    {"B", {{"B", 1}, {"KiB", 1024}, {"MiB", 1048576}, {"GiB", 1073741824}, {"TiB", 1099511627776}}},
    {"B/s", {{"B/s", 1}, {"KiB/s", 1024}, {"MiB/s", 1048576}, {"GiB/s", 1073741824}, {"TiB/s", 1099511627776}}},
    {"W", {{"mW", 1e-3}, {"W", 1}, {"kW", 1e3}, {"MW", 1e6}}},
    {"J", {{"uJ", 1e-6}, {"mJ", 1e-3}, {"J", 1}, {"kJ", 1e3}, {"MJ", 1e6}}},
};
static const Unit counts[] = {{"", 1}, {"thousand", 1e3}, {"million", 1e6}, {"billion", 1e9}, {NULL, 0}};

/* Counts from here on get a word ("thousand"); smaller ones are as short in digits. */
#define MANY 1e5

/* The prefixed units of a unit, up to one whose name is NULL; NULL: the unit takes no prefixes. */
static const Unit *sizes_of(const char *unit)
{
    for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++)
        if (strcmp(kinds[i].unit, unit) == 0)
            return kinds[i].sizes;
    return NULL;
}

/* Of a unit: what is shown with four digits is 1 from here on. */
#define ROUNDS_TO_ONE 0.99995

/* The largest unit in which the value is at least 1, as it is shown; else the smallest one. */
static const Unit *choose(const Unit *units, double value)
{
    const Unit *unit = units;
    while (unit[1].name && fabs(value) >= unit[1].factor * ROUNDS_TO_ONE)
        unit++;
    return unit;
}

/* Makes "1,234,567.5" of "1234567.5", in place; the caller provides the room. */
static void mark_thousands(char *text)
{
    char *digits = text + (*text == '-');
    gsize n = strspn(digits, "0123456789");
    for (gsize left = n; left > 3; left -= 3) {
        memmove(digits + left - 2, digits + left - 3, strlen(digits + left - 3) + 1);
        digits[left - 3] = ',';
    }
}

/* A number with separators of thousands. */
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

static char *scaled(double value, const Unit *units)
{
    const Unit *unit = choose(units, value);
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
    if (sizes_of(unit))
        return scaled(value, sizes_of(unit));
    gboolean percent = strcmp(unit, "%") == 0;
    char *number = plain_number(value, percent ? 1 : value == floor(value) ? 0 : 6, percent);
    char *text = *unit ? g_strconcat(number, " ", unit, NULL) : g_strdup(number);
    g_free(number);
    return text;
}

#define MICRO "\302\265"

/* Whether there is "us" or "uJ" behind a number or a bracket. */
static gboolean is_micro(const char *text, const char *at)
{
    const gboolean is_unit = at[0] == 'u' && (at[1] == 's' || at[1] == 'J') && !g_ascii_isalnum(at[2]) && at[2] != '_';
    return is_unit && at > text && (at[-1] == '(' || (at > text + 1 && at[-1] == ' ' && g_ascii_isdigit(at[-2])));
}

char *tnd_quantity_shown(const char *text)
{
    GString *shown = g_string_sized_new(strlen(text) + 2);
    for (const char *at = text; *at; at++)
        if (is_micro(text, at))
            g_string_append(shown, MICRO);
        else
            g_string_append_c(shown, *at);
    return g_string_free(shown, FALSE);
}

gboolean tnd_quantity_parse(double *value, const char *text, const char *unit)
{
    char *end;
    double number = g_ascii_strtod(text, &end);
    const Unit *size = sizes_of(unit);
    if (end == text || !isfinite(number))
        return FALSE;
    end += strspn(end, " ");
    char micro[] = "u?";
    if (g_str_has_prefix(end, MICRO) && end[2] && !end[3]) {
        micro[1] = end[2];
        end = micro;
    }
    if (!size) {
        *value = number;
        return strcmp(end, unit) == 0;
    }
    while (size->name && strcmp(size->name, end) != 0)
        size++;
    if (size->name)
        *value = number * size->factor;
    return size->name != NULL;
}

char *tnd_quantity_unit(double largest, const char *unit, double *size)
{
    const Unit *sizes = sizes_of(unit);
    const Unit *chosen = choose(sizes ? sizes : counts, sizes || fabs(largest) >= MANY ? largest : 0);
    *size = chosen->factor;
    return sizes ? g_strdup(chosen->name) : g_strconcat(chosen->name, *chosen->name && *unit ? " " : "", unit, NULL);
}
