/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A loaded trace: opening one, and what can be asked of it.
 */
#include "analysis/trace.h"

#include "analysis/prv_file.h"
#include "analysis/trace_build.h"
#include "formats/prv_read.h"

typedef struct {
    TndTraceBuild *build;
    TndPrvFile *file;
    TndTraceProgress progress;
    gpointer user_data;
    gboolean cancelled;
    char *fatal; /* what the reader said when it refused the trace */
} Opening;

/* The visitor's functions get the Opening; the builder's get the builder. */
#define PASS_ON(name, type)                                                                                            \
    static bool pass_##name(void *self, const type *record)                                                            \
    {                                                                                                                  \
        return tnd_trace_build_visitor.name(((Opening *)self)->build, record);                                         \
    }
PASS_ON(header, struct tnd_prv_header)
PASS_ON(state, struct tnd_prv_state)
PASS_ON(event, struct tnd_prv_event)
PASS_ON(message, struct tnd_prv_message)

static bool pass_comment(void *self, const char *line, size_t length)
{
    return tnd_trace_build_visitor.comment(((Opening *)self)->build, line, length);
}

static void pass_fault(void *self, enum tnd_prv_severity severity, uint64_t line_number, const char *what)
{
    Opening *opening = self;
    if (severity == TND_PRV_FATAL && !opening->fatal)
        opening->fatal = g_strdup_printf("line %" G_GUINT64_FORMAT ": %s", (guint64)line_number, what);
    tnd_trace_build_visitor.fault(opening->build, severity, line_number, what);
}

static bool report_progress(void *self, uint64_t bytes_read)
{
    Opening *opening = self;
    if (opening->progress && !opening->progress(tnd_prv_file_fraction(opening->file), opening->user_data))
        opening->cancelled = TRUE;
    return !opening->cancelled;
}

static const struct tnd_prv_visitor opening_visitor = {
    .header = pass_header,
    .state = pass_state,
    .event = pass_event,
    .message = pass_message,
    .comment = pass_comment,
    .fault = pass_fault,
    .progress = report_progress,
};

static void set_refusal(const Opening *opening, const char *path, GError **error)
{
    const GError *read_error = tnd_prv_file_error(opening->file);
    const char *why = read_error ? read_error->message : tnd_trace_build_refusal(opening->build);
    if (opening->cancelled)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "%s: cancelled", path);
    else if (!why && !opening->fatal)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: not a trace", path);
    else
        g_set_error(error, G_IO_ERROR, read_error ? G_IO_ERROR_FAILED : G_IO_ERROR_INVALID_DATA, "%s: %s", path,
                    why ? why : opening->fatal);
}

static TndTrace *finish(TndTraceBuild *build, const char *path)
{
    FILE *file = tnd_prv_file_beside(path, ".pcf");
    struct tnd_pcf *pcf = file ? tnd_pcf_read(file, NULL, NULL) : NULL;
    if (file)
        fclose(file);
    file = tnd_prv_file_beside(path, ".row");
    struct tnd_row *row = file ? tnd_row_read(file) : NULL;
    if (file)
        fclose(file);
    return tnd_trace_build_finish(build, pcf, row);
}

TndTrace *tnd_trace_open(const char *path, TndTraceProgress progress, gpointer user_data, GError **error)
{
    Opening opening = {.progress = progress, .user_data = user_data};
    opening.file = tnd_prv_file_open(path, error);
    if (!opening.file)
        return NULL;
    opening.build = tnd_trace_build_new(path);
    TndTrace *trace = NULL;
    if (tnd_prv_read(tnd_prv_file_read, opening.file, &opening_visitor, &opening))
        trace = finish(g_steal_pointer(&opening.build), path);
    if (!trace && opening.build)
        set_refusal(&opening, path, error);
    else if (!trace)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: not a trace", path);
    else if (progress)
        (void)progress(1.0, user_data);
    tnd_trace_build_free(opening.build);
    tnd_prv_file_close(opening.file);
    g_free(opening.fatal);
    return trace;
}

void tnd_trace_free(TndTrace *trace)
{
    if (!trace)
        return;
    for (guint row = 0; trace->threads && row < trace->n_threads; row++) {
        g_free((gpointer)trace->threads[row].states);
        g_free((gpointer)trace->threads[row].events);
    }
    for (guint a = 0; trace->header.applications && a < trace->header.n_applications; a++)
        g_free(trace->header.applications[a].tasks);
    g_free(trace->header.applications);
    g_free(trace->header.n_cpus);
    g_free(trace->threads);
    g_free(trace->messages);
    g_free(trace->first_row);
    g_free(trace->first_task);
    g_strfreev(trace->names);
    g_strfreev(trace->node_names);
    g_ptr_array_unref(trace->comments);
    if (trace->pcf)
        tnd_pcf_free(trace->pcf);
    if (trace->row)
        tnd_row_free(trace->row);
    g_free(trace->types);
    g_free(trace->fault);
    g_free(trace->path);
    g_free(trace->name);
    g_free(trace);
}

const char *tnd_trace_path(const TndTrace *trace)
{
    return trace->path;
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

const TndMessage *tnd_trace_messages(const TndTrace *trace)
{
    return trace->messages;
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

guint64 tnd_trace_n_records(const TndTrace *trace)
{
    return trace->n_records;
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
    return node >= 1 && node <= trace->header.n_nodes ? trace->node_names[node - 1] : NULL;
}

const char *const *tnd_trace_comments(const TndTrace *trace)
{
    return (const char *const *)trace->comments->pdata;
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
