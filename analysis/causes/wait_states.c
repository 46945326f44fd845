/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Walks over the begins and the ends of all operations in the order of time.  When an operation begins, what its row
 * did before is known; when it ends, whom it waited for, and what that row did until then.
 */
#include "analysis/causes/wait_states.h"

#include "analysis/base/time_heap.h"
#include "analysis/causes/mpi_class.h"
#include "analysis/causes/wait_history.h"

#include <gio/gio.h>
#include <string.h>

#define CHUNK 256
#define FAR_ORDERS 64 /* how many messages that are received later are looked at for a wrong order */

const char *const tnd_wait_titles[TND_WAIT_N_KINDS + 1] = {[TND_WAIT_NONE] = "None",
                                                           [TND_WAIT_LATE_SENDER] = "Late sender",
                                                           [TND_WAIT_WRONG_ORDER] = "Late sender, wrong order",
                                                           [TND_WAIT_LATE_RECEIVER] = "Late receiver",
                                                           [TND_WAIT_N_TO_N] = "Wait at N x N",
                                                           [TND_WAIT_ONE_TO_N] = "Late root (1 x N)",
                                                           [TND_WAIT_N_TO_ONE] = "Early root (N x 1)",
                                                           [TND_WAIT_MPI_BARRIER] = "Wait at MPI barrier",
                                                           [TND_WAIT_BARRIER] = "Wait at barrier",
                                                           [TND_WAIT_REGION_END] = "Wait at end of region",
                                                           [TND_WAIT_NO_REGION] = "No parallel region",
                                                           [TND_WAIT_LOCK] = "Lock held by another",
                                                           [TND_WAIT_CONDITION] = "Condition"};

typedef struct {
    GPtrArray *chunks; /* of TndWait; NULL: none */
    gsize n;
} Waits;

/* Where a row is in the walk. */
typedef struct {
    gsize op;
    gboolean is_within; /* the operation has begun */
    gsize received, sent;
    guint64 before_ns;               /* when the operation before ended */
    guint64 met_all_ns, met_team_ns; /* when it last met all processes, and the threads of its process */
} Row;

struct TndWaitStates {
    const TndSyncOps *ops;
    TndSyncOps *own_ops; /* of a trace's own wait states; else NULL */
    TndLargeMemory *memory;
    Waits *waits;
    TndWaitSum sums[TND_WAIT_N_KINDS];
    GHashTable *waiters;  /* (kind, place) to the index in waiter_list, plus 1 */
    GHashTable *culprits; /* (row, place) to the index in culprit_list, plus 1 */
    GHashTable *pairs;    /* row << 32 | cause, to the double of lost time */
    GArray *waiter_list;  /* TndWaiter */
    GArray *culprit_list; /* TndCulprit */
    guint n_blamed;       /* of these, the first ones, who made others wait */
};

typedef struct {
    TndWaitStates *states;
    const TndSyncOps *ops;
    const TndMessageTable *messages;
    TndWaitHistory *history;
    Row *rows;
    guint n_rows, n_processes;
    guint32 *processes;      /* of each row */
    GHashTable *places;      /* TndSyncPlace to its number, plus 1 */
    GArray *place_list;      /* TndSyncPlace */
    GHashTable *met;         /* (row, other) to when they last met */
    GHashTable *rows_waited; /* (waiter, row) to the double of lost time */
} Walking;

typedef struct {
    guint64 a, b;
} Pair;

static guint hash_pair(gconstpointer key)
{
    const Pair *pair = key;
    return (guint)((pair->a * 0x9E3779B97F4A7C15u ^ pair->b * 0xC2B2AE3D27D4EB4Fu) >> 29);
}

static gboolean are_equal_pairs(gconstpointer x, gconstpointer y)
{
    return !memcmp(x, y, sizeof(Pair));
}

static GHashTable *new_pairs(GDestroyNotify free_value)
{
    return g_hash_table_new_full(hash_pair, are_equal_pairs, g_free, free_value);
}

