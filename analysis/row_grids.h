/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a row comes to over pieces of time, for who draws it: a tree of grids.  A grid has up to 256 bins of 2^k ns, and
 * of each bin the value of the largest magnitude in it; it is of a block of bursts (row_bursts.h), or of 8 grids below.
 * Where a row is dense its grids are fine, however uneven it is in time.
 *
 * Memory: with the bursts 8 bytes each (measured), of a TndLargeMemory.
 */
#ifndef TND_ROW_GRIDS_H
#define TND_ROW_GRIDS_H

#include "analysis/row_bursts.h"

typedef struct TndRowGrids TndRowGrids;

TndRowGrids *tnd_row_grids_new(TndLargeMemory *memory, const TndRowBursts *row);

/* For n equal columns of [begin_ns, end_ns), of each that value.  Bursts of which there are few to a column are looked
 * at themselves; else the edges of a column are those of bins that are at most as wide: what is next to an edge may be
 * on its other side.  Values that are not whole numbers below 2^31 then have the 24 bits of a float. */
void tnd_row_grids_columns(const TndRowGrids *grids, guint64 begin_ns, guint64 end_ns, guint n, double *values);

#endif
