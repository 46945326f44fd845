/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The merge: from a run directory to a trace. A deterministic walk in bounded memory: the same streams give the same
 * bytes.
 */
#ifndef TND_MERGE_H
#define TND_MERGE_H

#include "analysis/merge/base/merge_options.h"

/* FALSE: nothing was left behind at the output's place. */
gboolean tnd_merge_run(const TndMergeOptions *options, TndMergeResult *result, GError **error);
/* Does the same in a team, of which each rank calls this with the same options.  A rank other than 0 has no
 * result->output. */
struct TndMergeTeam;
gboolean tnd_merge_run_in_team(const TndMergeOptions *options, struct TndMergeTeam *team, TndMergeResult *result,
                               GError **error);

void tnd_merge_result_clear(TndMergeResult *result);

/* The times that records would have in the trace that a merge with these options writes.  All streams are read once
 * for that.  What the options point to stays with the caller, and must live as long. */
typedef struct TndMergeTimes TndMergeTimes;
TndMergeTimes *tnd_merge_times_new(const TndMergeOptions *options, GError **error);
void tnd_merge_times_free(TndMergeTimes *times); /* may be NULL */
/* The clock of an image, by the path of its directory; NULL: the merge leaves it out. */
const struct TndMergeClock *tnd_merge_times_clock(const TndMergeTimes *times, const char *image_path);
/* Sets *time to that of a record, in ns.  It holds that of the record before it in the stream, because a record is
 * never before that. */
void tnd_merge_times_step(const struct TndMergeClock *clock, guint64 ticks, guint64 *time);

#endif
