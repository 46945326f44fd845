/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keeps operations and groups in pieces of large memory; calls and paths in arrays.
 */
#include "analysis/causes/sync_ops.h"

#include "analysis/base/assertion.h"
#include "analysis/causes/mpi_class.h"
#include "analysis/causes/sync_reading.h"
#include "analysis/causes/sync_store.h"
#include "formats/event_types.h"

#include <gio/gio.h>
#include <string.h>

guint32 tnd_sync_store_new_group(TndSyncOps *ops)
{
    if (ops->n_groups % TND_SYNC_CHUNK == 0)
        g_ptr_array_add(ops->groups, tnd_large_memory_take(ops->memory, TND_SYNC_CHUNK * sizeof(TndSyncGroup)));
    *tnd_sync_store_group(ops, ops->n_groups) = (TndSyncGroup){0};
    return ops->n_groups++;
}

guint16 tnd_sync_store_call(TndSyncOps *ops, guint32 type, gint64 value)
{
    gint64 key = (gint64)type << 32 | (gint64)(value & 0xffffffff);
    gpointer index = g_hash_table_lookup(ops->call_indices, &key);
    if (index)
        return (guint16)GPOINTER_TO_UINT(index);
    if (ops->calls->len > G_MAXUINT16)
        return 0;
    const TndSyncCall call = {type, value, tnd_mpi_class_of(type, value)};
    g_array_append_val(ops->calls, call);
    g_hash_table_insert(ops->call_indices, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(ops->calls->len - 1));
    return (guint16)(ops->calls->len - 1);
}

guint32 tnd_sync_store_path(TndSyncOps *ops, const TndSyncFrame *frames, guint n_frames)
{
    if (!n_frames)
        return 0;
    GBytes *key = g_bytes_new(frames, n_frames * sizeof *frames);
    gpointer index = g_hash_table_lookup(ops->path_indices, key);
    if (index) {
        g_bytes_unref(key);
        return GPOINTER_TO_UINT(index);
    }
    g_array_append_vals(ops->frames, frames, n_frames);
    g_array_append_val(ops->path_begins, ops->frames->len);
    guint32 path = ops->path_begins->len - 2;
    g_hash_table_insert(ops->path_indices, key, GUINT_TO_POINTER(path));
    return path;
}

void tnd_sync_store_add(TndSyncOps *ops, guint row, const TndSyncOp *op)
{
    TndSyncRow *ops_of_row = &ops->rows[row];
    tnd_assert(op->begin_ns <= op->end_ns && op->begin_ns >= tnd_sync_store_end(ops, row));
    if (!ops_of_row->chunks)
        ops_of_row->chunks = g_ptr_array_new();
    if (ops_of_row->n % TND_SYNC_CHUNK == 0)
        g_ptr_array_add(ops_of_row->chunks, tnd_large_memory_take(ops->memory, TND_SYNC_CHUNK * sizeof *op));
    ((TndSyncOp *)g_ptr_array_index(ops_of_row->chunks,
                                    ops_of_row->n / TND_SYNC_CHUNK))[ops_of_row->n % TND_SYNC_CHUNK] = *op;
    ops_of_row->n++;
    if (!op->arrives)
        return;
    TndSyncGroup *group = tnd_sync_store_group(ops, op->arrives);
    if (!group->n_arrivals || op->begin_ns > group->last_ns) {
        group->last_ns = op->begin_ns;
        group->last_row = row;
    }
    group->n_arrivals++;
}

guint64 tnd_sync_store_end(const TndSyncOps *ops, guint row)
{
    gsize n = ops->rows[row].n;
    return n ? tnd_sync_ops_at(ops, row, n - 1)->end_ns : 0;
}

static gboolean is_of_process(const TndTrace *trace, guint row, guint first)
{
    const TndThread *a = tnd_trace_thread(trace, row), *b = tnd_trace_thread(trace, first);
    return a->application == b->application && a->task == b->task;
}

