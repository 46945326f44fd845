/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The messages of rows are counted, put where they belong, and sorted row by row.
 */
#include "analysis/convert/row_messages.h"

#include "analysis/trace/walk.h"
#include "formats/prv_tags.h"

#include <stdlib.h>

static gboolean is_line_of_tasks(const TndTrace *trace, const TndMessage *message)
{
    if (message->tag < TND_PRV_TAG_CREATION || message->tag > TND_PRV_TAG_FULFILMENT)
        return FALSE;
    const TndThread *from = tnd_trace_thread(trace, message->sender), *to = tnd_trace_thread(trace, message->receiver);
    return from->application == to->application && from->task == to->task;
}

/* Counts the messages of each row in first[row + 2]. */
static void count_message(TndRowMessages *all, const TndMessage *message)
{
    all->first[message->sender + 2]++;
    all->first[message->receiver + 2]++;
}

/* Puts one at first[row + 1], which moves on. */
static void put(TndRowMessages *all, guint32 row, TndRowMessage message)
{
    gsize at = all->first[row + 1]++;
    message.index = at;
    all->messages[at] = message;
}

static void put_message(TndRowMessages *all, const TndMessage *message)
{
    const guint64 first_ns = MIN(message->logical_receive_ns, message->physical_receive_ns),
                  last_ns = MAX(message->logical_receive_ns, message->physical_receive_ns);
    put(all, message->sender,
        (TndRowMessage){message->logical_send_ns, message->physical_send_ns, message->size_bytes, message->tag,
                        message->receiver, FALSE, FALSE, 0});
    put(all, message->receiver,
        (TndRowMessage){last_ns, first_ns, message->size_bytes, message->tag, message->sender, TRUE,
                        message->physical_receive_ns < message->logical_receive_ns, 0});
}

static void each_message(TndRowMessages *all, const TndTrace *trace,
                         void (*take)(TndRowMessages *all, const TndMessage *message))
{
    TndWalk walk = tnd_walk_messages(trace, 0, G_MAXUINT64);
    for (const TndMessage *message; (message = tnd_walk_next_message(&walk));)
        if (!is_line_of_tasks(trace, message))
            take(all, message);
    tnd_walk_end(&walk);
}

static int compare(gconstpointer a, gconstpointer b)
{
    const TndRowMessage *m = a, *n = b;
    if (m->time_ns != n->time_ns)
        return m->time_ns < n->time_ns ? -1 : 1;
    if (m->is_receive != n->is_receive)
        return m->is_receive ? -1 : 1;
    return (m->index > n->index) - (m->index < n->index);
}

TndRowMessages *tnd_row_messages_new(const TndTrace *trace)
{
    TndRowMessages *all = g_new0(TndRowMessages, 1);
    guint n_rows = tnd_trace_n_threads(trace);
    all->memory = tnd_large_memory_new(tnd_trace_path(trace));
    all->first = g_new0(gsize, n_rows + 2);
    each_message(all, trace, count_message);
    for (guint row = 0; row < n_rows; row++)
        all->first[row + 2] += all->first[row + 1];
    all->messages = tnd_large_memory_take(all->memory, MAX(all->first[n_rows + 1], 1) * sizeof *all->messages);
    each_message(all, trace, put_message);
    for (guint row = 0; row < n_rows; row++)
        qsort(all->messages + all->first[row], all->first[row + 1] - all->first[row], sizeof *all->messages, compare);
    return all;
}

void tnd_row_messages_free(TndRowMessages *messages)
{
    g_free(messages->first);
    tnd_large_memory_free(messages->memory);
    g_free(messages);
}
