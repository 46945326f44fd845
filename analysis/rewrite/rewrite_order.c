/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From time to time the records in memory are sorted, and those before which no other can come are given out, merged
 * with the runs.  That is done when memory has a few times as much as was left the last time, so that it stays in the
 * processor's caches.  If more than half of the limit is left, it becomes a run.
 */
#include "analysis/rewrite/rewrite_order.h"

#include "analysis/base/unnamed_file.h"
#include "formats/prv_write.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MARK_BYTES ((gsize)1 << 20)
#define RUN_BYTES ((gsize)256 << 10) /* how much of each run is in memory */

gsize tnd_rewrite_order_limit_bytes = (gsize)64 << 20;

/* A record; the pairs of an event follow it.  Records of one time are in the order of n, which counts them. */
typedef struct {
    guint64 time, n;
    guint32 size; /* with the pairs */
    enum { STATE, EVENT, MESSAGE } kind;
    guint32 row, receiver;
    union {
        struct tnd_prv_state state;
        struct tnd_prv_event event;
        struct tnd_prv_message message;
    };
} Packed;

typedef struct {
    off_t at, end; /* the part that is still in the file */
    char *bytes;
    gsize from, to;
} Run;

struct TndRewriteOrder {
    TndRewriteOrderOut out;
    char *bytes, *spare;
    gsize room, filled;
    gsize mark;        /* settle when `filled` gets to this: a few times what was left the last time */
    GPtrArray *packed; /* Packed *, into bytes */
    guint64 n, passed;
    int fd; /* -1: no file yet */
    off_t file_end;
    GArray *runs;
    GError *error;
};

TndRewriteOrder *tnd_rewrite_order_new(const TndRewriteOrderOut *out)
{
    TndRewriteOrder *order = g_new0(TndRewriteOrder, 1);
    order->out = *out;
    order->room = tnd_rewrite_order_limit_bytes;
    order->mark = MIN(order->room, MARK_BYTES);
    order->bytes = g_malloc(order->room);
    order->spare = g_malloc(order->room);
    order->packed = g_ptr_array_new();
    order->runs = g_array_new(FALSE, FALSE, sizeof(Run));
    order->fd = -1;
    return order;
}

void tnd_rewrite_order_free(TndRewriteOrder *order)
{
    if (!order)
        return;
    for (guint i = 0; i < order->runs->len; i++)
        g_free(g_array_index(order->runs, Run, i).bytes);
    g_array_unref(order->runs);
    g_ptr_array_unref(order->packed);
    g_free(order->bytes);
    g_free(order->spare);
    if (order->fd >= 0)
        close(order->fd);
    g_clear_error(&order->error);
    g_free(order);
}

static int compare(const Packed *a, const Packed *b)
{
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return (a->n > b->n) - (a->n < b->n);
}

static int compare_pointers(const void *a, const void *b)
{
    return compare(*(const Packed *const *)a, *(const Packed *const *)b);
}

static void give_out(const TndRewriteOrder *order, Packed *packed)
{
    const TndRewriteOrderOut *out = &order->out;
    if (packed->kind == STATE) {
        out->state(out->self, packed->row, &packed->state);
    } else if (packed->kind == EVENT) {
        packed->event.pairs = (const struct tnd_prv_pair *)(packed + 1);
        out->event(out->self, packed->row, &packed->event);
    } else {
        out->message(out->self, packed->row, packed->receiver, &packed->message);
    }
}

static void fail(TndRewriteOrder *order)
{
    int reason = errno;
    if (!order->error)
        g_set_error(&order->error, G_IO_ERROR, (gint)g_io_error_from_errno(reason), "%s: %s", order->out.directory,
                    g_strerror(reason));
}

/* The first record of a run; NULL: none is left, or the file failed. */
static Packed *first_of_run(TndRewriteOrder *order, Run *run)
{
    for (;;) {
        gsize here = run->to - run->from;
        Packed *packed = (Packed *)(void *)(run->bytes + run->from);
        if (here >= sizeof *packed && here >= packed->size)
            return packed;
        if (run->at == run->end)
            return NULL;
        gsize wanted = here >= sizeof *packed ? MAX(packed->size, RUN_BYTES) : RUN_BYTES;
        if (here)
            memmove(run->bytes, run->bytes + run->from, here);
        run->bytes = g_realloc(run->bytes, wanted);
        run->from = 0;
        run->to = here;
        ssize_t n = pread(order->fd, run->bytes + here, MIN(wanted - here, (gsize)(run->end - run->at)), run->at);
        if (n <= 0) {
            errno = n ? errno : EIO;
            fail(order);
            run->at = run->end;
            run->to = 0;
            return NULL;
        }
        run->at += n;
        run->to += (gsize)n;
    }
}

static Run *run_at(const TndRewriteOrder *order, guint at)
{
    return &g_array_index(order->runs, Run, at);
}

/* Whether a run's first record is before another one's; runs without any come last. */
static gboolean is_before(TndRewriteOrder *order, guint a, guint b)
{
    const Packed *x = first_of_run(order, run_at(order, a)), *y = first_of_run(order, run_at(order, b));
    return x && (!y || compare(x, y) < 0);
}

static void swap(const TndRewriteOrder *order, guint a, guint b)
{
    Run run = *run_at(order, a);
    *run_at(order, a) = *run_at(order, b);
    *run_at(order, b) = run;
}

