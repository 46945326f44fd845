/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sends meet receives.  A walk in time over the streams of the ranks; for every communicator, sender, receiver and tag
 * the n-th send belongs to the n-th receive, in the order in which they were begun (merge_order.h).  Here requests are
 * followed, and calls.  Only the order within a process matters: one that has one row of messages goes on for a while
 * before the next one's turn, which keeps what it reads in the processor's cache.
 *
 * Logical times are the begins of the calls that began the send and posted the receive, physical ones the ends of the
 * send call and of the call that completed the receive.
 *
 * Memory: the sends and receives that wait for each other at one moment of the run.  What it is not: the order of
 * writing (merge_spill.h), or the queues in which halves wait for each other (merge_match.h).
 */
#include "analysis/merge/match/merge_messages.h"
#include "analysis/merge/base/merge_tournament.h"
#include "analysis/merge/match/merge_comms.h"
#include "analysis/merge/match/merge_order.h"
#include "analysis/merge/match/merge_spill.h"
#include "analysis/merge/read/merge_calls.h"
#include "analysis/merge/read/merge_reader.h"

#define MAX_AT_ONCE 128 /* steps of a walker in one turn */
#define MAX_AHEAD 16384 /* steps of all walkers together */

/* What a process's request stands for; first its handle, as its key. */
struct request {
    guint64 handle;
    TndMergePost *active; /* a receive that is under way */
    TndMergeSend *sent;   /* a send that may turn out to be cancelled */
    TndMergeComm *comm;   /* of an active receive or a persistent request */
    enum { ONCE, PERSISTENT_RECV, PERSISTENT_SEND } kind;
    gint64 size_bytes; /* with partner and tag: of a persistent request */
    guint32 partner;
    gint32 tag;
};

/* A walker: where a row is in the walk. */
struct walker {
    TndMergeReader reader;
    guint32 row;
    TndMergeCalls calls; /* their data are the halves that close with the call */
    const struct tnd_record *record;
    guint n_comms;
    guint n_at_once; /* steps in one turn; 1 if another row has messages of the same process */
};

struct matching {
    TndMerge *merge;
    TndMergeMatch *match;
    GError *error;  /* the first error, which ends the walk */
    guint64 now_ns; /* when the current turn began; it never falls */
};

/* The innermost open call of the walker's row; NULL: none. */
static TndMergeFrame *innermost(const struct walker *walker)
{
    return walker->calls.n ? &walker->calls.frames[walker->calls.n - 1] : NULL;
}

