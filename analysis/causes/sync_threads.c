/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A barrier is known by when threads are in it: none leaves before the last one has come.  A trace does not say which
 * lock a thread waits for: it is taken to be the one that another thread released last.
 */
#include "analysis/causes/sync_threads.h"

#include "formats/event_types.h"

/* Values of events, as in formats/event_types.tsv. */
enum { LOCK_WAITED_FOR = 3, LOCK_RELEASED = 5, LOCK_HELD = 6 };
enum { MUTEX_UNLOCK = 9, RWLOCK_WRITE = 5, RWLOCK_READ = 6, RWLOCK_UNLOCK = 7, MUTEX_LOCK = 8, COND_SIGNAL = 10 };
enum { COND_BROADCAST = 11, COND_WAIT = 12, BARRIER_WAIT = 13, SEM_WAIT = 20, SEM_POST = 21 };

static void end_barrier(TndSyncReading *reading, guint row, const TndEvent *event)
{
    TndSyncReadingRow *at = &reading->rows[row - reading->first];
    TndSyncOpen *open = tnd_sync_reading_find(at, event->type);
    if (!open || open->op.kind != TND_SYNC_BARRIER)
        return;
    if (!open->op.waits) {
        guint32 group = tnd_sync_store_new_group(reading->ops);
        for (guint other = 0; other < reading->end - reading->first; other++)
            for (guint i = 0; i < reading->rows[other].n_open; i++) {
                TndSyncOpen *same = &reading->rows[other].open[i];
                if (same->type == open->type && same->op.kind == TND_SYNC_BARRIER && !same->op.waits &&
                    reading->rows[other].region == at->region)
                    same->op.waits = same->op.arrives = group;
            }
    }
    open->op.end_ns = event->time_ns;
    TndSyncOp op = open->op;
    at->n_open--;
    tnd_sync_reading_emit(reading, row, op);
}

static guint signal_of(const TndEvent *event, gboolean is_condition)
{
    return event->type == TND_TYPE_OPENMP_NAMED_LOCK     ? TND_SYNC_OF_NAMED_LOCK
           : event->type == TND_TYPE_OPENMP_UNNAMED_LOCK ? TND_SYNC_OF_UNNAMED_LOCK
           : is_condition                                ? TND_SYNC_OF_CONDITION
                                                         : TND_SYNC_OF_PTHREAD_LOCK;
}

/* A thread gives something that others may wait for. */
static void give(TndSyncReading *reading, guint row, const TndEvent *event, gboolean is_condition)
{
    TndSyncReadingRow *at = &reading->rows[row - reading->first];
    gboolean is_wanted = FALSE;
    for (guint other = 0; other < reading->end - reading->first && !is_wanted; other++) {
        const TndSyncOpen *open = &reading->rows[other] == at ? NULL : tnd_sync_reading_top(&reading->rows[other]);
        is_wanted =
            open && open->type == event->type && open->op.kind == (is_condition ? TND_SYNC_CONDITION : TND_SYNC_LOCK);
    }
    if (!is_wanted)
        return;
    const TndSyncOp op = {.begin_ns = event->time_ns,
                          .end_ns = event->time_ns,
                          .arrives = tnd_sync_store_new_group(reading->ops),
                          .kind = TND_SYNC_SIGNAL,
                          .path = at->part.function ? tnd_sync_store_path(reading->ops, &at->part, 1) : 0};
    reading->signals[signal_of(event, is_condition)] = (TndSyncSignal){op.arrives, row, event->time_ns};
    tnd_sync_reading_emit(reading, row, op);
}

/* A thread has got what it may have waited for.  Only a wait with a known cause becomes an operation. */
static void get(TndSyncReading *reading, guint row, const TndEvent *event)
{
    TndSyncReadingRow *at = &reading->rows[row - reading->first];
    TndSyncOpen *open = tnd_sync_reading_find(at, event->type);
    if (!open || (open->op.kind != TND_SYNC_LOCK && open->op.kind != TND_SYNC_CONDITION))
        return;
    TndSyncOp op = open->op;
    const TndSyncSignal *signal = &reading->signals[signal_of(event, op.kind == TND_SYNC_CONDITION)];
    at->n_open--;
    if (!signal->group || signal->row == row || signal->time_ns <= op.begin_ns)
        return;
    op.end_ns = event->time_ns;
    op.waits = signal->group;
    tnd_sync_reading_emit(reading, row, op);
}

