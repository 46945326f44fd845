/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The columns of a histogram.
 */
#include "analysis/histogram/histogram_columns.h"

#include "analysis/base/quantity.h"

#include <math.h>
#include <string.h>

/* How many ranges Paraver makes by default. */
#define DEFAULT_COLUMNS 20
/* Whole numbers less than this are looked up in a table. */
#define N_CODES 65536
/* More columns than this are a mistake in the limits. */
#define MAX_COLUMNS 1000000

/* The index of a value in that table; N_CODES: it is not in it. */
static inline guint code_of(double value)
{
    guint code = value >= 0 && value < N_CODES ? (guint)value : N_CODES;
    return code == value ? code : N_CODES;
}

TndHistogramColumns tnd_histogram_columns_ranges(double minimum, double maximum, double delta, guint n)
{
    TndHistogramColumns columns = {.minimum = minimum, .maximum = maximum};
    if (delta > 0) {
        double wanted = ceil((maximum - minimum) / delta);
        if (delta == 1.0 && minimum + wanted <= maximum)
            wanted += 1;
        columns.n = (guint)CLAMP(wanted, 1, MAX_COLUMNS);
        columns.delta = delta;
    } else {
        columns.n = n ? MIN(n, MAX_COLUMNS) : DEFAULT_COLUMNS;
        columns.delta = (maximum - minimum) / columns.n;
    }
    return columns;
}

/* For each code its column + 1. */
static guint32 *columns_of_codes(const double *values, guint n)
{
    guint32 *columns = g_new0(guint32, N_CODES + 1);
    for (guint column = 0; column < n; column++)
        columns[code_of(values[column])] = column + 1;
    columns[N_CODES] = 0;
    return columns;
}

TndHistogramColumns tnd_histogram_columns_of(const double *values, guint n)
{
    TndHistogramColumns columns = {.n = n, .values = g_memdup2(values, n * sizeof *values)};
    columns.of_codes = columns_of_codes(columns.values, n);
    return columns;
}

void tnd_histogram_columns_clear(TndHistogramColumns *columns)
{
    g_free(columns->values);
    g_free(columns->of_codes);
}

static int find_value(const TndHistogramColumns *columns, double value)
{
    guint code = code_of(value);
    if (code < N_CODES && columns->of_codes)
        return (int)columns->of_codes[code] - 1;
    guint low = 0, high = columns->n;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (columns->values[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low == columns->n || columns->values[low] != value ? -1 : (int)low;
}

int tnd_histogram_columns_find(const TndHistogramColumns *columns, double value)
{
    if (columns->n == 0)
        return -1;
    if (columns->values)
        return find_value(columns, value);
    if (value < columns->minimum || value > columns->maximum)
        return -1;
    double column = floor((value - columns->minimum) / columns->delta);
    return column < columns->n ? (int)column : (int)columns->n - 1;
}

/* "[1.2..2.4) ms": both ends in the unit that suits the largest value. */
static char *range_name(const TndHistogramColumns *columns, guint column, const char *unit)
{
    double low = columns->minimum + column * columns->delta, factor = 1;
    double high = column + 1 == columns->n ? columns->maximum : low + columns->delta;
    double largest = MAX(fabs(columns->minimum), fabs(columns->maximum));
    char *shown = strcmp(unit, "ns") == 0 ? tnd_quantity_unit(largest, unit, &factor) : g_strdup(unit);
    /* As many decimals as are needed to tell neighbours apart. */
    double width = columns->delta / factor;
    int decimals = width >= 100 ? 0 : width > 0 ? (int)CLAMP(2 - floor(log10(width)), 0, 12) : 0;
    char format[16], low_text[G_ASCII_DTOSTR_BUF_SIZE + 340], high_text[G_ASCII_DTOSTR_BUF_SIZE + 340];
    g_snprintf(format, sizeof format, "%%.%df", decimals);
    g_ascii_formatd(low_text, sizeof low_text, format, low / factor);
    g_ascii_formatd(high_text, sizeof high_text, format, high / factor);
    char *name = g_strdup_printf("[%s..%s%c%s%s", low_text, high_text, column + 1 == columns->n ? ']' : ')',
                                 *shown ? " " : "", shown);
    g_free(shown);
    return name;
}

void tnd_histogram_columns_ends(const TndHistogramColumns *columns, guint column, double *least, double *largest)
{
    if (columns->values || columns->are_rows) {
        *least = *largest = columns->are_rows ? column : columns->values[column];
        return;
    }
    *least = columns->minimum + column * columns->delta;
    *largest = column + 1 == columns->n ? columns->maximum : nextafter(*least + columns->delta, -INFINITY);
}

char *tnd_histogram_columns_name(const TndHistogramColumns *columns, TndView *control, guint column)
{
    if (columns->are_rows)
        return g_strdup(tnd_view_row_name(control, column));
    if (columns->values)
        return tnd_view_value_text(control, columns->values[column]);
    double low = columns->minimum + column * columns->delta;
    if (columns->is_codes)
        return tnd_view_value_text(control, low);
    if (!columns->is_paravers)
        return range_name(columns, column, tnd_view_rule(control)->unit);
    gboolean is_last = column + 1 == columns->n;
    return g_strdup_printf("[%.2f..%.2f%c", low, is_last ? columns->maximum : low + columns->delta,
                           is_last ? ']' : ')');
}
