/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Merges blocks that overlap in time into one order, for a row whose pieces of the file are not in the order of time.
 *
 * Cost: reading each block once; memory for the blocks that overlap at one time.
 */
#ifndef TND_BLOCK_MERGE_H
#define TND_BLOCK_MERGE_H

#include "analysis/trace/blocks.h"
#include "analysis/trace/trace_store.h"

/* Takes the next record, which is valid during the call.  May add to the store. */
typedef void (*TndBlockMergeTake)(gpointer self, gconstpointer record);

/* Calls take with the records of n blocks of a kind, whose bytes are in the store, in the order of time; those of one
 * time are in the order of the blocks, and of the records in a block.  A block that cannot be read has no records. */
void tnd_block_merge(TndBlockKind kind, const TndBlock *blocks, gsize n, TndTraceStore *store, TndBlockMergeTake take,
                     gpointer self);

#endif
