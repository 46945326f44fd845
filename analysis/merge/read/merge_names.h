/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pass that gives numbers to what processes name by themselves; and how long names become labels.
 */
#ifndef TND_MERGE_NAMES_H
#define TND_MERGE_NAMES_H

#include "analysis/merge/base/merge_model.h"

void tnd_merge_names_run(TndMerge *merge);

/* Stands in a long name between the name itself and what tells it from others of the same name. */
#define TND_MERGE_MORE "\n"

/* Makes labels of long names: the name itself, and where another one has the same what follows it, between the two
 * brackets. */
void tnd_merge_names_shorten(GPtrArray *names, const char *brackets);

/* The image that this one was forked from, or that became this one by exec; NULL: it is not known.  From the names
 * pass on. */
TndMergeProcess *tnd_merge_names_parent(const TndMerge *merge, const TndMergeProcess *process);

#endif
