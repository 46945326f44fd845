/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ticks to time, by the lines that merge_clock.c and merge_nodes.c made.
 */
#ifndef TND_MERGE_CLOCK_H
#define TND_MERGE_CLOCK_H

#include "analysis/merge/merge_parts.h"

/* Makes a time, that of CLOCK_REALTIME until here, the trace's zero. */
void tnd_merge_clock_set_zero(TndMerge *merge, gint64 zero);

/* How long so many ticks last, in ns. */
static inline guint64 tnd_merge_clock_span(const TndMergeClock *clock, guint64 ticks)
{
    return (guint64)(((unsigned __int128)ticks * clock->rate) >> TND_MERGE_RATE_BITS);
}

/* Time of ticks, to the nearest ns; before the trace's zero is set, that of CLOCK_REALTIME. */
static inline gint64 tnd_merge_clock_absolute(const TndMergeClock *clock, guint64 ticks)
{
    gint64 distance = (gint64)(ticks - clock->first.ticks);
    __int128 half = (__int128)1 << (TND_MERGE_RATE_BITS - 1);
    if (G_LIKELY(distance >= 0)) { /* one multiplication */
        unsigned __int128 product = (unsigned __int128)(guint64)distance * clock->rate + (unsigned __int128)half;
        return clock->first_time + (gint64)(product >> TND_MERGE_RATE_BITS);
    }
    return clock->first_time + (gint64)(((__int128)distance * clock->rate + half) >> TND_MERGE_RATE_BITS);
}

/* Trace time of ticks; 0 for what is before its beginning. */
static inline guint64 tnd_merge_clock_time(const TndMergeClock *clock, guint64 ticks)
{
    gint64 time = tnd_merge_clock_absolute(clock, ticks);
    return time > 0 ? (guint64)time : 0;
}

#endif
