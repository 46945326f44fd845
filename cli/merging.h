/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `tandem record`, `tandem attach` and `tandem merge` share: a merge that shows its progress on the terminal and
 * that a signal cancels, leaving no files, and a summary of it.
 */
#ifndef TND_MERGING_H
#define TND_MERGING_H

#include "analysis/merge/base/merge_team.h"
#include "analysis/merge/merge.h"

/* Like tnd_merge_run, and shows progress.  SIGINT, SIGTERM and SIGHUP (unless ignored) cancel it: FALSE, with an error.
 * With a team it is like tnd_merge_run_in_team, and signals are not handled, because a launcher does not wait until its
 * ranks agree. */
gboolean tnd_merging_run(const TndMergeOptions *options, TndMergeTeam *team, TndMergeResult *result, GError **error);

/* A summary: "app.prv: 4 processes, 4 threads, 25173 records, 0 lost, ..., overhead 19.9 ms".  Records are those of the
 * run, not of the trace.  Free with g_free. */
char *tnd_merging_text(const TndMergeResult *result);

/* Makes the trace of a run that has just been recorded, and says on standard error what is in it.  FALSE: complained,
 * and the run directory is kept. */
gboolean tnd_merging_finish(const TndMergeOptions *options);

/* The name of a trace without its ending: "app.prv.gz" -> "app".  Free with g_free. */
char *tnd_merging_stem(const char *output);

/* Deletes the run directory, unless processes in it still run.  Complains if it is kept. */
void tnd_merging_remove(const char *run_directory);

#endif
