/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Here halves of messages meet: for each communicator, sender, receiver and tag, the n-th send that is given belongs
 * to the n-th receive. A pair whose calls are both over becomes a message of the merge. merge_messages.c knows which
 * half is given when.
 *
 * Where several ranks merge, halves whose calls are over are sent to the rank that keeps their channel, and messages
 * from there to the rank that has the sender's row.
 *
 * Memory: halves that wait for each other; of several ranks, tnd_merge_match_limit halves more.
 */
#ifndef TND_MERGE_MATCH_H
#define TND_MERGE_MATCH_H

#include "analysis/merge/base/merge_model.h"

typedef struct TndMergeMatch TndMergeMatch;

/* One end of a message; made by tnd_merge_match_new_half. */
typedef struct TndMergeHalf {
    guint32 comm, sender, receiver; /* set before the half is given, with the tag */
    gint32 tag;
    guint64 logical, physical; /* physical is set when the half is closed */
    gint64 size_bytes;
    guint32 row;
    gboolean is_send, is_closed;
    struct TndMergeHalf *next_open; /* for the giver: the next half of the same call */
    struct TndMergeHalf *next, *partner;
    guint64 given_ns;
} TndMergeHalf;

/* How many halves a rank gives in a turn.  Tests make it tiny. */
extern guint tnd_merge_match_limit;

TndMergeMatch *tnd_merge_match_new(TndMerge *merge);

/* Counts the halves that did not meet another one, and frees all. */
void tnd_merge_match_end(TndMergeMatch *match);

/* A half whose fields are 0.  It lives until it is dropped, until both halves of the message are closed, or until the
 * matching ends. */
TndMergeHalf *tnd_merge_match_new_half(TndMergeMatch *match);
/* Drops a half that was not given. */
void tnd_merge_match_drop_half(TndMergeMatch *match, TndMergeHalf *half);

/* Takes the half.  The giver may refer to it until it has closed it.  now: the time of the giver's walk, which never
 * falls. */
void tnd_merge_match_give(TndMergeMatch *match, TndMergeHalf *half, guint64 now, GError **error);

/* Says that the half's call was over at this time. */
void tnd_merge_match_close(TndMergeMatch *match, TndMergeHalf *half, guint64 time, GError **error);

/* Whether enough halves were given for a turn. */
gboolean tnd_merge_match_is_full(const TndMergeMatch *match);

/* All ranks call this when they are full or have no more halves.  next_ns: when this rank goes on; G_MAXUINT64:
 * never.  Halves that were given up to the earliest of these times meet.  FALSE: no rank goes on, or one has an
 * error. */
gboolean tnd_merge_match_turn(TndMergeMatch *match, guint64 next_ns, GError **error);

#endif
