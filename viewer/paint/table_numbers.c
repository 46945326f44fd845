/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The unit is the largest in which the largest value is at least 2.
 */
#include "viewer/paint/table_numbers.h"

#include <math.h>
#include <string.h>

/* Numbers are written with 0, 2 or 4 decimals.  Extremes are the least and the greatest number of each of these forms
 * in a column: the longest text is one of them. */
enum { WHOLE, USUAL, SMALL, N_FORMS };
static const int decimals[N_FORMS] = {0, 2, 4};

struct TndNumberExtremes {
    double low[N_FORMS], high[N_FORMS]; /* low > high: the form does not occur */
};

const TndHistogramCell *tnd_table_numbers_seen(const TndHistogram *histogram, const TndHistogramCell *cell)
{
    gboolean is_of_messages =
        histogram->statistic >= TND_STATISTIC_SENDS && histogram->statistic <= TND_STATISTIC_MAXIMUM_BYTES_RECEIVED;
    return cell && is_of_messages && cell->value == 0 ? NULL : cell;
}

static void find_scale(TndTableNumbers *numbers, const TndHistogram *histogram)
{
    numbers->minimum = INFINITY;
    numbers->maximum = -INFINITY;
    for (gsize i = 0; i < histogram->first[histogram->n_rows]; i++) {
        const TndHistogramCell *cell = tnd_table_numbers_seen(histogram, &histogram->cells[i]);
        numbers->minimum = cell ? MIN(numbers->minimum, cell->value) : numbers->minimum;
        numbers->maximum = cell ? MAX(numbers->maximum, cell->value) : numbers->maximum;
    }
    if (numbers->minimum > numbers->maximum)
        numbers->minimum = numbers->maximum = 0;
    numbers->scale = 1;
    numbers->unit = histogram->unit ? histogram->unit : "";
    if (!strcmp(numbers->unit, "ns")) {
        static const struct {
            const char *name;
            double ns;
        } units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};
        guint i = 0;
        while (units[i].ns > 1 && numbers->maximum < 2 * units[i].ns)
            i++;
        numbers->unit = units[i].name;
        numbers->scale = units[i].ns;
    }
}

static guint form_of(const TndTableNumbers *numbers, double scaled)
{
    if (numbers->scale == 1 && strcmp(numbers->unit, "%") && scaled == floor(scaled))
        return WHOLE;
    return scaled != 0 && fabs(scaled) < 0.1 ? SMALL : USUAL;
}

char *tnd_table_numbers_text(const TndTableNumbers *numbers, double value)
{
    value /= numbers->scale;
    return g_strdup_printf("%.*f", decimals[form_of(numbers, value)], value);
}

/* Cells without a value count as 0. */
static void find_extremes(TndTableNumbers *numbers, const TndHistogram *histogram)
{
    numbers->of_columns = g_new(TndNumberExtremes, histogram->n_columns + 1);
    for (guint column = 0; column < histogram->n_columns; column++)
        for (guint form = 0; form < N_FORMS; form++) {
            numbers->of_columns[column].low[form] = form == form_of(numbers, 0) ? 0 : INFINITY;
            numbers->of_columns[column].high[form] = form == form_of(numbers, 0) ? 0 : -INFINITY;
        }
    for (gsize i = 0; i < histogram->first[histogram->n_rows]; i++) {
        const TndHistogramCell *cell = &histogram->cells[i];
        TndNumberExtremes *extremes = &numbers->of_columns[cell->column];
        guint form = form_of(numbers, cell->value / numbers->scale);
        extremes->low[form] = MIN(extremes->low[form], cell->value);
        extremes->high[form] = MAX(extremes->high[form], cell->value);
    }
}

/* The longer of two texts; frees the other one. */
static char *longer(char *a, char *b)
{
    gboolean is_b = strlen(b) > strlen(a);
    g_free(is_b ? a : b);
    return is_b ? b : a;
}

char *tnd_table_numbers_longest(const TndTableNumbers *numbers, guint column)
{
    const TndNumberExtremes *extremes = &numbers->of_columns[column];
    char *longest = g_strdup("");
    for (guint form = 0; form < N_FORMS; form++)
        if (extremes->low[form] <= extremes->high[form]) {
            longest = longer(longest, tnd_table_numbers_text(numbers, extremes->low[form]));
            longest = longer(longest, tnd_table_numbers_text(numbers, extremes->high[form]));
        }
    return longest;
}

TndTableNumbers *tnd_table_numbers_new(const TndHistogram *histogram)
{
    TndTableNumbers *numbers = g_new0(TndTableNumbers, 1);
    find_scale(numbers, histogram);
    find_extremes(numbers, histogram);
    return numbers;
}

void tnd_table_numbers_free(TndTableNumbers *numbers)
{
    g_free(numbers->of_columns);
    g_free(numbers);
}
