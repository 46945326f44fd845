/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A simulation by events: the row whose next operation begins first is next.  Everything that this operation lets go on
 * ends no earlier, so that messages come to the network in the order of time.
 */
#include "analysis/causes/replay.h"

#include "analysis/base/assertion.h"
#include "analysis/base/time_heap.h"
#include "analysis/causes/mpi_class.h"
#include "analysis/causes/replay_clock.h"
#include "analysis/causes/replay_network.h"
#include "analysis/causes/replay_speed.h"

#include <gio/gio.h>
#include <string.h>

/* What is known of a message, whose time is that of the last of these: the receive was posted; it was sent, and waits
 * for that; it arrives. */
enum { POSTED = 1, SENT = 2, ARRIVES = 4, RECEIVER_WAITS = 8, SENDER_WAITS = 16 };

typedef struct {
    gsize n_ops, op;
    guint64 begin_ns;                  /* of the operation, in the replay */
    guint64 ready_ns, ready_in_run_ns; /* the last thing that it waits for, as far as that is known */
    guint n_missing;                   /* how many things that it waits for are not known */
    gsize sent, posted, received;      /* the next messages in their orders */
    guint32 next_waiter;               /* row + 1 of the next one that waits for the same group */
    TndReplayClock clock;
    TndReplaySpeedRow speed;
} Row;

typedef struct {
    guint64 last_ns;
    guint32 n_missing;
    guint32 waiters; /* row + 1 */
} Group;

struct TndReplay {
    const TndSyncOps *ops;
    const TndMessageTable *messages;
    TndLargeMemory *memory;
    TndReplayNetwork network;
    TndReplaySpeeds *speeds;
    guint n_rows;
    Row *rows;
    Group *groups;
    guint64 *times; /* of messages */
    guint8 *states;
    TndTimeHeapEntry *heap;
    gsize n_heap;
    gsize n_ops, n_done;
};

static const TndSyncOp *op_of(const TndReplay *replay, guint row)
{
    const Row *at = &replay->rows[row];
    return at->op < at->n_ops ? tnd_sync_ops_at(replay->ops, row, at->op) : NULL;
}

/* By how much faster what comes before an operation is. */
static double factor_before(const TndReplay *replay, const TndSyncOp *op)
{
    const TndReplayOptions *options = &replay->network.options;
    double factor = 1;
    for (guint i = 0; i < options->n_speeds && op; i++)
        if (!options->speeds[i].function && options->speeds[i].place == tnd_sync_ops_place(op, FALSE))
            factor *= options->speeds[i].factor;
    return factor;
}

/* Lets the row compute until the run's time until_ns, when the operation begins. */
static guint64 compute(TndReplay *replay, guint row, const TndSyncOp *op, guint64 until_ns)
{
    Row *at = &replay->rows[row];
    TndReplaySpeedPart part;
    double factor = factor_before(replay, op);
    while (tnd_replay_speed_next(&at->speed, at->clock.last.run_ns, until_ns, &part)) {
        guint64 before_ns = at->clock.last.replay_ns + (part.begin_ns - at->clock.last.run_ns);
        tnd_replay_clock_add(&at->clock, replay->memory, part.begin_ns, before_ns);
        tnd_replay_clock_add(&at->clock, replay->memory, part.end_ns,
                             before_ns + (guint64)((double)(part.end_ns - part.begin_ns) / part.factor + 0.5));
    }
    guint64 rest_of_run_ns = until_ns - at->clock.last.run_ns;
    guint64 end_ns =
        at->clock.last.replay_ns + (factor == 1 ? rest_of_run_ns : (guint64)((double)rest_of_run_ns / factor + 0.5));
    tnd_replay_clock_add(&at->clock, replay->memory, until_ns, end_ns);
    return end_ns;
}

