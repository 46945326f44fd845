/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Totals of a histogram, and the order in which its columns stand.
 */
#include "analysis/histogram_totals.h"

#include <math.h>

/* Of n cells that are so far apart, over those that are there; the totals likewise. */
static void sum_cells(const double *cells, const gboolean *present, guint n, gsize apart, double *totals,
                      gsize totals_apart)
{
    double sum = 0, squares = 0, maximum = -INFINITY, minimum = INFINITY;
    guint n_present = 0;
    for (guint i = 0; i < n; i++) {
        gsize at = i * apart;
        if (!present[at])
            continue;
        double value = cells[at];
        n_present++;
        sum += value;
        squares += value * value;
        maximum = MAX(maximum, value);
        if (value != 0)
            minimum = MIN(minimum, value);
    }
    double average = n_present ? sum / n_present : 0;
    double all[TND_TOTAL_N] = {
        [TND_TOTAL_SUM] = sum,
        [TND_TOTAL_AVERAGE] = average,
        [TND_TOTAL_MAXIMUM] = n_present ? maximum : 0,
        [TND_TOTAL_MINIMUM] = isfinite(minimum) ? minimum : 0,
        [TND_TOTAL_STDEV] = n_present ? sqrt(fabs(squares - n_present * (average * average)) / n_present) : 0,
        [TND_TOTAL_AVG_MAX] = n_present && maximum != 0 ? average / maximum : 0,
    };
    for (guint total = 0; total < TND_TOTAL_N; total++)
        totals[total * totals_apart] = all[total];
}

void tnd_histogram_totals_make(TndHistogram *histogram)
{
    guint n = histogram->n_columns;
    for (guint column = 0; column < n; column++)
        sum_cells(histogram->cells + column, histogram->present + column, histogram->n_rows, n,
                  histogram->totals + column, n);
}

static int compare_totals(gconstpointer a, gconstpointer b, gpointer totals)
{
    double x = ((double *)totals)[*(const guint *)a], y = ((double *)totals)[*(const guint *)b];
    return (x > y) - (x < y);
}

guint *tnd_histogram_totals_order(const TndHistogram *histogram, const TndHistogramLayout *layout)
{
    guint n = histogram->n_columns;
    guint *order = g_new(guint, n + 1);
    for (guint i = 0; i < n; i++)
        order[i] = i;
    if (layout->is_sorted) /* stable */
        g_qsort_with_data(order, (gint)n, sizeof *order, compare_totals, histogram->totals + (gsize)layout->by * n);
    if (layout->is_sorted != layout->is_reversed)
        for (guint i = 0; i < n / 2; i++) {
            guint other = order[i];
            order[i] = order[n - 1 - i];
            order[n - 1 - i] = other;
        }
    return order;
}

/* The names in this order; others are freed. */
static char **order_names(char **names, guint n_all, const guint *order, guint n)
{
    char **ordered = g_new0(char *, n + 1);
    for (guint i = 0; i < n; i++)
        ordered[i] = g_steal_pointer(&names[order[i]]);
    for (guint i = 0; i < n_all; i++)
        g_free(names[i]);
    g_free(names);
    return ordered;
}

void tnd_histogram_totals_arrange(TndHistogram *histogram, const TndHistogramLayout *layout, const guint *order)
{
    guint n_all = histogram->n_columns, n_rows = histogram->n_rows, n = 0;
    gboolean is_vertical = layout->is_vertical;
    guint *kept = g_new(guint, n_all + 1);
    for (guint i = 0; i < n_all; i++)
        if (layout->keeps_empty || histogram->totals[order[i]] != 0)
            kept[n++] = order[i];
    gsize n_totals = is_vertical ? n_rows : n, n_cells = (gsize)n_rows * n;
    double *cells = g_new0(double, n_cells + 1), *totals = g_new0(double, TND_TOTAL_N *n_totals + 1);
    gboolean *present = g_new0(gboolean, n_cells + 1);
    for (guint row = 0; row < n_rows; row++)
        for (guint i = 0; i < n; i++) {
            gsize from = (gsize)row * n_all + kept[i], to = is_vertical ? (gsize)i * n_rows + row : (gsize)row * n + i;
            cells[to] = histogram->cells[from];
            present[to] = histogram->present[from];
        }
    for (guint i = 0; i < n_totals; i++)
        if (is_vertical) /* over the columns that are left out, too */
            sum_cells(histogram->cells + (gsize)i * n_all, histogram->present + (gsize)i * n_all, n_all, 1, totals + i,
                      n_totals);
        else
            for (guint total = 0; total < TND_TOTAL_N; total++)
                totals[total * n_totals + i] = histogram->totals[(gsize)total * n_all + kept[i]];
    g_free(histogram->cells);
    g_free(histogram->present);
    g_free(histogram->totals);
    char **column_names = order_names(histogram->column_names, n_all, kept, n);
    histogram->cells = cells;
    histogram->present = present;
    histogram->totals = totals;
    histogram->n_columns = is_vertical ? n_rows : n;
    histogram->n_rows = is_vertical ? n : n_rows;
    histogram->column_names = is_vertical ? histogram->row_names : column_names;
    histogram->row_names = is_vertical ? column_names : histogram->row_names;
    histogram->is_vertical = is_vertical;
    g_free(kept);
}
