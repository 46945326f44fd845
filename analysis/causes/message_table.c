/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The messages of a trace are in the order of their sends.  Those of a row are found by counting; what a row receives
 * is then sorted.
 */
#include "analysis/causes/message_table.h"

#include "analysis/trace/walk.h"
#include "formats/prv_tags.h"

#include <stdlib.h>

static gboolean is_line(const TndMessage *message)
{
    return message->tag >= TND_PRV_TAG_CREATION && message->tag <= TND_PRV_TAG_FULFILMENT;
}

static gboolean is_within_process(const TndTrace *trace, const TndMessage *message)
{
    const TndThread *from = tnd_trace_thread(trace, message->sender), *to = tnd_trace_thread(trace, message->receiver);
    return from->application == to->application && from->task == to->task;
}

static void add_message(TndMessageTable *table, const TndTrace *trace, const TndMessage *message)
{
    guint64 received_ns = MAX(message->logical_receive_ns, message->physical_receive_ns);
    if (is_line(message) && is_within_process(trace, message))
        return;
    if (received_ns < message->logical_send_ns) {
        table->n_backward++;
        return;
    }
    table->messages[table->n++] = (TndMessageEnds){.send_ns = message->logical_send_ns,
                                                   .post_ns = message->logical_receive_ns,
                                                   .receive_ns = received_ns,
                                                   .sender = message->sender,
                                                   .receiver = message->receiver,
                                                   .size_bytes = (guint64)MAX(message->size_bytes, 0)};
}

static guint32 row_of(const TndMessageEnds *message, gboolean is_sender)
{
    return is_sender ? message->sender : message->receiver;
}

/* Puts the messages of each row one after another, in the order of the table. */
static void count_out(TndMessageTable *table, TndMessageOrder *order, guint n_rows, gboolean by_sender)
{
    order->first = g_new0(gsize, n_rows + 2);
    order->indices = tnd_large_memory_take(table->memory, MAX(table->n, 1) * sizeof *order->indices);
    for (gsize i = 0; i < table->n; i++)
        order->first[row_of(&table->messages[i], by_sender) + 2]++;
    for (guint row = 0; row < n_rows; row++)
        order->first[row + 2] += order->first[row + 1];
    for (gsize i = 0; i < table->n; i++)
        order->indices[order->first[row_of(&table->messages[i], by_sender) + 1]++] = (guint32)i;
}

static int compare_posts(gconstpointer a, gconstpointer b, gpointer messages)
{
    const guint32 *x = a, *y = b;
    const TndMessageEnds *m = (const TndMessageEnds *)messages + *x, *n = (const TndMessageEnds *)messages + *y;
    return m->post_ns != n->post_ns ? (m->post_ns < n->post_ns ? -1 : 1) : (*x > *y) - (*x < *y);
}

static int compare_receives(gconstpointer a, gconstpointer b, gpointer messages)
{
    const guint32 *x = a, *y = b;
    const TndMessageEnds *m = (const TndMessageEnds *)messages + *x, *n = (const TndMessageEnds *)messages + *y;
    return m->receive_ns != n->receive_ns ? (m->receive_ns < n->receive_ns ? -1 : 1) : (*x > *y) - (*x < *y);
}

static void sort_rows(TndMessageTable *table, TndMessageOrder *order, guint n_rows, GCompareDataFunc compare)
{
    count_out(table, order, n_rows, FALSE);
    for (guint row = 0; row < n_rows; row++)
        qsort_r(order->indices + order->first[row], order->first[row + 1] - order->first[row], sizeof *order->indices,
                compare, table->messages);
}

TndMessageTable *tnd_message_table_new(const TndTrace *trace)
{
    TndMessageTable *table = g_new0(TndMessageTable, 1);
    guint n_rows = tnd_trace_n_threads(trace);
    table->memory = tnd_large_memory_new(tnd_trace_path(trace));
    table->messages =
        tnd_large_memory_take(table->memory, MAX(tnd_trace_n_messages(trace), 1) * sizeof *table->messages);
    TndWalk walk = tnd_walk_messages(trace, 0, G_MAXUINT64);
    for (const TndMessage *message; (message = tnd_walk_next_message(&walk));)
        add_message(table, trace, message);
    tnd_walk_end(&walk);
    count_out(table, &table->sent, n_rows, TRUE);
    sort_rows(table, &table->posted, n_rows, compare_posts);
    sort_rows(table, &table->received, n_rows, compare_receives);
    return table;
}

void tnd_message_table_free(TndMessageTable *table)
{
    if (!table)
        return;
    g_free(table->sent.first);
    g_free(table->posted.first);
    g_free(table->received.first);
    tnd_large_memory_free(table->memory);
    g_free(table);
}
