/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads one block of bursts at a time.
 */
#include "analysis/bursts/burst_walk.h"

void tnd_burst_walk_on(TndBurstWalk *walk)
{
    walk->at = walk->last = NULL;
    if (!walk->row || walk->next_block == walk->row->n_blocks)
        return;
    walk->at = walk->bursts;
    walk->last = walk->bursts + tnd_row_bursts_read(walk->row, walk->next_block++, walk->bursts) - 1;
}

TndBurstWalk tnd_burst_walk_start(const TndRowBursts *row, guint64 from_ns)
{
    gsize n = row->n_blocks == 1 ? row->blocks[0].n
                                 : TND_ROW_BURSTS_BLOCK; /* most rows are short where there are thousands */
    TndBurstWalk walk = {.row = row, .next_block = tnd_row_bursts_block_at(row, from_ns), .bursts = g_new(TndBurst, n)};
    tnd_burst_walk_on(&walk);
    while (walk.at && walk.at->end_ns <= from_ns)
        tnd_burst_walk_next(&walk);
    return walk;
}

void tnd_burst_walk_end(TndBurstWalk *walk)
{
    g_free(walk->bursts);
    walk->bursts = NULL;
}
