/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ticks to time, by one line for all processes of a node whose ticks are of one kind. The clock and nodes passes find
 * out which line. All arithmetic is in whole numbers, so that a trace is the same on every machine.
 */
#ifndef TND_MERGE_TICKS_H
#define TND_MERGE_TICKS_H

#include "formats/record.h"

#include <glib.h>

#define TND_MERGE_RATE_BITS 40

/* A process read three clocks at one moment. */
typedef struct {
    guint64 ticks, monotonic_ns, realtime_ns;
} TndMergeClockReading;

/* How ticks become trace time, for all processes of a node whose ticks are of one kind. */
typedef struct TndMergeClock {
    const char *host, *boot;
    enum tnd_clock kind;
    TndMergeClockReading first, last;
    guint64 rate;        /* ns per tick, with TND_MERGE_RATE_BITS binary places */
    gint64 first_time;   /* the time of `first` */
    gboolean is_aligned; /* of the nodes pass, with the next two: the clock is aligned with those of other nodes */
    guint64 error_ns;    /* by how much the alignment may be wrong */
    gint64 moved_ns;     /* by how much it moved the clock */
} TndMergeClock;

/* How long so many ticks last, in ns. */
static inline guint64 tnd_merge_ticks_span(const TndMergeClock *clock, guint64 ticks)
{
    return (guint64)(((unsigned __int128)ticks * clock->rate) >> TND_MERGE_RATE_BITS);
}

/* The time at so many ticks, to the nearest ns: before the trace's zero is set that of CLOCK_REALTIME, then trace
 * time. */
static inline gint64 tnd_merge_ticks_absolute(const TndMergeClock *clock, guint64 ticks)
{
    gint64 distance = (gint64)(ticks - clock->first.ticks);
    __int128 half = (__int128)1 << (TND_MERGE_RATE_BITS - 1);
    if (G_LIKELY(distance >= 0)) { /* one multiplication */
        unsigned __int128 product = (unsigned __int128)(guint64)distance * clock->rate + (unsigned __int128)half;
        return clock->first_time + (gint64)(product >> TND_MERGE_RATE_BITS);
    }
    return clock->first_time + (gint64)(((__int128)distance * clock->rate + half) >> TND_MERGE_RATE_BITS);
}

/* Trace time at so many ticks; 0 for moments before the trace's begin. */
static inline guint64 tnd_merge_ticks_time(const TndMergeClock *clock, guint64 ticks)
{
    gint64 time = tnd_merge_ticks_absolute(clock, ticks);
    return time > 0 ? (guint64)time : 0;
}

#endif
