/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When each row runs the functions that a replay makes faster.  A function that is instrumented (by the user, in
 * Python, of a library, of OpenMP) runs while it is among the open calls; one that was only sampled runs for the CPU
 * time that its samples stand for, before each.
 *
 * Cost: one pass over the events of each row, if there are such functions.  Memory: 24 bytes for each stretch of time.
 */
#ifndef TND_REPLAY_SPEED_H
#define TND_REPLAY_SPEED_H

#include "analysis/causes/replay.h"

/* A stretch of a row's time. */
typedef struct {
    guint64 begin_ns, end_ns;
    double factor; /* of the speed */
} TndReplaySpeedPart;

typedef struct TndReplaySpeeds TndReplaySpeeds;

/* NULL and error: a function is not in the trace. */
TndReplaySpeeds *tnd_replay_speed_new(const TndTrace *trace, const TndReplaySpeed *speeds, guint n_speeds,
                                      GError **error);
void tnd_replay_speed_free(TndReplaySpeeds *speeds);

/* The stretches of a row that are still to come. */
typedef struct {
    const TndReplaySpeedPart *parts;
    gsize n;
} TndReplaySpeedRow;

TndReplaySpeedRow tnd_replay_speed_row(const TndReplaySpeeds *speeds, guint row);

/* The next stretch, or part of one, that is in [from_ns, until_ns); times increase from call to call.  FALSE: there is
 * none. */
gboolean tnd_replay_speed_next(TndReplaySpeedRow *row, guint64 from_ns, guint64 until_ns, TndReplaySpeedPart *part);

#endif
