/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Run directory to trace.  A deterministic walk in bounded memory: the same streams give the same bytes.
 */
#ifndef TND_MERGE_H
#define TND_MERGE_H

#include "analysis/merge/base/merge_options.h"

/* FALSE: nothing was left behind at the output's place. */
gboolean tnd_merge_run(const TndMergeOptions *options, TndMergeResult *result, GError **error);
/* The same by a team, of which each rank calls it with the same options; a rank other than 0 has no result->output. */
struct TndMergeTeam;
gboolean tnd_merge_run_in_team(const TndMergeOptions *options, struct TndMergeTeam *team, TndMergeResult *result,
                               GError **error);

void tnd_merge_result_clear(TndMergeResult *result);

/* When records are, in the trace that a merge with these options would write, for who reads the streams: reads all of
 * them once.  What the options point to stays with the caller, and must live as long. */
typedef struct TndMergeTimes TndMergeTimes;
TndMergeTimes *tnd_merge_times_new(const TndMergeOptions *options, GError **error);
void tnd_merge_times_free(TndMergeTimes *times); /* may be NULL */
/* The clock of an image, by the path of its directory; NULL: the merge leaves it out. */
const struct TndMergeClock *tnd_merge_times_clock(const TndMergeTimes *times, const char *image_path);
/* In ns.  A record is never before one that its stream has before it: time holds that one's. */
void tnd_merge_times_step(const struct TndMergeClock *clock, guint64 ticks, guint64 *time);

#endif
