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

/* A receive may ask for any sender, or any tag. */
#define TND_MERGE_ANY G_MAXUINT32

typedef struct TndMergeOrder TndMergeOrder;
typedef struct TndMergePost TndMergePost; /* a receive from its posting on */
typedef struct TndMergeSend TndMergeSend; /* a send that may be cancelled */

/* The function that takes a half whose turn it is. */
typedef void (*TndMergeGive)(gpointer user_data, TndMergeHalf *half);

TndMergeOrder *tnd_merge_order_new(TndMergeMatch *match, TndMergeGive give, gpointer user_data);

/* Gives all halves that are complete, in their order, as if open receives were not there; frees. */
void tnd_merge_order_end(TndMergeOrder *order);

/* A receive is posted.  logical: when it was begun; source: a rank in the communicator, or TND_MERGE_ANY. */
TndMergePost *tnd_merge_order_post(TndMergeOrder *order, guint64 logical, guint32 source, guint32 tag);
guint64 tnd_merge_order_logical(const TndMergePost *post);

/* The receive is over.  half: the message that it got, with its source and tag; NULL: it got none.  Frees the post. */
void tnd_merge_order_complete(TndMergePost *post, TndMergeHalf *half, guint32 source, guint32 tag);

/* A receive is posted and complete at once. */
void tnd_merge_order_receive(TndMergeOrder *order, TndMergeHalf *half, guint32 source, guint32 tag);

/* A send is begun.  may_cancel: it may yet be cancelled; what is returned must then be ended by
 * tnd_merge_order_end_send.  Else NULL is returned. */
TndMergeSend *tnd_merge_order_send(TndMergeOrder *order, TndMergeHalf *half, gboolean may_cancel);
void tnd_merge_order_end_send(TndMergeSend *send, gboolean is_cancelled);

#endif
