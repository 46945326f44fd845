/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Channels in a hash table; each is a queue of halves of one kind that wait.
 */
#include "analysis/merge_match.h"
#include "analysis/merge_spill.h"

#include <string.h>

#define MAX_IDLE_CHANNELS 65536

/* Sends and receives that belong together in order; at most one of the queues is not empty. */
struct channel {
    guint32 comm, sender, receiver;
    gint32 tag;
    TndMergeHalf *first[2], *last[2]; /* [0] receives, [1] sends */
};

struct TndMergeMatch {
    TndMerge *merge;
    GHashTable *channels;
};

static guint hash_channel(gconstpointer data)
{
    const struct channel *c = data;
    guint64 mixed = ((guint64)c->comm << 32 | (guint32)c->tag) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    mixed = (mixed ^ ((guint64)c->sender << 32 | c->receiver)) * G_GUINT64_CONSTANT(0xc2b2ae3d27d4eb4f);
    return (guint)(mixed >> 32);
}

static gboolean equal_channels(gconstpointer a, gconstpointer b)
{
    return memcmp(a, b, offsetof(struct channel, first)) == 0;
}

static void free_channel(gpointer data)
{
    struct channel *channel = data;
    for (int side = 0; side < 2; side++)
        for (TndMergeHalf *half = channel->first[side], *next; half; half = next) {
            next = half->next;
            g_slice_free(TndMergeHalf, half);
        }
    g_slice_free(struct channel, channel);
}

TndMergeMatch *tnd_merge_match_new(TndMerge *merge)
{
    TndMergeMatch *match = g_new0(TndMergeMatch, 1);
    match->merge = merge;
    match->channels = g_hash_table_new_full(hash_channel, equal_channels, free_channel, NULL);
    return match;
}

void tnd_merge_match_end(TndMergeMatch *match)
{
    GHashTableIter iterator;
    gpointer key;
    g_hash_table_iter_init(&iterator, match->channels);
    while (g_hash_table_iter_next(&iterator, &key, NULL)) {
        const struct channel *channel = key;
        for (const TndMergeHalf *half = channel->first[0]; half; half = half->next)
            match->merge->result->n_unmatched_receives++;
        for (const TndMergeHalf *half = channel->first[1]; half; half = half->next)
            match->merge->result->n_unmatched_sends++;
    }
    g_hash_table_unref(match->channels);
    g_free(match);
}

TndMergeHalf *tnd_merge_match_new_half(void)
{
    return g_slice_new0(TndMergeHalf);
}

/* Both ends are known and closed: a message. */
static void finish(TndMergeMatch *match, TndMergeHalf *a, TndMergeHalf *b, GError **error)
{
    const TndMergeHalf *send = a->is_send ? a : b, *receive = a->is_send ? b : a;
    const TndMergeMessage message = {send->logical,    send->physical, receive->logical, receive->physical,
                                     send->size_bytes, send->tag,      send->row,        receive->row};
    if (!*error)
        tnd_merge_spill_add(match->merge->messages, &message, error);
    match->merge->result->n_messages++;
    g_slice_free(TndMergeHalf, a);
    g_slice_free(TndMergeHalf, b);
}

void tnd_merge_match_give(TndMergeMatch *match, TndMergeHalf *half, GError **error)
{
    struct channel key = {.comm = half->comm, .sender = half->sender, .receiver = half->receiver, .tag = half->tag};
    struct channel *channel = g_hash_table_lookup(match->channels, &key);
    if (!channel) {
        channel = g_slice_dup(struct channel, &key);
        g_hash_table_add(match->channels, channel);
    }
    TndMergeHalf *other = channel->first[!half->is_send];
    if (!other) {
        half->next = NULL;
        *(channel->first[half->is_send] ? &channel->last[half->is_send]->next : &channel->first[half->is_send]) = half;
        channel->last[half->is_send] = half;
        return;
    }
    channel->first[other->is_send] = other->next;
    if (!other->next && g_hash_table_size(match->channels) > MAX_IDLE_CHANNELS)
        g_hash_table_remove(match->channels, channel);
    half->partner = other;
    other->partner = half;
    if (half->is_closed && other->is_closed)
        finish(match, half, other, error);
}

void tnd_merge_match_close(TndMergeMatch *match, TndMergeHalf *half, guint64 time, GError **error)
{
    half->physical = time;
    half->is_closed = TRUE;
    if (half->partner && half->partner->is_closed)
        finish(match, half, half->partner, error);
}
