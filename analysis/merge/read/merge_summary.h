/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The summary of a stream: what one reading of it finds out, as bytes that another rank can take in instead of reading.
 * Sums over its records, and, word for word, the records of those kinds that merge_scan.c looks at; they are few.
 */
#ifndef TND_MERGE_SUMMARY_H
#define TND_MERGE_SUMMARY_H

#include "analysis/merge/base/merge_model.h"

#include <stdbool.h>

/* The beginning of a summary. */
typedef struct {
    guint64 n_records, n_bytes, first_ticks, last_ticks, n_samples, sampled_ns, flush_ticks, n_lost, n_damaged_bytes;
    guint64 cpu_ns; /* of threads that ended */
    TndMergeThreads threads;
    guint32 last_cpu;     /* the highest number of a CPU, from 1; 0: none */
    guint64 n_kept_bytes; /* of records, which follow */
    gint32 stop_errno, open_errno;
    gboolean has_messages, has_comms, has_cancelled, has_tasks, has_persistent, is_busy; /* persistent collectives */
    gboolean is_own;
    char fault[64]; /* why it could not be read; "": it could */
} TndMergeSummary;

/* Reads the stream and appends its summary.  keeps[kind]: records of that kind are kept.  Addresses of samples and
 * callers are told to the process.  FALSE: cancelled. */
gboolean tnd_merge_summary_read(TndMerge *merge, TndMergeProcess *process, const TndRunStream *file, const bool *keeps,
                                GByteArray *summaries, GError **error);

#endif
