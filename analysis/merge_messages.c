/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sends meet receives.  A walk in time over the streams of the ranks; for every communicator, sender, receiver and tag
 * the n-th send belongs to the n-th receive, in the order in which they were begun.  For receives that is the order of
 * posting, so a receive that completes waits until those that were posted before it on its communicator have completed
 * too (or until MAX_POSTED are waiting: then those that are still open lose their place, which matters only if one of
 * them turns out to be of the same channel).
 *
 * Logical times are the begins of the calls that began the send and posted the receive, physical ones the ends of the
 * send call and of the call that completed the receive.
 *
 * Memory: the sends and receives that wait for each other at one moment of the run.  What it is not: the order of
 * writing (merge_spill.h), or the queues in which halves wait for each other (merge_match.h).
 */
#include "analysis/merge_match.h"
#include "analysis/merge_spill.h"
#include "analysis/merge_walk.h"

#define MAX_POSTED 65536

/* A receive, from its posting on. */
struct post {
    struct post *next; /* posted after it on the same communicator */
    TndMergeComm *comm;
    guint64 logical;
    TndMergeHalf *half; /* what it received */
    guint32 sender;
    enum { POSTED, COMPLETE, GONE } state;
    gboolean lost_place;
};

/* What a process's request stands for; first its handle, as its key. */
struct request {
    guint64 handle;
    struct post *active;
    enum { ONCE, PERSISTENT_RECV, PERSISTENT_SEND } kind;
    TndMergeComm *comm; /* of a persistent one, with what follows */
    gint64 size_bytes;
    guint32 partner;
    gint32 tag;
};

/* A row's place in the walk. */
struct walker {
    TndMergeReader reader;
    guint32 row;
    TndMergeCalls calls; /* data: halves that close with the call */
    const struct tnd_record *record;
    guint n_comms;
    gboolean has_begun;
};

struct matching {
    TndMerge *merge;
    TndMergeMatch *match;
    GError *error; /* the first; the walk ends */
    guint64 now_ns;
};

/* The innermost open call of the walker's row; NULL: none. */
static TndMergeFrame *innermost(const struct walker *walker)
{
    return walker->calls.n ? &walker->calls.frames[walker->calls.n - 1] : NULL;
}

static TndMergeHalf *new_half(struct matching *matching, struct walker *walker, guint64 logical, guint64 size_bytes,
                              gint32 tag, gboolean is_send)
{
    TndMergeHalf *half = tnd_merge_match_new_half();
    half->logical = logical;
    half->size_bytes = (gint64)size_bytes;
    half->tag = tag;
    half->row = walker->row;
    half->is_send = is_send;
    TndMergeFrame *call = innermost(walker);
    if (call) {
        half->next_open = call->data;
        call->data = half;
    } else { /* no call is open: it begins and ends here */
        half->physical = walker->reader.last_ns;
        half->is_closed = TRUE;
    }
    return half;
}

static guint64 call_begin(const struct walker *walker)
{
    const TndMergeFrame *call = innermost(walker);
    return call ? call->begin_ns : walker->reader.last_ns;
}

/* The member that a partner is; TND_MERGE_NO_MEMBER if the communicator does not say. */
static guint32 world_rank(const TndMergeComm *comm, guint64 partner)
{
    const GArray *group = comm ? comm->remote ? comm->remote : comm->group : NULL;
    return group && partner < group->len ? g_array_index(group, guint32, partner) : TND_MERGE_NO_MEMBER;
}

static TndMergeComm *find_comm(const struct walker *walker, guint64 handle)
{
    return g_hash_table_lookup(walker->reader.at->process->comms, &handle);
}

static void give(struct matching *matching, TndMergeHalf *half, const TndMergeComm *comm, guint32 sender,
                 guint32 receiver)
{
    half->comm = comm->id;
    half->sender = sender;
    half->receiver = receiver;
    tnd_merge_match_give(matching->match, half, matching->now_ns, &matching->error);
}

static void begin_send(struct matching *matching, struct walker *walker, TndMergeComm *comm, guint64 size_bytes,
                       guint64 partner, gint32 tag)
{
    const TndMergeProcess *process = walker->reader.at->process;
    guint32 receiver = world_rank(comm, partner);
    if (receiver == TND_MERGE_NO_MEMBER) {
        matching->merge->result->n_unmatched_sends++;
        return;
    }
    TndMergeHalf *half = new_half(matching, walker, call_begin(walker), size_bytes, tag, TRUE);
    give(matching, half, comm, process->member, receiver);
}

static void match_receive(struct matching *matching, const TndMergeProcess *process, struct post *post)
{
    give(matching, post->half, post->comm, post->sender, process->member);
    post->half = NULL;
}

