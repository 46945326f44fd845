/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bursts of a row, walked through side by side with those of other views: from piece to piece in which none changes.
 */
#ifndef TND_BURST_WALK_H
#define TND_BURST_WALK_H

#include "analysis/view.h"

/* Between bursts that are contiguous: `at` is the one at hand, over when it is `end`. */
typedef struct {
    const TndBurst *at, *end;
} TndBurstWalk;

static inline TndBurstWalk tnd_burst_walk_start(TndView *view, guint row)
{
    gsize n;
    const TndBurst *bursts = tnd_view_bursts(view, row, &n);
    return (TndBurstWalk){bursts, bursts + n};
}

/* A piece ended there: on, if the burst at hand did. */
static inline void tnd_burst_walk_step(TndBurstWalk *walk, guint64 until_ns)
{
    if (walk->at->end_ns == until_ns)
        walk->at++;
}

#endif
