/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An event says which function runs from then on: if that is the caller of the one before, a call has ended.
 */
#include "analysis/causes/phase_functions.h"

#include "analysis/trace/walk.h"
#include "formats/event_types.h"

static const guint32 types[] = {TND_TYPE_USER_FUNCTION, TND_TYPE_PYTHON_FUNCTION, TND_TYPE_LIBRARY_FUNCTION};

typedef struct {
    GArray *calls, *open; /* open: guint, the index of each call that has not ended, the innermost last */
} Reading;

static TndPhaseFunction *open_call(const Reading *reading, guint nth_innermost)
{
    guint index = g_array_index(reading->open, guint, reading->open->len - 1 - nth_innermost);
    return &g_array_index(reading->calls, TndPhaseFunction, index);
}

/* Ends calls until n are open. */
static void end_calls(Reading *reading, guint n, guint64 time_ns)
{
    for (; reading->open->len > n; g_array_set_size(reading->open, reading->open->len - 1))
        open_call(reading, 0)->end_ns = time_ns;
}

static void see(Reading *reading, const TndEvent *event)
{
    guint n = reading->open->len;
    if (!event->value) {
        end_calls(reading, 0, event->time_ns);
    } else if (n > 1 && open_call(reading, 1)->function == event->value) {
        end_calls(reading, n - 1, event->time_ns);
    } else {
        const TndPhaseFunction call = {event->value, event->time_ns, event->time_ns, n + 1};
        g_array_append_val(reading->open, reading->calls->len);
        g_array_append_val(reading->calls, call);
    }
}

static void read_row(Reading *reading, const TndTrace *trace, guint row, guint32 type, guint most)
{
    guint64 last_ns = 0;
    TndWalk walk = tnd_walk_events(trace, row, tnd_blocks_bit(type));
    for (const TndEvent *event; reading->calls->len < most && (event = tnd_walk_next_event(&walk));)
        if (event->type == type) {
            see(reading, event);
            last_ns = event->time_ns;
        }
    tnd_walk_end(&walk);
    end_calls(reading, 0, reading->calls->len < most ? tnd_trace_end_ns(trace) : last_ns);
}

guint32 tnd_phase_functions_type(const TndTrace *trace)
{
    for (guint i = 0; i < G_N_ELEMENTS(types); i++)
        if (tnd_trace_n_events_of(trace, types[i]))
            return types[i];
    return 0;
}

GArray *tnd_phase_functions_new(const TndTrace *trace, guint32 type, guint most, guint *row)
{
    Reading reading = {g_array_new(FALSE, FALSE, sizeof(TndPhaseFunction)), g_array_new(FALSE, FALSE, sizeof(guint))};
    for (guint i = 0; i < tnd_trace_n_threads(trace) && !reading.calls->len; i++) {
        read_row(&reading, trace, i, type, most);
        *row = i;
    }
    g_array_unref(reading.open);
    return reading.calls;
}
