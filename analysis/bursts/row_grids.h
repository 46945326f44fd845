/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Summaries of a row for drawing it: a tree of grids.  A grid has up to 256 bins of 2^k ns.  A bin has one value: the
 * one of the largest or of the smallest magnitude in it, or a sample, which any value in it is with the probability
 * that is its share of the bin's time.  A grid of the lowest level covers one block of bursts (row_bursts.h), others
 * cover 8 grids of the level below.  So grids are fine where bursts are dense.
 *
 * Memory, together with the bursts: 6 bytes for each burst, 8 if bins are values (measured), in a TndLargeMemory.
 */
#ifndef TND_ROW_GRIDS_H
#define TND_ROW_GRIDS_H

#include "analysis/bursts/row_bursts.h"
#include "analysis/bursts/value_codes.h"

typedef struct TndRowGrids TndRowGrids;

/* What the bins of a tree have.  SMALLEST: 0 does not count as a value, unless there is no other. */
typedef enum { TND_GRIDS_LARGEST, TND_GRIDS_SMALLEST, TND_GRIDS_SAMPLES, TND_GRIDS_N_KINDS } TndGridsKind;

/* Of samples: which value in a column is its own.  FAIR: chosen such that over some columns each value has the share
 * that it has of their time; RANDOM: the one at a place in the column, so that this is so over many columns; or that at
 * the column's begin or end.  The same columns always have the same values; random ones move with the columns if begin
 * and end move by whole columns.  Cost of FAIR: 5 ns for each bin or burst, of RANDOM: 3 ns a column. */
typedef enum { TND_PLACE_FAIR, TND_PLACE_RANDOM, TND_PLACE_FIRST, TND_PLACE_LAST } TndGridsPlace;

/* Makes grids of codes, which must outlive them; codes NULL: grids of values.  Freed with the memory.  seed: different
 * for different rows, so that samples of rows are independent. */
TndRowGrids *tnd_row_grids_new(TndLargeMemory *memory, const TndRowBursts *row, const TndValueCodes *codes,
                               TndGridsKind kind, guint16 seed);

/* The value of each of n equal columns of [begin_ns, end_ns): the extreme one, or that at a place.  Where there are few
 * bursts to a column, it is exact.  Else a column has the edges of bins that are at most half as wide as itself, so
 * that bursts next to an edge may count for the neighbouring column, and values that are not integers below 2^31 are
 * rounded to the 24 bits of a float.  The value at a place is one of the bin there. */
void tnd_row_grids_columns(const TndRowGrids *grids, guint64 begin_ns, guint64 end_ns, guint n, TndGridsPlace place,
                           double *values);

/* How many codes may be written behind the last one. */
#define TND_ROW_GRIDS_SLACK 8

/* The columns that a row has where several rows take turns: column c if number + c * TND_TURN_STEP is less than n, as a
 * number of 16 bits.  Multiples of an irrational number give each row its share of any stretch of columns.
 * TND_TURN_STEP: of 65536, the fractional part of the square root of 2; odd. */
typedef struct {
    guint16 number;
    guint32 n;
} TndTurn;
#define TND_TURN_STEP 27147

/* The same for grids of codes.  FALSE: a value of the row has no code.  turn: only these columns are wanted, others may
 * get any code or none, and bins may be as wide as one column, or as two where every fourth or less is wanted, which
 * stands for its neighbours; NULL: all are wanted. */
gboolean tnd_row_grids_codes(const TndRowGrids *grids, guint64 begin_ns, guint64 end_ns, guint n, TndGridsPlace place,
                             const TndTurn *turn, guint16 *codes);

/* Prefetches grids for the cache: `next` will be read next, and `after` after it.  Either may be NULL. */
void tnd_row_grids_expect(const TndRowGrids *next, const TndRowGrids *after);

#endif
