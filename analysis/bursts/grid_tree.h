/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of row_grids.h: grids, the keys of their bins, and columns while they are filled.  For its implementation
 * (row_grids.c: bins of extremes; grid_samples.c: bins of samples).
 *
 * A bin is a code, or the key of a value.  Keys are larger for larger magnitudes, and for the positive one of equal
 * magnitudes; the key of 0 is 0.  A column has a rank: a code, or the rotated bits of a value.
 *
 * Functions for codes and values are written once, with a constant are_codes; the compiler makes a loop for each.
 */
#ifndef TND_GRID_TREE_H
#define TND_GRID_TREE_H

#include "analysis/bursts/row_grids.h"

#include <math.h>
#include <string.h>

#define FOR_EACH_KIND static inline __attribute__((always_inline))

#define MAX_BINS 256
/* The n of a turn that has all columns. */
#define ALL_COLUMNS (1u << 16)
#define MAX_LEVELS 22

typedef struct {
    guint64 begin_ns, end_ns;
    void *bins; /* guint16, or guint32 */
    guint n_bins;
    guint8 shift;       /* a bin has 2^shift ns, and begins at a multiple of that */
    gboolean are_whole; /* keys are of integers below 2^31; else of floats */
} Grid;

/* A level of the tree.  The lowest has a grid for each block of the row, others have one for several grids of the level
 * below, up to a single one. */
typedef struct {
    gsize n;
    Grid *grids;
} Level;

struct TndRowGrids {
    const TndRowBursts *row;
    const TndValueCodes *codes; /* NULL: grids of values */
    TndGridsKind kind;
    guint16 seed;     /* of samples */
    gboolean is_lost; /* a value has no code: there are no grids */
    guint n_levels;
    Level levels[MAX_LEVELS];
};

/* What a row owes to values, and the value in a bin or a column that it owes most so far (see grid_samples.c). */
typedef struct TndGridDebts TndGridDebts;
typedef struct {
    guint64 best; /* its code, its key or its rank */
    float most;
} TndGridChoice;

/* The columns while they are filled. */
typedef struct {
    const TndRowGrids *grids;
    guint64 begin_ns, end_ns; /* of the columns, not after the end of the row */
    double per_ns;            /* columns per ns */
    double rounding; /* 0.5 / n ns for n columns: keeps products away from integers, where rounding errors matter */
    double last_column;
    guint shift;   /* times are shifted right by this, so that they are less than 2^52 */
    double unit;   /* 2^shift */
    void *columns; /* guint16 or guint64 */
    guint64 zero;  /* the rank of 0 */
    gint n_done;   /* how many columns have a rank, from the first on */
    TndGridsPlace place;
    /* Of samples (grid_samples.c): how many columns there are; what chooses the first one's place; what is owed, or
     * NULL; who may get the column that is not complete yet. */
    gint n_columns;
    guint32 first_column;
    TndGridDebts *debts;
    TndGridChoice choice;
    /* Which columns are wanted; and the least numbers of columns after which the number of the turn is a little more,
     * or a little less, than before, and by how much. */
    TndTurn turn;
    gint more_columns, less_columns;
    guint32 more, less;
} Frame;

/* Bins. */

static inline guint64 tnd_grid_tree_first_bin(const Grid *grid)
{
    return grid->begin_ns >> grid->shift;
}

FOR_EACH_KIND guint32 tnd_grid_tree_bin(const Grid *grid, guint64 bin, gboolean are_codes)
{
    return are_codes ? ((const guint16 *)grid->bins)[bin] : ((const guint32 *)grid->bins)[bin];
}

FOR_EACH_KIND void tnd_grid_tree_set_bin(const Grid *grid, guint64 bin, guint32 to, gboolean are_codes)
{
    if (are_codes)
        ((guint16 *)grid->bins)[bin] = (guint16)to;
    else
        ((guint32 *)grid->bins)[bin] = to;
}

/* Keys of values. */

static inline guint32 tnd_grid_tree_key_of_float(double value)
{
    float magnitude = (float)fabs(value);
    guint32 bits;
    memcpy(&bits, &magnitude, sizeof bits);
    return bits << 1 | (value > 0);
}

static inline guint32 tnd_grid_tree_key_of(double value, gboolean are_whole)
{
    return are_whole ? (guint32)fabs(value) << 1 | (value > 0) : tnd_grid_tree_key_of_float(value);
}

static inline double tnd_grid_tree_value_of(guint32 key, gboolean are_whole)
{
    guint32 bits = key >> 1;
    float magnitude;
    memcpy(&magnitude, &bits, sizeof magnitude);
    double value = are_whole ? bits : (double)magnitude;
    return key & 1 ? value : 0.0 - value;
}

/* Ranks of columns. */

static inline guint64 tnd_grid_tree_rank_of(double value)
{
    guint64 bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits << 1 | bits >> 63) ^ 1;
}

static inline double tnd_grid_tree_value_at(guint64 rank)
{
    guint64 bits = (rank ^ 1) >> 1 | (rank ^ 1) << 63;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

FOR_EACH_KIND guint64 tnd_grid_tree_rank(const void *columns, gint column, gboolean are_codes)
{
    return are_codes ? ((const guint16 *)columns)[column] : ((const guint64 *)columns)[column];
}

FOR_EACH_KIND void tnd_grid_tree_set_rank(void *columns, gint column, guint64 rank, gboolean are_codes)
{
    if (are_codes)
        ((guint16 *)columns)[column] = (guint16)rank;
    else
        ((guint64 *)columns)[column] = rank;
}

/* Begins to write at a column; columns before it that have no rank are 0.  Returns the column's rank so far. */
FOR_EACH_KIND guint64 tnd_grid_tree_turn_to(Frame *frame, gint column, gboolean are_codes)
{
    if (column < frame->n_done)
        return tnd_grid_tree_rank(frame->columns, column, are_codes);
    for (; frame->n_done < column; frame->n_done++)
        tnd_grid_tree_set_rank(frame->columns, frame->n_done, frame->zero, are_codes);
    return 0;
}

/* Adjacent bursts of a block, and the columns in which they begin and end. */
typedef struct {
    guint n;
    gint firsts[1 + TND_ROW_BURSTS_BLOCK], lasts[TND_ROW_BURSTS_BLOCK];
    union {
        guint16 codes[TND_ROW_BURSTS_BLOCK];
        guint64 ranks[TND_ROW_BURSTS_BLOCK];
    } of;
} Stretch;

#endif
