/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times of the records are mapped; a state that takes no time in the replay is left out.
 */
#include "analysis/rewrite/rewrite_replay.h"

#include <gio/gio.h>

typedef struct {
    const TndReplay *replay;
    TndRewrite *rewrite;
} Writing;

static gboolean begin(gpointer self, TndRewrite *rewrite, GError **error)
{
    Writing *writing = self;
    (void)error;
    writing->rewrite = rewrite;
    tnd_rewrite_set_end(rewrite, tnd_replay_end_ns(writing->replay));
    tnd_rewrite_put_into_order(rewrite, tnd_replay_most_gained_ns(writing->replay));
    return TRUE;
}

static void write_state(gpointer self, guint row, struct tnd_prv_state *state)
{
    const Writing *writing = self;
    gboolean was_empty = state->end == state->begin;
    state->begin = tnd_replay_time(writing->replay, row, state->begin);
    if (state->end != UINT64_MAX)
        state->end = tnd_replay_time(writing->replay, row, state->end);
    if (was_empty || state->end > state->begin)
        tnd_rewrite_state(writing->rewrite, row, state);
}

static void write_event(gpointer self, guint row, struct tnd_prv_event *event)
{
    const Writing *writing = self;
    event->time = tnd_replay_time(writing->replay, row, event->time);
    tnd_rewrite_event(writing->rewrite, row, event);
}

static void write_message(gpointer self, guint sender, guint receiver, struct tnd_prv_message *message)
{
    const Writing *writing = self;
    message->logical_send = tnd_replay_time(writing->replay, sender, message->logical_send);
    message->physical_send = tnd_replay_time(writing->replay, sender, message->physical_send);
    message->logical_receive = tnd_replay_time(writing->replay, receiver, message->logical_receive);
    message->physical_receive = tnd_replay_time(writing->replay, receiver, message->physical_receive);
    tnd_rewrite_message(writing->rewrite, sender, receiver, message);
}

gboolean tnd_rewrite_replay_run(const TndReplay *replay, const TndRewriteOptions *options, TndRewriteResult *result,
                                GError **error)
{
    static const TndRewriteTool tool = {
        .name = "replay", .begin = begin, .state = write_state, .event = write_event, .message = write_message};
    Writing writing = {.replay = replay};
    return tnd_rewrite_run(options, &tool, &writing, result, error);
}
