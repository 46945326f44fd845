/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A team of threads. Rank 0 is the caller.
 */
#ifndef TND_MERGE_THREADS_H
#define TND_MERGE_THREADS_H

#include "analysis/merge/base/merge_team.h"

/* The function that each rank calls, with data of its own. */
typedef void (*TndMergeThreadsWork)(TndMergeTeam *team, gpointer data);

/* Returns when all ranks have returned from it.  data: one pointer for each of n_ranks. */
void tnd_merge_threads_run(guint n_ranks, TndMergeThreadsWork work, gpointer *data);

#endif
