/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A row without the value that is sorted by counts as 0 nowhere: it is last, however the others are sorted.
 */
#include "viewer/paint/table_order.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    guint row;
    gboolean is_empty;
    double value; /* of which the smallest comes first */
} Place;

gboolean tnd_table_order_column(const TndTableOrder *order, const TndHistogram *histogram, guint *column)
{
    for (*column = 0; order->column && *column < histogram->n_columns; (*column)++)
        if (!strcmp(histogram->column_names[*column], order->column))
            return TRUE;
    return FALSE;
}

static gint compare(gconstpointer a, gconstpointer b)
{
    const Place *one = a, *other = b;
    if (one->is_empty != other->is_empty)
        return one->is_empty - other->is_empty;
    if (one->value != other->value)
        return one->value < other->value ? -1 : 1;
    return one->row < other->row ? -1 : one->row > other->row;
}

guint *tnd_table_order_rows(const TndTableOrder *order, const TndHistogram *histogram, guint *n)
{
    guint column;
    const gboolean is_sorted = tnd_table_order_column(order, histogram, &column);
    Place *places = g_new(Place, histogram->n_rows + 1);
    *n = 0;
    for (guint row = 0; row < histogram->n_rows; row++) {
        if (order->hides_empty && histogram->first[row] == histogram->first[row + 1])
            continue;
        const TndHistogramCell *cell = is_sorted ? tnd_histogram_cell(histogram, row, column) : NULL;
        const double value = cell ? cell->value : 0;
        places[(*n)++] = (Place){row, is_sorted && !cell, order->is_rising ? value : -value};
    }
    if (is_sorted)
        qsort(places, *n, sizeof *places, compare);
    guint *rows = g_new(guint, *n + 1);
    for (guint i = 0; i < *n; i++)
        rows[i] = places[i].row;
    g_free(places);
    return rows;
}
