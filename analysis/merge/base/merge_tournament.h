/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which of many walkers is next: a tournament of their times.
 *
 * Cost: a step over 64 walkers about 15 ns (measured, tests/bench).
 */
#ifndef TND_MERGE_TOURNAMENT_H
#define TND_MERGE_TOURNAMENT_H

#include "analysis/base/assertion.h"

#include <glib.h>

/* A tournament of walkers: who has the smallest time, and of equals the smallest number. */
typedef struct {
    guint n, n_bits; /* n_bits: of a walker's number within a key */
    guint64 *losers; /* [0] is the winner */
} TndMergeTournament;

/* FALSE with error if times of up to end_ns and so many walkers do not fit into a key. */
gboolean tnd_merge_tournament_make(TndMergeTournament *tree, const guint64 *times, guint n, guint64 end_ns,
                                   GError **error);
void tnd_merge_tournament_clear(TndMergeTournament *tree);

/* When it is the winner's turn. */
static inline guint64 tnd_merge_tournament_winner_time(const TndMergeTournament *tree)
{
    return tree->losers[0] >> tree->n_bits;
}

/* The walker whose turn it is; G_MAXUINT: none. */
static inline guint tnd_merge_tournament_winner(const TndMergeTournament *tree)
{
    return tree->losers[0] == G_MAXUINT64 ? G_MAXUINT : (guint)(tree->losers[0] & ((1u << tree->n_bits) - 1));
}

/* The winner's next time, which is not before its last one, is `time`; G_MAXUINT64: it has ended. */
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
