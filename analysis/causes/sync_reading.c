/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the operations of a process: the events of its rows in the order of time.  A row has a stack of open
 * operations, since a thread that waits at a barrier may run tasks, which may wait.  What is open waits only since the
 * last operation within it has ended.
 */
#include "analysis/causes/sync_reading.h"

#include "analysis/base/time_heap.h"
#include "analysis/causes/mpi_class.h"
#include "analysis/causes/sync_threads.h"
#include "formats/event_types.h"

#include <string.h>

void tnd_sync_reading_emit(TndSyncReading *reading, guint row, TndSyncOp op)
{
    TndSyncReadingRow *at = &reading->rows[row - reading->first];
    op.begin_ns = MAX(op.begin_ns, tnd_sync_store_end(reading->ops, row));
    op.end_ns = MAX(op.begin_ns, op.end_ns);
    tnd_sync_store_add(reading->ops, row, &op);
    for (guint i = 0; i < at->n_open; i++)
        at->open[i].op.begin_ns = MAX(at->open[i].op.begin_ns, op.end_ns);
}

void tnd_sync_reading_begin(TndSyncReading *reading, TndSyncReadingRow *row, const TndEvent *event, TndSyncKind kind)
{
    if (!row->open)
        row->open = g_new(TndSyncOpen, TND_SYNC_MOST_OPEN);
    if (row->n_open == TND_SYNC_MOST_OPEN)
        row->n_open = 0;
    TndSyncOpen *open = &row->open[row->n_open++];
    *open = (TndSyncOpen){.type = event->type,
                          .op = {.begin_ns = event->time_ns, .end_ns = event->time_ns, .kind = (guint8)kind}};
    row->n_frames = 0;
    if (kind != TND_SYNC_MPI && row->part.function)
        open->op.path = tnd_sync_store_path(reading->ops, &row->part, 1);
}

/* Takes the callers that followed the begin of the innermost operation for its path. */
static void take_path(TndSyncReading *reading, TndSyncReadingRow *row)
{
    if (row->n_frames && row->n_open)
        tnd_sync_reading_top(row)->op.path = tnd_sync_store_path(reading->ops, row->frames, row->n_frames);
    row->n_frames = 0;
}

static void see_caller(TndSyncReadingRow *row, const TndEvent *event)
{
    gboolean is_line = event->type >= TND_TYPE_CALLER_LINE;
    guint level = event->type - (is_line ? TND_TYPE_CALLER_LINE_LEVEL : TND_TYPE_CALLER_LEVEL);
    if (level >= TND_SYNC_MOST_FRAMES || !row->n_open || tnd_sync_reading_top(row)->op.begin_ns != event->time_ns)
        return;
    if (!row->frames)
        row->frames = g_new(TndSyncFrame, TND_SYNC_MOST_FRAMES);
    while (row->n_frames <= level)
        row->frames[row->n_frames++] = (TndSyncFrame){0};
    TndSyncFrame *frame = &row->frames[level];
    frame->function_type = TND_TYPE_CALLER_LEVEL + level;
    frame->line_type = TND_TYPE_CALLER_LINE_LEVEL + level;
    *(is_line ? &frame->line : &frame->function) = event->value;
}

TndSyncOpen *tnd_sync_reading_find(TndSyncReadingRow *row, guint32 type)
{
    for (guint i = row->n_open; i-- > 0;)
        if (row->open[i].type == type) {
            row->n_open = i + 1;
            return &row->open[i];
        }
    return NULL;
}

static guint32 application_of(const TndSyncReading *reading)
{
    return tnd_trace_thread(reading->ops->trace, reading->first)->application;
}

/* The group of the next collective call of the process in this communicator. */
static guint32 next_group(TndSyncReading *reading, gint64 communicator)
{
    gint64 key = (gint64)application_of(reading) << 32 | (communicator & 0xffffffff);
    GArray *groups = g_hash_table_lookup(reading->communicators, &key);
    guint n = GPOINTER_TO_UINT(g_hash_table_lookup(reading->n_collectives, &key));
    if (!groups) {
        groups = g_array_new(FALSE, FALSE, sizeof(guint32));
        g_hash_table_insert(reading->communicators, g_memdup2(&key, sizeof key), groups);
    }
    while (groups->len <= n) {
        guint32 group = tnd_sync_store_new_group(reading->ops);
        g_array_append_val(groups, group);
    }
    g_hash_table_insert(reading->n_collectives, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(n + 1));
    return g_array_index(groups, guint32, n);
}

static void join_collective(TndSyncReading *reading, TndSyncReadingRow *row, TndSyncOpen *open)
{
    guint32 number = next_group(reading, open->communicator);
    TndSyncGroup *group = tnd_sync_store_group(reading->ops, number);
    gboolean arrives = open->is_root || !(open->properties & TND_MPI_FROM_ROOT);
    gboolean waits = open->properties & TND_MPI_FROM_ROOT ? !open->is_root
                     : open->properties & TND_MPI_TO_ROOT ? open->is_root
                                                          : TRUE;
    group->n_members++;
    group->size_bytes = MAX(group->size_bytes, open->size_bytes);
    open->op.arrives = arrives ? number : 0;
    if (waits && open->properties & TND_MPI_STARTS)
        row->pending = number;
    else if (waits)
        open->op.waits = number;
}