static guint32 number_place(Walking *walking, TndSyncPlace place)
{
    gpointer number = g_hash_table_lookup(walking->places, &place);
    if (number)
        return GPOINTER_TO_UINT(number) - 1;
    g_array_append_val(walking->place_list, place);
    g_hash_table_insert(walking->places, g_memdup2(&place, sizeof place), GUINT_TO_POINTER(walking->place_list->len));
    return walking->place_list->len - 1;
}

static gpointer find_item(GHashTable *table, GArray *list, Pair key)
{
    guint index = GPOINTER_TO_UINT(g_hash_table_lookup(table, &key));
    if (!index) {
        g_array_set_size(list, list->len + 1);
        index = list->len;
        g_hash_table_insert(table, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(index));
    }
    return list->data + (gsize)(index - 1) * g_array_get_element_size(list);
}

static TndCulprit *find_culprit(TndWaitStates *states, guint32 row, TndSyncPlace place)
{
    TndCulprit *culprit = find_item(states->culprits, states->culprit_list, (Pair){row, place});
    culprit->row = row;
    culprit->place = place;
    return culprit;
}

/* Adds to the sum of a pair, and returns it. */
static double add_to(GHashTable *sums, Pair key, double lost_ns)
{
    double *sum = g_hash_table_lookup(sums, &key);
    if (!sum) {
        sum = g_new0(double, 1);
        g_hash_table_insert(sums, g_memdup2(&key, sizeof key), sum);
    }
    return *sum += lost_ns;
}

static void add_waiter(Walking *walking, guint row, const TndWait *wait, TndSyncPlace place)
{
    TndWaitStates *states = walking->states;
    TndWaiter *waiter = find_item(states->waiters, states->waiter_list, (Pair){(guint64)wait->kind, place});
    double lost_ns = (double)(wait->end_ns - wait->begin_ns);
    guint64 number = (guint64)(waiter - &g_array_index(states->waiter_list, TndWaiter, 0));
    double of_row_ns = add_to(walking->rows_waited, (Pair){number, row}, lost_ns);
    waiter->kind = (TndWaitKind)wait->kind;
    waiter->place = place;
    waiter->sum.n++;
    waiter->sum.lost_ns += lost_ns;
    if (of_row_ns > waiter->worst_ns) {
        waiter->worst_ns = of_row_ns;
        waiter->worst_row = row;
    }
}

static guint64 when_met(const Walking *walking, guint row, guint cause)
{
    const Row *a = &walking->rows[row], *b = &walking->rows[cause];
    Pair key = {row, cause}, other = {cause, row};
    guint64 met_ns = MIN(a->met_all_ns, b->met_all_ns);
    if (walking->processes[row] == walking->processes[cause])
        met_ns = MAX(met_ns, MIN(a->met_team_ns, b->met_team_ns));
    met_ns = MAX(met_ns, GPOINTER_TO_SIZE(g_hash_table_lookup(walking->met, &key)));
    return MAX(met_ns, GPOINTER_TO_SIZE(g_hash_table_lookup(walking->met, &other)));
}

static void meet(Walking *walking, guint row, guint other, guint64 time_ns)
{
    Pair key = {row, other};
    if (GPOINTER_TO_SIZE(g_hash_table_lookup(walking->met, &key)) < time_ns)
        g_hash_table_insert(walking->met, g_memdup2(&key, sizeof key), GSIZE_TO_POINTER(time_ns));
}

/* Two rows meet where both took part in an operation. */
static void meet_group(Walking *walking, guint row, const TndSyncOp *op, const TndSyncGroup *group)
{
    Row *at = &walking->rows[row];
    if (op->kind != TND_SYNC_MPI)
        at->met_team_ns = MAX(at->met_team_ns, group->last_ns);
    else if (group->n_arrivals >= walking->n_processes && op->arrives == op->waits)
        at->met_all_ns = MAX(at->met_all_ns, group->last_ns);
    if (group->last_row != row)
        meet(walking, row, group->last_row, group->last_ns);
}

