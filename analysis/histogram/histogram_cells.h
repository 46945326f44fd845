/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cells of a histogram, of which only those that are not empty are kept: a table of 65,000 threads by 65,000
 * partners needs memory only for pairs that communicate.
 *
 * Cost: finding the sums of a cell takes some ns, however many columns there are.
 */
#ifndef TND_HISTOGRAM_CELLS_H
#define TND_HISTOGRAM_CELLS_H

#include "analysis/histogram/histogram_statistics.h"

/* The sums of a row while it is filled; all 0 at first.  After it has been sorted by column, nothing can be added. */
typedef struct {
    guint n, room;
    guint *columns;
    TndHistogramSums *sums;
    guint *slots; /* hash table of columns: the index of their sums + 1; 0: free */
    guint n_bits; /* there are 2^n_bits slots; 0: none */
} TndHistogramRow;

/* The sums of a column, which are added if there are none. */
TndHistogramSums *tnd_histogram_cells_sums(TndHistogramRow *row, guint column);

void tnd_histogram_cells_sort(TndHistogramRow *row);
void tnd_histogram_cells_clear(TndHistogramRow *row);

/* The cells of a sorted row, by the statistic; cells without a piece are 0.  Free with g_free. */
TndHistogramCell *tnd_histogram_cells_values(const TndHistogramRow *row, const TndHistogramStatistic *statistic,
                                             const TndHistogramRowSums *all);

/* Makes the table's cells of those of its rows: rows[row] has n[row] cells, and is freed. */
void tnd_histogram_cells_join(TndHistogram *histogram, TndHistogramCell **rows, const guint *n);

/* Exchanges rows and columns of the cells: column i becomes the row new_row[i] < n_new; G_MAXUINT: it is left out.
 * Names and totals are left to the caller. */
void tnd_histogram_cells_turn(TndHistogram *histogram, const guint *new_row, guint n_new);

#endif
