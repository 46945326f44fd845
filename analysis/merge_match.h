/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where halves of messages meet: of every communicator, sender, receiver and tag, the n-th send that is given belongs
 * to the n-th receive.  A pair whose calls are both over becomes a message of the merge.
 *
 * Memory: what waits for its other half.  What it is not: who knows which half comes when (merge_messages.c).
 */
#ifndef TND_MERGE_MATCH_H
#define TND_MERGE_MATCH_H

#include "analysis/merge_parts.h"

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
} TndMergeHalf;

typedef struct TndMergeMatch TndMergeMatch;

TndMergeMatch *tnd_merge_match_new(TndMerge *merge);

/* Counts what found no other half, and frees. */
void tnd_merge_match_end(TndMergeMatch *match);

TndMergeHalf *tnd_merge_match_new_half(void);

/* Takes the half, to which the giver may refer until it has closed it. */
void tnd_merge_match_give(TndMergeMatch *match, TndMergeHalf *half, GError **error);

/* Its call was over at this time. */
void tnd_merge_match_close(TndMergeMatch *match, TndMergeHalf *half, guint64 time, GError **error);

#endif