/* Whether the row receives a message in an operation. */
static gboolean receives(TndSyncReading *reading, guint row, const TndSyncOp *op)
{
    const TndMessageTable *messages = reading->ops->messages;
    const TndMessageOrder *order = &messages->received;
    TndSyncReadingRow *at = &reading->rows[row - reading->first];
    while (at->received < order->first[row + 1] &&
           messages->messages[order->indices[at->received]].receive_ns < op->begin_ns)
        at->received++;
    return at->received < order->first[row + 1] &&
           messages->messages[order->indices[at->received]].receive_ns <= op->end_ns;
}

static void end_call(TndSyncReading *reading, guint row, guint32 type, guint64 time_ns)
{
    TndSyncReadingRow *at = &reading->rows[row - reading->first];
    TndSyncOpen *open = tnd_sync_reading_find(at, type);
    if (!open)
        return;
    open->op.end_ns = time_ns;
    if (open->properties & TND_MPI_COLLECTIVE) {
        join_collective(reading, at, open);
    } else if (at->pending && open->properties & TND_MPI_COMPLETES && !receives(reading, row, &open->op)) {
        open->op.waits = at->pending;
        at->pending = 0;
    }
    TndSyncOp op = open->op;
    at->n_open--;
    tnd_sync_reading_emit(reading, row, op);
}

static void see_mpi(TndSyncReading *reading, guint row, const TndEvent *event)
{
    TndSyncReadingRow *at = &reading->rows[row - reading->first];
    TndSyncOpen *open = tnd_sync_reading_top(at);
    if (open && open->op.kind == TND_SYNC_MPI)
        end_call(reading, row, open->type, event->time_ns);
    if (!event->value)
        return;
    tnd_sync_reading_begin(reading, at, event, TND_SYNC_MPI);
    open = tnd_sync_reading_top(at);
    open->op.call = tnd_sync_store_call(reading->ops, event->type, event->value);
    open->properties = g_array_index(reading->ops->calls, TndSyncCall, open->op.call).properties;
}

static void see_argument(TndSyncReadingRow *row, const TndEvent *event)
{
    TndSyncOpen *open = tnd_sync_reading_top(row);
    if (!open || open->op.kind != TND_SYNC_MPI)
        return;
    if (event->type == TND_TYPE_MPI_COLLECTIVE_COMMUNICATOR)
        open->communicator = event->value;
    else if (event->type == TND_TYPE_MPI_COLLECTIVE_ROOT)
        open->is_root = event->value != 0;
    else
        open->size_bytes = MAX(open->size_bytes, (guint64)MAX(event->value, 0));
}

static void see(TndSyncReading *reading, guint row, const TndEvent *event)
{
    TndSyncReadingRow *at = &reading->rows[row - reading->first];
    guint32 type = event->type;
    if ((type >= TND_TYPE_CALLER && type < TND_TYPE_CALLER_LEVEL + TND_SYNC_MOST_FRAMES) ||
        (type >= TND_TYPE_CALLER_LINE && type < TND_TYPE_CALLER_LINE_LEVEL + TND_SYNC_MOST_FRAMES)) {
        see_caller(at, event);
        return;
    }
    if (at->n_frames &&
        (tnd_event_types_is_mpi(type) || !at->n_open || event->time_ns != tnd_sync_reading_top(at)->op.begin_ns))
        take_path(reading, at);
    if (tnd_event_types_is_mpi(type))
        see_mpi(reading, row, event);
    else if (type >= TND_TYPE_MPI_COLLECTIVE_SENT && type <= TND_TYPE_MPI_COLLECTIVE_COMMUNICATOR)
        see_argument(at, event);
    else
        tnd_sync_threads_see(reading, row, event);
}

static gboolean read_on(TndSyncReadingRow *row)
{
    const TndEvent *event = tnd_walk_next_event(&row->walk);
    if (event)
        row->event = *event;
    return event != NULL;
}

static guint64 wanted(void)
{
    static const guint32 types[] = {TND_TYPE_MPI_COLLECTIVE_SENT, TND_TYPE_MPI_COLLECTIVE_RECEIVED,
                                    TND_TYPE_MPI_COLLECTIVE_ROOT, TND_TYPE_MPI_COLLECTIVE_COMMUNICATOR,
                                    TND_TYPE_OPENMP_BARRIER,      TND_TYPE_OPENMP_JOIN,
                                    TND_TYPE_OPENMP_TASK,         TND_TYPE_OPENMP_NAMED_LOCK,
                                    TND_TYPE_OPENMP_UNNAMED_LOCK, TND_TYPE_OPENMP_PARALLEL,
                                    TND_TYPE_OPENMP_FUNCTION,     TND_TYPE_OPENMP_FUNCTION_LINE,
                                    TND_TYPE_OPENMP_POOL,         TND_TYPE_PTHREAD_CALL};
    guint64 bits = 0;
    for (guint i = 0; i < G_N_ELEMENTS(types); i++)
        bits |= tnd_blocks_bit(types[i]);
    for (guint32 type = TND_TYPE_MPI_P2P; type <= TND_TYPE_MPI_IO; type++)
        bits |= tnd_blocks_bit(type);
    return bits;
}

