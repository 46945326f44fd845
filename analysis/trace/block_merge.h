/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The records of blocks that overlap in time, in order: of a row whose pieces came in another order than that of time.
 *
 * Cost: reading each block once; room for the blocks that overlap at one moment.
 */
#ifndef TND_BLOCK_MERGE_H
#define TND_BLOCK_MERGE_H

#include "analysis/trace/blocks.h"
#include "analysis/trace/trace_store.h"

/* The next record, which is there until the function returns.  It may add to the store. */
typedef void (*TndBlockMergeTake)(gpointer self, gconstpointer record);

/* Gives the records of n blocks of a kind, which are in the store, by time; at one time in the order of the blocks,
 * then of the records in them.  A block that cannot be read gives none. */
void tnd_block_merge(TndBlockKind kind, const TndBlock *blocks, gsize n, TndTraceStore *store, TndBlockMergeTake take,
                     gpointer self);

#endif
