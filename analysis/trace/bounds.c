/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ">=5" is more than the number just below 5.
 */
#include "analysis/trace/bounds.h"

#include "formats/value.h"

#include <string.h>

static gboolean parse_number(double *number, const char *text, TndBoundsTake takes)
{
    char *end;
    uint64_t whole;
    *number = g_ascii_strtod(text, &end);
    if (takes & TND_BOUNDS_PLAIN && end > text && !*end && !isnan(*number))
        return TRUE;
    if (!(takes & TND_BOUNDS_TIME && tnd_value_duration(&whole, text, "")) &&
        !(takes & TND_BOUNDS_SIZE && tnd_value_size(&whole, text, "")))
        return FALSE;
    *number = (double)whole;
    return TRUE;
}

gboolean tnd_bounds_parse(TndBounds *bounds, const char *text, TndBoundsTake takes)
{
    const gboolean has_equal = *text && *text != '=' && text[1] == '=';
    double number;
    if (!*text || !strchr("<>=", *text) || !parse_number(&number, text + 1 + has_equal, takes))
        return FALSE;
    if (*text == '>')
        bounds->more = has_equal ? nextafter(number, -INFINITY) : number;
    else if (*text == '<')
        bounds->less = has_equal ? nextafter(number, INFINITY) : number;
    else
        bounds->equal = number;
    return TRUE;
}

gboolean tnd_bounds_are_set(const TndBounds *bounds)
{
    return !isnan(bounds->more) || !isnan(bounds->less) || !isnan(bounds->equal);
}

gboolean tnd_bounds_hold(const TndBounds *bounds, double number)
{
    return !(number <= bounds->more) && !(number >= bounds->less) &&
           (isnan(bounds->equal) || fabs(number - bounds->equal) <= 1e-9 * fabs(bounds->equal));
}
