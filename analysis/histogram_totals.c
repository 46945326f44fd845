/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Totals of a histogram.
 */
#include "analysis/histogram_totals.h"

#include <math.h>

/* Over the cells of a column that are there; the cells of a column are n_columns apart. */
static void sum_column(TndHistogram *histogram, guint column)
{
    double sum = 0, squares = 0, maximum = -INFINITY, minimum = INFINITY;
    guint n = 0;
    for (guint row = 0; row < histogram->n_rows; row++) {
        gsize at = (gsize)row * histogram->n_columns + column;
        if (!histogram->present[at])
            continue;
        double value = histogram->cells[at];
        n++;
        sum += value;
        squares += value * value;
        maximum = MAX(maximum, value);
        if (value != 0)
            minimum = MIN(minimum, value);
    }
    double average = n ? sum / n : 0;
    double totals[TND_TOTAL_N] = {
        [TND_TOTAL_SUM] = sum,
        [TND_TOTAL_AVERAGE] = average,
        [TND_TOTAL_MAXIMUM] = n ? maximum : 0,
        [TND_TOTAL_MINIMUM] = isfinite(minimum) ? minimum : 0,
        [TND_TOTAL_STDEV] = n ? sqrt(fabs(squares - n * (average * average)) / n) : 0,
        [TND_TOTAL_AVG_MAX] = n && maximum != 0 ? average / maximum : 0,
    };
    for (guint total = 0; total < TND_TOTAL_N; total++)
        histogram->totals[(gsize)total * histogram->n_columns + column] = totals[total];
}

/* Keeps the columns whose total is not 0. */
static void drop_empty_columns(TndHistogram *histogram)
{
    guint n_old = histogram->n_columns, n_kept = 0;
    guint *kept = g_new(guint, n_old + 1);
    for (guint column = 0; column < n_old; column++)
        if (histogram->totals[column] != 0)
            kept[n_kept++] = column;
    for (guint i = 0, column = 0; column < n_old; column++) {
        if (i < n_kept && kept[i] == column)
            histogram->column_names[i++] = histogram->column_names[column];
        else
            g_free(histogram->column_names[column]);
    }
    histogram->column_names[n_kept] = NULL;
    for (guint row = 0; row < histogram->n_rows; row++) {
        for (guint i = 0; i < n_kept; i++) {
            histogram->cells[(gsize)row * n_kept + i] = histogram->cells[(gsize)row * n_old + kept[i]];
            histogram->present[(gsize)row * n_kept + i] = histogram->present[(gsize)row * n_old + kept[i]];
        }
    }
    for (guint total = 0; total < TND_TOTAL_N; total++)
        for (guint i = 0; i < n_kept; i++)
            histogram->totals[(gsize)total * n_kept + i] = histogram->totals[(gsize)total * n_old + kept[i]];
    histogram->n_columns = n_kept;
    g_free(kept);
}

void tnd_histogram_totals_make(TndHistogram *histogram)
{
    for (guint column = 0; column < histogram->n_columns; column++)
        sum_column(histogram, column);
    drop_empty_columns(histogram);
}
