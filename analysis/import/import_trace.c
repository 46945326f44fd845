/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records go to rewrite_order.h, because a state is known when it ends, and a message when it was received.
 */
#include "analysis/import/import_parts.h"

#include "formats/event_types.h"

#define MOST_FRAMES 100 /* of a sample: as many event types there are */

static TndImportThread *thread_at(const TndImport *import, guint thread)
{
    return &g_array_index(import->threads, TndImportThread, thread);
}

static TndImportProcess *process_at(const TndImport *import, guint process)
{
    return &g_array_index(import->processes, TndImportProcess, process);
}

TndImportNames *tnd_import_trace_names(TndImport *import)
{
    return import->names;
}

guint tnd_import_trace_node(TndImport *import, const char *name)
{
    const TndImportNode node = {g_strdup(name), 0};
    g_array_append_val(import->nodes, node);
    return import->nodes->len - 1;
}

guint tnd_import_trace_process(TndImport *import, guint node, const char *name)
{
    const TndImportProcess process = {g_strdup(name), node, 0};
    g_array_append_val(import->processes, process);
    return import->processes->len - 1;
}

guint tnd_import_trace_thread(TndImport *import, guint process, const char *name)
{
    TndImportProcess *of = process_at(import, process);
    TndImportThread thread = {.name = g_strdup(name),
                              .process = process,
                              .place = {0, 1, process + 1, ++of->n_threads},
                              .calls = g_array_new(FALSE, FALSE, sizeof(TndImportOpen))};
    g_array_index(import->nodes, TndImportNode, of->node).n_threads++;
    g_array_append_val(import->threads, thread);
    return import->threads->len - 1;
}

void tnd_import_trace_communicator(TndImport *import, guint64 number, const guint *processes, guint n)
{
    GString *line = g_string_new(NULL);
    g_string_append_printf(line, "c:1:%" G_GUINT64_FORMAT ":%u", number, n);
    for (guint i = 0; i < n; i++)
        g_string_append_printf(line, ":%u", processes[i] + 1);
    g_ptr_array_add(import->communicators, g_string_free(line, FALSE));
}

void tnd_import_trace_date(TndImport *import, gint64 run_s)
{
    import->run_s = run_s;
}

void tnd_import_trace_lose(TndImport *import, const char *reason)
{
    if (!import->n_lost++)
        import->lost = reason;
}

static void see(TndImport *import, guint64 time_ns)
{
    import->first_ns = MIN(import->first_ns, time_ns);
    import->last_ns = MAX(import->last_ns, time_ns);
}

static void put_pairs(TndImport *import, guint thread, guint64 time_ns, const struct tnd_prv_pair *pairs, gsize n)
{
    const struct tnd_prv_event event = {.time = time_ns, .n_pairs = n, .pairs = pairs};
    tnd_rewrite_order_event(import->order, thread, &event);
}

/* The end of a call is held back: if the call around it ends at once, only its end is told. */
static void put_end(TndImport *import, guint thread)
{
    TndImportThread *of = thread_at(import, thread);
    if (of->has_end)
        put_pairs(import, thread, of->last_ns, &of->end, 1);
    of->has_end = FALSE;
}

/* A thread comes to a time. */
static TndImportThread *come_to(TndImport *import, guint thread, guint64 time_ns, gboolean by_end)
{
    TndImportThread *of = thread_at(import, thread);
    if (!of->is_begun) {
        of->is_begun = TRUE;
        of->state = TND_STATE_RUNNING;
        of->state_ns = of->last_ns = time_ns;
    }
    if (!by_end || time_ns > of->last_ns)
        put_end(import, thread);
    if (time_ns < of->last_ns)
        tnd_import_trace_lose(import, "it is earlier than the event before it of its thread");
    of->last_ns = MAX(of->last_ns, time_ns);
    see(import, of->last_ns);
    return of;
}

void tnd_import_parts_end(TndImport *import, guint thread)
{
    TndImportThread *of = thread_at(import, thread);
    put_end(import, thread);
    const struct tnd_prv_state state = {.begin = of->state_ns, .end = of->last_ns, .state = of->state};
    if (of->last_ns > of->state_ns)
        tnd_rewrite_order_state(import->order, thread, &state);
    of->state_ns = of->last_ns;
}

