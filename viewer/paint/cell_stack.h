/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cells stacked: how many rows have each value, over time.  In a pixel column, each value has as much of the height as
 * it has of the time of all rows, the values in the same order in all columns, from the bottom on; 0 and what is no
 * value are at the top.
 *
 * Cost: 1 to 2 ns a cell that is stacked.
 */
#ifndef TND_CELL_STACK_H
#define TND_CELL_STACK_H

#include "viewer/paint/cells.h"

/* How many cells a pixel column should have of each of so many rows: with few rows more, so that a share is
 * exact to two percent or, of thousands of rows, to four. */
guint tnd_cell_stack_columns(guint n_rows);

/* Takes ownership of cells, which have a multiple of n_columns.  The result has a band for each of n_lines pixels. */
TndCells *tnd_cell_stack_new(TndCells *cells, guint n_columns, guint n_lines);

#endif
