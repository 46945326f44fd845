/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Totals of a histogram, and the order of its columns.
 */
#include "analysis/histogram/histogram_totals.h"

#include "analysis/histogram/histogram_cells.h"

#include <math.h>

/* Sums over the cells of a column or a row. */
typedef struct {
    guint n;
    double sum, squares, maximum, minimum;
} Sums;

static const Sums nothing = {.maximum = -INFINITY, .minimum = INFINITY};

static void add_cell(Sums *sums, double value)
{
    sums->n++;
    sums->sum += value;
    sums->squares += value * value;
    sums->maximum = MAX(sums->maximum, value);
    if (value != 0)
        sums->minimum = MIN(sums->minimum, value);
}

/* Writes each total of the sums.  totals: where the first one goes; the others follow at distances of `apart`. */
static void total_up(const Sums *sums, double *totals, gsize apart)
{
    double average = sums->n ? sums->sum / sums->n : 0;
    double all[TND_TOTAL_N] = {
        [TND_TOTAL_SUM] = sums->sum,
        [TND_TOTAL_AVERAGE] = average,
        [TND_TOTAL_MAXIMUM] = sums->n ? sums->maximum : 0,
        [TND_TOTAL_MINIMUM] = isfinite(sums->minimum) ? sums->minimum : 0,
        [TND_TOTAL_STDEV] = sums->n ? sqrt(fabs(sums->squares - sums->n * (average * average)) / sums->n) : 0,
        [TND_TOTAL_AVG_MAX] = sums->n && sums->maximum != 0 ? average / sums->maximum : 0,
    };
    for (guint total = 0; total < TND_TOTAL_N; total++)
        totals[total * apart] = all[total];
}

void tnd_histogram_totals_make(TndHistogram *histogram)
{
    guint n = histogram->n_columns;
    Sums *sums = g_new(Sums, n + 1);
    for (guint column = 0; column < n; column++)
        sums[column] = nothing;
    for (gsize i = 0; i < histogram->first[histogram->n_rows]; i++)
        add_cell(&sums[histogram->cells[i].column], histogram->cells[i].value);
    for (guint column = 0; column < n; column++)
        total_up(&sums[column], histogram->totals + column, n);
    g_free(sums);
}

/* The totals of each row over its columns. */
static double *make_row_totals(const TndHistogram *histogram)
{
    double *totals = g_new0(double, (gsize)TND_TOTAL_N * histogram->n_rows + 1);
    for (guint row = 0; row < histogram->n_rows; row++) {
        Sums sums = nothing;
        for (gsize i = histogram->first[row]; i < histogram->first[row + 1]; i++)
            add_cell(&sums, histogram->cells[i].value);
        total_up(&sums, totals + row, histogram->n_rows);
    }
    return totals;
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
    if (layout->is_sorted) /* by a stable sort */
        g_qsort_with_data(order, (gint)n, sizeof *order, compare_totals, histogram->totals + (gsize)layout->by * n);
    if (layout->is_sorted != layout->is_reversed)
        for (guint i = 0; i < n / 2; i++) {
            guint other = order[i];
            order[i] = order[n - 1 - i];
            order[n - 1 - i] = other;
        }
    return order;
}

/* The names of the columns that stay, in their order; the other names are freed. */
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

/* The totals of the columns that stay, in their order. */
static double *pick_totals(const TndHistogram *histogram, const guint *kept, guint n)
{
    double *totals = g_new0(double, (gsize)TND_TOTAL_N *n + 1);
    for (guint total = 0; total < TND_TOTAL_N; total++)
        for (guint i = 0; i < n; i++)
            totals[(gsize)total * n + i] = histogram->totals[(gsize)total * histogram->n_columns + kept[i]];
    return totals;
}

void tnd_histogram_totals_arrange(TndHistogram *histogram, const TndHistogramLayout *layout, const guint *order)
{
    guint n_all = histogram->n_columns, n_rows = histogram->n_rows, n = 0;
    guint *kept = g_new(guint, n_all + 1), *places = g_new(guint, MAX(n_all, n_rows) + 1);
    for (guint i = 0; i < n_all; i++) {
        gboolean stays = layout->keeps_empty || histogram->totals[order[i]] != 0;
        places[order[i]] = stays ? n : G_MAXUINT;
        if (stays)
            kept[n++] = order[i];
    }
    double *ends = g_new(double, 2 * (gsize)n + 1);
    double *totals = layout->is_vertical ? make_row_totals(histogram) : pick_totals(histogram, kept, n);
    g_free(histogram->totals);
    histogram->totals = totals;
    for (guint i = 0; i < n; i++)
        memcpy(ends + 2 * (gsize)i, histogram->column_ends + 2 * (gsize)kept[i], 2 * sizeof *ends);
    memcpy(histogram->column_ends, ends, 2 * n * sizeof *ends);
    g_free(ends);
    char **column_names = order_names(histogram->column_names, n_all, kept, n);
    tnd_histogram_cells_turn(histogram, places, n);
    histogram->is_vertical = layout->is_vertical;
    histogram->column_names = layout->is_vertical ? histogram->row_names : column_names;
    histogram->row_names = layout->is_vertical ? column_names : histogram->row_names;
    for (guint row = 0; row < n_rows; row++)
        places[row] = row;
    if (!layout->is_vertical)
        tnd_histogram_cells_turn(histogram, places, n_rows);
    g_free(places);
    g_free(kept);
}
