/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Those who merge one run together: ranks 0 to n_ranks - 1, each of which goes through the same passes with a share of
 * the streams.  How they reach each other is a table of functions: threads of one process (merge_threads.h), processes
 * of an MPI job (cli/mpi); a merge that is alone needs none.
 *
 * All ranks come to every function here, in the same order.  What a rank finds wrong it keeps until they agree on it.
 */
#ifndef TND_MERGE_TEAM_H
#define TND_MERGE_TEAM_H

#include <glib.h>

typedef struct TndMergeTeam TndMergeTeam;

struct TndMergeTeam {
    guint rank, n_ranks;
    gboolean is_one_process; /* what cannot be done by two threads at once is done by rank 0 */

    /* Gives give[r] to rank r; takes what they give to this one, rank after rank: take[begins[r]] to take[begins[r+1]].
     * What is given may be one and the same array for several. */
    void (*exchange)(TndMergeTeam *team, GByteArray *const *give, GByteArray *take, gsize *begins);

    /* One file, made by rank 0, that all write into.  Only write_at may be called by one rank without the others. */
    gboolean (*open)(TndMergeTeam *team, const char *path, GError **error);
    gboolean (*write_at)(TndMergeTeam *team, const void *bytes, gsize n_bytes, guint64 offset, GError **error);
    gboolean (*close)(TndMergeTeam *team, GError **error);
};

/* One rank without others. */
TndMergeTeam *tnd_merge_team_alone(void);

/* Gives everyone the same bytes; takes as in exchange; begins may be NULL. */
void tnd_merge_team_tell(TndMergeTeam *team, GByteArray *told, GByteArray *take, gsize *begins);

/* Gathers a value of every rank: n_ranks of them, in the order of ranks. */
void tnd_merge_team_gather(TndMergeTeam *team, gconstpointer value, gsize n_bytes, gpointer values);

/* Makes each of n values the sum of all ranks'. */
void tnd_merge_team_sum(TndMergeTeam *team, guint64 *values, guint n);

/* Makes rank 0's value everyone's. */
void tnd_merge_team_share(TndMergeTeam *team, gpointer value, gsize n_bytes);

/* FALSE if something is wrong anywhere: everyone then has the error of the first rank that has one. */
gboolean tnd_merge_team_agree(TndMergeTeam *team, GError **error);

/* Shares work: the rank that has the least so far is given n_bytes more.  loads: n_ranks, zero at first. */
guint tnd_merge_team_assign(const TndMergeTeam *team, guint64 *loads, guint64 n_bytes);

#endif