static TndWaitKind kind_of_group(const Walking *walking, const TndSyncOp *op)
{
    static const TndWaitKind kinds[TND_SYNC_N_KINDS] = {[TND_SYNC_BARRIER] = TND_WAIT_BARRIER,
                                                        [TND_SYNC_REGION_END] = TND_WAIT_REGION_END,
                                                        [TND_SYNC_POOL] = TND_WAIT_NO_REGION,
                                                        [TND_SYNC_LOCK] = TND_WAIT_LOCK,
                                                        [TND_SYNC_CONDITION] = TND_WAIT_CONDITION};
    const TndSyncCall *call = tnd_sync_ops_call(walking->ops, op);
    if (!call)
        return kinds[op->kind];
    return call->properties & TND_MPI_BARRIER     ? TND_WAIT_MPI_BARRIER
           : call->properties & TND_MPI_FROM_ROOT ? TND_WAIT_ONE_TO_N
           : call->properties & TND_MPI_TO_ROOT   ? TND_WAIT_N_TO_ONE
                                                  : TND_WAIT_N_TO_N;
}

/* Whether another message, which the row has not posted yet, was sent before this one. */
static gboolean is_wrong_order(const Walking *walking, guint row, const TndSyncOp *op, guint64 send_ns)
{
    const TndMessageOrder *received = &walking->messages->received;
    gsize end = MIN(received->first[row + 1], walking->rows[row].received + FAR_ORDERS);
    for (gsize i = walking->rows[row].received; i < end; i++) {
        const TndMessageEnds *later = &walking->messages->messages[received->indices[i]];
        if (later->post_ns >= op->end_ns && later->send_ns < send_ns)
            return TRUE;
    }
    return FALSE;
}

static void take_cause(TndWait *wait, TndWaitKind kind, guint row, guint64 time_ns, const TndSyncOp *op)
{
    time_ns = MIN(time_ns, op->end_ns);
    if (time_ns <= wait->end_ns)
        return;
    wait->end_ns = time_ns;
    wait->cause_row = row;
    wait->kind = kind;
}

static void look_at_receives(Walking *walking, guint row, const TndSyncOp *op, TndWait *wait)
{
    Row *at = &walking->rows[row];
    const TndMessageOrder *received = &walking->messages->received;
    for (; at->received < received->first[row + 1]; at->received++) {
        const TndMessageEnds *message = &walking->messages->messages[received->indices[at->received]];
        if (message->receive_ns > op->end_ns)
            break;
        take_cause(wait, TND_WAIT_LATE_SENDER, message->sender, message->send_ns, op);
    }
}

static void look_at_sends(Walking *walking, guint row, const TndSyncOp *op, TndWait *wait)
{
    Row *at = &walking->rows[row];
    const TndSyncCall *call = tnd_sync_ops_call(walking->ops, op);
    const TndMessageOrder *sent = &walking->messages->sent;
    for (; at->sent < sent->first[row + 1]; at->sent++) {
        const TndMessageEnds *message = &walking->messages->messages[sent->indices[at->sent]];
        if (message->send_ns > op->end_ns)
            break;
        if (call && call->properties & TND_MPI_SENDS && message->post_ns <= op->end_ns)
            take_cause(wait, TND_WAIT_LATE_RECEIVER, message->receiver, message->post_ns, op);
    }
}

static void keep(TndWaitStates *states, guint row, const TndWait *wait)
{
    Waits *waits = &states->waits[row];
    if (!waits->chunks)
        waits->chunks = g_ptr_array_new();
    if (waits->n % CHUNK == 0)
        g_ptr_array_add(waits->chunks, tnd_large_memory_take(states->memory, CHUNK * sizeof *wait));
    ((TndWait *)g_ptr_array_index(waits->chunks, waits->n / CHUNK))[waits->n % CHUNK] = *wait;
    waits->n++;
}

