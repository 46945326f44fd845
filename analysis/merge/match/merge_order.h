/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The order of one process's sends and receives on a communicator, as matching sees it: by when they were begun, though
 * what came of them turns out later and in another order.
 *
 * A receive that is complete can be matched once none is open that was posted before it and asked for such a message:
 * the same sender and tag, or any.  A send that may yet be cancelled holds the place of those after it.
 *
 * Cost: a lookup or two for each receive; a step more for each open receive from anybody.  Memory: what is open, and
 * what waits behind it.  What it is not: where the halves meet (merge_match.h).
 */
#ifndef TND_MERGE_ORDER_H
#define TND_MERGE_ORDER_H

#include "analysis/merge/match/merge_match.h"

/* As a receive may ask. */
#define TND_MERGE_ANY G_MAXUINT32

typedef struct TndMergeOrder TndMergeOrder;
typedef struct TndMergePost TndMergePost; /* a receive from its posting on */
typedef struct TndMergeSend TndMergeSend; /* a send that may be cancelled */

/* Takes a half whose turn it is. */
typedef void (*TndMergeGive)(gpointer user_data, TndMergeHalf *half);

TndMergeOrder *tnd_merge_order_new(TndMergeMatch *match, TndMergeGive give, gpointer user_data);

/* Gives what is complete, in order, around what is not; frees. */
void tnd_merge_order_end(TndMergeOrder *order);

/* A receive is posted, begun at `logical`.  source: rank in the communicator. */
TndMergePost *tnd_merge_order_post(TndMergeOrder *order, guint64 logical, guint32 source, guint32 tag);
guint64 tnd_merge_order_logical(const TndMergePost *post);

/* It is over, and got this from there; NULL: it got nothing.  Frees the post. */
void tnd_merge_order_complete(TndMergePost *post, TndMergeHalf *half, guint32 source, guint32 tag);

/* A receive that is posted and complete. */
void tnd_merge_order_receive(TndMergeOrder *order, TndMergeHalf *half, guint32 source, guint32 tag);

/* A send; may_cancel: its fate is told later, and what is returned is to be ended; else NULL. */
TndMergeSend *tnd_merge_order_send(TndMergeOrder *order, TndMergeHalf *half, gboolean may_cancel);
void tnd_merge_order_end_send(TndMergeSend *send, gboolean is_cancelled);

#endif
