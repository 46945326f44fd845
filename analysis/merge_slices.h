/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text of a trace that several ranks write: each renders the lines of its own rows, in the order of time; what all
 * have rendered up to some moment is cut into slices of time of about equal length, a rank puts the pieces of a slice
 * into one order, and writes them where they belong in the file.
 *
 * Memory: a few times tnd_merge_slices_limit_bytes a rank, however long the run.  Cost: about 15 ns a line besides
 * rendering it.
 */
#ifndef TND_MERGE_SLICES_H
#define TND_MERGE_SLICES_H

#include "analysis/merge_output.h"
#include "analysis/merge_team.h"

typedef struct TndMergeSlices TndMergeSlices;

/* How much text a rank renders for a turn.  Tests make it tiny. */
extern gsize tnd_merge_slices_limit_bytes;

/* When text is due, and its place among all that is due then: the lesser comes first. */
typedef struct {
    guint64 time, order;
} TndMergeDue;

/* output: rank 0's, NULL elsewhere.  path: of the file that the team writes; NULL: rank 0 writes all into output. */
TndMergeSlices *tnd_merge_slices_new(TndMergeTeam *team, TndMergeOutput *output, const char *path, GError **error);

/* Takes text: a sink for tnd_prv_write_open. */
bool tnd_merge_slices_bytes(void *slices, const char *bytes, size_t size);

/* The next n_bytes of the text are due then. */
void tnd_merge_slices_mark(TndMergeSlices *slices, TndMergeDue due, guint64 n_bytes);

/* Forgets the text that was taken and not marked. */
void tnd_merge_slices_drop(TndMergeSlices *slices);

/* Enough is marked for a turn. */
gboolean tnd_merge_slices_is_full(const TndMergeSlices *slices);

/* All ranks come here when they are full or have no more: all that is due before `next` of every rank is written.
 * FALSE: there is nothing more anywhere, or something is wrong. */
gboolean tnd_merge_slices_turn(TndMergeSlices *slices, TndMergeDue next, GError **error);

/* Writes what rank 0 has besides, at the end, and frees.  All ranks come here. */
gboolean tnd_merge_slices_end(TndMergeSlices *slices, GError **error);

#endif
