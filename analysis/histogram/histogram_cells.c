/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A row is a hash table while it is filled; a table has the cells of its rows one after another.
 */
#include "analysis/histogram/histogram_cells.h"

#include "analysis/base/assertion.h"

#include <stdlib.h>
#include <string.h>

static guint slot_of(const TndHistogramRow *row, guint column)
{
    return column * 2654435769u >> (32 - row->n_bits);
}

static guint find_slot(const TndHistogramRow *row, guint column)
{
    guint slot = slot_of(row, column), last = (1u << row->n_bits) - 1;
    while (row->slots[slot] && row->columns[row->slots[slot] - 1] != column)
        slot = (slot + 1) & last;
    return slot;
}

/* Makes room for twice as many cells; at least half of the slots stay free. */
static void grow(TndHistogramRow *row)
{
    row->room = row->room ? 2 * row->room : 1;
    row->columns = g_renew(guint, row->columns, row->room);
    row->sums = g_renew(TndHistogramSums, row->sums, row->room);
    row->n_bits = row->n_bits ? row->n_bits + 1 : 1;
    g_free(row->slots);
    row->slots = g_new0(guint, (gsize)1 << row->n_bits);
    for (guint i = 0; i < row->n; i++)
        row->slots[find_slot(row, row->columns[i])] = i + 1;
}

TndHistogramSums *tnd_histogram_cells_sums(TndHistogramRow *row, guint column)
{
    if (row->n == row->room)
        grow(row);
    guint *place = &row->slots[find_slot(row, column)];
    if (!*place) {
        row->columns[row->n] = column;
        row->sums[row->n] = (TndHistogramSums){0};
        *place = ++row->n;
    }
    return &row->sums[*place - 1];
}

static int compare_columns(gconstpointer a, gconstpointer b, gpointer columns)
{
    guint x = ((const guint *)columns)[*(const guint *)a], y = ((const guint *)columns)[*(const guint *)b];
    return (x > y) - (x < y);
}

void tnd_histogram_cells_sort(TndHistogramRow *row)
{
    guint *order = g_new(guint, row->n + 1), *columns = g_new(guint, row->n + 1);
    TndHistogramSums *sums = g_new(TndHistogramSums, row->n + 1);
    for (guint i = 0; i < row->n; i++)
        order[i] = i;
    g_qsort_with_data(order, (gint)row->n, sizeof *order, compare_columns, row->columns);
    for (guint i = 0; i < row->n; i++) {
        columns[i] = row->columns[order[i]];
        sums[i] = row->sums[order[i]];
    }
    g_free(order);
    g_free(row->columns);
    g_free(row->sums);
    row->columns = columns;
    row->sums = sums;
    g_clear_pointer(&row->slots, g_free);
}

void tnd_histogram_cells_clear(TndHistogramRow *row)
{
    tnd_histogram_statistics_clear(row->sums, row->n);
    g_free(row->columns);
    g_free(row->sums);
    g_free(row->slots);
    *row = (TndHistogramRow){0};
}

TndHistogramCell *tnd_histogram_cells_values(const TndHistogramRow *row, const TndHistogramStatistic *statistic,
                                             const TndHistogramRowSums *all)
{
    TndHistogramCell *cells = g_new(TndHistogramCell, row->n + 1);
    for (guint i = 0; i < row->n; i++)
        cells[i] = (TndHistogramCell){row->columns[i], row->sums[i].n ? statistic->value(&row->sums[i], all) : 0};
    return cells;
}

void tnd_histogram_cells_join(TndHistogram *histogram, TndHistogramCell **rows, const guint *n)
{
    histogram->first = g_new0(gsize, (gsize)histogram->n_rows + 1);
    for (guint row = 0; row < histogram->n_rows; row++)
        histogram->first[row + 1] = histogram->first[row] + n[row];
    histogram->cells = g_new(TndHistogramCell, histogram->first[histogram->n_rows] + 1);
    for (guint row = 0; row < histogram->n_rows; row++) {
        for (guint i = 0; i < n[row]; i++)
            tnd_assert(rows[row][i].column < histogram->n_columns &&
                       (i == 0 || rows[row][i - 1].column < rows[row][i].column));
        if (n[row])
            memcpy(histogram->cells + histogram->first[row], rows[row], n[row] * sizeof **rows);
        g_free(rows[row]);
    }
}

void tnd_histogram_cells_turn(TndHistogram *histogram, const guint *new_row, guint n_new)
{
    const TndHistogramCell *cells = histogram->cells;
    gsize n = histogram->first[histogram->n_rows], *first = g_new0(gsize, (gsize)n_new + 2);
    for (gsize i = 0; i < n; i++)
        if (new_row[cells[i].column] != G_MAXUINT)
            first[new_row[cells[i].column] + 2]++;
    for (guint row = 0; row < n_new; row++)
        first[row + 2] += first[row + 1]; /* first[row + 1] is where the next cell of the row goes */
    TndHistogramCell *turned = g_new(TndHistogramCell, n + 1);
    for (guint row = 0; row < histogram->n_rows; row++)
        for (gsize i = histogram->first[row]; i < histogram->first[row + 1]; i++)
            if (new_row[cells[i].column] != G_MAXUINT)
                turned[first[new_row[cells[i].column] + 1]++] = (TndHistogramCell){row, cells[i].value};
    g_free(histogram->cells);
    g_free(histogram->first);
    histogram->cells = turned;
    histogram->first = first;
    histogram->n_columns = histogram->n_rows;
    histogram->n_rows = n_new;
}

const TndHistogramCell *tnd_histogram_cell(const TndHistogram *histogram, guint row, guint column)
{
    gsize low = histogram->first[row], end = histogram->first[row + 1], high = end;
    while (low < high) {
        gsize middle = low + (high - low) / 2;
        if (histogram->cells[middle].column < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && histogram->cells[low].column == column ? &histogram->cells[low] : NULL;
}