static void change_state(TndImport *import, guint thread)
{
    TndImportThread *of = thread_at(import, thread);
    guint32 state =
        of->calls->len ? g_array_index(of->calls, TndImportOpen, of->calls->len - 1).state : TND_STATE_RUNNING;
    if (state == of->state)
        return;
    tnd_import_parts_end(import, thread);
    of->state = state;
}

void tnd_import_trace_begin(TndImport *import, guint thread, guint64 time_ns)
{
    if (!thread_at(import, thread)->is_begun)
        come_to(import, thread, time_ns, FALSE);
}

void tnd_import_trace_enter(TndImport *import, guint thread, guint64 time_ns, TndImportCall call)
{
    TndImportThread *of = come_to(import, thread, time_ns, FALSE);
    guint32 state = tnd_import_names_state(call);
    guint32 around =
        of->calls->len ? g_array_index(of->calls, TndImportOpen, of->calls->len - 1).state : TND_STATE_RUNNING;
    const TndImportOpen begun = {call, of->last_ns, state == TND_STATE_NONE ? around : state};
    const struct tnd_prv_pair pair = {call.type, call.value};
    g_array_append_val(of->calls, begun);
    put_pairs(import, thread, of->last_ns, &pair, 1);
    change_state(import, thread);
}

gboolean tnd_import_trace_leave(TndImport *import, guint thread, guint64 time_ns)
{
    TndImportThread *of = thread_at(import, thread);
    if (!of->calls->len)
        return FALSE;
    come_to(import, thread, time_ns, TRUE);
    guint32 type = g_array_index(of->calls, TndImportOpen, of->calls->len - 1).call.type;
    g_array_set_size(of->calls, of->calls->len - 1);
    if (of->has_end && of->end.type != type)
        put_end(import, thread);
    of->has_end = TRUE;
    of->end = (struct tnd_prv_pair){type, 0};
    for (guint i = of->calls->len; i-- > 0 && !of->end.value;)
        if (g_array_index(of->calls, TndImportOpen, i).call.type == type)
            of->end.value = g_array_index(of->calls, TndImportOpen, i).call.value;
    change_state(import, thread);
    return TRUE;
}

guint64 tnd_import_trace_begin_ns(const TndImport *import, guint thread, guint64 time_ns)
{
    const GArray *calls = thread_at(import, thread)->calls;
    return calls->len ? g_array_index(calls, TndImportOpen, calls->len - 1).begin_ns : time_ns;
}

gboolean tnd_import_trace_is_in(const TndImport *import, guint thread, guint32 type)
{
    const GArray *calls = thread_at(import, thread)->calls;
    return calls->len && g_array_index(calls, TndImportOpen, calls->len - 1).call.type == type;
}

void tnd_import_trace_event(TndImport *import, guint thread, guint64 time_ns, guint32 type, gint64 value)
{
    const struct tnd_prv_pair pair = {type, value};
    const TndImportThread *of = thread_at(import, thread);
    if (!of->is_begun || time_ns >= of->last_ns)
        come_to(import, thread, time_ns, FALSE);
    put_pairs(import, thread, time_ns, &pair, 1);
}

