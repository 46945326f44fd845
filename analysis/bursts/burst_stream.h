/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A stream of the bursts of a row, contiguous from 0 to the trace's end, from a producer to a consumer.
 *
 * Cost: a copy into a buffer for each burst, and a call of the consumer for each full buffer.
 */
#ifndef TND_BURST_STREAM_H
#define TND_BURST_STREAM_H

#include "analysis/base/assertion.h"

#include <glib.h>

typedef struct {
    guint64 begin_ns, end_ns;
    double value;
} TndBurst;

/* Takes the next n bursts of a row, which are valid during the call. */
typedef void (*TndBurstTake)(const TndBurst *bursts, gsize n, gpointer data);

/* How many bursts are taken at once at most; there is at least one. */
#define TND_BURST_STREAM_ROOM 256

typedef struct {
    TndBurstTake take;
    gpointer data;
    guint64 end_ns; /* of the trace */
    gboolean has_begun;
    gsize n;
    TndBurst bursts[TND_BURST_STREAM_ROOM]; /* not taken yet; the end of the last one may still change */
} TndBurstStream;

static inline void tnd_burst_stream_start(TndBurstStream *stream, guint64 end_ns, TndBurstTake taker, gpointer data)
{
    stream->take = taker;
    stream->data = data;
    stream->end_ns = end_ns;
    stream->has_begun = FALSE;
    stream->n = 0;
}

/* Appends a burst, which begins where the one before ends. */
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

/* Extends the last burst by the next one if both have the same value; FALSE: they do not. */
static inline gboolean tnd_burst_stream_extend(TndBurstStream *stream, const TndBurst *next)
{
    TndBurst *last = stream->n > 0 ? &stream->bursts[stream->n - 1] : NULL;
    gboolean is_one = last && last->value == next->value;
    if (is_one)
        last->end_ns = next->end_ns;
    return is_one;
}

/* Sets the value from time_ns on.  Times must not decrease (blocks of records where they do are refused when they are
 * read).  What begins at the trace's end, or ends at 0, is left out. */
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

/* Ends the stream: the last bursts are taken. */
static inline void tnd_burst_stream_finish(TndBurstStream *stream)
{
    if (!stream->has_begun && stream->end_ns > 0)
        tnd_burst_stream_append(stream, (TndBurst){0, stream->end_ns, 0.0});
    tnd_assert(stream->end_ns == 0 || stream->bursts[stream->n - 1].end_ns == stream->end_ns);
    if (stream->n > 0)
        stream->take(stream->bursts, stream->n, stream->data);
    stream->n = 0;
}

/* A TndBurstTake that appends the bursts to a GArray of TndBurst. */
static inline void tnd_burst_stream_keep(const TndBurst *bursts, gsize n, gpointer array)
{
    g_array_append_vals(array, bursts, (guint)n);
}

#endif
