/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cells of a histogram: those that have anything, so that a table of 65,000 threads and their partners is as large
 * as what they said to each other.  For whoever fills a table.
 *
 * Cost: of finding a cell's sums some ns, however many columns there are; memory only for cells that are there.
 */
#ifndef TND_HISTOGRAM_CELLS_H
#define TND_HISTOGRAM_CELLS_H

#include "analysis/histogram/histogram_statistics.h"

/* The sums of a row while it is filled; all 0 at first.  Once sorted, by columns, it is not filled any more. */
typedef struct {
    guint n, room;
    guint *columns;
    TndHistogramSums *sums;
    guint *slots; /* by hash of the column: its place + 1; 0: free */
    guint n_bits; /* of a slot's number; 0: there are none */
} TndHistogramRow;

/* Of a column; made, if there were none. */
TndHistogramSums *tnd_histogram_cells_sums(TndHistogramRow *row, guint column);

void tnd_histogram_cells_sort(TndHistogramRow *row);
void tnd_histogram_cells_clear(TndHistogramRow *row);

/* The statistic of a sorted row's cells; sums without a piece are 0.  Free with g_free. */
TndHistogramCell *tnd_histogram_cells_values(const TndHistogramRow *row, const TndHistogramStatistic *statistic,
                                             const TndHistogramRowSums *all);

/* Makes the table's cells of those of its rows, each n[row], which it frees. */
void tnd_histogram_cells_join(TndHistogram *histogram, TndHistogramCell **rows, const guint *n);

/* Of a table's cells one whose rows are its columns: column i goes to the row new_row[i] < n_new, G_MAXUINT: nowhere.
 * The names and totals are the caller's. */
void tnd_histogram_cells_turn(TndHistogram *histogram, const guint *new_row, guint n_new);

#endif