static TndMergeHalf *new_half(struct matching *matching, struct walker *walker, guint64 logical, guint64 size_bytes,
                              gint32 tag, gboolean is_send)
{
    TndMergeHalf *half = tnd_merge_match_new_half(matching->match);
    half->logical = logical;
    half->size_bytes = (gint64)size_bytes;
    half->tag = tag;
    half->row = walker->row;
    half->is_send = is_send;
    TndMergeFrame *call = innermost(walker);
    if (call) {
        half->next_open = call->data;
        call->data = half;
    } else { /* no call is open: the half begins and ends here */
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
static guint32 member_of(const TndMergeComm *comm, guint32 partner)
{
    const GArray *group = comm ? comm->remote ? comm->remote : comm->group : NULL;
    return group && partner < group->len ? g_array_index(group, guint32, partner) : TND_MERGE_NO_MEMBER;
}

static TndMergeComm *find_comm(const struct walker *walker, guint64 handle)
{
    return tnd_merge_comms_find(walker->reader.at->process, handle);
}

static void give(gpointer user_data, TndMergeHalf *half)
{
    struct matching *matching = user_data;
    tnd_merge_match_give(matching->match, half, matching->now_ns, &matching->error);
}

static TndMergeOrder *order_of(struct matching *matching, TndMergeComm *comm)
{
    if (!comm->order)
        comm->order = tnd_merge_order_new(matching->match, give, matching);
    return comm->order;
}

/* may_cancel: the request tells later whether the send was cancelled. */
static TndMergeSend *begin_send(struct matching *matching, struct walker *walker, TndMergeComm *comm,
                                guint64 size_bytes, guint32 partner, gint32 tag, gboolean may_cancel)
{
    const TndMergeProcess *process = walker->reader.at->process;
    guint32 receiver = member_of(comm, partner);
    if (receiver == TND_MERGE_NO_MEMBER) {
        matching->merge->result->n_unmatched_sends++;
        return NULL;
    }
    TndMergeHalf *half = new_half(matching, walker, call_begin(walker), size_bytes, tag, TRUE);
    half->comm = comm->id;
    half->sender = process->member;
    half->receiver = receiver;
    return tnd_merge_order_send(order_of(matching, comm), half, may_cancel && process->has_cancelled);
}

static TndMergeHalf *new_receive(struct matching *matching, struct walker *walker, const TndMergeComm *comm,
                                 guint64 logical, const struct tnd_record *record)
{
    const TndMergeProcess *process = walker->reader.at->process;
    guint32 sender = comm ? member_of(comm, (guint32)record->words[2]) : TND_MERGE_NO_MEMBER;
    if (sender == TND_MERGE_NO_MEMBER) {
        matching->merge->result->n_unmatched_receives++;
        return NULL;
    }
    TndMergeHalf *half = new_half(matching, walker, logical, record->words[1], (gint32)record->id, FALSE);
    half->comm = comm->id;
    half->sender = sender;
    half->receiver = process->member;
    return half;
}

static struct request *find_request(const struct walker *walker, guint64 handle)
{
    return g_hash_table_lookup(walker->reader.at->process->requests, &handle);
}

/* Ends a request of which no record says how it ended: its receive got nothing, its send was not cancelled. */
static void end_request(struct request *request)
{
    if (request->active)
        tnd_merge_order_complete(g_steal_pointer(&request->active), NULL, 0, 0);
    if (request->sent)
        tnd_merge_order_end_send(g_steal_pointer(&request->sent), FALSE);
}

/* Makes a new request for a handle, which ends the one before. */
static struct request *set_request(struct walker *walker, guint64 handle)
{
    GHashTable *requests = walker->reader.at->process->requests;
    struct request *request = g_hash_table_lookup(requests, &handle);
    if (!request) {
        request = g_new0(struct request, 1);
        request->handle = handle;
        g_hash_table_insert(requests, &request->handle, request);
    }
    end_request(request);
    *request = (struct request){.handle = handle};
    return request;
}

static void forget_request(struct walker *walker, struct request *request)
{
    g_hash_table_remove(walker->reader.at->process->requests, &request->handle);
}

static void on_send(struct matching *matching, struct walker *walker, const struct tnd_record *record)
{
    if (record->n_words < 3)
        return;
    gboolean may_cancel = record->aux == 1 && record->n_words >= 4;
    TndMergeSend *sent = begin_send(matching, walker, find_comm(walker, record->words[0]), record->words[1],
                                    (guint32)record->words[2], (gint32)record->id, may_cancel);
    if (sent)
        set_request(walker, record->words[3])->sent = sent;
}

static void on_receive(struct matching *matching, struct walker *walker, const struct tnd_record *record)
{
    if (record->n_words < 3)
        return;
    TndMergeComm *comm = find_comm(walker, record->words[0]);
    TndMergeHalf *half = new_receive(matching, walker, comm, call_begin(walker), record);
    if (half)
        tnd_merge_order_receive(order_of(matching, comm), half, (guint32)record->words[2], record->id);
}

/* Begins a receive that asks for messages of this source and tag. */
static void post_receive(struct matching *matching, struct walker *walker, struct request *request, TndMergeComm *comm,
                         guint32 source, guint32 tag)
{
    request->comm = comm;
    request->active = tnd_merge_order_post(order_of(matching, comm), call_begin(walker), source, tag);
}

static void on_start(struct matching *matching, struct walker *walker, struct request *request)
{
    end_request(request);
    if (request->kind == PERSISTENT_SEND)
        request->sent = begin_send(matching, walker, request->comm, (guint64)request->size_bytes, request->partner,
                                   request->tag, TRUE);
    else if (request->kind == PERSISTENT_RECV && request->comm)
        post_receive(matching, walker, request, request->comm, request->partner, (guint32)request->tag);
}

/* The word of a POST that says partner and tag; if the record has none, it asks for anything. */
static guint64 asked(const struct tnd_record *record)
{
    unsigned at = record->id == TND_POST_SEND_INIT ? 3 : 2;
    return record->n_words > at ? record->words[at] : tnd_record_pair(TND_MERGE_ANY, TND_MERGE_ANY);
}

static void make_persistent(struct walker *walker, const struct tnd_record *record, TndMergeComm *comm)
{
    struct request *request = set_request(walker, record->words[1]);
    request->kind = record->id == TND_POST_SEND_INIT ? PERSISTENT_SEND : PERSISTENT_RECV;
    request->comm = comm;
    request->size_bytes = request->kind == PERSISTENT_SEND && record->n_words > 2 ? (gint64)record->words[2] : 0;
    request->partner = (guint32)asked(record);
    request->tag = (gint32)(asked(record) >> 32);
}

static void rename_request(struct walker *walker, guint64 from, guint64 to)
{
    struct request *request = find_request(walker, from);
    if (!request || !request->active)
        return;
    TndMergePost *active = g_steal_pointer(&request->active);
    TndMergeComm *comm = request->comm;
    forget_request(walker, request);
    request = set_request(walker, to);
    request->active = active;
    request->comm = comm;
}

static void on_post(struct matching *matching, struct walker *walker, const struct tnd_record *record)
{
    if (record->n_words < 2)
        return;
    TndMergeComm *comm = find_comm(walker, record->words[0]);
    struct request *request = find_request(walker, record->words[1]);
    switch (record->id) {
    case TND_POST_RECV:
        request = set_request(walker, record->words[1]);
        if (comm)
            post_receive(matching, walker, request, comm, (guint32)asked(record), (guint32)(asked(record) >> 32));
        break;
    case TND_POST_RECV_INIT:
    case TND_POST_SEND_INIT:
        make_persistent(walker, record, comm);
        break;
    case TND_POST_START:
        if (request)
            on_start(matching, walker, request);
        break;
    case TND_POST_FREE:
        if (request) {
            end_request(request);
            forget_request(walker, request);
        }
        break;
    case TND_POST_RENAME:
        if (record->n_words >= 3)
            rename_request(walker, record->words[2], record->words[1]);
        break;
    }
}

static void on_done(struct matching *matching, struct walker *walker, const struct tnd_record *record)
{
    struct request *request = record->n_words >= 3 ? find_request(walker, record->words[0]) : NULL;
    if (!request || (!request->active && !request->sent))
        return;
    TndMergePost *post = g_steal_pointer(&request->active);
    TndMergeSend *sent = g_steal_pointer(&request->sent);
    TndMergeComm *comm = request->comm;
    if (request->kind == ONCE)
        forget_request(walker, request);
    if (sent)
        tnd_merge_order_end_send(sent, record->aux == 1);
    if (!post)
        return;
    TndMergeHalf *half =
        record->aux == 1 ? NULL : new_receive(matching, walker, comm, tnd_merge_order_logical(post), record);
    tnd_merge_order_complete(post, half, (guint32)record->words[2], record->id);
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
        tnd_merge_comms_follow(
            process, &g_array_index(process->streams, TndMergeStream, walker->reader.at->streams[TND_MERGE_MAIN]),
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

/* Goes on to the next record that must wait for its turn among all rows, and follows calls on the way.  Returns the
 * record's time, or G_MAXUINT64 when the part is over. */
static guint64 advance(struct matching *matching, struct walker *walker)
{
    TndMergeFrame frame;
    while ((walker->record = tnd_merge_reader_record(&walker->reader))) {
        const struct tnd_record *record = walker->record;
        guint64 time = tnd_merge_reader_time(&walker->reader, record);
        switch (record->kind) {
        case TND_RECORD_ENTER:
            *tnd_merge_calls_push(&walker->calls) = (TndMergeFrame){.type = record->id, .begin_ns = time};
            break;
        case TND_RECORD_LEAVE:
            if (tnd_merge_calls_pop(&walker->calls, record->id, &frame))
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

/* Handles the record that the walker stands at and goes on.  Returns the time of the next one. */
static guint64 step(struct matching *matching, struct walker *walker)
{
    if (!walker->reader.at) {
        if (!tnd_merge_reader_open_part(&walker->reader, &matching->error))
            return G_MAXUINT64;
        TndMergeProcess *process = walker->reader.at->process;
        if (!process->requests)
            process->requests = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
        walker->n_comms = 0;
    } else {
        on_record(matching, walker, walker->record);
    }
    guint64 time = advance(matching, walker);
    if (matching->error)
        return G_MAXUINT64;
    if (time != G_MAXUINT64) {
        tnd_merge_reader_advance(&walker->reader, matching->merge, TND_MERGE_MATCH, &matching->error);
        return time;
    }
    close_all_calls(matching, walker, walker->reader.at->process->end_ns);
    tnd_merge_reader_tell(&walker->reader, matching->merge, TND_MERGE_MATCH, &matching->error);
    tnd_merge_reader_close_part(&walker->reader);
    return tnd_merge_reader_part_time(&walker->reader);
}

static gboolean has_messages(const TndMergeRow *row)
{
    for (guint i = 0; i < row->parts->len; i++) {
        const TndMergePart *part = &g_array_index(row->parts, TndMergePart, i);
        if (part->streams[TND_MERGE_MAIN] >= 0 && part->process->has_rank &&
            g_array_index(part->process->streams, TndMergeStream, part->streams[TND_MERGE_MAIN]).has_messages)
            return TRUE;
    }
    return FALSE;
}

static guint64 count_bytes(const TndMergeRow *row)
{
    guint64 n_bytes = 0;
    for (guint i = 0; i < row->parts->len; i++) {
        const TndMergePart *part = &g_array_index(row->parts, TndMergePart, i);
        int index = part->streams[TND_MERGE_MAIN];
        n_bytes += index < 0 ? 0 : g_array_index(part->process->streams, TndMergeStream, index).n_bytes;
    }
    return n_bytes;
}

static guint64 next_time(const TndMergeTournament *tree)
{
    return tnd_merge_tournament_winner(tree) != G_MAXUINT ? tnd_merge_tournament_winner_time(tree) : G_MAXUINT64;
}

static gboolean goes_on(const struct matching *matching)
{
    return !matching->error && !tnd_merge_match_is_full(matching->match);
}

static void walk_until_full(struct matching *matching, GArray *walkers, TndMergeTournament *tree)
{
    guint i;
    while (goes_on(matching) && (i = tnd_merge_tournament_winner(tree)) != G_MAXUINT) {
        struct walker *walker = &g_array_index(walkers, struct walker, i);
        guint64 time = matching->now_ns = tnd_merge_tournament_winner_time(tree);
        for (guint n = 0; n < walker->n_at_once && time != G_MAXUINT64 && goes_on(matching); n++)
            time = step(matching, walker);
        tnd_merge_tournament_replay(tree, time);
    }
}

static gboolean are_of_one_task(const struct walker *a, const struct walker *b)
{
    return a->reader.row->at.application == b->reader.row->at.application &&
           a->reader.row->at.task == b->reader.row->at.task;
}

/* Chooses how many steps each walker has in a turn.  The walkers of a task stand one after another. */
static void choose_turns(GArray *walkers)
{
    for (guint i = 0; i < walkers->len; i++) {
        struct walker *walker = &g_array_index(walkers, struct walker, i);
        gboolean is_alone = (i == 0 || !are_of_one_task(walker - 1, walker)) &&
                            (i + 1 == walkers->len || !are_of_one_task(walker, walker + 1));
        walker->n_at_once = is_alone ? CLAMP(MAX_AHEAD / walkers->len, 1, MAX_AT_ONCE) : 1;
    }
}

static void walk(struct matching *matching, GArray *walkers)
{
    guint64 *times = g_new(guint64, MAX(walkers->len, 1));
    for (guint i = 0; i < walkers->len; i++)
        times[i] = tnd_merge_reader_part_time(&g_array_index(walkers, struct walker, i).reader);
    TndMergeTournament tree;
    if (walkers->len &&
        tnd_merge_tournament_make(&tree, times, walkers->len, matching->merge->end_ns, &matching->error)) {
        do
            walk_until_full(matching, walkers, &tree);
        while (tnd_merge_match_turn(matching->match, next_time(&tree), &matching->error));
        tnd_merge_tournament_clear(&tree);
    } else {
        while (tnd_merge_match_turn(matching->match, G_MAXUINT64, &matching->error))
            ;
    }
    g_free(times);
}

/* Ends what is left in a process when all streams are read: receives of which no record says that they ended. */
static void release_process(TndMergeProcess *process)
{
    for (guint i = 0; i < process->streams->len; i++) {
        const GPtrArray *comms = g_array_index(process->streams, TndMergeStream, i).comms;
        for (guint j = 0; j < comms->len; j++)
            g_clear_pointer(&((TndMergeComm *)comms->pdata[j])->order, tnd_merge_order_end);
    }
    g_clear_pointer(&process->requests, g_hash_table_unref);
    tnd_merge_comms_forget(process);
}

/* Makes the counts those of all ranks. */
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
        merge->n_work += TND_MERGE_MATCH * count_bytes(merge->rows->pdata[i]);
    }
    choose_turns(walkers);
    walk(&matching, walkers);
    for (guint i = 0; i < merge->processes->len; i++)
        release_process(merge->processes->pdata[i]);
    if (!matching.error)
        tnd_merge_match_turn(matching.match, G_MAXUINT64, &matching.error);
    tnd_merge_match_end(matching.match);
    for (guint i = 0; i < walkers->len; i++) {
        struct walker *walker = &g_array_index(walkers, struct walker, i);
        tnd_merge_reader_close_part(&walker->reader);
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
