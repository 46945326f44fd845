/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bursts of a row while they are made, contiguous from 0 to the trace's end, on their way to who takes them.
 *
 * Cost: a copy into a buffer a burst, a call of the taker for each full one.
 */
#ifndef TND_BURST_STREAM_H
#define TND_BURST_STREAM_H

#include "analysis/base/assertion.h"

#include <glib.h>

typedef struct {
    guint64 begin_ns, end_ns;
    double value;
} TndBurst;

/* The next n bursts of a row, which are there for the time of the call. */
typedef void (*TndBurstTake)(const TndBurst *bursts, gsize n, gpointer data);

/* Bursts that are taken at once at most; there is always one. */
#define TND_BURST_STREAM_ROOM 256

typedef struct {
    TndBurstTake take;
    gpointer data;
    guint64 end_ns; /* of the trace */
    gboolean has_begun;
    gsize n;
    TndBurst bursts[TND_BURST_STREAM_ROOM]; /* not yet taken; the last of them may still end earlier */
} TndBurstStream;

static inline void tnd_burst_stream_start(TndBurstStream *stream, guint64 end_ns, TndBurstTake taker, gpointer data)
{
    stream->take = taker;
    stream->data = data;
    stream->end_ns = end_ns;
    stream->has_begun = FALSE;
    stream->n = 0;
}

/* One more, which begins where the one before ends. */
static inline void tnd_burst_stream_append(TndBurstStream *stream, TndBurst burst)
{
    tnd_assert(burst.begin_ns <= burst.end_ns && burst.end_ns <= stream->end_ns);
    tnd_assert(stream->n > 0 ? burst.begin_ns == stream->bursts[stream->n - 1].end_ns : burst.begin_ns == 0);
    if (stream->n == TND_BURST_STREAM_ROOM) {
        stream->take(stream->bursts, stream->n, stream->data);
        stream->n = 0;
    }
    stream->bursts[stream->n++] = burst;
    stream->has_begun = TRUE;
}

/* The burst that came last lasts for the next one, too, if they have one value; FALSE: they do not. */
static inline gboolean tnd_burst_stream_extend(TndBurstStream *stream, const TndBurst *next)
{
    TndBurst *last = stream->n > 0 ? &stream->bursts[stream->n - 1] : NULL;
    gboolean is_one = last && last->value == next->value;
    if (is_one)
        last->end_ns = next->end_ns;
    return is_one;
}

/* From time_ns on, the value is this.  Times do not fall (records that do are refused where blocks are read); what
 * begins at the trace's end, or ends at 0, is not there. */
static inline void tnd_burst_stream_begin(TndBurstStream *stream, guint64 time_ns, double value)
{
    if (time_ns >= stream->end_ns)
        return;
    if (!stream->has_begun && time_ns > 0)
        tnd_burst_stream_append(stream, (TndBurst){0, time_ns, 0.0});
    if (time_ns == 0)
        stream->n = 0;
    if (stream->n > 0) {
        tnd_assert(time_ns >= stream->bursts[stream->n - 1].begin_ns);
        stream->bursts[stream->n - 1].end_ns = time_ns;
    }
    tnd_burst_stream_append(stream, (TndBurst){time_ns, stream->end_ns, value});
}

/* That was all. */
static inline void tnd_burst_stream_finish(TndBurstStream *stream)
{
    if (!stream->has_begun && stream->end_ns > 0)
        tnd_burst_stream_append(stream, (TndBurst){0, stream->end_ns, 0.0});
    tnd_assert(stream->end_ns == 0 || stream->bursts[stream->n - 1].end_ns == stream->end_ns);
    if (stream->n > 0)
        stream->take(stream->bursts, stream->n, stream->data);
    stream->n = 0;
}

/* A taker whose data is a GArray of TndBurst: they are kept there. */
static inline void tnd_burst_stream_keep(const TndBurst *bursts, gsize n, gpointer array)
{
    g_array_append_vals(array, bursts, (guint)n);
}

#endif