static void add_wait(Walking *walking, guint row, const TndSyncOp *op, const TndWait *wait)
{
    TndWaitStates *states = walking->states;
    double lost_ns = (double)(wait->end_ns - wait->begin_ns);
    guint n;
    guint32 place = number_place(walking, tnd_sync_ops_place(op, FALSE));
    const TndBlame *blames =
        tnd_wait_history_blame(walking->history, row, wait->cause_row, when_met(walking, row, wait->cause_row),
                               wait->begin_ns, wait->end_ns, place, &n);
    for (guint i = 0; i < n; i++) {
        TndCulprit *culprit =
            find_culprit(states, blames[i].row, g_array_index(walking->place_list, TndSyncPlace, blames[i].place));
        culprit->lost_ns += lost_ns * (double)blames[i].share;
        culprit->by_kind_ns[wait->kind] += lost_ns * (double)blames[i].share;
    }
    tnd_wait_history_add(walking->history, row, wait->begin_ns, wait->end_ns, place, blames, n);
    states->sums[wait->kind].n++;
    states->sums[wait->kind].lost_ns += lost_ns;
    add_waiter(walking, row, wait, tnd_sync_ops_place(op, TRUE));
    add_to(states->pairs, (Pair){row, wait->cause_row}, lost_ns);
    keep(states, row, wait);
}

static void begin_op(Walking *walking, guint row, const TndSyncOp *op)
{
    Row *at = &walking->rows[row];
    guint32 place = number_place(walking, tnd_sync_ops_place(op, FALSE));
    tnd_wait_history_add(walking->history, row, at->before_ns, op->begin_ns, place, NULL, 0);
    find_culprit(walking->states, row, tnd_sync_ops_place(op, FALSE))->itself_ns +=
        (double)(op->begin_ns - at->before_ns);
}

static void end_op(Walking *walking, guint row, const TndSyncOp *op)
{
    Row *at = &walking->rows[row];
    TndWait wait = {.begin_ns = op->begin_ns, .end_ns = op->begin_ns, .op = at->op};
    const TndSyncGroup *group = tnd_sync_ops_group_of(walking->ops, op);
    gsize first_received = at->received;
    look_at_receives(walking, row, op, &wait);
    look_at_sends(walking, row, op, &wait);
    if (group)
        take_cause(&wait, kind_of_group(walking, op), group->last_row, group->last_ns, op);
    if (wait.kind == TND_WAIT_LATE_SENDER && is_wrong_order(walking, row, op, wait.end_ns))
        wait.kind = TND_WAIT_WRONG_ORDER;
    if (wait.kind && wait.cause_row != row)
        add_wait(walking, row, op, &wait);
    else
        wait.end_ns = wait.begin_ns;
    if (wait.end_ns < op->end_ns) {
        TndSyncPlace place = tnd_sync_ops_place(op, TRUE);
        tnd_wait_history_add(walking->history, row, wait.end_ns, op->end_ns, number_place(walking, place), NULL, 0);
        find_culprit(walking->states, row, place)->itself_ns += (double)(op->end_ns - wait.end_ns);
    }
    if (group)
        meet_group(walking, row, op, group);
    for (gsize i = first_received; i < at->received; i++) {
        const TndMessageEnds *message = &walking->messages->messages[walking->messages->received.indices[i]];
        meet(walking, row, message->sender, MIN(message->send_ns, op->end_ns));
    }
    at->before_ns = op->end_ns;
}

/* The next begin or end of an operation of the row; begins come first. */
static gboolean next_turn(const Walking *walking, guint row, TndTimeHeapEntry *entry)
{
    const Row *at = &walking->rows[row];
    if (at->op >= tnd_sync_ops_n(walking->ops, row))
        return FALSE;
    const TndSyncOp *op = tnd_sync_ops_at(walking->ops, row, at->op);
    *entry = (TndTimeHeapEntry){at->is_within ? op->end_ns : op->begin_ns,
                                (guint64)at->is_within * walking->n_rows + row, row};
    return TRUE;
}

static void take_turn(Walking *walking, guint row)
{
    Row *at = &walking->rows[row];
    const TndSyncOp *op = tnd_sync_ops_at(walking->ops, row, at->op);
    if (at->is_within)
        end_op(walking, row, op);
    else
        begin_op(walking, row, op);
    at->op += at->is_within;
    at->is_within = !at->is_within;
}

