/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The burst that a cell shows, which is one of many that the cell covers.
 */
#ifndef TND_CELL_BURST_H
#define TND_CELL_BURST_H

#include "viewer/paint/cells.h"

/* The rows and the time that the cells cover. */
typedef struct {
    TndView *view;
    guint64 begin_ns, end_ns;
    const TndRowOrder *order;
    guint first_row, last_row; /* places of the order, if there is one */
} TndCellsSubject;

/* Changes row and time_ns, which are within the cell, to those of a burst that has the value that the cell shows,
 * unless they have it; the nearest in time, if the cell has several.  Cost: some ms if the cell covers a million
 * bursts. */
void tnd_cell_burst_find(const TndCells *cells, const TndCellsSubject *subject, guint band, guint column, guint *row,
                         guint64 *time_ns);

#endif
