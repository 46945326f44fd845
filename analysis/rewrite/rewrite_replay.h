/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes a replay as a trace: that of the run, with the times of the replay.
 *
 * Cost: that of a rewrite whose records are sorted again (rewrite.h), and a search for each time.
 */
#ifndef TND_REWRITE_REPLAY_H
#define TND_REWRITE_REPLAY_H

#include "analysis/causes/replay.h"
#include "analysis/rewrite/rewrite.h"

/* The options' path is that of the trace that was replayed, with all rows.  FALSE and error: there is no trace. */
gboolean tnd_rewrite_replay_run(const TndReplay *replay, const TndRewriteOptions *options, TndRewriteResult *result,
                                GError **error);

#endif