/* When the row ends in the run.  Without states that is not known. */
static guint64 life_end_ns(const TndReplay *replay, guint row)
{
    const TndTrace *trace = tnd_sync_ops_trace(replay->ops);
    const TndThread *thread = tnd_trace_thread(trace, row);
    return MAX(thread->n_states ? thread->end_ns : tnd_trace_end_ns(trace), replay->rows[row].clock.last.run_ns);
}

/* Puts the begin of the row's next operation, or its end, into the heap. */
static void schedule(TndReplay *replay, guint row)
{
    const TndSyncOp *op = op_of(replay, row);
    guint64 time_ns = compute(replay, row, op, op ? op->begin_ns : life_end_ns(replay, row));
    tnd_time_heap_add(replay->heap, replay->n_heap++, (TndTimeHeapEntry){time_ns, row, row});
}

/* How long the operation takes when it has all that it waits for. */
static guint64 rest_ns(const TndReplay *replay, guint row, const TndSyncOp *op)
{
    const TndSyncCall *call = tnd_sync_ops_call(replay->ops, op);
    if (replay->network.options.has_network && call && !(call->properties & TND_MPI_KEEPS))
        return 0;
    return op->end_ns - replay->rows[row].ready_in_run_ns;
}

static void finish(TndReplay *replay, guint row)
{
    Row *at = &replay->rows[row];
    const TndSyncOp *op = op_of(replay, row);
    tnd_replay_clock_add(&at->clock, replay->memory, op->end_ns, at->ready_ns + rest_ns(replay, row, op));
    at->op++;
    replay->n_done++;
    schedule(replay, row);
}

/* A thing that the row waits for is now known. */
static void settle(TndReplay *replay, guint row, guint64 time_ns)
{
    Row *at = &replay->rows[row];
    tnd_assert(at->n_missing > 0);
    at->ready_ns = MAX(at->ready_ns, time_ns);
    if (--at->n_missing == 0)
        finish(replay, row);
}

/* The message may leave. */
static void transfer(TndReplay *replay, guint32 message, guint64 ready_ns)
{
    const TndMessageEnds *ends = &replay->messages->messages[message];
    guint8 state = replay->states[message];
    guint64 left_ns;
    replay->times[message] = tnd_replay_network_send(&replay->network, ends, ready_ns, &left_ns);
    replay->states[message] = ARRIVES;
    if (state & SENDER_WAITS)
        settle(replay, ends->sender, left_ns);
    if (state & RECEIVER_WAITS)
        settle(replay, ends->receiver, replay->times[message]);
}

static void post(TndReplay *replay, guint32 message, guint64 time_ns)
{
    guint8 *state = &replay->states[message];
    if (*state & SENT) {
        transfer(replay, message, time_ns);
    } else if (!(*state & ARRIVES)) {
        *state |= POSTED;
        replay->times[message] = time_ns;
    }
}

static gboolean is_blocking(const TndReplay *replay, const TndSyncOp *op)
{
    const TndSyncCall *call = op ? tnd_sync_ops_call(replay->ops, op) : NULL;
    return call && call->properties & TND_MPI_SENDS;
}

/* Whether the sender of the message cannot go on before it is received. */
static gboolean is_rendezvous(const TndReplay *replay, const TndMessageEnds *ends, const TndSyncOp *op)
{
    gint64 limit = replay->network.options.eager_bytes;
    const TndSyncCall *call = op ? tnd_sync_ops_call(replay->ops, op) : NULL;
    if (call && call->properties & TND_MPI_SYNCHRONOUS)
        return limit >= 0 || ends->post_ns <= op->end_ns;
    if (limit >= 0)
        return ends->size_bytes > (guint64)limit;
    return is_blocking(replay, op) && ends->post_ns > op->begin_ns && ends->post_ns <= op->end_ns;
}

