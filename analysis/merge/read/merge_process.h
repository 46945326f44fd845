/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The image of a process, as it is made for its files and freed. The passes fill it.
 */
#ifndef TND_MERGE_PROCESS_H
#define TND_MERGE_PROCESS_H

#include "analysis/merge/base/merge_model.h"

TndMergeProcess *tnd_merge_process_new(const TndRunImage *files);
void tnd_merge_process_free(gpointer process);

/* Puts modules into the order in which they were loaded.  A file that was loaded again at the same place, with no
 * other there in between, is kept once, because a program may load and unload plugins by the hundred thousand. */
void tnd_merge_process_settle_modules(TndMergeProcess *process);

#endif
