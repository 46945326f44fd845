/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A forward walk through the bursts of a row, alone or in step with those of other views: from piece to piece, in which
 * none of them changes.
 *
 * Cost: 2 to 4 ns a burst.
 */
#ifndef TND_BURST_WALK_H
#define TND_BURST_WALK_H

#include "analysis/bursts/row_bursts.h"

typedef struct {
    const TndBurst *at;   /* the current burst; NULL: there are no more */
    const TndBurst *last; /* of the current block */
    const TndRowBursts *row;
    gsize next_block;
    TndBurst *bursts; /* of the current block; owned */
} TndBurstWalk;

/* Starts at the first burst that ends after from_ns. */
TndBurstWalk tnd_burst_walk_start(const TndRowBursts *row, guint64 from_ns);

/* Starts a walk through an array, which must outlive it. */
static inline TndBurstWalk tnd_burst_walk_start_array(const TndBurst *bursts, gsize n)
{
    return (TndBurstWalk){.at = n ? bursts : NULL, .last = bursts + n - (n > 0)};
}

void tnd_burst_walk_end(TndBurstWalk *walk);

/* Moves on to the next block. */
void tnd_burst_walk_on(TndBurstWalk *walk);

static inline void tnd_burst_walk_next(TndBurstWalk *walk)
{
    if (walk->at < walk->last)
        walk->at++;
    else
        tnd_burst_walk_on(walk);
}

/* A piece ends at until_ns: moves on if the current burst ends there as well. */
static inline void tnd_burst_walk_step(TndBurstWalk *walk, guint64 until_ns)
{
    if (walk->at->end_ns == until_ns)
        tnd_burst_walk_next(walk);
}

#endif
