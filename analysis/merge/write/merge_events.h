/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The events of the streams of one sort of a row: one line for all that happened at one time.
 */
#ifndef TND_MERGE_EVENTS_H
#define TND_MERGE_EVENTS_H

#include "analysis/merge/write/merge_counts.h"
#include "formats/prv_write.h"

typedef struct TndMergeEvents TndMergeEvents;

/* The CPU of a row's thread at the moment of the walk, in the trace's numbers; 0: it is not known. */
typedef struct {
    guint32 first;    /* the first CPU of the row's node */
    guint32 seen;     /* on which the thread was when it looked last */
    guint32 of_state; /* on which the thread was all through the current state */
} TndMergeCpu;

/* cpu, counts: those of the row, which all of its streams share. */
TndMergeEvents *tnd_merge_events_new(TndMerge *merge, const TndMergeRow *row, guint which, TndMergeCpu *cpu,
                                     TndMergeCounts *counts);

/* The events of a guest: what it read of its node, from the trace's begin to its end. */
TndMergeEvents *tnd_merge_events_new_guest(TndMerge *merge, const TndMergeRow *row);

void tnd_merge_events_free(TndMergeEvents *events);

struct TndMergeReader *tnd_merge_events_reader(TndMergeEvents *events);

/* Returns when the first line is due; G_MAXUINT64: never. */
guint64 tnd_merge_events_begin(TndMergeEvents *events);

/* Writes the line that is due now.  Returns when the next one is due; G_MAXUINT64: never, or *error is set. */
guint64 tnd_merge_events_step(TndMergeEvents *events, guint64 now, struct tnd_prv_writer *writer, GError **error);

#endif
