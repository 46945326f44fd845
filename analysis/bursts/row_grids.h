/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a row comes to over pieces of time, for who draws it: a tree of grids.  A grid has up to 256 bins of 2^k ns, and
 * of each bin the value of the largest magnitude in it; it is of a block of bursts (row_bursts.h), or of 8 grids below.
 * Where a row is dense its grids are fine, however uneven it is in time.
 *
 * Memory: with the bursts 6 bytes each, 8 if bins are of values (measured), of a TndLargeMemory.
 */
#ifndef TND_ROW_GRIDS_H
#define TND_ROW_GRIDS_H

#include "analysis/bursts/row_bursts.h"
#include "analysis/bursts/value_codes.h"

typedef struct TndRowGrids TndRowGrids;

/* Of codes, which outlive them, or NULL: of values. */
TndRowGrids *tnd_row_grids_new(TndLargeMemory *memory, const TndRowBursts *row, const TndValueCodes *codes);

/* For n equal columns of [begin_ns, end_ns), of each that value.  Bursts of which there are few to a column are looked
 * at themselves; else the edges of a column are those of bins that are at most as wide: what is next to an edge may be
 * on its other side.  Values that are not whole numbers below 2^31 then have the 24 bits of a float. */
void tnd_row_grids_columns(const TndRowGrids *grids, guint64 begin_ns, guint64 end_ns, guint n, double *values);

/* Codes that may be written behind the last one. */
#define TND_ROW_GRIDS_SLACK 8

/* Likewise, of grids of codes.  FALSE: a value of the row has none. */
gboolean tnd_row_grids_codes(const TndRowGrids *grids, guint64 begin_ns, guint64 end_ns, guint n, guint16 *codes);

/* Both will be read, this one next; NULL: none. */
void tnd_row_grids_expect(const TndRowGrids *next, const TndRowGrids *then);

#endif
