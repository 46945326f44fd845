/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The columns of a histogram.
 */
#include "analysis/histogram_columns.h"

#include "analysis/cores.h"
#include "analysis/quantity.h"

#include <math.h>
#include <string.h>

/* As many ranges as Paraver makes unless told. */
#define DEFAULT_COLUMNS 20
/* More values than this are shown as ranges. */
#define MAX_VALUES 10000
/* Values that are whole and less than this are found in a table. */
#define N_CODES 65536
/* More columns than this are a mistake in the limits. */
#define MAX_COLUMNS 1000000

static int compare_values(gconstpointer a, gconstpointer b, gpointer unused)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The code that a value is; N_CODES: it is none. */
static inline guint code_of(double value)
{
    guint code = value >= 0 && value < N_CODES ? (guint)value : N_CODES;
    return code == value ? code : N_CODES;
}

static void make_row(guint row, gpointer view)
{
    gsize n;
    (void)tnd_view_bursts(view, row, &n);
}

/* The values that hold for some time in [begin_ns, end_ns), sorted; NULL if there are too many. */
static GArray *distinct_values(TndView *control, guint64 begin_ns, guint64 end_ns)
{
    GHashTable *seen = g_hash_table_new_full(g_double_hash, g_double_equal, g_free, NULL);
    guint8 *has_code = g_new0(guint8, N_CODES + 1);
    double last = NAN;
    tnd_cores_run(tnd_trace_n_threads(tnd_view_trace(control)), make_row, control);
    for (guint row = 0; row < tnd_trace_n_threads(tnd_view_trace(control)); row++) {
        gsize n;
        const TndBurst *bursts = tnd_view_bursts(control, row, &n);
        for (gsize i = 0; i < n && g_hash_table_size(seen) <= MAX_VALUES; i++) {
            const TndBurst *burst = &bursts[i];
            if (burst->value == last || burst->begin_ns >= end_ns || burst->end_ns <= begin_ns ||
                burst->end_ns == burst->begin_ns)
                continue;
            last = burst->value;
            guint code = code_of(last);
            if ((code == N_CODES || !has_code[code]) && !g_hash_table_contains(seen, &last))
                g_hash_table_add(seen, g_memdup2(&last, sizeof last));
            has_code[code] = 1;
        }
    }
    g_free(has_code);
    GArray *values = NULL;
    if (g_hash_table_size(seen) <= MAX_VALUES) {
        values = g_array_new(FALSE, FALSE, sizeof(double));
        GHashTableIter iter;
        gpointer value;
        g_hash_table_iter_init(&iter, seen);
        while (g_hash_table_iter_next(&iter, &value, NULL))
            g_array_append_val(values, *(double *)value);
        g_array_sort_with_data(values, compare_values, NULL);
    }
    g_hash_table_unref(seen);
    return values;
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

/* Of each code its column + 1. */
static guint32 *columns_of_codes(const double *values, guint n)
{
    guint32 *columns = g_new0(guint32, N_CODES + 1);
    for (guint column = 0; column < n; column++)
        columns[code_of(values[column])] = column + 1;
    columns[N_CODES] = 0;
    return columns;
}

TndHistogramColumns tnd_histogram_columns_choose(TndView *control, const TndHistogramOptions *options)
{
    TndHistogramColumns columns = {0};
    gboolean is_codes = tnd_view_rule(control)->palette == TND_PALETTE_CODE;
    if (options->minimum != 0 || options->maximum != 0) {
        columns = tnd_histogram_columns_ranges(options->minimum, options->maximum, options->delta, options->n_columns);
        columns.is_codes = is_codes && columns.delta == 1.0 && floor(columns.minimum) == columns.minimum;
        return columns;
    }
    GArray *values = is_codes ? distinct_values(control, options->begin_ns, options->end_ns) : NULL;
    if (values) {
        columns.n = values->len;
        columns.values = (double *)g_array_free(values, FALSE);
        columns.of_codes = columns_of_codes(columns.values, columns.n);
        return columns;
    }
    double minimum = 0, maximum = 0;
    if (tnd_view_range(control, options->begin_ns, options->end_ns, &minimum, &maximum)) {
        double range = maximum - minimum;
        maximum += 0.05 * range;
        columns = tnd_histogram_columns_ranges(minimum, maximum, range == 0 ? 1.0 : options->delta, options->n_columns);
    }
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

/* "[1.2..2.4) ms": both ends in the unit that suits the largest. */
static char *range_name(const TndHistogramColumns *columns, guint column, const char *unit)
{
    double low = columns->minimum + column * columns->delta, factor = 1;
    double high = column + 1 == columns->n ? columns->maximum : low + columns->delta;
    double largest = MAX(fabs(columns->minimum), fabs(columns->maximum));
    char *shown = strcmp(unit, "ns") == 0 ? tnd_quantity_unit(largest, unit, &factor) : g_strdup(unit);
    /* As many places as tell neighbours apart. */
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

char *tnd_histogram_columns_name(const TndHistogramColumns *columns, TndView *control, guint column)
{
    if (columns->are_threads)
        return g_strdup(tnd_trace_thread(tnd_view_trace(control), (guint)columns->values[column])->name);
    if (columns->values)
        return tnd_view_value_text(control, columns->values[column]);
    if (columns->is_codes)
        return tnd_view_value_text(control, columns->minimum + column);
    return range_name(columns, column, tnd_view_rule(control)->unit);
}