static void send_message(TndReplay *replay, guint32 message, const TndSyncOp *op, guint64 time_ns)
{
    const TndMessageEnds *ends = &replay->messages->messages[message];
    Row *sender = &replay->rows[ends->sender];
    guint8 *state = &replay->states[message];
    if (!is_rendezvous(replay, ends, op)) {
        transfer(replay, message, time_ns);
        return;
    }
    gboolean waits = is_blocking(replay, op);
    if (waits) {
        sender->n_missing++;
        *state |= SENDER_WAITS;
        if (ends->post_ns <= op->end_ns)
            sender->ready_in_run_ns = MAX(sender->ready_in_run_ns, ends->post_ns);
    }
    if (*state & POSTED) {
        guint64 ready_ns = MAX(time_ns, replay->times[message]);
        transfer(replay, message, ready_ns);
    } else {
        *state |= SENT;
        replay->times[message] = time_ns;
    }
}

static void receive(TndReplay *replay, guint row, guint32 message, const TndSyncOp *op)
{
    Row *at = &replay->rows[row];
    const TndMessageEnds *ends = &replay->messages->messages[message];
    at->ready_in_run_ns = MAX(at->ready_in_run_ns, MIN(ends->send_ns, op->end_ns));
    if (replay->states[message] & ARRIVES) {
        at->ready_ns = MAX(at->ready_ns, replay->times[message]);
    } else {
        replay->states[message] |= RECEIVER_WAITS;
        at->n_missing++;
    }
}

static guint64 release_ns(const TndReplay *replay, guint32 number)
{
    return replay->groups[number].last_ns +
           tnd_replay_network_collective_ns(&replay->network, tnd_sync_ops_group(replay->ops, number));
}

static void arrive(TndReplay *replay, guint32 number, guint64 time_ns)
{
    Group *group = &replay->groups[number];
    group->last_ns = MAX(group->last_ns, time_ns);
    if (--group->n_missing > 0)
        return;
    guint64 ends_ns = release_ns(replay, number);
    for (guint32 waiter = group->waiters, next; waiter; waiter = next) {
        next = replay->rows[waiter - 1].next_waiter;
        settle(replay, waiter - 1, ends_ns);
    }
    group->waiters = 0;
}

static void wait_for_group(TndReplay *replay, guint row, const TndSyncOp *op)
{
    Row *at = &replay->rows[row];
    const TndSyncGroup *group = tnd_sync_ops_group_of(replay->ops, op);
    if (!group)
        return;
    Group *now = &replay->groups[op->waits];
    at->ready_in_run_ns = MAX(at->ready_in_run_ns, group->last_ns);
    if (!now->n_missing) {
        at->ready_ns = MAX(at->ready_ns, release_ns(replay, op->waits));
        return;
    }
    at->n_missing++;
    at->next_waiter = now->waiters;
    now->waiters = row + 1;
}

/* Sends and posts what the row does until the run's time until_ns. */
static void communicate(TndReplay *replay, guint row, const TndSyncOp *op, guint64 until_ns, guint64 time_ns)
{
    Row *at = &replay->rows[row];
    const TndMessageTable *messages = replay->messages;
    for (; at->posted < messages->posted.first[row + 1]; at->posted++) {
        guint32 message = messages->posted.indices[at->posted];
        if (messages->messages[message].post_ns > until_ns)
            break;
        post(replay, message, time_ns);
    }
    for (; at->sent < messages->sent.first[row + 1]; at->sent++) {
        guint32 message = messages->sent.indices[at->sent];
        if (messages->messages[message].send_ns > until_ns)
            break;
        send_message(replay, message, op, time_ns);
    }
}

/* The row begins its next operation, or ends. */
static void begin(TndReplay *replay, guint row, guint64 time_ns)
{
    Row *at = &replay->rows[row];
    const TndSyncOp *op = op_of(replay, row);
    const TndMessageOrder *received = &replay->messages->received;
    at->begin_ns = at->ready_ns = time_ns;
    at->n_missing = 1; /* this one is settled below, so that nothing finishes the operation before */
    if (!op) {
        communicate(replay, row, NULL, G_MAXUINT64, time_ns);
        return;
    }
    at->ready_in_run_ns = op->begin_ns;
    if (op->arrives)
        arrive(replay, op->arrives, time_ns);
    communicate(replay, row, op, op->end_ns, time_ns);
    for (; at->received < received->first[row + 1]; at->received++) {
        guint32 message = received->indices[at->received];
        if (replay->messages->messages[message].receive_ns > op->end_ns)
            break;
        receive(replay, row, message, op);
    }
    wait_for_group(replay, row, op);
    settle(replay, row, time_ns);
}

