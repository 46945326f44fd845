/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Channels are in a hash table. Of several ranks, each keeps the channels whose hash is its own.
 */
#include "analysis/merge/match/merge_match.h"
#include "analysis/base/assertion.h"
#include "analysis/merge/match/merge_spill.h"

#define MAX_IDLE_CHANNELS 65536
#define BLOCK_HALVES 256 /* that are allocated at once */
#define SEEN_CHANNELS 1024

guint tnd_merge_match_limit = 8192;

/* Sends and receives that belong together in their order.  At most one of the two queues is not empty. */
struct channel {
    guint32 comm, sender, receiver;
    gint32 tag;
    TndMergeHalf *first[2], *last[2]; /* [0] receives, [1] sends */
};

struct TndMergeMatch {
    TndMerge *merge;
    GHashTable *channels;
    struct channel *seen[SEEN_CHANNELS]; /* by hash, a channel that was looked up last */
    GPtrArray *given;                    /* of several ranks: TndMergeHalf, in the order in which they were given */
    guint n_ahead;                       /* how many of them were given since the last turn, or for a time after it */
    GPtrArray *blocks;                   /* blocks of halves */
    TndMergeHalf *spare;
    GByteArray **give; /* by rank, what is on its way there */
};

/* A half as it goes from one rank to another. */
struct parcel {
    guint32 comm, sender, receiver;
    gint32 tag;
    guint64 logical, physical;
    gint64 size_bytes;
    guint32 row, is_send;
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
    const struct channel *c = a, *d = b;
    return c->comm == d->comm && c->sender == d->sender && c->receiver == d->receiver && c->tag == d->tag;
}

static void free_channel(gpointer data)
{
    g_slice_free(struct channel, data);
}

TndMergeMatch *tnd_merge_match_new(TndMerge *merge)
{
    TndMergeMatch *match = g_new0(TndMergeMatch, 1);
    match->merge = merge;
    match->channels = g_hash_table_new_full(hash_channel, equal_channels, free_channel, NULL);
    match->given = g_ptr_array_new();
    match->blocks = g_ptr_array_new_with_free_func(g_free);
    match->give = g_new(GByteArray *, merge->team->n_ranks);
    for (guint rank = 0; rank < merge->team->n_ranks; rank++)
        match->give[rank] = g_byte_array_new();
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
    g_ptr_array_unref(match->given);
    g_ptr_array_unref(match->blocks);
    for (guint rank = 0; rank < match->merge->team->n_ranks; rank++)
        g_byte_array_unref(match->give[rank]);
    g_free(match->give);
    g_free(match);
}

static void add_spares(TndMergeMatch *match)
{
    TndMergeHalf *block = g_new(TndMergeHalf, BLOCK_HALVES);
    g_ptr_array_add(match->blocks, block);
    for (guint i = 0; i < BLOCK_HALVES; i++)
        tnd_merge_match_drop_half(match, &block[i]);
}

TndMergeHalf *tnd_merge_match_new_half(TndMergeMatch *match)
{
    if (!match->spare)
        add_spares(match);
    TndMergeHalf *half = match->spare;
    match->spare = half->next;
    *half = (TndMergeHalf){0};
    return half;
}

void tnd_merge_match_drop_half(TndMergeMatch *match, TndMergeHalf *half)
{
    half->next = match->spare;
    match->spare = half;
}

/* Makes a message of two halves whose calls are over. */
static void finish(TndMergeMatch *match, TndMergeHalf *a, TndMergeHalf *b, GError **error)
{
    const TndMergeHalf *send = a->is_send ? a : b, *receive = a->is_send ? b : a;
    const TndMergeMessage message = {send->logical,    send->physical, receive->logical, receive->physical,
                                     send->size_bytes, send->tag,      send->row,        receive->row};
    match->merge->result->n_messages++;
    if (match->merge->team->n_ranks > 1)
        g_byte_array_append(match->give[match->merge->row_ranks[message.sender]], (const guint8 *)&message,
                            sizeof message);
    else if (!*error)
        tnd_merge_spill_add(match->merge->messages, &message, error);
    tnd_merge_match_drop_half(match, a);
    tnd_merge_match_drop_half(match, b);
}

static struct channel *find_channel(TndMergeMatch *match, const TndMergeHalf *half)
{
    const struct channel key = {
        .comm = half->comm, .sender = half->sender, .receiver = half->receiver, .tag = half->tag};
    struct channel **seen = &match->seen[hash_channel(&key) % SEEN_CHANNELS];
    if (*seen && equal_channels(*seen, &key))
        return *seen;
    *seen = g_hash_table_lookup(match->channels, &key);
    if (!*seen)
        g_hash_table_add(match->channels, *seen = g_slice_dup(struct channel, &key));
    return *seen;
}

static void remove_channel(TndMergeMatch *match, struct channel *channel)
{
    match->seen[hash_channel(channel) % SEEN_CHANNELS] = NULL;
    g_hash_table_remove(match->channels, channel);
}

/* Puts a half into its channel, or takes the half that it belongs to out of it. */
static void meet(TndMergeMatch *match, TndMergeHalf *half, GError **error)
{
    struct channel *channel = find_channel(match, half);
    tnd_assert(!channel->first[0] || !channel->first[1]);
    TndMergeHalf *other = channel->first[!half->is_send];
    if (!other) {
        half->next = NULL;
        *(channel->first[half->is_send] ? &channel->last[half->is_send]->next : &channel->first[half->is_send]) = half;
        channel->last[half->is_send] = half;
        return;
    }
    channel->first[other->is_send] = other->next;
    if (!other->next && g_hash_table_size(match->channels) > MAX_IDLE_CHANNELS)
        remove_channel(match, channel);
    half->partner = other;
    other->partner = half;
    if (half->is_closed && other->is_closed)
        finish(match, half, other, error);
}

