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

#include "analysis/merge/base/merge_team.h"
#include "analysis/output/trace_output.h"

typedef struct TndMergeSlices TndMergeSlices;

/* How many bytes of text a rank renders for a turn.  Tests make it tiny. */
extern gsize tnd_merge_slices_limit_bytes;

/* When text is due, and its place among all text that is due then; the lesser place comes first. */
typedef struct {
    guint64 time;
    guint32 order;
} TndMergeDue;

#define TND_MERGE_NEVER ((TndMergeDue){G_MAXUINT64, G_MAXUINT32})

static inline int tnd_merge_slices_compare(TndMergeDue a, TndMergeDue b)
{
    if (a.time != b.time)
        return a.time < b.time ? -1 : 1;
    return (a.order > b.order) - (a.order < b.order);
}

static inline TndMergeDue tnd_merge_slices_sooner(TndMergeDue a, TndMergeDue b)
{
    return tnd_merge_slices_compare(a, b) <= 0 ? a : b;
}

/* A piece of a text: when it is due, and how many bytes it has.  Pieces stand one after another. */
typedef struct {
    guint64 time;
    guint32 order, n_bytes;
} TndMergePiece;

/* output: of rank 0, NULL on others.  path: of the file that the team writes; NULL: rank 0 writes everything into
 * output. */
TndMergeSlices *tnd_merge_slices_new(TndMergeTeam *team, TndTraceOutput *output, const char *path, GError **error);

/* All ranks call this when they have enough text for a turn or no more.  marks: TndMergePiece for all bytes of the
 * text.  next: before which this rank has no more text.  Text that is due before the `next` of every rank is written,
 * and removed from text and marks.  FALSE: no rank has more text, or one has an error. */
gboolean tnd_merge_slices_turn(TndMergeSlices *slices, GByteArray *text, GArray *marks, TndMergeDue next,
                               GError **error);

/* Writes the text that rank 0 has at the end, and frees.  All ranks call this. */
gboolean tnd_merge_slices_end(TndMergeSlices *slices, const GByteArray *text, GError **error);

#endif