/* The row that a waiting row waits for: one that has not sent, received or come; G_MAXUINT: there is none. */
static guint find_culprit(const TndReplay *replay, guint row)
{
    const TndMessageTable *messages = replay->messages;
    const TndSyncOp *op = op_of(replay, row);
    for (gsize i = 0; i < messages->n; i++) {
        if (replay->states[i] & RECEIVER_WAITS && messages->messages[i].receiver == row)
            return messages->messages[i].sender;
        if (replay->states[i] & SENDER_WAITS && messages->messages[i].sender == row)
            return messages->messages[i].receiver;
    }
    for (guint other = 0; other < replay->n_rows; other++)
        for (gsize i = replay->rows[other].op + 1; i < replay->rows[other].n_ops; i++)
            if (tnd_sync_ops_at(replay->ops, other, i)->arrives == op->waits)
                return other;
    return G_MAXUINT;
}

static void append_waiting(GString *text, const TndReplay *replay, guint row)
{
    const TndSyncOp *op = op_of(replay, row);
    char *path = tnd_sync_ops_path_text(replay->ops, op->path, 1);
    g_string_append_printf(text, "%s in %s%s%s", tnd_trace_thread(tnd_sync_ops_trace(replay->ops), row)->name,
                           tnd_sync_ops_name(replay->ops, op), *path ? " in " : "", path);
    g_free(path);
}

/* Says who waits for whom: a row, whom it waits for, and so on until one comes again. */
static void set_deadlock(const TndReplay *replay, GError **error)
{
    GString *text = g_string_new(NULL);
    gboolean *is_seen = g_new0(gboolean, replay->n_rows + 1);
    guint row = 0;
    while (row < replay->n_rows && !op_of(replay, row))
        row++;
    for (guint next = row; next < replay->n_rows && op_of(replay, next) && !is_seen[next];) {
        is_seen[row = next] = TRUE;
        next = find_culprit(replay, row);
    }
    memset(is_seen, 0, replay->n_rows * sizeof *is_seen);
    for (guint n = 0; row < replay->n_rows && op_of(replay, row) && !is_seen[row] && n < 8; n++) {
        g_string_append(text, n ? ", which waits for " : "");
        append_waiting(text, replay, row);
        is_seen[row] = TRUE;
        row = find_culprit(replay, row);
    }
    if (row < replay->n_rows && op_of(replay, row))
        g_string_append_printf(text, ", which waits for %s",
                               tnd_trace_thread(tnd_sync_ops_trace(replay->ops), row)->name);
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK, "%s: deadlock: %s",
                tnd_trace_path(tnd_sync_ops_trace(replay->ops)), text->str);
    g_string_free(text, TRUE);
    g_free(is_seen);
}

static gboolean simulate(TndReplay *replay, TndTraceProgress progress, gpointer user_data, GError **error)
{
    guint n_ended = 0, n_events = 0;
    for (guint row = 0; row < replay->n_rows; row++)
        schedule(replay, row);
    while (replay->n_heap) {
        guint row = (guint)replay->heap[0].item;
        guint64 time_ns = replay->heap[0].time_ns;
        tnd_time_heap_drop(replay->heap, replay->n_heap--);
        n_ended += !op_of(replay, row);
        begin(replay, row, time_ns);
        if (n_events++ % 65536 == 0 && progress &&
            !progress((double)replay->n_done / (double)MAX(replay->n_ops, 1), user_data)) {
            g_set_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "%s: cancelled",
                        tnd_trace_path(tnd_sync_ops_trace(replay->ops)));
            return FALSE;
        }
    }
    if (n_ended < replay->n_rows)
        set_deadlock(replay, error);
    return n_ended == replay->n_rows;
}

