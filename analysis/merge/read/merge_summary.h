/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The summary of a stream: what is known after reading it once, as bytes that another rank can take instead of reading
 * the stream. It has sums over all records and, word for word, the records of those kinds that merge_scan.c notes,
 * which are few.
 */
#ifndef TND_MERGE_SUMMARY_H
#define TND_MERGE_SUMMARY_H

#include "analysis/merge/base/merge_model.h"

#include <stdbool.h>

/* The beginning of a summary; the records that are kept follow. */
typedef struct {
    guint64 n_records, n_bytes, first_ticks, last_ticks, n_samples, sampled_ns, flush_ns, n_lost, n_damaged_bytes;
    guint64 cpu_ns; /* CPU time of the threads that ended */
    TndMergeThreads threads;
    guint32 last_cpu;     /* the highest number of a CPU that the stream tells, from 1; 0: it tells none */
    guint64 n_kept_bytes; /* bytes of the records that follow */
    gint32 stop_errno, open_errno;
    gboolean has_messages, has_comms, has_cancelled, has_tasks, has_persistent,
        is_busy; /* persistent: collectives that are */
    gboolean is_own;
    char fault[64]; /* why the stream could not be read; "": it could be */
} TndMergeSummary;

/* Reads the stream and appends its summary.  keeps[kind]: records of that kind are kept.  The process remembers the
 * code addresses.  FALSE: the merge was cancelled. */
gboolean tnd_merge_summary_read(TndMerge *merge, TndMergeProcess *process, const TndRunStream *file, const bool *keeps,
                                GByteArray *summaries, GError **error);

#endif
