/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The heap in figures that hold for the whole run: for each process, and for each stack that allocates. They are kept
 * in the trace as facts (formats/fact.h); what holds at a moment is events.
 *
 * Stacks are one if all their functions and lines are the same, whatever process they were seen in. A process that
 * died without a word has the figures that it last wrote.
 */
#ifndef TND_MERGE_HEAP_H
#define TND_MERGE_HEAP_H

#include "analysis/merge/base/merge_model.h"

/* Keeps a record HEAP_SITE or HEAP of a process.  They come in the order of the process's streams. */
void tnd_merge_heap_note(TndMergeProcess *process, const struct tnd_record *record);
void tnd_merge_heap_free(TndMergeProcess *process);

/* Lines "KEY=VALUE" for the trace.  Free with g_ptr_array_unref. */
GPtrArray *tnd_merge_heap_facts(const TndMerge *merge);

#endif