static void see_lock(TndSyncReading *reading, guint row, const TndEvent *event)
{
    if (event->value == LOCK_WAITED_FOR)
        tnd_sync_reading_begin(reading, &reading->rows[row - reading->first], event, TND_SYNC_LOCK);
    else if (event->value == LOCK_HELD)
        get(reading, row, event);
    else if (event->value == LOCK_RELEASED)
        give(reading, row, event, FALSE);
}

static void end_pthread(TndSyncReading *reading, guint row, const TndEvent *event)
{
    const TndSyncOpen *open = tnd_sync_reading_find(&reading->rows[row - reading->first], event->type);
    if (open && open->op.kind == TND_SYNC_BARRIER)
        end_barrier(reading, row, event);
    else
        get(reading, row, event);
}

static void see_pthread(TndSyncReading *reading, guint row, const TndEvent *event)
{
    TndSyncReadingRow *at = &reading->rows[row - reading->first];
    end_pthread(reading, row, event);
    switch (event->value) {
    case MUTEX_LOCK:
    case RWLOCK_WRITE:
    case RWLOCK_READ:
        tnd_sync_reading_begin(reading, at, event, TND_SYNC_LOCK);
        break;
    case MUTEX_UNLOCK:
    case RWLOCK_UNLOCK:
        give(reading, row, event, FALSE);
        break;
    case COND_SIGNAL:
    case COND_BROADCAST:
    case SEM_POST:
        give(reading, row, event, TRUE);
        break;
    case COND_WAIT:
    case SEM_WAIT:
        tnd_sync_reading_begin(reading, at, event, TND_SYNC_CONDITION);
        break;
    case BARRIER_WAIT:
        tnd_sync_reading_begin(reading, at, event, TND_SYNC_BARRIER);
        break;
    default:
        break;
    }
}

/* The region of this number, if it is still open. */
static TndSyncRegion *find_region(TndSyncReading *reading, guint32 number)
{
    for (guint i = reading->regions->len; i-- > 0;)
        if (g_array_index(reading->regions, TndSyncRegion, i).number == number)
            return &g_array_index(reading->regions, TndSyncRegion, i);
    return NULL;
}

void tnd_sync_threads_clear_region(gpointer region)
{
    g_array_unref(((TndSyncRegion *)region)->ended);
}

static void begin_region(TndSyncReading *reading, guint row, const TndEvent *event)
{
    const TndSyncRegion region = {.number = ++reading->n_regions,
                                  .fork = tnd_sync_store_new_group(reading->ops),
                                  .row = row,
                                  .begin_ns = event->time_ns,
                                  .ended = g_array_new(FALSE, FALSE, sizeof(TndSyncPart))};
    g_array_append_val(reading->regions, region);
    tnd_sync_reading_emit(
        reading, row,
        (TndSyncOp){
            .begin_ns = event->time_ns, .end_ns = event->time_ns, .arrives = region.fork, .kind = TND_SYNC_FORK});
}

/* All threads of the region have ended their parts. */
static void end_region(TndSyncReading *reading, guint row, const TndEvent *event)
{
    for (guint i = reading->regions->len; i-- > 0;) {
        const TndSyncRegion *region = &g_array_index(reading->regions, TndSyncRegion, i);
        if (region->row != row)
            continue;
        guint32 group = region->ended->len > 1 ? tnd_sync_store_new_group(reading->ops) : 0;
        for (guint j = 0; j < region->ended->len && group; j++) {
            const TndSyncPart *part = &g_array_index(region->ended, TndSyncPart, j);
            tnd_sync_reading_emit(reading, part->row,
                                  (TndSyncOp){.begin_ns = part->end_ns,
                                              .end_ns = event->time_ns,
                                              .arrives = group,
                                              .waits = group,
                                              .path = part->path,
                                              .kind = TND_SYNC_REGION_END});
        }
        g_array_remove_index(reading->regions, i);
        return;
    }
}