static void prepare(TndReplay *replay)
{
    const TndMessageTable *messages = replay->messages;
    guint n_groups = tnd_sync_ops_n_groups(replay->ops);
    replay->rows = g_new0(Row, replay->n_rows + 1);
    replay->heap = g_new(TndTimeHeapEntry, replay->n_rows + 1);
    for (guint row = 0; row < replay->n_rows; row++) {
        Row *at = &replay->rows[row];
        at->n_ops = tnd_sync_ops_n(replay->ops, row);
        at->sent = messages->sent.first[row];
        at->posted = messages->posted.first[row];
        at->received = messages->received.first[row];
        at->speed = tnd_replay_speed_row(replay->speeds, row);
        replay->n_ops += at->n_ops;
    }
    replay->groups = tnd_large_memory_take(replay->memory, (n_groups + 1) * sizeof *replay->groups);
    for (guint32 i = 0; i <= n_groups; i++)
        replay->groups[i] = (Group){.n_missing = tnd_sync_ops_group(replay->ops, i)->n_arrivals};
    replay->times = tnd_large_memory_take(replay->memory, (messages->n + 1) * sizeof *replay->times);
    replay->states = tnd_large_memory_take(replay->memory, messages->n + 1);
    memset(replay->states, 0, messages->n + 1);
}

TndReplay *tnd_replay_new(const TndSyncOps *ops, const TndReplayOptions *options, TndTraceProgress progress,
                          gpointer user_data, GError **error)
{
    const TndTrace *trace = tnd_sync_ops_trace(ops);
    TndReplaySpeeds *speeds = tnd_replay_speed_new(trace, options->speeds, options->n_speeds, error);
    if (!speeds)
        return NULL;
    TndReplay *replay = g_new0(TndReplay, 1);
    replay->ops = ops;
    replay->speeds = speeds;
    replay->messages = tnd_sync_ops_messages(ops);
    replay->memory = tnd_large_memory_new(tnd_trace_path(trace));
    replay->n_rows = tnd_trace_n_threads(trace);
    tnd_replay_network_init(&replay->network, trace, options);
    prepare(replay);
    if (simulate(replay, progress, user_data, error))
        return replay;
    tnd_replay_free(replay);
    return NULL;
}

void tnd_replay_free(TndReplay *replay)
{
    if (!replay)
        return;
    for (guint row = 0; row < replay->n_rows; row++)
        tnd_replay_clock_clear(&replay->rows[row].clock);
    tnd_replay_network_clear(&replay->network);
    tnd_replay_speed_free(replay->speeds);
    tnd_large_memory_free(replay->memory);
    g_free(replay->rows);
    g_free(replay->heap);
    g_free(replay);
}

guint64 tnd_replay_time(const TndReplay *replay, guint row, guint64 time_ns)
{
    return tnd_replay_clock_at(&replay->rows[row].clock, time_ns);
}

guint64 tnd_replay_end_ns(const TndReplay *replay)
{
    const TndTrace *trace = tnd_sync_ops_trace(replay->ops);
    guint64 end_ns = 0, run_ns = 0;
    for (guint row = 0; row < replay->n_rows; row++) {
        end_ns = MAX(end_ns, replay->rows[row].clock.last.replay_ns);
        run_ns = MAX(run_ns, replay->rows[row].clock.last.run_ns);
    }
    return end_ns + (tnd_trace_end_ns(trace) - MIN(run_ns, tnd_trace_end_ns(trace)));
}

gint64 tnd_replay_most_gained_ns(const TndReplay *replay)
{
    gint64 gained_ns = 0;
    for (guint row = 0; row < replay->n_rows; row++)
        gained_ns = MIN(gained_ns, replay->rows[row].clock.least_gain_ns);
    return gained_ns;
}
