/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes a trace that was imported: the header, which needs all threads, then the records in order.  Events of a thread
 * at one time are one line.
 */
#include "analysis/import/import_parts.h"

#include "formats/event_types.h"

#include <errno.h>
#include <gio/gio.h>
#include <string.h>

#define N_DEPTHS 100 /* of stacks, that have an event type each */

static const struct tnd_prv_place *place_of(const TndImport *import, guint thread)
{
    return &g_array_index(import->threads, TndImportThread, thread).place;
}

static void write_line(TndImport *import)
{
    if (!import->pairs->len)
        return;
    const struct tnd_prv_event event = {*place_of(import, import->line_thread), import->line_ns, import->pairs->len,
                                        (const struct tnd_prv_pair *)(gpointer)import->pairs->data};
    tnd_prv_write_event(import->writer, &event);
    import->result->made.n_events += event.n_pairs;
    g_array_set_size(import->pairs, 0);
}

static void write_state(gpointer self, guint thread, const struct tnd_prv_state *state)
{
    TndImport *import = self;
    const struct tnd_prv_state placed = {*place_of(import, thread), state->begin - import->begin_ns,
                                         state->end - import->begin_ns, state->state};
    write_line(import);
    tnd_prv_write_state(import->writer, &placed);
    import->result->made.n_states++;
}

static void write_event(gpointer self, guint thread, const struct tnd_prv_event *event)
{
    TndImport *import = self;
    guint64 time_ns = event->time - import->begin_ns;
    if (import->pairs->len && (thread != import->line_thread || time_ns != import->line_ns))
        write_line(import);
    import->line_thread = thread;
    import->line_ns = time_ns;
    g_array_append_vals(import->pairs, event->pairs, (guint)event->n_pairs);
}

static void write_message(gpointer self, guint sender, guint receiver, const struct tnd_prv_message *message)
{
    TndImport *import = self;
    struct tnd_prv_message placed = *message;
    placed.sender = *place_of(import, sender);
    placed.receiver = *place_of(import, receiver);
    placed.logical_send -= import->begin_ns;
    placed.physical_send -= import->begin_ns;
    placed.logical_receive -= import->begin_ns;
    placed.physical_receive -= import->begin_ns;
    write_line(import);
    tnd_prv_write_message(import->writer, &placed);
    import->result->made.n_messages++;
}

TndRewriteOrderOut tnd_import_parts_out(TndImport *import)
{
    return (TndRewriteOrderOut){write_state, write_event, write_message, import,
                                tnd_trace_output_directory(import->output)};
}

/* Opens the writer with a header of all threads. */
static void open_writer(TndImport *import, guint64 end_ns)
{
    guint n = import->processes->len;
    struct tnd_prv_task *tasks = g_new0(struct tnd_prv_task, n);
    struct tnd_prv_application application = {n, tasks};
    guint32 *n_cpus = g_new0(guint32, import->nodes->len);
    for (guint i = 0; i < n; i++) {
        const TndImportProcess *process = &g_array_index(import->processes, TndImportProcess, i);
        tasks[i] = (struct tnd_prv_task){process->n_threads, process->node + 1};
    }
    for (guint i = 0; i < import->nodes->len; i++)
        n_cpus[i] = MAX(g_array_index(import->nodes, TndImportNode, i).n_threads, 1);
    struct tnd_prv_header header = {.end_time = end_ns,
                                    .unit_ns = 1,
                                    .n_nodes = import->nodes->len,
                                    .n_cpus = n_cpus,
                                    .n_applications = 1,
                                    .applications = &application,
                                    .n_communicators = import->communicators->len};
    GDateTime *now = import->run_s ? g_date_time_new_from_unix_local(import->run_s) : g_date_time_new_now_local();
    char *date = g_date_time_format(now, "%d/%m/%Y at %H:%M");
    g_strlcpy(header.date, date, sizeof header.date);
    g_ptr_array_add(import->communicators, NULL);
    import->writer = tnd_prv_write_open(tnd_trace_output_bytes, import->output, &header,
                                        (const char *const *)import->communicators->pdata);
    if (!import->writer)
        g_error("out of memory");
    g_free(date);
    g_date_time_unref(now);
    g_free(n_cpus);
    g_free(tasks);
}

