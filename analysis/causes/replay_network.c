/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A message takes the first bus that is free.
 */
#include "analysis/causes/replay_network.h"

#include <math.h>

const TndReplayOptions tnd_replay_ideal = {
    .has_network = TRUE, .network = {0, INFINITY}, .local = {0, INFINITY}, .eager_bytes = -1};

void tnd_replay_network_init(TndReplayNetwork *network, const TndTrace *trace, const TndReplayOptions *options)
{
    guint n_rows = tnd_trace_n_threads(trace);
    *network = (TndReplayNetwork){*options, g_new0(guint32, n_rows + 1), g_new0(guint64, options->n_buses + 1)};
    for (guint row = 1, process = 0; row < n_rows; row++) {
        const TndThread *before = tnd_trace_thread(trace, row - 1), *thread = tnd_trace_thread(trace, row);
        process += before->application != thread->application || before->task != thread->task;
        network->nodes[row] = process / MAX(options->ranks_per_node, 1);
    }
}

void tnd_replay_network_clear(TndReplayNetwork *network)
{
    g_free(network->nodes);
    g_free(network->bus_free_ns);
}

static guint64 duration_ns(const TndReplayLink *link, guint64 size_bytes)
{
    return (guint64)((double)size_bytes * 1e9 / link->bytes_per_second + 0.5);
}

guint64 tnd_replay_network_send(TndReplayNetwork *network, const TndMessageEnds *message, guint64 ready_ns,
                                guint64 *left_ns)
{
    const TndReplayOptions *options = &network->options;
    *left_ns = ready_ns;
    if (!options->has_network)
        return ready_ns;
    gboolean is_local = network->nodes[message->sender] == network->nodes[message->receiver];
    const TndReplayLink *link = is_local ? &options->local : &options->network;
    guint64 moves_ns = duration_ns(link, message->size_bytes);
    if (options->n_buses && !is_local) {
        guint64 *free_ns = network->bus_free_ns;
        for (guint i = 1; i < options->n_buses; i++)
            if (network->bus_free_ns[i] < *free_ns)
                free_ns = &network->bus_free_ns[i];
        ready_ns = MAX(ready_ns, *free_ns);
        *free_ns = ready_ns + moves_ns;
    }
    *left_ns = ready_ns + moves_ns;
    return *left_ns + link->latency_ns;
}

guint64 tnd_replay_network_collective_ns(const TndReplayNetwork *network, const TndSyncGroup *group)
{
    guint64 n_steps = 0;
    while (group->n_members > (guint64)1 << n_steps)
        n_steps++;
    if (!network->options.has_network)
        return 0;
    const TndReplayLink *link = &network->options.network;
    return n_steps * (link->latency_ns + duration_ns(link, group->size_bytes));
}