/* Takes from the front of a communicator's receives those whose fate is known. */
static void drain(struct matching *matching, const TndMergeProcess *process, TndMergeComm *comm)
{
    struct post *post;
    while ((post = comm->posted) && (post->state != POSTED || comm->n_posted > MAX_POSTED)) {
        comm->posted = post->next;
        comm->n_posted--;
        if (post->state == POSTED) {
            post->lost_place = TRUE;
            continue;
        }
        if (post->state == COMPLETE)
            match_receive(matching, process, post);
        g_slice_free(struct post, post);
    }
}

static struct post *add_post(struct walker *walker, TndMergeComm *comm)
{
    struct post *post = g_slice_new0(struct post);
    post->comm = comm;
    post->logical = call_begin(walker);
    *(comm->posted ? &comm->posted_last->next : &comm->posted) = post;
    comm->posted_last = post;
    comm->n_posted++;
    return post;
}

/* The receive is over: it got what the record's status says, or nothing (GONE). */
static void end_post(struct matching *matching, struct walker *walker, struct post *post, gboolean is_complete,
                     guint64 size_bytes, guint64 partner, gint32 tag)
{
    TndMergeComm *comm = post->comm;
    post->state = GONE;
    if (is_complete) {
        post->sender = world_rank(comm, partner);
        if (post->sender == TND_MERGE_NO_MEMBER) {
            matching->merge->result->n_unmatched_receives++;
        } else {
            post->half = new_half(matching, walker, post->logical, size_bytes, tag, FALSE);
            post->state = COMPLETE;
        }
    }
    if (post->lost_place) {
        if (post->state == COMPLETE)
            match_receive(matching, walker->reader.at->process, post);
        g_slice_free(struct post, post);
    }
    drain(matching, walker->reader.at->process, comm);
}

static void on_send(struct matching *matching, struct walker *walker, const struct tnd_record *record)
{
    if (record->n_words >= 3)
        begin_send(matching, walker, find_comm(walker, record->words[0]), record->words[1], record->words[2],
                   (gint32)record->id);
}

static void on_receive(struct matching *matching, struct walker *walker, const struct tnd_record *record)
{
    if (record->n_words < 3)
        return;
    TndMergeComm *comm = find_comm(walker, record->words[0]);
    if (!comm) {
        matching->merge->result->n_unmatched_receives++;
        return;
    }
    guint32 sender = world_rank(comm, record->words[2]);
    if (comm->posted || sender == TND_MERGE_NO_MEMBER) { /* it waits for those before it, or is no good */
        end_post(matching, walker, add_post(walker, comm), TRUE, record->words[1], record->words[2],
                 (gint32)record->id);
        return;
    }
    const TndMergeProcess *process = walker->reader.at->process;
    TndMergeHalf *half = new_half(matching, walker, call_begin(walker), record->words[1], (gint32)record->id, FALSE);
    give(matching, half, comm, sender, process->member);
}

static struct request *find_request(const struct walker *walker, guint64 handle)
{
    return g_hash_table_lookup(walker->reader.at->process->requests, &handle);
}

/* The request of a handle, made or made anew; a receive that had it and never told of its end got nothing. */
static struct request *set_request(struct matching *matching, struct walker *walker, guint64 handle)
{
    GHashTable *requests = walker->reader.at->process->requests;
    struct request *request = g_hash_table_lookup(requests, &handle);
    if (!request) {
        request = g_new0(struct request, 1);
        request->handle = handle;
        g_hash_table_insert(requests, &request->handle, request);
    } else if (request->active) {
        end_post(matching, walker, request->active, FALSE, 0, 0, 0);
    }
    *request = (struct request){.handle = handle};
    return request;
}

static void forget_request(struct walker *walker, struct request *request)
{
    g_hash_table_remove(walker->reader.at->process->requests, &request->handle);
}

static void on_start(struct matching *matching, struct walker *walker, struct request *request)
{
    if (request->kind == PERSISTENT_SEND)
        begin_send(matching, walker, request->comm, (guint64)request->size_bytes, request->partner, request->tag);
    else if (request->kind == PERSISTENT_RECV && request->comm && !request->active)
        request->active = add_post(walker, request->comm);
}

