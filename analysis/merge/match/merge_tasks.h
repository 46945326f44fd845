/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pass that finds out which tasks of OpenMP waited for which, and where they began and were complete.
 */
#ifndef TND_MERGE_TASKS_H
#define TND_MERGE_TASKS_H

#include "analysis/merge/base/merge_model.h"

/* Adds lines between tasks to the merge's messages. */
gboolean tnd_merge_tasks_run(TndMerge *merge, GError **error);

#endif
