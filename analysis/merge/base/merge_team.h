/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ranks that merge one run together, 0 to n_ranks - 1. Each goes through the same passes with a share of the
 * streams. How they reach each other is a table of functions: for threads of one process (merge_threads.h), for
 * processes of an MPI job (cli/mpi); a rank that is alone needs none.
 *
 * All ranks call every function here, in the same order. A rank that finds something wrong keeps its error until all
 * agree on one.
 */
#ifndef TND_MERGE_TEAM_H
#define TND_MERGE_TEAM_H

#include <glib.h>

typedef struct TndMergeTeam TndMergeTeam;

struct TndMergeTeam {
    guint rank, n_ranks;
    gboolean is_one_process; /* then work that two threads cannot do at once is done by rank 0 */

    /* Gives the bytes give[r] to rank r, and takes the bytes that all ranks give to this one: those of rank r are
     * take[begins[r]] to take[begins[r + 1]].  One array may be given to several ranks. */
    void (*exchange)(TndMergeTeam *team, GByteArray *const *give, GByteArray *take, gsize *begins);

    /* A file that rank 0 has made and all ranks write into.  Only write_at may be called by one rank without the
     * others. */
    gboolean (*open)(TndMergeTeam *team, const char *path, GError **error);
    gboolean (*write_at)(TndMergeTeam *team, const void *bytes, gsize n_bytes, guint64 offset, GError **error);
    gboolean (*close)(TndMergeTeam *team, GError **error);
};

/* A team of one rank. */
TndMergeTeam *tnd_merge_team_alone(void);

/* Gives the same bytes to every rank, and takes theirs as `exchange` does.  begins may be NULL. */
void tnd_merge_team_tell(TndMergeTeam *team, GByteArray *told, GByteArray *take, gsize *begins);

/* Gathers a value of every rank: values has n_ranks of them, in the order of ranks. */
void tnd_merge_team_gather(TndMergeTeam *team, gconstpointer value, gsize n_bytes, gpointer values);

/* Makes each of n values the sum over all ranks. */
void tnd_merge_team_sum(TndMergeTeam *team, guint64 *values, guint n);

/* Gives rank 0's value to every rank. */
void tnd_merge_team_share(TndMergeTeam *team, gpointer value, gsize n_bytes);

/* FALSE if a rank has an error.  Every rank then has the error of the first rank that had one. */
gboolean tnd_merge_team_agree(TndMergeTeam *team, GError **error);

/* Gives n_bytes of work to the rank that has the least so far, and returns that rank.  loads: of n_ranks, 0 at
 * first. */
guint tnd_merge_team_assign(const TndMergeTeam *team, guint64 *loads, guint64 n_bytes);

#endif