TndSyncOps *tnd_sync_ops_new(const TndTrace *trace, TndTraceProgress progress, gpointer user_data, GError **error)
{
    TndSyncOps *ops = g_new0(TndSyncOps, 1);
    guint n_rows = tnd_trace_n_threads(trace);
    gboolean goes_on = TRUE;
    const guint32 zero = 0;
    ops->trace = trace;
    ops->memory = tnd_large_memory_new(tnd_trace_path(trace));
    ops->rows = g_new0(TndSyncRow, n_rows + 1);
    ops->groups = g_ptr_array_new();
    ops->calls = g_array_new(FALSE, TRUE, sizeof(TndSyncCall));
    ops->frames = g_array_new(FALSE, TRUE, sizeof(TndSyncFrame));
    ops->path_begins = g_array_new(FALSE, TRUE, sizeof(guint32));
    ops->call_indices = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    ops->path_indices = g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
    (void)tnd_sync_store_new_group(ops);
    g_array_set_size(ops->calls, 1);
    g_array_append_val(ops->path_begins, zero);
    g_array_append_val(ops->path_begins, zero);
    ops->messages = tnd_message_table_new(trace);
    TndSyncReading *reading = tnd_sync_reading_new(ops);
    for (guint first = 0, end; first < n_rows && goes_on; first = end) {
        for (end = first + 1; end < n_rows && is_of_process(trace, end, first);)
            end++;
        tnd_sync_reading_run(reading, first, end);
        goes_on = !progress || progress((double)end / n_rows, user_data);
    }
    tnd_sync_reading_free(reading);
    if (goes_on)
        return ops;
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "%s: cancelled", tnd_trace_path(trace));
    tnd_sync_ops_free(ops);
    return NULL;
}

void tnd_sync_ops_free(TndSyncOps *ops)
{
    if (!ops)
        return;
    for (guint row = 0; row < tnd_trace_n_threads(ops->trace); row++)
        if (ops->rows[row].chunks)
            g_ptr_array_unref(ops->rows[row].chunks);
    g_free(ops->rows);
    g_ptr_array_unref(ops->groups);
    g_array_unref(ops->calls);
    g_array_unref(ops->frames);
    g_array_unref(ops->path_begins);
    g_hash_table_unref(ops->call_indices);
    g_hash_table_unref(ops->path_indices);
    tnd_message_table_free(ops->messages);
    tnd_large_memory_free(ops->memory);
    g_free(ops);
}

const TndTrace *tnd_sync_ops_trace(const TndSyncOps *ops)
{
    return ops->trace;
}

const TndMessageTable *tnd_sync_ops_messages(const TndSyncOps *ops)
{
    return ops->messages;
}

gsize tnd_sync_ops_n(const TndSyncOps *ops, guint row)
{
    return ops->rows[row].n;
}

const TndSyncOp *tnd_sync_ops_at(const TndSyncOps *ops, guint row, gsize index)
{
    const TndSyncOp *chunk = g_ptr_array_index(ops->rows[row].chunks, index / TND_SYNC_CHUNK);
    return chunk + index % TND_SYNC_CHUNK;
}

const TndSyncGroup *tnd_sync_ops_group(const TndSyncOps *ops, guint32 group)
{
    return tnd_sync_store_group(ops, group);
}

guint tnd_sync_ops_n_groups(const TndSyncOps *ops)
{
    return ops->n_groups - 1;
}

const TndSyncGroup *tnd_sync_ops_group_of(const TndSyncOps *ops, const TndSyncOp *op)
{
    const TndSyncGroup *group = op->waits ? tnd_sync_ops_group(ops, op->waits) : NULL;
    return group && group->n_arrivals && group->last_ns <= op->end_ns ? group : NULL;
}

const TndSyncCall *tnd_sync_ops_call(const TndSyncOps *ops, const TndSyncOp *op)
{
    return op->kind == TND_SYNC_MPI ? &g_array_index(ops->calls, TndSyncCall, op->call) : NULL;
}

TndSyncPath tnd_sync_ops_path(const TndSyncOps *ops, guint32 path)
{
    guint32 begin = g_array_index(ops->path_begins, guint32, path),
            end = g_array_index(ops->path_begins, guint32, path + 1);
    return (TndSyncPath){(const TndSyncFrame *)(gconstpointer)ops->frames->data + begin, end - begin};
}

