/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions of a loaded trace.
 */
#include "analysis/trace/trace.h"

#include "analysis/trace/trace_build.h"
#include "analysis/trace/trace_index.h"

void tnd_trace_free(TndTrace *trace)
{
    if (!trace)
        return;
    for (guint i = 0; i < TND_TRACE_N_KEPT; i++)
        if (trace->kept[i].made)
            trace->kept[i].free_it((gpointer)trace->kept[i].made);
    g_free(trace->kept);
    for (guint kind = 0; !trace->index && kind < TND_BLOCK_N; kind++) {
        g_free((gpointer)trace->blocks[kind].blocks);
        g_free((gpointer)trace->blocks[kind].first);
    }
    tnd_trace_index_close(trace);
    tnd_trace_store_free(trace->store);
    for (guint a = 0; trace->header.applications && a < trace->header.n_applications; a++)
        g_free(trace->header.applications[a].tasks);
    g_free(trace->header.applications);
    g_free(trace->header.n_cpus);
    g_free(trace->threads);
    g_free(trace->first_row);
    g_free(trace->first_task);
    g_free(trace->first_cpu);
    if (trace->names)
        g_string_chunk_free(trace->names);
    g_ptr_array_unref(trace->comments);
    if (trace->pcf)
        tnd_pcf_free(trace->pcf);
    if (trace->row)
        tnd_row_free(trace->row);
    g_free(trace->types);
    g_free(trace->fault);
    g_free(trace->path);
    g_free(trace->shown);
    g_free(trace->name);
    g_free(trace->beside);
    g_free(trace->alignment);
    g_free(trace);
}

const char *tnd_trace_path(const TndTrace *trace)
{
    return trace->path;
}

const char *tnd_trace_shown(const TndTrace *trace)
{
    return trace->shown;
}

const char *tnd_trace_beside(const TndTrace *trace)
{
    return trace->beside;
}

const char *tnd_trace_alignment(const TndTrace *trace)
{
    return trace->alignment;
}

const char *tnd_trace_name(const TndTrace *trace)
{
    return trace->name;
}

guint64 tnd_trace_end_ns(const TndTrace *trace)
{
    return trace->end_ns;
}

guint tnd_trace_n_threads(const TndTrace *trace)
{
    return trace->n_threads;
}

const TndThread *tnd_trace_thread(const TndTrace *trace, guint row)
{
    return row < trace->n_threads ? &trace->threads[row] : NULL;
}

gsize tnd_trace_n_messages(const TndTrace *trace)
{
    return trace->n_messages;
}

const struct tnd_pcf *tnd_trace_pcf(const TndTrace *trace)
{
    return trace->pcf;
}

const struct tnd_prv_header *tnd_trace_header(const TndTrace *trace)
{
    return &trace->header;
}

guint64 tnd_trace_n_faults(const TndTrace *trace)
{
    return trace->n_faults;
}

const char *tnd_trace_fault(const TndTrace *trace)
{
    return trace->fault;
}

const TndTraceType *tnd_trace_types(const TndTrace *trace, guint *n_types)
{
    *n_types = trace->n_types;
    return trace->types;
}

guint64 tnd_trace_n_events_of(const TndTrace *trace, guint32 type)
{
    guint low = 0, high = trace->n_types;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (trace->types[middle].type < type)
            low = middle + 1;
        else
            high = middle;
    }
    return low < trace->n_types && trace->types[low].type == type ? trace->types[low].n_events : 0;
}

const char *tnd_trace_node_name(const TndTrace *trace, guint node)
{
    if (node < 1 || node > trace->header.n_nodes)
        return NULL;
    const char *name = tnd_row_name(trace->row, TND_ROW_NODE, node - 1);
    char *made = name ? g_utf8_make_valid(name, -1) : g_strdup_printf("NODE %u", node);
    const char *kept = g_intern_string(made);
    g_free(made);
    return kept;
}

const char *const *tnd_trace_comments(const TndTrace *trace)
{
    return (const char *const *)trace->comments->pdata;
}

gconstpointer tnd_trace_keep(const TndTrace *trace, TndTraceKept what, gpointer (*make)(const TndTrace *trace),
                             GDestroyNotify free_it)
{
    if (g_once_init_enter(&trace->kept[what].made)) {
        trace->kept[what].free_it = free_it;
        g_once_init_leave(&trace->kept[what].made, (gsize)make(trace));
    }
    return (gconstpointer)trace->kept[what].made;
}

guint tnd_trace_row(const TndTrace *trace, guint32 application, guint32 task, guint32 thread)
{
    if (application - 1 >= trace->header.n_applications)
        return G_MAXUINT;
    guint index = trace->first_task[application - 1] + (task - 1);
    if (task == 0 || task > trace->header.applications[application - 1].n_tasks)
        return G_MAXUINT;
    guint row = trace->first_row[index];
    return thread - 1 < trace->first_row[index + 1] - row ? row + (thread - 1) : G_MAXUINT;
}
