/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pass that finds out which process is which task, and which slot which thread.
 */
#ifndef TND_MERGE_ROWS_H
#define TND_MERGE_ROWS_H

#include "analysis/merge/base/merge_model.h"

void tnd_merge_rows_run(TndMerge *merge);

/* The number in the trace of the first CPU of a row's node. */
guint32 tnd_merge_rows_first_cpu(const TndMerge *merge, const TndMergeRow *row);

#endif
