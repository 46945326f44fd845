/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The network of a replay: how long messages and collectives take, and which messages must wait for a bus.
 *
 * Cost: a look at each bus for a message, where their number is limited.
 */
#ifndef TND_REPLAY_NETWORK_H
#define TND_REPLAY_NETWORK_H

#include "analysis/causes/replay.h"

typedef struct {
    TndReplayOptions options;
    guint32 *nodes;       /* of each row */
    guint64 *bus_free_ns; /* of each bus */
} TndReplayNetwork;

void tnd_replay_network_init(TndReplayNetwork *network, const TndTrace *trace, const TndReplayOptions *options);
void tnd_replay_network_clear(TndReplayNetwork *network);

/* A message may leave at ready_ns; calls come in the order of that time.  Returns when it arrives; *left_ns: when it
 * has left the sender. */
guint64 tnd_replay_network_send(TndReplayNetwork *network, const TndMessageEnds *message, guint64 ready_ns,
                                guint64 *left_ns);

/* How long a collective takes once all have come: a step for each doubling of the number of members. */
guint64 tnd_replay_network_collective_ns(const TndReplayNetwork *network, const TndSyncGroup *group);

#endif
