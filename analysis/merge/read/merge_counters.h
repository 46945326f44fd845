/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counters that are read at records: their event types and labels, by the processes' definitions.
 */
#ifndef TND_MERGE_COUNTERS_H
#define TND_MERGE_COUNTERS_H

#include "analysis/merge/base/merge_model.h"

/* Scan: notes a DEFINE of a counter. */
void tnd_merge_counters_note(TndMerge *merge, TndMergeProcess *process, const struct tnd_record *define,
                             const char *text);

/* Names: labels of the types, and of the sets. */
void tnd_merge_counters_run(TndMerge *merge);

#endif
