/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The events of a row's main or signal streams, one line for all that happened at one time.
 */
#ifndef TND_MERGE_EVENTS_H
#define TND_MERGE_EVENTS_H

#include "analysis/merge/write/merge_counts.h"
#include "formats/prv_write.h"

typedef struct TndMergeEvents TndMergeEvents;

/* Where a row's thread runs, as of the moment of the walk; in the trace's numbers, 0: unknown. */
typedef struct {
    guint32 first;    /* CPU of its node */
    guint32 seen;     /* when it was looked at last */
    guint32 of_state; /* all through the state that holds */
} TndMergeCpu;

/* cpu, counts: of the row, for all of its streams. */
TndMergeEvents *tnd_merge_events_new(TndMerge *merge, const TndMergeRow *row, guint which, TndMergeCpu *cpu,
                                     TndMergeCounts *counts);

/* The same of a guest's row: what it read of the node, from the trace's begin to its end. */
TndMergeEvents *tnd_merge_events_new_guest(TndMerge *merge, const TndMergeRow *row);

void tnd_merge_events_free(TndMergeEvents *events);

struct TndMergeReader *tnd_merge_events_reader(TndMergeEvents *events);

/* When the first line is due; G_MAXUINT64: never. */
guint64 tnd_merge_events_begin(TndMergeEvents *events);

/* Writes the line that is due now; when the next one is, G_MAXUINT64 if there is none or *error is set. */
guint64 tnd_merge_events_step(TndMergeEvents *events, guint64 now, struct tnd_prv_writer *writer, GError **error);

#endif
