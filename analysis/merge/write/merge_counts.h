/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counters of a row: what records say they have counted so far becomes what they counted since the record before, of
 * whichever stream of the row's.
 *
 * Cost: a subtraction a counter.
 */
#ifndef TND_MERGE_COUNTS_H
#define TND_MERGE_COUNTS_H

#include "analysis/merge/base/merge_model.h"

/* Where a row's counters are in the walk that goes on. */
typedef struct TndMergeCounts TndMergeCounts;

TndMergeCounts *tnd_merge_counts_new(void);
void tnd_merge_counts_free(TndMergeCounts *counts);

/* A thread begins: nothing has been read of it. */
void tnd_merge_counts_reset(TndMergeCounts *counts);

/* The pairs that a COUNTERS record makes at `now`: at most TND_MERGE_COUNTS_PAIRS; returns how many. */
#define TND_MERGE_COUNTS_PAIRS (TND_RECORD_MAX_WORDS + 1)
guint tnd_merge_counts_read(TndMergeCounts *counts, const TndMergeProcess *process, const struct tnd_record *record,
                            guint64 now, struct tnd_prv_pair *pairs);

#endif
