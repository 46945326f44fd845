/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counters of a row: what records say they have counted so far becomes what they counted since the record before, of
 * whichever stream of the row's.  Event types and labels come from the process's definitions.
 *
 * Cost: a subtraction a counter.
 */
#ifndef TND_MERGE_COUNTERS_H
#define TND_MERGE_COUNTERS_H

#include "analysis/merge/merge_parts.h"

/* Where a row's counters are in the walk that goes on. */
typedef struct TndMergeCounts TndMergeCounts;

TndMergeCounts *tnd_merge_counters_new(void);
void tnd_merge_counters_free(TndMergeCounts *counts);

/* A thread begins: nothing has been read of it. */
void tnd_merge_counters_reset(TndMergeCounts *counts);

/* The pairs that a COUNTERS record makes at `now`: at most TND_MERGE_COUNTERS_PAIRS; returns how many. */
#define TND_MERGE_COUNTERS_PAIRS (TND_RECORD_MAX_WORDS + 1)
guint tnd_merge_counters_read(TndMergeCounts *counts, const TndMergeProcess *process, const struct tnd_record *record,
                              guint64 now, struct tnd_prv_pair *pairs);

/* Scan: notes a DEFINE of a counter. */
void tnd_merge_counters_note(TndMerge *merge, TndMergeProcess *process, const struct tnd_record *define,
                             const char *text);

/* Names: labels of the types, and of the sets. */
void tnd_merge_counters_run(TndMerge *merge);

#endif