static void see_parallel(TndSyncReading *reading, guint row, const TndEvent *event)
{
    if (event->value)
        begin_region(reading, row, event);
    else
        end_region(reading, row, event);
}

static void begin_part(TndSyncReading *reading, guint row, const TndEvent *event)
{
    TndSyncReadingRow *at = &reading->rows[row - reading->first];
    const TndSyncRegion *region = NULL;
    for (guint i = reading->regions->len; i-- > 0 && !region;)
        if (g_array_index(reading->regions, TndSyncRegion, i).row == row)
            region = &g_array_index(reading->regions, TndSyncRegion, i);
    if (!region && reading->regions->len)
        region = &g_array_index(reading->regions, TndSyncRegion, reading->regions->len - 1);
    at->region = region ? region->number : 0;
    at->part = (TndSyncFrame){TND_TYPE_OPENMP_FUNCTION, TND_TYPE_OPENMP_FUNCTION_LINE, event->value, 0};
}

static void see_part(TndSyncReading *reading, guint row, const TndEvent *event)
{
    TndSyncReadingRow *at = &reading->rows[row - reading->first];
    if (event->value) {
        begin_part(reading, row, event);
        return;
    }
    TndSyncRegion *region = find_region(reading, at->region);
    const TndSyncPart part = {row, event->time_ns,
                              at->part.function ? tnd_sync_store_path(reading->ops, &at->part, 1) : 0};
    if (region)
        g_array_append_val(region->ended, part);
    at->region = 0;
    at->part = (TndSyncFrame){0};
}

void tnd_sync_threads_end_pool(TndSyncReading *reading, guint row, guint64 time_ns)
{
    TndSyncReadingRow *at = &reading->rows[row - reading->first];
    TndSyncOpen *open = tnd_sync_reading_find(at, TND_TYPE_OPENMP_POOL);
    const TndSyncRegion *region =
        reading->regions->len ? &g_array_index(reading->regions, TndSyncRegion, reading->regions->len - 1) : NULL;
    if (!open)
        return;
    open->op.end_ns = time_ns;
    if (!region && time_ns >= tnd_trace_thread(reading->ops->trace, row)->end_ns) {
        reading->life_end = reading->life_end ? reading->life_end : tnd_sync_store_new_group(reading->ops);
        reading->pools_end_ns = MIN(reading->pools_end_ns, time_ns);
        open->op.waits = reading->life_end;
    } else {
        open->op.waits = region ? region->fork : 0;
    }
    TndSyncOp op = open->op;
    at->n_open--;
    tnd_sync_reading_emit(reading, row, op);
}

static void see_pool(TndSyncReading *reading, guint row, const TndEvent *event)
{
    tnd_sync_threads_end_pool(reading, row, event->time_ns);
    if (event->value)
        tnd_sync_reading_begin(reading, &reading->rows[row - reading->first], event, TND_SYNC_POOL);
}

void tnd_sync_threads_see(TndSyncReading *reading, guint row, const TndEvent *event)
{
    TndSyncReadingRow *at = &reading->rows[row - reading->first];
    switch (event->type) {
    case TND_TYPE_OPENMP_BARRIER:
    case TND_TYPE_OPENMP_JOIN:
        end_barrier(reading, row, event);
        if (event->value)
            tnd_sync_reading_begin(reading, at, event, TND_SYNC_BARRIER);
        break;
    case TND_TYPE_OPENMP_TASK:
        if (!event->value && at->n_open)
            tnd_sync_reading_top(at)->op.begin_ns = event->time_ns;
        break;
    case TND_TYPE_OPENMP_NAMED_LOCK:
    case TND_TYPE_OPENMP_UNNAMED_LOCK:
        see_lock(reading, row, event);
        break;
    case TND_TYPE_OPENMP_PARALLEL:
        see_parallel(reading, row, event);
        break;
    case TND_TYPE_OPENMP_FUNCTION:
        see_part(reading, row, event);
        break;
    case TND_TYPE_OPENMP_FUNCTION_LINE:
        at->part.line = event->value;
        break;
    case TND_TYPE_OPENMP_POOL:
        see_pool(reading, row, event);
        break;
    case TND_TYPE_PTHREAD_CALL:
        see_pthread(reading, row, event);
        break;
    default:
        break;
    }
}