static gboolean walk(Walking *walking, TndTraceProgress progress, gpointer user_data)
{
    TndTimeHeapEntry *heap = g_new(TndTimeHeapEntry, walking->n_rows + 1);
    double end_ns = (double)MAX(tnd_trace_end_ns(tnd_sync_ops_trace(walking->ops)), 1);
    gboolean goes_on = TRUE;
    gsize n = 0;
    for (guint row = 0; row < walking->n_rows; row++)
        n += next_turn(walking, row, &heap[n]);
    tnd_time_heap_make(heap, n);
    for (guint n_turns = 0; n && goes_on; n_turns++) {
        guint row = (guint)heap[0].item;
        if (n_turns % 65536 == 0 && progress)
            goes_on = progress((double)heap[0].time_ns / end_ns, user_data);
        take_turn(walking, row);
        if (next_turn(walking, row, &heap[0]))
            tnd_time_heap_sift(heap, n, 0);
        else
            tnd_time_heap_drop(heap, n--);
    }
    g_free(heap);
    return goes_on;
}

static int compare_waiters(gconstpointer a, gconstpointer b)
{
    const TndWaiter *x = a, *y = b;
    if (x->sum.lost_ns != y->sum.lost_ns)
        return x->sum.lost_ns < y->sum.lost_ns ? 1 : -1;
    return x->kind != y->kind ? (x->kind < y->kind ? -1 : 1) : (x->place > y->place) - (x->place < y->place);
}

static int compare_culprits(gconstpointer a, gconstpointer b)
{
    const TndCulprit *x = a, *y = b;
    if (x->lost_ns != y->lost_ns)
        return x->lost_ns < y->lost_ns ? 1 : -1;
    return x->row != y->row ? (x->row < y->row ? -1 : 1) : (x->place > y->place) - (x->place < y->place);
}

static void begin_walking(Walking *walking)
{
    const TndTrace *trace = tnd_sync_ops_trace(walking->ops);
    walking->messages = tnd_sync_ops_messages(walking->ops);
    walking->history = tnd_wait_history_new(walking->n_rows);
    walking->rows = g_new0(Row, walking->n_rows + 1);
    walking->processes = g_new0(guint32, walking->n_rows + 1);
    walking->places = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    walking->place_list = g_array_new(FALSE, FALSE, sizeof(TndSyncPlace));
    walking->met = new_pairs(NULL);
    walking->rows_waited = new_pairs(g_free);
    for (guint row = 0; row < walking->n_rows; row++) {
        const TndThread *thread = tnd_trace_thread(trace, row), *before = tnd_trace_thread(trace, row ? row - 1 : 0);
        gboolean is_first = !row || thread->application != before->application || thread->task != before->task;
        walking->n_processes += is_first;
        walking->processes[row] = walking->n_processes;
        gsize received = walking->messages->received.first[row], sent = walking->messages->sent.first[row];
        if (received || sent || thread->begin_ns) /* memory of rows without records is not touched */
            walking->rows[row] = (Row){.received = received, .sent = sent, .before_ns = thread->begin_ns};
    }
}

static void end_walking(Walking *walking)
{
    TndWaitStates *states = walking->states;
    tnd_wait_history_free(walking->history);
    g_free(walking->rows);
    g_free(walking->processes);
    g_hash_table_unref(walking->places);
    g_array_unref(walking->place_list);
    g_hash_table_unref(walking->met);
    g_hash_table_unref(walking->rows_waited);
    g_array_sort(states->waiter_list, compare_waiters);
    g_array_sort(states->culprit_list, compare_culprits);
    while (states->n_blamed < states->culprit_list->len &&
           g_array_index(states->culprit_list, TndCulprit, states->n_blamed).lost_ns >= 1)
        states->n_blamed++;
}