/* Runs are a heap by their first records.  A run whose first record has changed sinks to its place, a new one rises. */
static void sink(TndRewriteOrder *order, guint at)
{
    for (guint child; (child = 2 * at + 1) < order->runs->len; at = child) {
        if (child + 1 < order->runs->len && is_before(order, child + 1, child))
            child++;
        if (!is_before(order, child, at))
            break;
        swap(order, at, child);
    }
}

static void rise(TndRewriteOrder *order, guint at)
{
    for (; at && is_before(order, at, (at - 1) / 2); at = (at - 1) / 2)
        swap(order, at, (at - 1) / 2);
}

/* The first record of all runs, which is that of the first run; NULL: none is left. */
static Packed *first_of_runs(TndRewriteOrder *order)
{
    while (order->runs->len) {
        Packed *first = first_of_run(order, run_at(order, 0));
        if (first)
            return first;
        g_free(run_at(order, 0)->bytes);
        g_array_remove_index_fast(order->runs, 0);
        sink(order, 0);
    }
    return NULL;
}

/* Removes the first n_given records from memory. */
static void keep_rest(TndRewriteOrder *order, guint n_given)
{
    char *rest = order->spare;
    gsize filled = 0;
    for (guint i = n_given; i < order->packed->len; i++) {
        const Packed *packed = order->packed->pdata[i];
        memcpy(rest + filled, packed, packed->size);
        order->packed->pdata[i] = rest + filled;
        filled += packed->size;
    }
    g_ptr_array_remove_range(order->packed, 0, n_given);
    order->spare = order->bytes;
    order->bytes = rest;
    order->filled = filled;
}

/* Writes the records in memory, which are sorted, to the file as a run. */
static void spill(TndRewriteOrder *order)
{
    if (order->fd < 0)
        order->fd = tnd_unnamed_file_open(order->out.directory);
    Run run = {.at = order->file_end, .end = order->file_end + (off_t)order->filled};
    if (order->fd < 0 || lseek(order->fd, run.at, SEEK_SET) != run.at ||
        !tnd_prv_write_fd(&order->fd, order->bytes, order->filled)) {
        fail(order);
    } else {
        order->file_end = run.end;
        g_array_append_val(order->runs, run);
        rise(order, order->runs->len - 1);
    }
    order->filled = 0;
    g_ptr_array_set_size(order->packed, 0);
}

/* Gives out the records before the time that was passed, or all. */
static void settle(TndRewriteOrder *order, gboolean is_all)
{
    guint n_given = 0;
    qsort(order->packed->pdata, order->packed->len, sizeof(gpointer), compare_pointers);
    for (;;) {
        Packed *packed = n_given < order->packed->len ? order->packed->pdata[n_given] : NULL;
        Packed *of_run = first_of_runs(order);
        if (of_run && (!packed || compare(of_run, packed) < 0))
            packed = of_run;
        if (!packed || (!is_all && packed->time >= order->passed))
            break;
        give_out(order, packed);
        if (packed == of_run) {
            run_at(order, 0)->from += packed->size;
            sink(order, 0);
        } else
            n_given++;
    }
    keep_rest(order, n_given);
}

static Packed *add(TndRewriteOrder *order, gsize n_more, guint64 time)
{
    gsize size = sizeof(Packed) + n_more;
    if (order->mark < order->filled + size) {
        settle(order, FALSE);
        order->mark = MIN(order->room, MAX(4 * order->filled, MARK_BYTES));
        if (order->filled > order->room / 2 || order->room - order->filled < size)
            spill(order);
        if (order->room < size) {
            order->room = size;
            order->bytes = g_realloc(order->bytes, size);
            order->spare = g_realloc(order->spare, size);
        }
    }
    Packed *packed = (Packed *)(void *)(order->bytes + order->filled);
    *packed = (Packed){.time = time, .n = order->n++, .size = (guint32)size};
    order->filled += size;
    g_ptr_array_add(order->packed, packed);
    return packed;
}

void tnd_rewrite_order_state(TndRewriteOrder *order, guint row, const struct tnd_prv_state *state)
{
    Packed *packed = add(order, 0, state->begin);
    packed->kind = STATE;
    packed->row = row;
    packed->state = *state;
}

void tnd_rewrite_order_event(TndRewriteOrder *order, guint row, const struct tnd_prv_event *event)
{
    gsize n_more = event->n_pairs * sizeof *event->pairs;
    Packed *packed = add(order, n_more, event->time);
    packed->kind = EVENT;
    packed->row = row;
    packed->event = *event;
    memcpy(packed + 1, event->pairs, n_more);
}

void tnd_rewrite_order_message(TndRewriteOrder *order, guint sender, guint receiver,
                               const struct tnd_prv_message *message)
{
    Packed *packed = add(order, 0, message->logical_send);
    packed->kind = MESSAGE;
    packed->row = sender;
    packed->receiver = receiver;
    packed->message = *message;
}

void tnd_rewrite_order_pass(TndRewriteOrder *order, guint64 time)
{
    order->passed = MAX(order->passed, time);
}

gboolean tnd_rewrite_order_finish(TndRewriteOrder *order, GError **error)
{
    settle(order, TRUE);
    if (!order->error)
        return TRUE;
    g_propagate_error(error, g_steal_pointer(&order->error));
    return FALSE;
}
