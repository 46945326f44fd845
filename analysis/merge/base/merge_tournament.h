/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A tournament among walkers: which of them is due next, which is the one with the least time and, of equal times, the
 * least number.
 *
 * Cost: a step with 64 walkers about 15 ns (measured, tests/bench).
 */
#ifndef TND_MERGE_TOURNAMENT_H
#define TND_MERGE_TOURNAMENT_H

#include "analysis/base/assertion.h"

#include <glib.h>

/* The inner nodes of the tree: each has the key that lost there. */
typedef struct {
    guint n, n_bits; /* n_bits: of a key, those of the walker's number */
    guint64 *losers; /* losers[0] is the winner */
} TndMergeTournament;

/* times: when each of the n walkers is due; G_MAXUINT64: never.  FALSE with error if times up to end_ns and numbers
 * up to n do not fit into a key. */
gboolean tnd_merge_tournament_make(TndMergeTournament *tree, const guint64 *times, guint n, guint64 end_ns,
                                   GError **error);
void tnd_merge_tournament_clear(TndMergeTournament *tree);

/* When the winner is due. */
static inline guint64 tnd_merge_tournament_winner_time(const TndMergeTournament *tree)
{
    return tree->losers[0] >> tree->n_bits;
}

/* The walker that is due first; G_MAXUINT: none is due any more. */
static inline guint tnd_merge_tournament_winner(const TndMergeTournament *tree)
{
    return tree->losers[0] == G_MAXUINT64 ? G_MAXUINT : (guint)(tree->losers[0] & ((1u << tree->n_bits) - 1));
}

/* Says that the winner is due at `time` next, which is not before its last turn; G_MAXUINT64: never. */
static inline void tnd_merge_tournament_replay(TndMergeTournament *tree, guint64 time)
{
    guint walker = tnd_merge_tournament_winner(tree);
    tnd_assert(walker != G_MAXUINT && time >= tnd_merge_tournament_winner_time(tree));
    guint64 key = time == G_MAXUINT64 ? G_MAXUINT64 : time << tree->n_bits | walker;
    for (guint node = (tree->n + walker) / 2; node; node /= 2) {
        guint64 other = tree->losers[node];
        tree->losers[node] = key > other ? key : other;
        key = key > other ? other : key;
    }
    tree->losers[0] = key;
}

#endif
