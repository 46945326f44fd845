/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines in the order of time, out of walkers that each write their own.  A strand is a few walkers that must be stepped
 * in one order, because they share what they know; most are one row's.
 *
 * Strands write in rounds: one after another up to a moment, so that a row's records and its state stay in the cache
 * for many lines; then the pieces of text, each a turn of one walker, are sorted by their times and copied.
 *
 * Memory: 256 KB of text, or 1 KB a strand up to 16 MB; three times that in a round that turns out fuller; and two
 * thirds as much for the order.  Cost: about 9 ns a piece of text (samples of tests/bench).
 */
#ifndef TND_MERGE_STRANDS_H
#define TND_MERGE_STRANDS_H

#include "analysis/merge/write/merge_slices.h"
#include "formats/prv_write.h"

typedef struct TndMergeStrands TndMergeStrands;

/* The walkers, which write the lines.  They are numbers from 0. */
typedef struct {
    gpointer user_data;
    struct tnd_prv_writer *writer;

    /* Writes the lines that the walker has now.  Returns when it has more; G_MAXUINT64: never, or something went
     * wrong. */
    guint64 (*step)(gpointer user_data, guint walker, guint64 now);

    /* By walker: the place of the lines that it writes next among all lines of that time; not less than that of the
     * walkers before it.  step may change it. */
    const guint32 *orders;
} TndMergeWalkers;

/* Appends to a GByteArray: a sink for tnd_prv_write_open. */
bool tnd_merge_strands_text(void *text, const char *bytes, size_t size);

/* ends[i]: the walker after the last of strand i.  times: when each walker begins.  The writer is taken: from here on
 * it keeps its text (tnd_prv_write_into), and only walkers may write, in their steps.  Where its text goes afterwards
 * must be said again. */
TndMergeStrands *tnd_merge_strands_new(const TndMergeWalkers *walkers, const guint *ends, guint n, const guint64 *times,
                                       guint64 end_ns, GError **error);
void tnd_merge_strands_free(TndMergeStrands *strands);

/* When the next piece is due; TND_MERGE_NEVER: there is none. */
TndMergeDue tnd_merge_strands_due(const TndMergeStrands *strands);

/* Appends pieces to the text until it has limit_bytes or more, or there are no more pieces.  Unless marks is NULL,
 * appends a TndMergePiece to it for each. */
void tnd_merge_strands_take(TndMergeStrands *strands, GByteArray *text, GArray *marks, gsize limit_bytes);

#endif
