/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A team of threads: each merges its share, rank 0 is the caller.
 */
#ifndef TND_MERGE_THREADS_H
#define TND_MERGE_THREADS_H

#include "analysis/merge/base/merge_team.h"

/* What each rank does.  Its data is its own. */
typedef void (*TndMergeThreadsWork)(TndMergeTeam *team, gpointer data);

/* Returns when all have done it; data: one for each of n_ranks. */
void tnd_merge_threads_run(guint n_ranks, TndMergeThreadsWork work, gpointer *data);

#endif