TndWaitStates *tnd_wait_states_new(const TndSyncOps *ops, TndTraceProgress progress, gpointer user_data, GError **error)
{
    TndWaitStates *states = g_new0(TndWaitStates, 1);
    guint n_rows = tnd_trace_n_threads(tnd_sync_ops_trace(ops));
    states->ops = ops;
    states->memory = tnd_large_memory_new(tnd_trace_path(tnd_sync_ops_trace(ops)));
    states->waits = g_new0(Waits, n_rows + 1);
    states->waiters = new_pairs(NULL);
    states->culprits = new_pairs(NULL);
    states->pairs = new_pairs(g_free);
    states->waiter_list = g_array_new(FALSE, TRUE, sizeof(TndWaiter));
    states->culprit_list = g_array_new(FALSE, TRUE, sizeof(TndCulprit));
    Walking walking = {.states = states, .ops = ops, .n_rows = n_rows};
    begin_walking(&walking);
    gboolean is_done = walk(&walking, progress, user_data);
    end_walking(&walking);
    if (is_done)
        return states;
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "%s: cancelled", tnd_trace_path(tnd_sync_ops_trace(ops)));
    tnd_wait_states_free(states);
    return NULL;
}

void tnd_wait_states_free(TndWaitStates *states)
{
    if (!states)
        return;
    for (guint row = 0; row < tnd_trace_n_threads(tnd_sync_ops_trace(states->ops)); row++)
        if (states->waits[row].chunks)
            g_ptr_array_unref(states->waits[row].chunks);
    g_free(states->waits);
    g_hash_table_unref(states->waiters);
    g_hash_table_unref(states->culprits);
    g_hash_table_unref(states->pairs);
    g_array_unref(states->waiter_list);
    g_array_unref(states->culprit_list);
    tnd_large_memory_free(states->memory);
    tnd_sync_ops_free(states->own_ops);
    g_free(states);
}

static gpointer make_of_trace(const TndTrace *trace)
{
    TndSyncOps *ops = tnd_sync_ops_new(trace, NULL, NULL, NULL);
    TndWaitStates *states = tnd_wait_states_new(ops, NULL, NULL, NULL);
    states->own_ops = ops;
    return states;
}

static void free_of_trace(gpointer states)
{
    tnd_wait_states_free(states);
}

const TndWaitStates *tnd_wait_states_of(const TndTrace *trace)
{
    return tnd_trace_keep(trace, TND_TRACE_WAIT_STATES, make_of_trace, free_of_trace);
}

const TndSyncOps *tnd_wait_states_ops(const TndWaitStates *states)
{
    return states->ops;
}

TndWaitSum tnd_wait_states_sum(const TndWaitStates *states, TndWaitKind kind)
{
    return states->sums[kind];
}

TndWaitSum tnd_wait_states_all(const TndWaitStates *states)
{
    TndWaitSum all = {0};
    for (guint kind = 0; kind < TND_WAIT_N_KINDS; kind++) {
        all.n += states->sums[kind].n;
        all.lost_ns += states->sums[kind].lost_ns;
    }
    return all;
}

gsize tnd_wait_states_n(const TndWaitStates *states, guint row)
{
    return states->waits[row].n;
}

const TndWait *tnd_wait_states_at(const TndWaitStates *states, guint row, gsize index)
{
    return (const TndWait *)g_ptr_array_index(states->waits[row].chunks, index / CHUNK) + index % CHUNK;
}

const TndWaiter *tnd_wait_states_waiters(const TndWaitStates *states, guint *n)
{
    *n = states->waiter_list->len;
    return (const TndWaiter *)(gconstpointer)states->waiter_list->data;
}

const TndCulprit *tnd_wait_states_culprits(const TndWaitStates *states, guint *n)
{
    *n = states->n_blamed;
    return (const TndCulprit *)(gconstpointer)states->culprit_list->data;
}

double tnd_wait_states_lost_ns(const TndWaitStates *states, guint row, guint cause_row)
{
    Pair key = {row, cause_row};
    const double *lost_ns = g_hash_table_lookup(states->pairs, &key);
    return lost_ns ? *lost_ns : 0;
}
