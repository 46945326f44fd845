/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bursts of a row of a view, walked through forwards, by itself or side by side with those of other views: from piece
 * to piece in which none changes.
 *
 * Cost: 2 to 4 ns a burst; the row is made and kept by the first walk.
 */
#ifndef TND_BURST_WALK_H
#define TND_BURST_WALK_H

#include "analysis/bursts/row_bursts.h"

typedef struct {
    const TndBurst *at; /* the burst at hand; NULL: there are no more */
    const TndBurst *last;
    const TndRowBursts *row;
    gsize next_block;
    TndBurst *bursts; /* of the block that is being walked through */
} TndBurstWalk;

/* At the first burst that ends after from_ns. */
TndBurstWalk tnd_burst_walk_start(const TndRowBursts *row, guint64 from_ns);

/* Likewise, of an array. */
static inline TndBurstWalk tnd_burst_walk_start_array(const TndBurst *bursts, gsize n)
{
    return (TndBurstWalk){.at = n ? bursts : NULL, .last = bursts + n - (n > 0)};
}

void tnd_burst_walk_end(TndBurstWalk *walk);

/* On to the next block. */
void tnd_burst_walk_on(TndBurstWalk *walk);

static inline void tnd_burst_walk_next(TndBurstWalk *walk)
{
    if (walk->at < walk->last)
        walk->at++;
    else
        tnd_burst_walk_on(walk);
}

/* A piece ended there: on, if the burst at hand did. */
static inline void tnd_burst_walk_step(TndBurstWalk *walk, guint64 until_ns)
{
    if (walk->at->end_ns == until_ns)
        tnd_burst_walk_next(walk);
}

#endif
