/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Clocks of several nodes are aligned by what ranks measured of each other's (PEER_CLOCK): offset, and drift where two
 * measurements tell more of it than their own error. The clock of one node is the reference, and every other clock is
 * reached from it by measurements, perhaps over others in between; a node that no measurement reaches keeps its
 * CLOCK_REALTIME. Lines stay lines of positive slope, so that the order within a stream is kept. A run of one node
 * costs nothing.
 */
#include "analysis/merge/read/merge_nodes.h"
#include "analysis/merge/base/merge_note.h"
#include "analysis/merge/base/merge_ticks.h"
#include "analysis/merge/read/merge_clock.h"

#include "analysis/base/quantity.h"

#include <string.h>

/* A measurement in ns: by the node's own clock before it is aligned, and by the other node's clock, which is
 * aligned. */
struct point {
    guint64 ticks;
    gint64 own_ns, other_ns;
    guint64 error_ns;
};

static gboolean are_of_one_node(const TndMergeClock *a, const TndMergeClock *b)
{
    return g_strcmp0(a->host, b->host) == 0 && g_strcmp0(a->boot, b->boot) == 0;
}

/* Finds both processes of a measurement.  FALSE: one of them was left out, or they were on the same node. */
static gboolean find_both(const TndMerge *merge, TndMergePeerClock *peer)
{
    gboolean is_there = FALSE;
    for (guint i = 0; i < merge->processes->len; i++) {
        TndMergeProcess *process = merge->processes->pdata[i];
        is_there |= process == peer->process;
        if (process->image_id == peer->other_image_id)
            peer->other = process;
    }
    return is_there && peer->other && !are_of_one_node(peer->other->clock, peer->process->clock);
}

static int compare_peers(gconstpointer a, gconstpointer b)
{
    const TndMergePeerClock *m = a, *n = b;
    gint64 m_ns = tnd_merge_ticks_absolute(m->process->clock, m->ticks);
    gint64 n_ns = tnd_merge_ticks_absolute(n->process->clock, n->ticks);
    return (m_ns > n_ns) - (m_ns < n_ns);
}

/* Finds the first and the last measurement between this node and an aligned one; returns how many of the two there
 * are. */
static guint find_points(const TndMerge *merge, const TndMergeClock *clock, struct point points[2])
{
    guint n = 0;
    for (guint i = 0; i < merge->peer_clocks->len; i++) {
        const TndMergePeerClock *peer = &g_array_index(merge->peer_clocks, TndMergePeerClock, i);
        const TndMergeClock *other = peer->other->clock;
        if (peer->process->clock != clock || !other->is_aligned)
            continue;
        points[n ? 1 : 0] = (struct point){peer->ticks, tnd_merge_ticks_absolute(clock, peer->ticks),
                                           tnd_merge_ticks_absolute(other, peer->other_ticks),
                                           tnd_merge_ticks_span(clock, peer->width_ticks) / 2 + other->error_ns};
        n = n ? 2 : 1;
    }
    return n;
}

static void align(TndMergeClock *clock, const struct point points[2], guint n)
{
    const struct point *first = &points[0], *last = &points[n - 1];
    const struct point *best = first->error_ns <= last->error_ns ? first : last;
    gint64 own_ns = last->own_ns - first->own_ns, other_ns = last->other_ns - first->other_ns;
    gint64 drift_ns = other_ns - own_ns;
    gboolean has_drift = own_ns > 0 && other_ns > 0 && last->ticks > first->ticks &&
                         (guint64)ABS(drift_ns) > first->error_ns + last->error_ns;
    clock->first_time += best->other_ns - best->own_ns;
    clock->error_ns = best->error_ns;
    if (has_drift) {
        clock->rate = (guint64)(((unsigned __int128)other_ns << TND_MERGE_RATE_BITS) / (last->ticks - first->ticks));
        clock->first.ticks = first->ticks;
        clock->first_time = first->other_ns;
        clock->error_ns = MAX(first->error_ns, last->error_ns);
    }
    clock->is_aligned = TRUE;
}

/* A node has a second clock if one of its processes reads another counter.  That clock is moved as the first one
 * was. */
static gboolean follow(const TndMerge *merge, TndMergeClock *clock)
{
    for (guint i = 0; i < merge->clocks->len; i++) {
        const TndMergeClock *other = merge->clocks->pdata[i];
        if (!other->is_aligned || !are_of_one_node(other, clock))
            continue;
        clock->first_time += other->moved_ns;
        clock->moved_ns = other->moved_ns;
        clock->error_ns = other->error_ns;
        return clock->is_aligned = TRUE;
    }
    return FALSE;
}

static gboolean align_one(const TndMerge *merge, TndMergeClock *clock)
{
    struct point points[2];
    guint n = find_points(merge, clock, points);
    if (!n)
        return follow(merge, clock);
    align(clock, points, n);
    clock->moved_ns = points[0].other_ns - points[0].own_ns;
    return TRUE;
}

static void tell(TndMerge *merge)
{
    guint n_aligned = 0;
    for (guint i = 0; i < merge->clocks->len; i++) {
        const TndMergeClock *clock = merge->clocks->pdata[i];
        n_aligned += clock->is_aligned;
        merge->clock_error_ns = MAX(merge->clock_error_ns, clock->error_ns);
        if (!clock->is_aligned)
            tnd_merge_note(merge, "%s: its clock was not compared with the others'; it is aligned by its time of day",
                           clock->host ? clock->host : "a node");
    }
    char *error = tnd_quantity_text((double)merge->clock_error_ns, "ns");
    tnd_merge_note(merge, "clocks of %u nodes aligned by messages between them, to %s at worst", n_aligned, error);
    g_free(error);
}

void tnd_merge_nodes_run(TndMerge *merge)
{
    for (guint i = 0; i < merge->peer_clocks->len; i++)
        if (!find_both(merge, &g_array_index(merge->peer_clocks, TndMergePeerClock, i)))
            g_array_remove_index(merge->peer_clocks, i--);
    if (!merge->peer_clocks->len)
        return;
    g_array_sort(merge->peer_clocks, compare_peers);
    g_array_index(merge->peer_clocks, TndMergePeerClock, 0).other->clock->is_aligned = TRUE;
    for (gboolean goes_on = TRUE; goes_on;) {
        goes_on = FALSE;
        for (guint i = 0; i < merge->clocks->len; i++) {
            TndMergeClock *clock = merge->clocks->pdata[i];
            goes_on |= !clock->is_aligned && align_one(merge, clock);
        }
    }
    tell(merge);
}
