/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opens a trace: the file's bytes through the reader into the builder, and the files beside it.
 */
#include "analysis/prv_file.h"
#include "analysis/trace_build.h"
#include "formats/prv_read.h"

#include <gio/gio.h>
#include <stdio.h>

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
        opening->fatal = line_number ? g_strdup_printf("line %" G_GUINT64_FORMAT ": %s", (guint64)line_number, what)
                                     : g_strdup(what);
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

/* The file beside the trace, if there is one. */
static FILE *open_beside(const char *path, const char *ending)
{
    char *beside = tnd_prv_file_beside(path, ending);
    FILE *file = fopen(beside, "re");
    g_free(beside);
    return file;
}

static TndTrace *finish(TndTraceBuild *build, const char *path)
{
    FILE *pcf_file = open_beside(path, ".pcf"), *row_file = open_beside(path, ".row");
    struct tnd_pcf *pcf = pcf_file ? tnd_pcf_read(pcf_file, NULL, NULL) : NULL;
    struct tnd_row *row = row_file ? tnd_row_read(row_file, NULL, NULL) : NULL;
    if (pcf_file)
        fclose(pcf_file);
    if (row_file)
        fclose(row_file);
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