static void on_post(struct matching *matching, struct walker *walker, const struct tnd_record *record)
{
    if (record->n_words < 2)
        return;
    guint64 handle = record->words[1];
    TndMergeComm *comm = find_comm(walker, record->words[0]);
    struct request *request;
    switch (record->id) {
    case TND_POST_RECV:
        request = set_request(matching, walker, handle);
        request->active = comm ? add_post(walker, comm) : NULL;
        break;
    case TND_POST_RECV_INIT:
        request = set_request(matching, walker, handle);
        request->kind = PERSISTENT_RECV;
        request->comm = comm;
        break;
    case TND_POST_SEND_INIT:
        request = set_request(matching, walker, handle);
        request->kind = PERSISTENT_SEND;
        request->comm = comm;
        request->size_bytes = record->n_words >= 4 ? (gint64)record->words[2] : 0;
        request->partner = record->n_words >= 4 ? (guint32)record->words[3] : TND_MERGE_NO_MEMBER;
        request->tag = record->n_words >= 4 ? (gint32)(record->words[3] >> 32) : 0;
        break;
    case TND_POST_START:
        request = find_request(walker, handle);
        if (request)
            on_start(matching, walker, request);
        break;
    case TND_POST_FREE:
        request = find_request(walker, handle);
        if (request && request->active)
            end_post(matching, walker, request->active, FALSE, 0, 0, 0);
        if (request)
            forget_request(walker, request);
        break;
    case TND_POST_RENAME:
        request = record->n_words >= 3 ? find_request(walker, record->words[2]) : NULL;
        if (request && request->active) {
            struct post *active = g_steal_pointer(&request->active);
            forget_request(walker, request);
            set_request(matching, walker, handle)->active = active;
        }
        break;
    }
}

static void on_done(struct matching *matching, struct walker *walker, const struct tnd_record *record)
{
    struct request *request = record->n_words >= 3 ? find_request(walker, record->words[0]) : NULL;
    if (!request || !request->active)
        return;
    struct post *post = g_steal_pointer(&request->active);
    if (request->kind == ONCE)
        forget_request(walker, request);
    end_post(matching, walker, post, record->aux != 1, record->words[1], record->words[2], (gint32)record->id);
}

static void on_record(struct matching *matching, struct walker *walker, const struct tnd_record *record)
{
    TndMergeProcess *process = walker->reader.at->process;
    switch (record->kind) {
    case TND_RECORD_SEND:
        on_send(matching, walker, record);
        break;
    case TND_RECORD_RECV:
        on_receive(matching, walker, record);
        break;
    case TND_RECORD_POST:
        on_post(matching, walker, record);
        break;
    case TND_RECORD_DONE:
        on_done(matching, walker, record);
        break;
    case TND_RECORD_COMM:
        tnd_merge_comms_follow(process, &g_array_index(process->streams, TndMergeStream, walker->reader.at->main),
                               record, &walker->n_comms);
        break;
    }
}

static void close_call(struct matching *matching, const TndMergeFrame *frame, guint64 time)
{
    for (TndMergeHalf *half = frame->data, *next; half; half = next) {
        next = half->next_open;
        tnd_merge_match_close(matching->match, half, time, &matching->error);
    }
}

static void close_all_calls(struct matching *matching, struct walker *walker, guint64 time)
{
    for (guint i = 0; i < walker->calls.n; i++)
        close_call(matching, &walker->calls.frames[i], time);
    walker->calls.n = 0;
}

/* To the next record that must wait for its turn among all rows; calls are followed on the way.  Its time, or
 * G_MAXUINT64 when the part is over. */
static guint64 advance(struct matching *matching, struct walker *walker)
{
    TndMergeFrame frame;
    while ((walker->record = tnd_merge_walk_record(&walker->reader))) {
        const struct tnd_record *record = walker->record;
        guint64 time = tnd_merge_walk_time(&walker->reader, record);
        switch (record->kind) {
        case TND_RECORD_ENTER:
            *tnd_merge_walk_push(&walker->calls) = (TndMergeFrame){.type = record->id, .begin_ns = time};
            break;
        case TND_RECORD_LEAVE:
            if (tnd_merge_walk_pop(&walker->calls, record->id, &frame))
                close_call(matching, &frame, time);
            break;
        case TND_RECORD_THREAD_END:
            close_all_calls(matching, walker, time);
            break;
        case TND_RECORD_COMM:
        case TND_RECORD_SEND:
        case TND_RECORD_RECV:
        case TND_RECORD_POST:
        case TND_RECORD_DONE:
            return time;
        }
    }
    return G_MAXUINT64;
}

/* Handles what the walker stands at and goes on.  The time of what is next. */
static guint64 step(struct matching *matching, struct walker *walker)
{
    if (!walker->reader.at) {
        if (!tnd_merge_walk_open_part(&walker->reader, &matching->error))
            return G_MAXUINT64;
        TndMergeProcess *process = walker->reader.at->process;
        if (!process->requests)
            process->requests = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
        walker->n_comms = 0;
    } else {
        on_record(matching, walker, walker->record);
    }
    guint64 time = advance(matching, walker);
    if (time != G_MAXUINT64)
        return time;
    const TndMergeProcess *process = walker->reader.at->process;
    close_all_calls(matching, walker, process->end_ns);
    guint64 n_bytes = g_array_index(process->streams, TndMergeStream, walker->reader.at->main).n_bytes;
    tnd_merge_walk_close_part(&walker->reader);
    if (!matching->error)
        tnd_merge_advance(matching->merge, n_bytes, &matching->error);
    return tnd_merge_walk_part_time(&walker->reader);
}

