/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run as it would have been on another network, or with faster functions: each thread computes as long as it did, and
 * waits for what it waited for.  The result says when each moment of each row would have been.
 *
 * On the network of the run, an operation ends as long after the last thing that it waited for as it did.  On another
 * one, MPI calls that communicate take no time but that of waiting, and a message takes the latency, and its size by
 * the bandwidth; all other operations take as long as they did.  The same input always gives the same result.
 *
 * Cost: a second for two to three million operations.  Memory: 9 bytes a message, 16 a group, and 16 for each moment at
 * which a row gains or loses time (large_memory.h).
 */
#ifndef TND_REPLAY_H
#define TND_REPLAY_H

#include "analysis/causes/sync_ops.h"

typedef struct {
    guint64 latency_ns;
    double bytes_per_second; /* INFINITY: a message takes no time for its size */
} TndReplayLink;

typedef struct {
    const char *function; /* a name as the trace has it; NULL: what comes before the operations of a place is faster */
    TndSyncPlace place;
    double factor; /* 2: it takes half the time */
} TndReplaySpeed;

typedef struct {
    gboolean has_network;         /* FALSE: the network of the run; `network` and `local` are not used */
    TndReplayLink network, local; /* between nodes, and within a node */
    guint n_buses;                /* how many messages are on the network at once; 0: any number */
    guint ranks_per_node;         /* 0: each process has a node of its own */
    gint64 eager_bytes;           /* longer messages are not sent before they are received; -1: as in the run */
    const TndReplaySpeed *speeds;
    guint n_speeds;
} TndReplayOptions;

/* No latency, and a bandwidth without limit. */
extern const TndReplayOptions tnd_replay_ideal;

typedef struct TndReplay TndReplay;

/* NULL and error: the processes would wait for each other (G_IO_ERROR_WOULD_BLOCK), a function is not in the trace
 * (G_IO_ERROR_INVALID_ARGUMENT), or progress (may be NULL) cancelled it. */
TndReplay *tnd_replay_new(const TndSyncOps *ops, const TndReplayOptions *options, TndTraceProgress progress,
                          gpointer user_data, GError **error);
void tnd_replay_free(TndReplay *replay);

/* When a moment of a row would have been. */
guint64 tnd_replay_time(const TndReplay *replay, guint row, guint64 time_ns);

/* When the last row would have ended; later by what the trace has after the end of its rows. */
guint64 tnd_replay_end_ns(const TndReplay *replay);

/* By how much the earliest record comes earlier, as a negative number; or 0. */
gint64 tnd_replay_most_gained_ns(const TndReplay *replay);

#endif
