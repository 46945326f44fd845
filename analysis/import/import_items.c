/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Items are sorted by thread and time, longer spans first.  A span that ends after the one around it is cut there.
 */
#include "analysis/import/import_items.h"

#include <math.h>
#include <stdlib.h>

#define DECIMALS 6 /* of counters that have any */

typedef struct {
    guint64 time_ns;
    guint32 thread;
    enum { SPAN, EVENT, COUNTER, SAMPLE } kind;
    guint64 end_ns; /* of a span; of a sample, its weight: the time before it that it stands for */
    guint32 type, frame;
    union {
        gint64 value;
        double number;
    };
    guint64 index; /* those of one time keep their order */
} Item;

typedef struct {
    gint64 process, thread;
    guint number, row; /* as given out; in the trace */
} Thread;

typedef struct {
    guint from, to;
    guint64 sent_ns, received_ns;
} Message;

struct TndImportItems {
    TndImport *import;
    GArray *items, *threads, *messages;
    GHashTable *of_thread; /* "process:thread" to its index + 1 */
    GHashTable *process_names, *thread_names;
    GHashTable *with_decimals; /* types of counters */
    guint64 begin_ns, end_ns;
};

TndImportItems *tnd_import_items_new(TndImport *import)
{
    TndImportItems *items = g_new0(TndImportItems, 1);
    items->import = import;
    items->begin_ns = G_MAXUINT64;
    items->items = g_array_new(FALSE, FALSE, sizeof(Item));
    items->threads = g_array_new(FALSE, FALSE, sizeof(Thread));
    items->messages = g_array_new(FALSE, FALSE, sizeof(Message));
    items->of_thread = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    items->process_names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    items->thread_names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    items->with_decimals = g_hash_table_new(NULL, NULL);
    return items;
}

void tnd_import_items_free(TndImportItems *items)
{
    g_array_unref(items->items);
    g_array_unref(items->threads);
    g_array_unref(items->messages);
    g_hash_table_unref(items->of_thread);
    g_hash_table_unref(items->process_names);
    g_hash_table_unref(items->thread_names);
    g_hash_table_unref(items->with_decimals);
    g_free(items);
}

