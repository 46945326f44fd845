/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pass that gives numbers to what processes name by themselves, and what names are made of.
 */
#ifndef TND_MERGE_NAMES_H
#define TND_MERGE_NAMES_H

#include "analysis/merge/base/merge_model.h"

void tnd_merge_names_run(TndMerge *merge);

/* In names that are longer than they need be: after a name, before what tells it from others of the same name. */
#define TND_MERGE_MORE "\n"

/* Makes labels of them: the name, and where another has the same name what follows, in the two brackets. */
void tnd_merge_names_shorten(GPtrArray *names, const char *brackets);

/* The image that this one was forked from or became by exec; NULL: unknown.  From the names pass on. */
TndMergeProcess *tnd_merge_names_parent(const TndMerge *merge, const TndMergeProcess *process);

#endif
