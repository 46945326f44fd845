/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Levels of summaries, each half as long as the one below.
 */
#include "analysis/view_pyramid.h"

#include <math.h>

/* Bursts that a node of the lowest level sums up. */
#define BLOCK 16

const TndViewSummary tnd_view_pyramid_nothing = {INFINITY, -INFINITY, FALSE};

/* This and the next one without branches: values have no pattern that a processor could guess. */
static inline void add(TndViewSummary *summary, TndViewSummary other)
{
    summary->minimum = other.minimum < summary->minimum ? other.minimum : summary->minimum;
    summary->maximum = other.maximum > summary->maximum ? other.maximum : summary->maximum;
    summary->has_zero |= other.has_zero;
}

static inline void add_bursts(TndViewSummary *summary, const TndViewPyramid *pyramid, gsize from, gsize to)
{
    for (gsize i = from; i < to; i++) {
        const TndBurst *burst = &pyramid->bursts[i];
        gboolean holds = burst->end_ns > burst->begin_ns, counts = (burst->value != 0.0) & holds;
        add(summary, (TndViewSummary){counts ? burst->value : INFINITY, counts ? burst->value : -INFINITY,
                                      holds & (burst->value == 0.0)});
    }
}

TndViewPyramid *tnd_view_pyramid_new(TndBurst *bursts, gsize n_bursts)
{
    TndViewPyramid *pyramid = g_new(TndViewPyramid, 1);
    *pyramid = (TndViewPyramid){.bursts = bursts, .n_bursts = n_bursts, .n_blocks = n_bursts / BLOCK};
    pyramid->nodes = g_new(TndViewSummary, 2 * pyramid->n_blocks + 1);
    for (gsize block = 0; block < pyramid->n_blocks; block++) {
        pyramid->nodes[block] = tnd_view_pyramid_nothing;
        add_bursts(&pyramid->nodes[block], pyramid, block * BLOCK, (block + 1) * BLOCK);
    }
    TndViewSummary *below = pyramid->nodes;
    for (gsize n = pyramid->n_blocks; n > 1; n /= 2) {
        TndViewSummary *level = below + n;
        for (gsize i = 0; i < n / 2; i++) {
            level[i] = below[2 * i];
            add(&level[i], below[2 * i + 1]);
        }
        below = level;
    }
    return pyramid;
}

void tnd_view_pyramid_free(TndViewPyramid *pyramid)
{
    if (!pyramid)
        return;
    g_free(pyramid->bursts);
    g_free(pyramid->nodes);
    g_free(pyramid);
}

void tnd_view_pyramid_add(TndViewSummary *summary, TndViewSummary other)
{
    add(summary, other);
}

TndViewSummary tnd_view_pyramid_sum(const TndViewPyramid *pyramid, gsize from, gsize to)
{
    TndViewSummary summary = tnd_view_pyramid_nothing;
    gsize low = (from + BLOCK - 1) / BLOCK, high = to / BLOCK;
    if (low >= high) {
        add_bursts(&summary, pyramid, from, to);
        return summary;
    }
    add_bursts(&summary, pyramid, from, low * BLOCK);
    add_bursts(&summary, pyramid, high * BLOCK, to);
    const TndViewSummary *level = pyramid->nodes;
    for (gsize n = pyramid->n_blocks; low < high; low /= 2, high /= 2, level += n, n /= 2) {
        if (low & 1)
            add(&summary, level[low++]);
        if (high & 1)
            add(&summary, level[--high]);
    }
    return summary;
}

gsize tnd_view_pyramid_ending_after(const TndViewPyramid *pyramid, gsize from, guint64 time_ns)
{
    gsize low = from, step = 1;
    while (low + step < pyramid->n_bursts && pyramid->bursts[low + step - 1].end_ns <= time_ns) {
        low += step;
        step *= 2;
    }
    gsize high = MIN(low + step, pyramid->n_bursts);
    while (low < high) {
        gsize middle = low + (high - low) / 2;
        if (pyramid->bursts[middle].end_ns <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

gsize tnd_view_pyramid_beginning_at(const TndViewPyramid *pyramid, gsize from, guint64 time_ns)
{
    if (time_ns == 0)
        return from;
    /* It holds at time_ns - 1, or ends at time_ns. */
    gsize index = tnd_view_pyramid_ending_after(pyramid, from, time_ns - 1);
    while (index < pyramid->n_bursts && pyramid->bursts[index].begin_ns < time_ns)
        index++;
    return index;
}
