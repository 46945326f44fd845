/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls of MPI, and of functions of libraries, that were counted instead of recorded (TND_RECORD_COUNTED): their sums
 * over all threads of the trace, which become facts.
 */
#ifndef TND_MERGE_COUNTED_H
#define TND_MERGE_COUNTED_H

#include "analysis/merge/base/merge_model.h"

void tnd_merge_counted_new(TndMerge *merge);

/* Adds a record of that kind. */
void tnd_merge_counted_add(TndMerge *merge, const TndMergeProcess *process, const struct tnd_record *record);

/* Adds up what all ranks of the merge have. */
void tnd_merge_counted_share(TndMerge *merge);

/* Texts of facts (TND_FACT_COUNTED_CALL), by event type and value.  Free with g_ptr_array_unref. */
GPtrArray *tnd_merge_counted_facts(const TndMerge *merge);

#endif
