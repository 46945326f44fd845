/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bursts of a row under a pyramid of summaries, so that any stretch of it is summed up in O(log n).
 *
 * Memory: 24 bytes a burst and 3 for the pyramid.
 */
#ifndef TND_VIEW_PYRAMID_H
#define TND_VIEW_PYRAMID_H

#include "analysis/view.h"

/* What a stretch of bursts comes to: the values that hold for some time.  Of those that are not 0 the extremes, +inf
 * and -inf if there is none. */
typedef struct {
    double minimum, maximum;
    gboolean has_zero;
} TndViewSummary;

typedef struct {
    TndBurst *bursts;
    gsize n_bursts;
    TndViewSummary *nodes; /* level 0, then 1, ...: a node of level k sums up a block of bursts << k */
    gsize n_blocks;        /* nodes of level 0; a level has half of the one below, rounded down */
} TndViewPyramid;

/* Takes over the bursts. */
TndViewPyramid *tnd_view_pyramid_new(TndBurst *bursts, gsize n_bursts);
void tnd_view_pyramid_free(TndViewPyramid *pyramid);

/* Of bursts [from, to). */
TndViewSummary tnd_view_pyramid_sum(const TndViewPyramid *pyramid, gsize from, gsize to);

/* Of both. */
void tnd_view_pyramid_add(TndViewSummary *summary, TndViewSummary other);

/* The first burst from `from` on that ends after time_ns, in steps that double: near ones are found fast. */
gsize tnd_view_pyramid_ending_after(const TndViewPyramid *pyramid, gsize from, guint64 time_ns);

/* The first burst from `from` on that begins at time_ns or later. */
gsize tnd_view_pyramid_beginning_at(const TndViewPyramid *pyramid, gsize from, guint64 time_ns);

extern const TndViewSummary tnd_view_pyramid_nothing;

#endif
