/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `tandem record` and `tandem merge` have in common: a merge with its progress on the terminal, that a signal ends
 * without a trace of it, and what is said of it afterwards.
 */
#ifndef TND_MERGING_H
#define TND_MERGING_H

#include "analysis/merge/base/merge_team.h"
#include "analysis/merge/merge.h"

/* As tnd_merge_run, with progress.  SIGINT, SIGTERM and SIGHUP (unless ignored) cancel it: FALSE, with an error.  With
 * a team, as tnd_merge_run_in_team, and signals are left alone: a launcher does not wait until its ranks agree. */
gboolean tnd_merging_run(const TndMergeOptions *options, TndMergeTeam *team, TndMergeResult *result, GError **error);

/* "app.prv: 4 processes, 4 threads, 25173 records, 0 lost, ..., overhead 19.9 ms": records as the run counted them.
 * Free with g_free. */
char *tnd_merging_text(const TndMergeResult *result);

/* Deletes the run directory, unless processes in it still run.  If it is still there, that is said. */
void tnd_merging_remove(const char *run_directory);

#endif