/* Rows without events are not looked at, so that their memory is never there. */
static gboolean has_events(const TndSyncReading *reading, guint row)
{
    return tnd_trace_thread(reading->ops->trace, row)->n_events > 0;
}

/* A process ends when its first thread does; threads that have no work wait for that. */
static void end_pools(TndSyncReading *reading)
{
    const TndTrace *trace = reading->ops->trace;
    for (guint row = reading->first + 1; row < reading->end; row++) {
        const TndSyncOpen *open = NULL;
        if (has_events(reading, row))
            open = tnd_sync_reading_find(&reading->rows[row - reading->first], TND_TYPE_OPENMP_POOL);
        if (open)
            tnd_sync_threads_end_pool(reading, row, MAX(tnd_trace_thread(trace, row)->end_ns, open->op.begin_ns));
    }
    guint64 end_ns = MIN(tnd_trace_thread(trace, reading->first)->end_ns, reading->pools_end_ns);
    if (reading->life_end)
        tnd_sync_reading_emit(
            reading, reading->first,
            (TndSyncOp){.begin_ns = end_ns, .end_ns = end_ns, .arrives = reading->life_end, .kind = TND_SYNC_LIFE_END});
}

/* Ends what is still open where the trace ends. */
static void end_rows(TndSyncReading *reading, TndTimeHeapEntry *heap)
{
    for (guint i = 0; i < reading->end - reading->first; i++) {
        TndSyncReadingRow *row = &reading->rows[i];
        if (!has_events(reading, reading->first + i))
            continue;
        if (row->n_open && tnd_sync_reading_top(row)->op.kind == TND_SYNC_MPI) {
            take_path(reading, row);
            end_call(reading, reading->first + i, tnd_sync_reading_top(row)->type,
                     tnd_trace_end_ns(reading->ops->trace));
        }
        tnd_walk_end(&row->walk);
    }
    end_pools(reading);
    for (guint i = 0; i < reading->end - reading->first; i++)
        if (has_events(reading, reading->first + i)) {
            g_free(reading->rows[i].open);
            g_free(reading->rows[i].frames);
        }
    g_array_set_size(reading->regions, 0);
    g_hash_table_remove_all(reading->n_collectives);
    g_free(reading->rows);
    g_free(heap);
}

void tnd_sync_reading_run(TndSyncReading *reading, guint first, guint end)
{
    TndTimeHeapEntry *heap = g_new(TndTimeHeapEntry, end - first);
    gsize n = 0;
    reading->first = first;
    reading->end = end;
    reading->rows = g_new0(TndSyncReadingRow, end - first);
    reading->life_end = 0;
    reading->pools_end_ns = G_MAXUINT64;
    memset(reading->signals, 0, sizeof reading->signals);
    for (guint row = first; row < end; row++) {
        TndSyncReadingRow *at = &reading->rows[row - first];
        if (!has_events(reading, row))
            continue;
        at->walk = tnd_walk_events(reading->ops->trace, row, wanted());
        at->received = reading->ops->messages->received.first[row];
        if (read_on(at))
            heap[n++] = (TndTimeHeapEntry){at->event.time_ns, row, row};
    }
    tnd_time_heap_make(heap, n);
    while (n) {
        guint row = (guint)heap[0].item;
        TndSyncReadingRow *at = &reading->rows[row - first];
        see(reading, row, &at->event);
        if (read_on(at)) {
            heap[0].time_ns = at->event.time_ns;
            tnd_time_heap_sift(heap, n, 0);
        } else {
            tnd_time_heap_drop(heap, n--);
        }
    }
    end_rows(reading, heap);
}

TndSyncReading *tnd_sync_reading_new(TndSyncOps *ops)
{
    TndSyncReading *reading = g_new0(TndSyncReading, 1);
    reading->ops = ops;
    reading->communicators = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, (GDestroyNotify)g_array_unref);
    reading->n_collectives = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    reading->regions = g_array_new(FALSE, FALSE, sizeof(TndSyncRegion));
    g_array_set_clear_func(reading->regions, tnd_sync_threads_clear_region);
    return reading;
}

void tnd_sync_reading_free(TndSyncReading *reading)
{
    g_hash_table_unref(reading->communicators);
    g_hash_table_unref(reading->n_collectives);
    g_array_unref(reading->regions);
    g_free(reading);
}
