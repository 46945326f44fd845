/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each row did last, and who is to blame that it came late: for wait_states.c.
 *
 * Memory: 20 KB a row.
 */
#ifndef TND_WAIT_HISTORY_H
#define TND_WAIT_HISTORY_H

#include "analysis/causes/sync_ops.h"

/* A share of a wait's time for which a row is to blame, by what it did at a place (a number of the user's). */
typedef struct {
    guint32 row, place;
    float share; /* of all of a wait: 1 */
} TndBlame;

/* How many of those are kept of a wait that made its row late itself. */
#define TND_BLAME_KEPT 3

typedef struct TndWaitHistory TndWaitHistory;

TndWaitHistory *tnd_wait_history_new(guint n_rows);
void tnd_wait_history_free(TndWaitHistory *history);

/* Appends what a row did.  blame: of a wait, the largest shares first; n: how many; 0: it did not wait. */
void tnd_wait_history_add(TndWaitHistory *history, guint row, guint64 begin_ns, guint64 end_ns, guint32 place,
                          const TndBlame *blame, guint n);

/* Who is to blame that `row`, which had come by from_ns, waited for `cause`, which came at until_ns, when they had met
 * at met_ns.  Shares are the largest first, and add up to 1; valid until the next call. */
const TndBlame *tnd_wait_history_blame(TndWaitHistory *history, guint row, guint cause, guint64 met_ns, guint64 from_ns,
                                       guint64 until_ns, guint32 place, guint *n);

#endif