static char *thread_key(gint64 process, gint64 thread)
{
    return g_strdup_printf("%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT, process, thread);
}

guint tnd_import_items_thread(TndImportItems *items, gint64 process, gint64 thread)
{
    char *key = thread_key(process, thread);
    guint index = GPOINTER_TO_UINT(g_hash_table_lookup(items->of_thread, key));
    if (index) {
        g_free(key);
        return index - 1;
    }
    const Thread made = {process, thread, items->threads->len, 0};
    g_array_append_val(items->threads, made);
    g_hash_table_insert(items->of_thread, key, GUINT_TO_POINTER(items->threads->len));
    return items->threads->len - 1;
}

void tnd_import_items_name_process(TndImportItems *items, gint64 process, const char *name)
{
    g_hash_table_replace(items->process_names, g_strdup_printf("%" G_GINT64_FORMAT, process), g_strdup(name));
}

void tnd_import_items_name_thread(TndImportItems *items, gint64 process, gint64 thread, const char *name)
{
    g_hash_table_replace(items->thread_names, thread_key(process, thread), g_strdup(name));
}

void tnd_import_items_see(TndImportItems *items, guint64 time_ns)
{
    items->begin_ns = MIN(items->begin_ns, time_ns);
    items->end_ns = MAX(items->end_ns, time_ns);
}

static void add(TndImportItems *items, Item item)
{
    if (item.time_ns > G_MAXINT64 || (item.kind == SPAN && item.end_ns > G_MAXINT64))
        return tnd_import_trace_lose(items->import, "its time is too large");
    item.index = items->items->len;
    tnd_import_items_see(items, item.time_ns);
    if (item.kind == SPAN)
        tnd_import_items_see(items, item.end_ns);
    if (item.kind == SAMPLE)
        tnd_import_items_see(items, item.time_ns - MIN(item.end_ns, item.time_ns));
    g_array_append_val(items->items, item);
}

void tnd_import_items_span(TndImportItems *items, guint thread, guint64 begin_ns, guint64 end_ns, TndImportCall call)
{
    add(items, (Item){.time_ns = begin_ns,
                      .thread = thread,
                      .kind = SPAN,
                      .end_ns = end_ns,
                      .type = call.type,
                      .value = call.value});
}

void tnd_import_items_event(TndImportItems *items, guint thread, guint64 time_ns, guint32 type, gint64 value)
{
    add(items, (Item){.time_ns = time_ns, .thread = thread, .kind = EVENT, .type = type, .value = value});
}

void tnd_import_items_counter(TndImportItems *items, guint thread, guint64 time_ns, guint32 type, double value)
{
    if (!isfinite(value) || fabs(value) > 9e15)
        return tnd_import_trace_lose(items->import, "its value is too large");
    if (value != rint(value))
        g_hash_table_add(items->with_decimals, GUINT_TO_POINTER(type));
    add(items, (Item){.time_ns = time_ns, .thread = thread, .kind = COUNTER, .type = type, .number = value});
}

void tnd_import_items_sample(TndImportItems *items, guint thread, guint64 time_ns, guint frame, guint64 weight_ns)
{
    add(items, (Item){.time_ns = time_ns, .thread = thread, .kind = SAMPLE, .end_ns = weight_ns, .frame = frame});
}

void tnd_import_items_message(TndImportItems *items, guint from, guint64 sent_ns, guint to, guint64 received_ns)
{
    const Message message = {from, to, sent_ns, received_ns};
    tnd_import_items_see(items, sent_ns);
    tnd_import_items_see(items, received_ns);
    g_array_append_val(items->messages, message);
}

guint64 tnd_import_items_end_ns(const TndImportItems *items)
{
    return items->end_ns;
}

void tnd_import_items_map_frames(TndImportItems *items, const GArray *frames)
{
    for (guint i = 0; i < items->items->len; i++) {
        Item *item = &g_array_index(items->items, Item, i);
        if (item->kind == SAMPLE)
            item->frame = item->frame < frames->len ? g_array_index(frames, guint, item->frame) : 0;
    }
}

static int compare_items(gconstpointer a, gconstpointer b)
{
    const Item *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    if (x->kind == SPAN && y->kind == SPAN && x->end_ns != y->end_ns)
        return x->end_ns > y->end_ns ? -1 : 1;
    if ((x->kind == SPAN) != (y->kind == SPAN))
        return x->kind == SPAN ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static int compare_threads(gconstpointer a, gconstpointer b)
{
    const Thread *x = a, *y = b;
    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    return (x->thread > y->thread) - (x->thread < y->thread);
}

/* Makes processes and threads; returns the row of each thread as it was given out.  Free with g_free. */
static guint *make_rows(TndImportItems *items)
{
    guint *rows = g_new0(guint, items->threads->len + 1), process = 0;
    guint node = tnd_import_trace_node(items->import, "node");
    g_array_sort(items->threads, compare_threads);
    for (guint i = 0; i < items->threads->len; i++) {
        Thread *thread = &g_array_index(items->threads, Thread, i);
        char *key = g_strdup_printf("%" G_GINT64_FORMAT, thread->process),
             *of = thread_key(thread->process, thread->thread);
        char *process_name = g_strdup_printf("process %s", key);
        char *thread_name = g_strdup_printf("thread %" G_GINT64_FORMAT, thread->thread);
        const char *told = g_hash_table_lookup(items->process_names, key),
                   *named = g_hash_table_lookup(items->thread_names, of);
        if (i == 0 || thread[-1].process != thread->process)
            process = tnd_import_trace_process(items->import, node, told ? told : process_name);
        rows[thread->number] = tnd_import_trace_thread(items->import, process, named ? named : thread_name);
        g_free(key);
        g_free(of);
        g_free(process_name);
        g_free(thread_name);
    }
    return rows;
}

/* Ends the spans that end by a time; `ends` has those that are open. */
static void end_spans(TndImportItems *items, guint row, GArray *ends, guint64 time_ns)
{
    for (; ends->len && g_array_index(ends, guint64, ends->len - 1) <= time_ns; g_array_set_size(ends, ends->len - 1))
        tnd_import_trace_leave(items->import, row, g_array_index(ends, guint64, ends->len - 1));
}

static void begin_span(TndImportItems *items, guint row, GArray *ends, const Item *item)
{
    guint64 end_ns = item->end_ns, around_ns = ends->len ? g_array_index(ends, guint64, ends->len - 1) : G_MAXUINT64;
    if (end_ns > around_ns) {
        tnd_import_trace_lose(items->import, "its end, which was after that of the one around it");
        end_ns = around_ns;
    }
    tnd_import_trace_enter(items->import, row, item->time_ns, (TndImportCall){item->type, item->value});
    g_array_append_val(ends, end_ns);
}

static void tell_item(TndImportItems *items, guint row, const Item *item)
{
    gboolean has_decimals =
        item->kind == COUNTER && g_hash_table_contains(items->with_decimals, GUINT_TO_POINTER(item->type));
    if (item->kind == SAMPLE) {
        tnd_import_trace_begin(items->import, row, item->time_ns - MIN(item->end_ns, item->time_ns));
        tnd_import_trace_sample(items->import, row, item->time_ns, item->frame, item->end_ns, FALSE);
    } else if (item->kind == EVENT)
        tnd_import_trace_event(items->import, row, item->time_ns, item->type, item->value);
    else
        tnd_import_trace_event(items->import, row, item->time_ns, item->type,
                               llround(item->number * (has_decimals ? pow(10, DECIMALS) : 1)));
}

static void tell_messages(const TndImportItems *items, const guint *rows)
{
    for (guint i = 0; i < items->messages->len; i++) {
        const Message *message = &g_array_index(items->messages, Message, i);
        const TndImportMessage told = {rows[message->from],
                                       rows[message->to],
                                       message->sent_ns,
                                       message->sent_ns,
                                       message->received_ns,
                                       message->received_ns,
                                       0,
                                       0};
        tnd_import_trace_message(items->import, &told);
    }
}

void tnd_import_items_tell(TndImportItems *items, guint64 *begin_ns, guint64 *end_ns)
{
    guint *rows = make_rows(items), thread = G_MAXUINT;
    GArray *ends = g_array_new(FALSE, FALSE, sizeof(guint64));
    GHashTableIter iter;
    gpointer type;
    *begin_ns = items->begin_ns;
    *end_ns = items->end_ns;
    g_hash_table_iter_init(&iter, items->with_decimals);
    while (g_hash_table_iter_next(&iter, &type, NULL))
        tnd_pcf_set_precision(tnd_import_trace_names(items->import)->pcf, GPOINTER_TO_UINT(type), DECIMALS);
    g_array_sort(items->items, compare_items);
    for (guint i = 0; i < items->items->len; i++) {
        const Item *item = &g_array_index(items->items, Item, i);
        if (item->thread != thread && thread != G_MAXUINT)
            end_spans(items, rows[thread], ends, G_MAXUINT64);
        thread = item->thread;
        end_spans(items, rows[thread], ends, item->time_ns);
        if (item->kind == SPAN)
            begin_span(items, rows[thread], ends, item);
        else
            tell_item(items, rows[thread], item);
    }
    if (thread != G_MAXUINT)
        end_spans(items, rows[thread], ends, G_MAXUINT64);
    tell_messages(items, rows);
    g_array_unref(ends);
    g_free(rows);
}