static gboolean has_messages(const TndMergeRow *row)
{
    for (guint i = 0; i < row->parts->len; i++) {
        const TndMergePart *part = &g_array_index(row->parts, TndMergePart, i);
        if (part->main >= 0 && part->process->has_rank &&
            g_array_index(part->process->streams, TndMergeStream, part->main).has_messages)
            return TRUE;
    }
    return FALSE;
}

static guint64 next_time(const TndMergeTree *tree)
{
    return tnd_merge_walk_winner(tree) != G_MAXUINT ? tnd_merge_walk_winner_time(tree) : G_MAXUINT64;
}

static void walk_until_full(struct matching *matching, GArray *walkers, TndMergeTree *tree)
{
    guint i;
    while (!matching->error && !tnd_merge_match_is_full(matching->match) &&
           (i = tnd_merge_walk_winner(tree)) != G_MAXUINT) {
        matching->now_ns = tnd_merge_walk_winner_time(tree);
        tnd_merge_walk_replay(tree, step(matching, &g_array_index(walkers, struct walker, i)));
    }
}

static void walk(struct matching *matching, GArray *walkers)
{
    guint64 *times = g_new(guint64, MAX(walkers->len, 1));
    for (guint i = 0; i < walkers->len; i++)
        times[i] = tnd_merge_walk_part_time(&g_array_index(walkers, struct walker, i).reader);
    TndMergeTree tree;
    if (walkers->len && tnd_merge_walk_plant(&tree, times, walkers->len, matching->merge->end_ns, &matching->error)) {
        do
            walk_until_full(matching, walkers, &tree);
        while (tnd_merge_match_turn(matching->match, next_time(&tree), &matching->error));
        tnd_merge_walk_fell(&tree);
    } else {
        while (tnd_merge_match_turn(matching->match, G_MAXUINT64, &matching->error))
            ;
    }
    g_free(times);
}

/* What is left in a process when all is read: receives that nobody saw end. */
static void release_process(struct matching *matching, TndMergeProcess *process)
{
    for (guint i = 0; i < process->streams->len; i++) {
        const GPtrArray *comms = g_array_index(process->streams, TndMergeStream, i).comms;
        for (guint j = 0; j < comms->len; j++) {
            TndMergeComm *comm = comms->pdata[j];
            while (comm->posted) { /* those that are complete are matched, in order, around those that are not */
                if (comm->posted->state == POSTED)
                    comm->posted->state = GONE;
                drain(matching, process, comm);
            }
        }
    }
    g_clear_pointer(&process->requests, g_hash_table_unref);
    g_hash_table_remove_all(process->comms);
}

/* What all ranks counted is everyone's. */
static void share_counts(TndMerge *merge)
{
    TndMergeResult *result = merge->result;
    guint64 counts[] = {result->n_messages, result->n_unmatched_sends, result->n_unmatched_receives};
    tnd_merge_team_sum(merge->team, counts, G_N_ELEMENTS(counts));
    result->n_messages = counts[0];
    result->n_unmatched_sends = counts[1];
    result->n_unmatched_receives = counts[2];
}

gboolean tnd_merge_messages_run(TndMerge *merge, GError **error)
{
    struct matching matching = {merge, tnd_merge_match_new(merge), NULL};
    GArray *walkers = g_array_new(FALSE, TRUE, sizeof(struct walker));
    for (guint i = 0; i < merge->rows->len; i++) {
        if (merge->row_ranks[i] != merge->team->rank || !has_messages(merge->rows->pdata[i]))
            continue;
        struct walker walker = {.reader = {.row = merge->rows->pdata[i]}, .row = i};
        g_array_append_val(walkers, walker);
    }
    walk(&matching, walkers);
    for (guint i = 0; i < merge->processes->len; i++)
        release_process(&matching, merge->processes->pdata[i]);
    if (!matching.error)
        tnd_merge_match_turn(matching.match, G_MAXUINT64, &matching.error);
    tnd_merge_match_end(matching.match);
    for (guint i = 0; i < walkers->len; i++) {
        struct walker *walker = &g_array_index(walkers, struct walker, i);
        tnd_merge_walk_close_part(&walker->reader);
        g_free(walker->calls.frames);
    }
    g_array_unref(walkers);
    if (!matching.error)
        tnd_merge_spill_sort(merge->messages, &matching.error);
    if (tnd_merge_team_agree(merge->team, &matching.error))
        share_counts(merge);
    if (matching.error)
        g_propagate_error(error, matching.error);
    return !matching.error;
}
