/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far a merge is: bytes of streams that its passes have read, weighed by what a byte costs in each pass.
 */
#ifndef TND_MERGE_PROGRESS_H
#define TND_MERGE_PROGRESS_H

#include "analysis/merge/base/merge_model.h"

/* What a byte costs in each pass, about, in units of what it costs to scan it. */
typedef enum { TND_MERGE_SCAN = 1, TND_MERGE_MATCH = 4, TND_MERGE_WRITE = 14 } TndMergePass;

/* Says that the pass has read n_bytes more.  FALSE, with error: the caller cancelled the merge. */
gboolean tnd_merge_progress_advance(TndMerge *merge, TndMergePass pass, guint64 n_bytes, GError **error);

#endif
