/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An image of a process: made for its files, filled by the passes.
 */
#ifndef TND_MERGE_PROCESS_H
#define TND_MERGE_PROCESS_H

#include "analysis/merge/base/merge_model.h"

TndMergeProcess *tnd_merge_process_new(const TndRunImage *files);
void tnd_merge_process_free(gpointer process);

/* Puts its modules into the order of loading, and a file that comes back to where it was, with nothing else there in
 * between, is there once: a program may load and unload plugins by the hundred thousand. */
void tnd_merge_process_settle_modules(TndMergeProcess *process);

#endif
