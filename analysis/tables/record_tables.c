/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Events are walked through row by row, messages block by block.
 */
#include "analysis/tables/record_tables.h"

#include "analysis/trace/walk.h"

#include <gio/gio.h>
#include <string.h>

typedef struct {
    const TndTrace *trace;
    guint64 begin_ns, end_ns; /* [begin_ns, end_ns] */
    const gboolean *rows;
    const guint32 *types; /* of events; n_types 0: all */
    gsize n_types;
} Wanted;

char **tnd_record_tables_rows(const TndTrace *trace)
{
    guint n = tnd_trace_n_threads(trace);
    char **names = g_new0(char *, n + 1);
    for (guint row = 0; row < n; row++)
        names[row] = g_strdup(tnd_trace_thread(trace, row)->name);
    return names;
}

/* Fills a table; frees it if that fails. */
static TndTable *fill(TndTable *table, const TndTableSelection *selection, TndTableSource *source, GError **error)
{
    source->progress = tnd_table_progress_new(selection, 2 * (guint64)source->n_items);
    if (!tnd_table_fill(table, source, error))
        g_clear_pointer(&table, tnd_table_free);
    tnd_cores_progress_free(source->progress);
    return table;
}

static Wanted wanted_of(const TndTrace *trace, const TndTableSelection *selection)
{
    return (Wanted){.trace = trace,
                    .begin_ns = selection->begin_ns,
                    .end_ns = selection->end_ns ? selection->end_ns - 1 : G_MAXUINT64,
                    .rows = selection->rows};
}

/* Events. */

enum { EVENT_ROW, EVENT_TIME, EVENT_TYPE, EVENT_VALUE };

static gboolean is_of_types(const Wanted *wanted, guint32 type)
{
    gboolean is_any = wanted->n_types == 0;
    for (gsize i = 0; i < wanted->n_types && !is_any; i++)
        is_any = wanted->types[i] == type;
    return is_any;
}

static void write_event(TndTable *table, gsize at, guint row, const TndEvent *event)
{
    tnd_table_repeat_code(table, EVENT_ROW, at, 1, row);
    *tnd_table_integers(table, EVENT_TIME, at) = (gint64)event->time_ns;
    *tnd_table_integers(table, EVENT_TYPE, at) = event->type;
    *tnd_table_integers(table, EVENT_VALUE, at) = event->value;
}

static void produce_events(guint row, TndTableWriter *writer, gpointer data)
{
    const Wanted *wanted = data;
    if (wanted->rows && !wanted->rows[row])
        return;
    guint64 bits = wanted->n_types ? 0 : G_MAXUINT64;
    for (gsize i = 0; i < wanted->n_types; i++)
        bits |= tnd_blocks_bit(wanted->types[i]);
    TndWalk walk = tnd_walk_events(wanted->trace, row, bits);
    for (const TndEvent *event; (event = tnd_walk_next_event(&walk)) && event->time_ns <= wanted->end_ns;) {
        if (event->time_ns < wanted->begin_ns || !is_of_types(wanted, event->type))
            continue;
        if (writer->table)
            write_event(writer->table, writer->at, row, event);
        writer->at++;
    }
    tnd_walk_end(&walk);
}

TndTable *tnd_record_tables_events(const TndTrace *trace, const guint32 *types, gsize n_types,
                                   const TndTableSelection *selection, GError **error)
{
    Wanted wanted = wanted_of(trace, selection);
    TndTableSource source = {.n_items = tnd_trace_n_threads(trace), .produce = produce_events, .data = &wanted};
    TndTable *table = tnd_table_new();
    wanted.types = types;
    wanted.n_types = n_types;
    tnd_table_add_codes(table, "row", tnd_record_tables_rows(trace), source.n_items);
    tnd_table_add(table, "time_ns", TND_COLUMN_INT64);
    tnd_table_add(table, "type", TND_COLUMN_INT64);
    tnd_table_add(table, "value", TND_COLUMN_INT64);
    return fill(table, selection, &source, error);
}

/* Messages. */

enum { SENDER, RECEIVER, LOGICAL_SEND, PHYSICAL_SEND, LOGICAL_RECEIVE, PHYSICAL_RECEIVE, SIZE, TAG };

static gboolean is_wanted(const Wanted *wanted, const TndMessage *message)
{
    const guint64 times_ns[] = {message->logical_send_ns, message->physical_send_ns, message->logical_receive_ns,
                                message->physical_receive_ns};
    gboolean is_inside = FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(times_ns); i++)
        is_inside |= times_ns[i] >= wanted->begin_ns && times_ns[i] <= wanted->end_ns;
    return is_inside && (!wanted->rows || wanted->rows[message->sender] || wanted->rows[message->receiver]);
}

static void write_message(TndTable *table, gsize at, const TndMessage *message)
{
    tnd_table_repeat_code(table, SENDER, at, 1, message->sender);
    tnd_table_repeat_code(table, RECEIVER, at, 1, message->receiver);
    *tnd_table_integers(table, LOGICAL_SEND, at) = (gint64)message->logical_send_ns;
    *tnd_table_integers(table, PHYSICAL_SEND, at) = (gint64)message->physical_send_ns;
    *tnd_table_integers(table, LOGICAL_RECEIVE, at) = (gint64)message->logical_receive_ns;
    *tnd_table_integers(table, PHYSICAL_RECEIVE, at) = (gint64)message->physical_receive_ns;
    *tnd_table_integers(table, SIZE, at) = message->size_bytes;
    *tnd_table_integers(table, TAG, at) = message->tag;
}

static void produce_messages(guint block, TndTableWriter *writer, gpointer data)
{
    const Wanted *wanted = data;
    TndWalk walk = tnd_walk_message_block(wanted->trace, block);
    for (const TndMessage *message; (message = tnd_walk_next_message(&walk));) {
        if (!is_wanted(wanted, message))
            continue;
        if (writer->table)
            write_message(writer->table, writer->at, message);
        writer->at++;
    }
    tnd_walk_end(&walk);
}

TndTable *tnd_record_tables_messages(const TndTrace *trace, const TndTableSelection *selection, GError **error)
{
    static const char *const names[] = {"logical_send_ns",     "physical_send_ns", "logical_receive_ns",
                                        "physical_receive_ns", "size_bytes",       "tag"};
    gsize n_blocks;
    tnd_walk_message_blocks(trace, &n_blocks);
    Wanted wanted = wanted_of(trace, selection);
    TndTableSource source = {.n_items = (guint)n_blocks, .produce = produce_messages, .data = &wanted};
    TndTable *table = tnd_table_new();
    tnd_table_add_codes(table, "sender", tnd_record_tables_rows(trace), tnd_trace_n_threads(trace));
    tnd_table_add_codes(table, "receiver", tnd_record_tables_rows(trace), tnd_trace_n_threads(trace));
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        tnd_table_add(table, names[i], TND_COLUMN_INT64);
    return fill(table, selection, &source, error);
}
