/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Summaries of a row for drawing it: a tree of grids.  A grid has up to 256 bins of 2^k ns, each with the value of the
 * largest magnitude in it.  A grid of the lowest level covers one block of bursts (row_bursts.h), others cover 8 grids
 * of the level below.  So grids are fine where bursts are dense.
 *
 * Memory, together with the bursts: 6 bytes for each burst, 8 if bins are values (measured), in a TndLargeMemory.
 */
#ifndef TND_ROW_GRIDS_H
#define TND_ROW_GRIDS_H

#include "analysis/bursts/row_bursts.h"
#include "analysis/bursts/value_codes.h"

typedef struct TndRowGrids TndRowGrids;

/* Makes grids of codes, which must outlive them; codes NULL: grids of values.  Freed with the memory. */
TndRowGrids *tnd_row_grids_new(TndLargeMemory *memory, const TndRowBursts *row, const TndValueCodes *codes);

/* The value of the largest magnitude in each of n equal columns of [begin_ns, end_ns).  Where there are few bursts to a
 * column, it is exact.  Else a column has the edges of bins that are at most as wide as itself, so that bursts next to
 * an edge may count for the neighbouring column, and values that are not integers below 2^31 are rounded to the 24 bits
 * of a float. */
void tnd_row_grids_columns(const TndRowGrids *grids, guint64 begin_ns, guint64 end_ns, guint n, double *values);

/* How many codes may be written behind the last one. */
#define TND_ROW_GRIDS_SLACK 8

/* The same for grids of codes.  FALSE: a value of the row has no code. */
gboolean tnd_row_grids_codes(const TndRowGrids *grids, guint64 begin_ns, guint64 end_ns, guint n, guint16 *codes);

/* Prefetches grids for the cache: `next` will be read next, and `after` after it.  Either may be NULL. */
void tnd_row_grids_expect(const TndRowGrids *next, const TndRowGrids *after);

#endif
