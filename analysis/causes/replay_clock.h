/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the time of a row in a replay goes with its time in the run: straight lines between knots.
 *
 * Memory: 16 bytes for each moment at which the row gains or loses time.
 */
#ifndef TND_REPLAY_CLOCK_H
#define TND_REPLAY_CLOCK_H

#include "analysis/base/large_memory.h"

typedef struct {
    guint64 run_ns, replay_ns;
} TndReplayKnot;

typedef struct {
    GPtrArray *chunks; /* of TndReplayKnot */
    gsize n;
    TndReplayKnot last;   /* the last knot, also if it is not kept */
    gint64 least_gain_ns; /* the least of the replay's time minus the run's, at most 0 */
} TndReplayClock;

void tnd_replay_clock_clear(TndReplayClock *clock);

/* Adds a knot, no earlier than the last one. */
void tnd_replay_clock_add(TndReplayClock *clock, TndLargeMemory *memory, guint64 run_ns, guint64 replay_ns);

/* The time in the replay.  Before the first knot it is that of the run; after the last one it goes on like the run. */
guint64 tnd_replay_clock_at(const TndReplayClock *clock, guint64 run_ns);

#endif
