/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bins and columns of samples, for row_grids.c.
 */
#ifndef TND_GRID_SAMPLES_H
#define TND_GRID_SAMPLES_H

#include "analysis/bursts/grid_tree.h"

/* Bins of samples: those of a grid of a block, whose n bursts have codes, or values if codes is
 * NULL; those of a grid of n grids.  They are made in their order with the debts of the row, which are to be freed with
 * g_free. */
TndGridDebts *tnd_grid_samples_begin(guint16 seed);
void tnd_grid_samples_of_block(TndGridDebts *debts, const Grid *grid, const guint64 *ends_ns, const guint16 *codes,
                               const double *values, guint n);
void tnd_grid_samples_of_grids(TndGridDebts *debts, const Grid *grid, const Grid *below, gsize n, gboolean are_codes);

/* Their columns, of which there are n: to be called first; to write n bursts of a block, whose codes or ranks are in
 * the stretch; to fill the columns that a grid covers; to be called last. */
void tnd_grid_samples_start(Frame *frame, guint n, const TndTurn *turn);
void tnd_grid_samples_put(Frame *frame, guint64 begin_ns, const guint64 *ends_ns, const Stretch *stretch);
void tnd_grid_samples_read(Frame *frame, const Grid *grid);
void tnd_grid_samples_finish(Frame *frame);

/* Of a block that has twice as many bursts as wanted columns: which burst each of them shows, so that the values of
 * others need not be known. */
typedef struct {
    guint n;
    gint columns[TND_ROW_BURSTS_BLOCK];
    guint bursts[TND_ROW_BURSTS_BLOCK];
    gint next, end; /* columns that are still to be found */
    guint burst;
    gboolean are_near; /* few bursts from one to the next */
} TndGridPicks;

/* How many ends may be read behind the last one; they are not before it. */
#define TND_GRID_PICKS_AHEAD 32

/* FALSE: there are not so many bursts, or columns have no places. */
gboolean tnd_grid_samples_start_picks(Frame *frame, guint64 begin_ns, const guint64 *ends_ns, guint n,
                                      TndGridPicks *picks);
/* The next columns; n is 0 after the last one. */
void tnd_grid_samples_pick(const Frame *frame, const guint64 *ends_ns, guint n, TndGridPicks *picks);

#endif
