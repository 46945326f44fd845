/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The states of a row, one after another without a gap from 0 to the trace's end.  A state is known when the next one
 * begins, and must be written at its own begin: so this walks the row's main streams ahead of the others.
 */
#ifndef TND_MERGE_STATES_H
#define TND_MERGE_STATES_H

#include "analysis/merge/base/merge_model.h"
#include "formats/prv_write.h"

typedef struct TndMergeStates TndMergeStates;

/* Its first state begins at 0. */
TndMergeStates *tnd_merge_states_new(TndMerge *merge, const TndMergeRow *row);
void tnd_merge_states_free(TndMergeStates *states);

/* The reader of the row's main streams. */
struct TndMergeReader *tnd_merge_states_reader(TndMergeStates *states);

/* Writes the next state.  *cpu: the CPU that the thread was on all through it; 0: it is not known, or was not one.
 * Returns when the state after it begins; G_MAXUINT64: there is none, or *error is set. */
guint64 tnd_merge_states_step(TndMergeStates *states, struct tnd_prv_writer *writer, guint32 *cpu, GError **error);

#endif
