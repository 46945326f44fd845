/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A knot is kept only if the row has gained or lost time since the one before it.
 */
#include "analysis/causes/replay_clock.h"

#include "analysis/base/assertion.h"

#define CHUNK 256

void tnd_replay_clock_clear(TndReplayClock *clock)
{
    g_clear_pointer(&clock->chunks, g_ptr_array_unref);
}

static TndReplayKnot *knot_at(const TndReplayClock *clock, gsize i)
{
    return (TndReplayKnot *)g_ptr_array_index(clock->chunks, i / CHUNK) + i % CHUNK;
}

static void keep(TndReplayClock *clock, TndLargeMemory *memory, TndReplayKnot knot)
{
    if (clock->n && knot_at(clock, clock->n - 1)->run_ns == knot.run_ns &&
        knot_at(clock, clock->n - 1)->replay_ns == knot.replay_ns)
        return;
    if (!clock->chunks)
        clock->chunks = g_ptr_array_new();
    if (clock->n % CHUNK == 0)
        g_ptr_array_add(clock->chunks, tnd_large_memory_take(memory, CHUNK * sizeof knot));
    *knot_at(clock, clock->n++) = knot;
}

void tnd_replay_clock_add(TndReplayClock *clock, TndLargeMemory *memory, guint64 run_ns, guint64 replay_ns)
{
    const TndReplayKnot knot = {run_ns, replay_ns};
    tnd_assert(run_ns >= clock->last.run_ns && replay_ns >= clock->last.replay_ns);
    if (run_ns - replay_ns != clock->last.run_ns - clock->last.replay_ns) {
        keep(clock, memory, clock->last);
        keep(clock, memory, knot);
    }
    clock->last = knot;
    clock->least_gain_ns = MIN(clock->least_gain_ns, (gint64)(replay_ns - run_ns));
}

guint64 tnd_replay_clock_at(const TndReplayClock *clock, guint64 run_ns)
{
    gsize low = 0, high = clock->n; /* the first knot that is later is in [low, high] */
    while (low < high) {
        gsize middle = (low + high) / 2;
        if (knot_at(clock, middle)->run_ns > run_ns)
            high = middle;
        else
            low = middle + 1;
    }
    if (low == 0)
        return run_ns;
    const TndReplayKnot *before = knot_at(clock, low - 1);
    if (low == clock->n)
        return before->replay_ns + (run_ns - before->run_ns);
    const TndReplayKnot *after = knot_at(clock, low);
    guint64 run = after->run_ns - before->run_ns, replay = after->replay_ns - before->replay_ns;
    if (run == replay)
        return before->replay_ns + (run_ns - before->run_ns);
    return before->replay_ns + (guint64)((double)(run_ns - before->run_ns) / (double)run * (double)replay);
}