guint tnd_import_trace_frame(TndImport *import, guint caller, const char *function, const char *line)
{
    char key[96];
    const TndImportFrame frame = {caller, tnd_import_names_value(import->names, TND_TYPE_SAMPLED_FUNCTION, function),
                                  line ? tnd_import_names_value(import->names, TND_TYPE_SAMPLED_LINE, line) : 0};
    g_snprintf(key, sizeof key, "%u:%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT, caller, frame.function, frame.line);
    guint index = GPOINTER_TO_UINT(g_hash_table_lookup(import->frame_index, key));
    if (!index) {
        index = import->frames->len;
        g_array_append_val(import->frames, frame);
        g_hash_table_insert(import->frame_index, g_strdup(key), GUINT_TO_POINTER(index));
    }
    return index;
}

void tnd_import_trace_sample(TndImport *import, guint thread, guint64 time_ns, guint frame, guint64 weight_ns,
                             gboolean is_wait)
{
    guint32 function = is_wait ? TND_TYPE_WAITING_FUNCTION : TND_TYPE_SAMPLED_FUNCTION,
            line = is_wait ? TND_TYPE_WAITING_LINE : TND_TYPE_SAMPLED_LINE;
    struct tnd_prv_pair pairs[2 * MOST_FRAMES + 2];
    guint n = 0, depth = 0;
    for (; frame && depth < MOST_FRAMES; depth++) {
        const TndImportFrame *at = &g_array_index(import->frames, TndImportFrame, frame);
        pairs[n++] = (struct tnd_prv_pair){function + depth, at->function};
        if (at->line)
            pairs[n++] = (struct tnd_prv_pair){line + depth, at->line};
        frame = at->caller;
    }
    if (weight_ns)
        pairs[n++] = (struct tnd_prv_pair){is_wait ? TND_TYPE_WAITED_TIME : TND_TYPE_SAMPLE_WEIGHT, (gint64)weight_ns};
    if (!is_wait)
        pairs[n++] = (struct tnd_prv_pair){TND_TYPE_SAMPLE_DEPTH, depth};
    import->types_of_depth[is_wait] = MAX(import->types_of_depth[is_wait], depth);
    const TndImportThread *of = come_to(import, thread, time_ns, FALSE);
    put_pairs(import, thread, of->last_ns, pairs, n);
}

void tnd_import_trace_message(TndImport *import, const TndImportMessage *message)
{
    const struct tnd_prv_message record = {.logical_send = message->logical_send_ns,
                                           .physical_send = message->physical_send_ns,
                                           .logical_receive = message->logical_receive_ns,
                                           .physical_receive = message->physical_receive_ns,
                                           .size_bytes = message->size_bytes,
                                           .tag = message->tag};
    see(import, message->logical_send_ns);
    see(import, MAX(message->logical_receive_ns, message->physical_receive_ns));
    tnd_rewrite_order_message(import->order, message->sender, message->receiver, &record);
}

TndImport *tnd_import_trace_new(const char *path, gboolean force, GError **error)
{
    TndTraceOutput *output = tnd_trace_output_new(path, force, error);
    if (!output)
        return NULL;
    TndImport *import = g_new0(TndImport, 1);
    const TndImportFrame none = {0};
    import->output = output;
    import->names = tnd_import_names_new();
    import->nodes = g_array_new(FALSE, FALSE, sizeof(TndImportNode));
    import->processes = g_array_new(FALSE, FALSE, sizeof(TndImportProcess));
    import->threads = g_array_new(FALSE, FALSE, sizeof(TndImportThread));
    import->frames = g_array_new(FALSE, FALSE, sizeof(TndImportFrame));
    import->pairs = g_array_new(FALSE, FALSE, sizeof(struct tnd_prv_pair));
    import->frame_index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    import->communicators = g_ptr_array_new_with_free_func(g_free);
    import->first_ns = G_MAXUINT64;
    g_array_append_val(import->frames, none);
    const TndRewriteOrderOut out = tnd_import_parts_out(import);
    import->order = tnd_rewrite_order_new(&out);
    return import;
}

void tnd_import_trace_free(TndImport *import)
{
    if (!import)
        return;
    for (guint i = 0; i < import->nodes->len; i++)
        g_free(g_array_index(import->nodes, TndImportNode, i).name);
    for (guint i = 0; i < import->processes->len; i++)
        g_free(process_at(import, i)->name);
    for (guint i = 0; i < import->threads->len; i++) {
        g_free(thread_at(import, i)->name);
        g_array_unref(thread_at(import, i)->calls);
    }
    g_array_unref(import->nodes);
    g_array_unref(import->processes);
    g_array_unref(import->threads);
    g_array_unref(import->frames);
    g_array_unref(import->pairs);
    g_hash_table_unref(import->frame_index);
    g_ptr_array_unref(import->communicators);
    tnd_rewrite_order_free(import->order);
    tnd_import_names_free(import->names);
    tnd_trace_output_free(import->output);
    g_free(import);
}