/* Functions and lines of stacks have the same labels at each depth. */
static void label_stacks(TndImport *import)
{
    static const guint32 firsts[2][2] = {{TND_TYPE_SAMPLED_FUNCTION, TND_TYPE_SAMPLED_LINE},
                                         {TND_TYPE_WAITING_FUNCTION, TND_TYPE_WAITING_LINE}};
    struct tnd_pcf *pcf = import->names->pcf;
    char label[128];
    for (guint of = 0; of < 2; of++)
        for (guint what = 0; what < 2; what++)
            for (guint depth = 0; depth < import->types_of_depth[of]; depth++) {
                guint32 type = firsts[of][what] + depth;
                if (tnd_event_types_label(type, label, sizeof label))
                    tnd_pcf_set_type(pcf, type, label);
                const struct tnd_pcf_type *known = tnd_pcf_type(pcf, firsts[0][what]);
                gsize n = known && type != firsts[0][what] ? known->n_values : 0;
                for (gsize i = 0; i < n; i++) {
                    const struct tnd_pcf_type *values = tnd_pcf_type(pcf, firsts[0][what]);
                    tnd_pcf_set_value(pcf, type, values->values[i].value, values->values[i].label);
                }
            }
    static const guint32 others[] = {TND_TYPE_SAMPLE_WEIGHT, TND_TYPE_SAMPLE_DEPTH, TND_TYPE_WAITED_TIME};
    for (guint i = 0; i < G_N_ELEMENTS(others); i++)
        if (import->types_of_depth[i == 2] && tnd_event_types_label(others[i], label, sizeof label))
            tnd_pcf_set_type(pcf, others[i], label);
}

/* Names of threads; if they are not unique, with those of their processes. */
static struct tnd_row *make_row(const TndImport *import)
{
    struct tnd_row *row = tnd_row_new();
    GHashTable *seen = g_hash_table_new(g_str_hash, g_str_equal);
    gboolean is_unique = TRUE;
    for (guint i = 0; i < import->threads->len; i++)
        is_unique &= g_hash_table_add(seen, g_array_index(import->threads, TndImportThread, i).name);
    for (guint i = 0; i < import->nodes->len; i++)
        tnd_row_add(row, TND_ROW_NODE, g_array_index(import->nodes, TndImportNode, i).name);
    for (guint i = 0; i < import->processes->len; i++)
        tnd_row_add(row, TND_ROW_TASK, g_array_index(import->processes, TndImportProcess, i).name);
    for (guint i = 0; i < import->threads->len; i++) {
        const TndImportThread *thread = &g_array_index(import->threads, TndImportThread, i);
        const char *process = g_array_index(import->processes, TndImportProcess, thread->process).name;
        char *name = is_unique ? g_strdup(thread->name) : g_strdup_printf("%s: %s", process, thread->name);
        tnd_row_add(row, TND_ROW_THREAD, name);
        g_free(name);
    }
    g_hash_table_unref(seen);
    return row;
}

static gboolean write_all(TndImport *import, GError **error)
{
    gboolean good = tnd_rewrite_order_finish(import->order, error);
    write_line(import);
    gboolean is_written = tnd_prv_write_close(import->writer);
    if (good && !is_written)
        g_set_error(error, G_IO_ERROR, (gint)g_io_error_from_errno(errno), "writing the trace: %s", g_strerror(errno));
    return good && is_written;
}

gboolean tnd_import_trace_finish(TndImport *import, guint64 begin_ns, guint64 end_ns, TndImportResult *result,
                                 GError **error)
{
    *result = (TndImportResult){.n_lost = import->n_lost, .lost = import->lost, .made.n_rows = import->threads->len};
    for (guint i = 0; i < import->threads->len; i++) {
        while (tnd_import_trace_leave(import, i, MAX(end_ns, import->last_ns)))
            ;
        tnd_import_parts_end(import, i);
    }
    if (import->first_ns > import->last_ns) {
        g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                            "there is nothing in it that a trace could show");
        return FALSE;
    }
    import->result = result;
    import->begin_ns = begin_ns;
    result->made.end_ns = MAX(end_ns, import->last_ns) - begin_ns;
    open_writer(import, result->made.end_ns);
    label_stacks(import);
    if (!write_all(import, error))
        return FALSE;
    struct tnd_row *row = make_row(import);
    result->made.output = tnd_trace_output_finish(import->output, import->names->pcf, row, &result->made.aside, error);
    tnd_row_free(row);
    return result->made.output != NULL;
}
