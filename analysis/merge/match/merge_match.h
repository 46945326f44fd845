/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where halves of messages meet: of every communicator, sender, receiver and tag, the n-th send that is given belongs
 * to the n-th receive.  A pair whose calls are both over becomes a message of the merge.
 *
 * Where several ranks merge, halves whose calls are over are sent to the rank that keeps their channel, and messages
 * from there to the rank that has the sender's row.
 *
 * Memory: what waits for its other half; of several ranks, tnd_merge_match_limit halves more.  What it is not: who
 * knows which half comes when (merge_messages.c).
 */
#ifndef TND_MERGE_MATCH_H
#define TND_MERGE_MATCH_H

#include "analysis/merge/base/merge_model.h"

typedef struct TndMergeMatch TndMergeMatch;

/* One end of a message; made by tnd_merge_match_new_half. */
typedef struct TndMergeHalf {
    guint32 comm, sender, receiver; /* set before it is given */
    gint32 tag;
    guint64 logical, physical; /* physical: once it is closed */
    gint64 size_bytes;
    guint32 row;
    gboolean is_send, is_closed;
    struct TndMergeHalf *next_open; /* the giver's own: of the same call */
    struct TndMergeHalf *next, *partner;
    guint64 given_ns;
} TndMergeHalf;

/* How many halves a rank gives in a turn.  Tests make it tiny. */
extern guint tnd_merge_match_limit;

TndMergeMatch *tnd_merge_match_new(TndMerge *merge);

/* Counts what found no other half, and frees. */
void tnd_merge_match_end(TndMergeMatch *match);

/* All 0.  It lives until it is dropped, has met its other half, or the matching ends. */
TndMergeHalf *tnd_merge_match_new_half(TndMergeMatch *match);
/* One that was not given. */
void tnd_merge_match_drop_half(TndMergeMatch *match, TndMergeHalf *half);

/* Takes the half, to which the giver may refer until it has closed it.  now: of the giver's walk, which never falls. */
void tnd_merge_match_give(TndMergeMatch *match, TndMergeHalf *half, guint64 now, GError **error);

/* Its call was over at this time. */
void tnd_merge_match_close(TndMergeMatch *match, TndMergeHalf *half, guint64 time, GError **error);

/* Enough was given for a turn. */
gboolean tnd_merge_match_is_full(const TndMergeMatch *match);

/* All ranks come here when they are full or have no more: halves that were given up to the earliest of the times at
 * which they go on meet.  FALSE: no rank goes on (G_MAXUINT64), or something is wrong. */
gboolean tnd_merge_match_turn(TndMergeMatch *match, guint64 next_ns, GError **error);

#endif