const char *tnd_sync_ops_name(const TndSyncOps *ops, const TndSyncOp *op)
{
    static const char *const names[TND_SYNC_N_KINDS] = {
        [TND_SYNC_MPI] = "MPI call",   [TND_SYNC_BARRIER] = "barrier",     [TND_SYNC_REGION_END] = "end of region",
        [TND_SYNC_POOL] = "no region", [TND_SYNC_FORK] = "parallel",       [TND_SYNC_LOCK] = "lock",
        [TND_SYNC_SIGNAL] = "unlock",  [TND_SYNC_CONDITION] = "condition", [TND_SYNC_LIFE_END] = "the end"};
    const TndSyncCall *call = tnd_sync_ops_call(ops, op);
    const char *label = call ? tnd_pcf_value_label(tnd_trace_pcf(ops->trace), call->type, call->value) : NULL;
    const struct tnd_event_value *known = call ? tnd_event_types_value(call->type, call->value) : NULL;
    return label ? label : known ? known->label : names[op->kind];
}

/* Whether its callers may be of interest: they are not if it is main. */
static gboolean append_frame(GString *text, const TndSyncOps *ops, const TndSyncFrame *frame)
{
    const struct tnd_pcf *pcf = tnd_trace_pcf(ops->trace);
    const char *function = tnd_pcf_value_label(pcf, frame->function_type, frame->function);
    const char *line = frame->line ? tnd_pcf_value_label(pcf, frame->line_type, frame->line) : NULL;
    if (text->len)
        g_string_append(text, " < ");
    if (function)
        g_string_append(text, function);
    else
        g_string_append_printf(text, "function %" G_GINT64_FORMAT, frame->function);
    const char *file = line && g_ascii_isdigit(*line) ? strstr(line, " (") : NULL;
    if (file) { /* of Extrae: "12 (app.c, app)" */
        g_string_append_printf(text, " (%.*s:%.*s)", (int)strcspn(file + 2, ",)"), file + 2, (int)(file - line), line);
    } else if (line && strchr(line, ':')) {
        const char *more = strstr(line, " ["); /* of a later Extrae: "app.c:12 [src/app.c:12, app]" */
        gsize n = more ? (gsize)(more - line) : strlen(line);
        if (n && g_ascii_isdigit(line[n - 1])) /* else it names no line */
            g_string_append_printf(text, " (%.*s)", (int)n, line);
    }
    return !function || strcmp(function, "main") != 0;
}

char *tnd_sync_ops_path_text(const TndSyncOps *ops, guint32 path, guint n_frames)
{
    GString *text = g_string_new(NULL);
    TndSyncPath frames = tnd_sync_ops_path(ops, path);
    for (guint i = 0; i < MIN(frames.n_frames, n_frames) && append_frame(text, ops, &frames.frames[i]);)
        i++;
    return g_string_free(text, FALSE);
}

char *tnd_sync_ops_place_text(const TndSyncOps *ops, TndSyncPlace place, guint n_frames)
{
    const TndSyncOp op = {.kind = (guint8)(place >> 48 & 0xff),
                          .call = (guint16)(place >> 32 & 0xffff),
                          .path = tnd_sync_ops_place_path(place)};
    if (!place)
        return g_strdup("before the end");
    char *path = tnd_sync_ops_path_text(ops, op.path, n_frames);
    char *text = g_strdup_printf("%s %s%s%s", place >> 63 ? "in" : "before", tnd_sync_ops_name(ops, &op),
                                 *path ? " in " : "", path);
    g_free(path);
    return text;
}

gboolean tnd_sync_ops_run(const TndSyncOps *ops, guint64 *begin_ns, guint64 *end_ns)
{
    *begin_ns = 0;
    *end_ns = tnd_trace_end_ns(ops->trace);
    for (guint row = 0; row < tnd_trace_n_threads(ops->trace); row++)
        for (gsize i = 0; i < tnd_sync_ops_n(ops, row); i++) {
            const TndSyncOp *op = tnd_sync_ops_at(ops, row, i);
            const TndSyncCall *call = tnd_sync_ops_call(ops, op);
            if (call && call->properties & TND_MPI_INIT)
                *begin_ns = MAX(*begin_ns, op->end_ns);
            else if (call && call->properties & TND_MPI_FINALIZE)
                *end_ns = MIN(*end_ns, op->begin_ns);
        }
    return *begin_ns && *begin_ns < *end_ns;
}
