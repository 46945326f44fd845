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

/* What a row's counters were when they were read last. */
typedef struct TndMergeCounts TndMergeCounts;

TndMergeCounts *tnd_merge_counts_new(void);
void tnd_merge_counts_free(TndMergeCounts *counts);

/* A new thread begins, of which no counter has been read. */
void tnd_merge_counts_reset(TndMergeCounts *counts);

/* Makes the pairs of an event line of a COUNTERS record at the time `now`.  Returns how many: TND_MERGE_COUNTS_PAIRS
 * at most. */
#define TND_MERGE_COUNTS_PAIRS (TND_RECORD_MAX_WORDS + 1)
guint tnd_merge_counts_read(TndMergeCounts *counts, const TndMergeProcess *process, const struct tnd_record *record,
                            guint64 now, struct tnd_prv_pair *pairs);

#endif
