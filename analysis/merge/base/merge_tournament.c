/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nodes of the tree are keys: a time and a walker's number, packed into 64 bits, so that a step is a few minima and
 * maxima without a jump that could be mispredicted.
 */
#include "analysis/merge/base/merge_tournament.h"

#include <gio/gio.h>

gboolean tnd_merge_tournament_make(TndMergeTournament *tree, const guint64 *times, guint n, guint64 end_ns,
                                   GError **error)
{
    *tree = (TndMergeTournament){.n = n};
    while (n > (guint64)1 << tree->n_bits)
        tree->n_bits++;
    if (tree->n_bits > 31 || end_ns >= G_MAXUINT64 >> tree->n_bits) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                    "%u streams over %" G_GUINT64_FORMAT " s are more than one merge can order", n,
                    end_ns / 1000000000u);
        return FALSE;
    }
    tree->losers = g_new(guint64, n);
    guint64 *winners = g_new(guint64, 2 * (gsize)n);
    for (guint i = 0; i < n; i++)
        winners[n + i] = times[i] != G_MAXUINT64 ? times[i] << tree->n_bits | i : G_MAXUINT64;
    for (guint node = n - 1; node >= 1; node--) {
        winners[node] = MIN(winners[2 * node], winners[2 * node + 1]);
        tree->losers[node] = MAX(winners[2 * node], winners[2 * node + 1]);
    }
    tree->losers[0] = winners[1];
    g_free(winners);
    return TRUE;
}

void tnd_merge_tournament_clear(TndMergeTournament *tree)
{
    g_clear_pointer(&tree->losers, g_free);
}