void tnd_merge_match_give(TndMergeMatch *match, TndMergeHalf *half, guint64 now, GError **error)
{
    if (match->merge->team->n_ranks == 1) {
        meet(match, half, error);
        return;
    }
    tnd_assert(!match->given->len ||
               now >= ((const TndMergeHalf *)match->given->pdata[match->given->len - 1])->given_ns);
    half->given_ns = now;
    g_ptr_array_add(match->given, half);
    match->n_ahead++;
}

void tnd_merge_match_close(TndMergeMatch *match, TndMergeHalf *half, guint64 time, GError **error)
{
    half->physical = time;
    half->is_closed = TRUE;
    if (half->partner && half->partner->is_closed)
        finish(match, half, half->partner, error);
}

gboolean tnd_merge_match_is_full(const TndMergeMatch *match)
{
    return match->n_ahead >= tnd_merge_match_limit;
}

static void send_half(TndMergeMatch *match, TndMergeHalf *half)
{
    const struct channel key = {half->comm, half->sender, half->receiver, half->tag};
    const struct parcel parcel = {half->comm,     half->sender,     half->receiver, half->tag,    half->logical,
                                  half->physical, half->size_bytes, half->row,      half->is_send};
    g_byte_array_append(match->give[hash_channel(&key) % match->merge->team->n_ranks], (const guint8 *)&parcel,
                        sizeof parcel);
    tnd_merge_match_drop_half(match, half);
}

/* Sends the halves that were given up to a time to the ranks of their channels.  A half whose call goes on is kept
 * and, because of the order, so are those after it in its channel. */
static void send_given(TndMergeMatch *match, guint64 up_to)
{
    GHashTable *waiting = g_hash_table_new_full(hash_channel, equal_channels, free_channel, NULL);
    guint n_kept = 0;
    match->n_ahead = 0;
    for (guint i = 0; i < match->given->len; i++) {
        TndMergeHalf *half = match->given->pdata[i];
        struct channel key = {half->comm, half->sender, half->receiver, half->tag};
        gboolean waits = g_hash_table_size(waiting) && g_hash_table_contains(waiting, &key);
        if (half->given_ns <= up_to && half->is_closed && !waits) {
            send_half(match, half);
            continue;
        }
        match->given->pdata[n_kept++] = half;
        if (half->given_ns > up_to)
            match->n_ahead++;
        else if (!waits)
            g_hash_table_add(waiting, g_slice_dup(struct channel, &key));
    }
    g_ptr_array_set_size(match->given, (int)n_kept);
    g_hash_table_unref(waiting);
}

/* Exchanges the bytes that ranks give to each other; after that there is nothing to give. */
static void exchange(TndMergeMatch *match, GByteArray *take)
{
    TndMergeTeam *team = match->merge->team;
    gsize *begins = g_new(gsize, team->n_ranks + 1);
    team->exchange(team, match->give, take, begins);
    for (guint rank = 0; rank < team->n_ranks; rank++)
        g_byte_array_set_size(match->give[rank], 0);
    g_free(begins);
}

static void take_halves(TndMergeMatch *match, GByteArray *take, GError **error)
{
    exchange(match, take);
    const struct parcel *parcels = (const struct parcel *)(const void *)take->data;
    for (gsize i = 0; i < take->len / sizeof *parcels; i++) {
        TndMergeHalf *half = tnd_merge_match_new_half(match);
        *half = (TndMergeHalf){.comm = parcels[i].comm,
                               .sender = parcels[i].sender,
                               .receiver = parcels[i].receiver,
                               .tag = parcels[i].tag,
                               .logical = parcels[i].logical,
                               .physical = parcels[i].physical,
                               .size_bytes = parcels[i].size_bytes,
                               .row = parcels[i].row,
                               .is_send = parcels[i].is_send != 0,
                               .is_closed = TRUE};
        meet(match, half, error);
    }
}

static void take_messages(TndMergeMatch *match, GByteArray *take, GError **error)
{
    exchange(match, take);
    const TndMergeMessage *messages = (const TndMergeMessage *)(const void *)take->data;
    for (gsize i = 0; i < take->len / sizeof *messages && !*error; i++)
        tnd_merge_spill_add(match->merge->messages, &messages[i], error);
}

gboolean tnd_merge_match_turn(TndMergeMatch *match, guint64 next_ns, GError **error)
{
    TndMergeTeam *team = match->merge->team;
    if (team->n_ranks == 1 || !tnd_merge_team_agree(team, error))
        return FALSE;
    guint64 *all = g_new(guint64, team->n_ranks);
    tnd_merge_team_gather(team, &next_ns, sizeof next_ns, all);
    for (guint rank = 0; rank < team->n_ranks; rank++)
        next_ns = MIN(next_ns, all[rank]);
    g_free(all);
    send_given(match, next_ns);
    GByteArray *take = g_byte_array_new();
    take_halves(match, take, error);
    take_messages(match, take, error);
    g_byte_array_unref(take);
    return tnd_merge_team_agree(team, error) && next_ns != G_MAXUINT64;
}
