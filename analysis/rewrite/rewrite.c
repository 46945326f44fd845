/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Takes records from the reader to the tool, and from the tool to the writer.
 */
#include "analysis/rewrite/rewrite.h"

#include "analysis/output/trace_output.h"
#include "analysis/rewrite/rewrite_order.h"
#include "analysis/rewrite/rewrite_rows.h"
#include "analysis/trace/prv_file.h"
#include "analysis/trace/row_choice.h"
#include "formats/prv_read.h"
#include "formats/regular_file.h"

#include <errno.h>
#include <gio/gio.h>
#include <string.h>

struct TndRewrite {
    const TndRewriteOptions *options;
    const TndRewriteTool *tool;
    gpointer self;
    TndRewriteResult *result;
    TndPrvFile *file;
    struct tnd_pcf *pcf;
    struct tnd_row *names;
    const struct tnd_prv_header *header;
    guint64 unit_ns;
    TndRewriteRows *rows;
    GPtrArray *communicators, *comments; /* kept until the writer is open */
    TndTraceOutput *output;
    struct tnd_prv_writer *writer;
    TndRewriteOrder *order; /* NULL: the tool writes in the order of time */
    gint64 order_offset;
    gboolean is_stopped, is_cancelled;
    char *fatal; /* the reader's message when it refused the trace; NULL: it did not */
    GError *error;
};

void tnd_rewrite_result_clear(TndRewriteResult *result)
{
    tnd_trace_output_made_clear(&result->made);
    g_free(result->fault);
    *result = (TndRewriteResult){0};
}

const char *tnd_rewrite_path(const TndRewrite *rewrite)
{
    return rewrite->options->path;
}

const struct tnd_prv_header *tnd_rewrite_header(const TndRewrite *rewrite)
{
    return rewrite->header;
}

const struct tnd_pcf *tnd_rewrite_pcf(const TndRewrite *rewrite)
{
    return rewrite->pcf;
}

const struct tnd_row *tnd_rewrite_names(const TndRewrite *rewrite)
{
    return rewrite->names;
}

guint tnd_rewrite_n_rows(const TndRewrite *rewrite)
{
    return rewrite->rows->n_rows;
}

gboolean tnd_rewrite_is_chosen(const TndRewrite *rewrite, guint row)
{
    return rewrite->rows->chosen[row];
}

static inline guint64 to_ns(const TndRewrite *rewrite, guint64 time)
{
    guint64 time_ns;
    if (rewrite->unit_ns == 1)
        return time;
    return __builtin_mul_overflow(time, rewrite->unit_ns, &time_ns) ? G_MAXUINT64 - 1 : time_ns;
}

guint64 tnd_rewrite_end_ns(const TndRewrite *rewrite)
{
    return to_ns(rewrite, rewrite->header->end_time);
}

void tnd_rewrite_set_end(TndRewrite *rewrite, guint64 end_ns)
{
    rewrite->rows->header.end_time = end_ns;
}

/* Opens the writer, after the communicators have been read. */
static void open_writer(TndRewrite *rewrite)
{
    struct tnd_prv_header *header = &rewrite->rows->header;
    header->n_communicators = rewrite->communicators->len;
    g_ptr_array_add(rewrite->communicators, NULL);
    rewrite->writer = tnd_prv_write_open(tnd_trace_output_bytes, rewrite->output, header,
                                         (const char *const *)rewrite->communicators->pdata);
    if (!rewrite->writer)
        g_error("out of memory");
    for (guint i = 0; i < rewrite->comments->len; i++)
        tnd_prv_write_comment(rewrite->writer, rewrite->comments->pdata[i]);
}

static inline struct tnd_prv_writer *writer_of(TndRewrite *rewrite)
{
    if (G_UNLIKELY(!rewrite->writer))
        open_writer(rewrite);
    return rewrite->writer;
}

static inline struct tnd_prv_place place_of(const TndRewrite *rewrite, guint row, guint32 cpu)
{
    struct tnd_prv_place place = rewrite->rows->places[row];
    place.cpu = cpu;
    return place;
}

static void write_state(gpointer self, guint row, const struct tnd_prv_state *state)
{
    TndRewrite *rewrite = self;
    struct tnd_prv_state placed = *state;
    placed.at = place_of(rewrite, row, state->at.cpu);
    tnd_prv_write_state(writer_of(rewrite), &placed);
    rewrite->result->made.n_states++;
}

static void write_event(gpointer self, guint row, const struct tnd_prv_event *event)
{
    TndRewrite *rewrite = self;
    struct tnd_prv_event placed = *event;
    placed.at = place_of(rewrite, row, event->at.cpu);
    tnd_prv_write_event(writer_of(rewrite), &placed);
    rewrite->result->made.n_events += event->n_pairs;
}

static void write_message(gpointer self, guint sender, guint receiver, const struct tnd_prv_message *message)
{
    TndRewrite *rewrite = self;
    struct tnd_prv_message placed = *message;
    placed.sender = place_of(rewrite, sender, message->sender.cpu);
    placed.receiver = place_of(rewrite, receiver, message->receiver.cpu);
    tnd_prv_write_message(writer_of(rewrite), &placed);
    rewrite->result->made.n_messages++;
}

void tnd_rewrite_state(TndRewrite *rewrite, guint row, const struct tnd_prv_state *state)
{
    if (rewrite->order)
        tnd_rewrite_order_state(rewrite->order, row, state);
    else
        write_state(rewrite, row, state);
}

void tnd_rewrite_event(TndRewrite *rewrite, guint row, const struct tnd_prv_event *event)
{
    if (rewrite->order)
        tnd_rewrite_order_event(rewrite->order, row, event);
    else
        write_event(rewrite, row, event);
}

void tnd_rewrite_message(TndRewrite *rewrite, guint sender, guint receiver, const struct tnd_prv_message *message)
{
    if (rewrite->order)
        tnd_rewrite_order_message(rewrite->order, sender, receiver, message);
    else
        write_message(rewrite, sender, receiver, message);
}

void tnd_rewrite_put_into_order(TndRewrite *rewrite, gint64 offset_ns)
{
    rewrite->order =
        tnd_rewrite_order_new(&(TndRewriteOrderOut){.state = write_state,
                                                    .event = write_event,
                                                    .message = write_message,
                                                    .self = rewrite,
                                                    .directory = tnd_trace_output_directory(rewrite->output)});
    rewrite->order_offset = offset_ns;
}

/* Tells the order that a record that begins at this time is being read. */
static inline void pass(TndRewrite *rewrite, guint64 time_ns)
{
    gint64 passed = (gint64)MIN(time_ns, (guint64)G_MAXINT64 / 2) + rewrite->order_offset;
    if (rewrite->order && passed > 0)
        tnd_rewrite_order_pass(rewrite->order, (guint64)passed);
}

void tnd_rewrite_comment(TndRewrite *rewrite, const char *text)
{
    if (rewrite->writer)
        tnd_prv_write_comment(rewrite->writer, text);
    else
        g_ptr_array_add(rewrite->comments, g_strdup(text));
}

void tnd_rewrite_stop(TndRewrite *rewrite)
{
    if (!rewrite->is_stopped)
        tnd_prv_file_skip_to_comments(rewrite->file);
    rewrite->is_stopped = TRUE;
}

static bool visit_header(void *self, const struct tnd_prv_header *header)
{
    TndRewrite *rewrite = self;
    gboolean *chosen = NULL;
    rewrite->header = header;
    rewrite->unit_ns = header->unit_ns;
    if (rewrite->options->rows) {
        chosen = tnd_row_choice_parse(rewrite->options->rows, header, rewrite->names, &rewrite->error);
        if (!chosen) {
            g_prefix_error(&rewrite->error, "--rows: ");
            return false;
        }
    }
    rewrite->rows = tnd_rewrite_rows_new(header, chosen, rewrite->options->all_stay);
    tnd_rewrite_set_end(rewrite, tnd_rewrite_end_ns(rewrite));
    return rewrite->tool->begin(rewrite->self, rewrite, &rewrite->error);
}

static bool visit_communicator(void *self, const char *line, size_t length)
{
    TndRewrite *rewrite = self;
    char *kept = tnd_rewrite_rows_communicator(rewrite->rows, line, length);
    if (kept)
        g_ptr_array_add(rewrite->communicators, kept);
    return true;
}

static bool visit_state(void *self, const struct tnd_prv_state *state)
{
    TndRewrite *rewrite = self;
    guint row = tnd_rewrite_rows_find(rewrite->rows, &state->at);
    if (rewrite->is_stopped || !rewrite->rows->chosen[row])
        return true;
    struct tnd_prv_state in_ns = *state;
    in_ns.begin = to_ns(rewrite, state->begin);
    if (state->end != UINT64_MAX)
        in_ns.end = to_ns(rewrite, state->end);
    pass(rewrite, in_ns.begin);
    rewrite->tool->state(rewrite->self, row, &in_ns);
    return true;
}

static bool visit_event(void *self, const struct tnd_prv_event *event)
{
    TndRewrite *rewrite = self;
    guint row = tnd_rewrite_rows_find(rewrite->rows, &event->at);
    if (rewrite->is_stopped || !rewrite->rows->chosen[row])
        return true;
    struct tnd_prv_event in_ns = *event;
    in_ns.time = to_ns(rewrite, event->time);
    pass(rewrite, in_ns.time);
    rewrite->tool->event(rewrite->self, row, &in_ns);
    return true;
}

static bool visit_message(void *self, const struct tnd_prv_message *message)
{
    TndRewrite *rewrite = self;
    guint sender = tnd_rewrite_rows_find(rewrite->rows, &message->sender);
    guint receiver = tnd_rewrite_rows_find(rewrite->rows, &message->receiver);
    if (rewrite->is_stopped || !rewrite->rows->chosen[sender] || !rewrite->rows->chosen[receiver])
        return true;
    struct tnd_prv_message in_ns = *message;
    in_ns.logical_send = to_ns(rewrite, message->logical_send);
    in_ns.physical_send = to_ns(rewrite, message->physical_send);
    in_ns.logical_receive = to_ns(rewrite, message->logical_receive);
    in_ns.physical_receive = to_ns(rewrite, message->physical_receive);
    rewrite->tool->message(rewrite->self, sender, receiver, &in_ns);
    return true;
}

static bool visit_comment(void *self, const char *line, size_t length)
{
    TndRewrite *rewrite = self;
    char *text = g_strndup(line + 1, length - 1);
    if (!rewrite->tool->keeps || rewrite->tool->keeps(rewrite->self, text))
        tnd_rewrite_comment(rewrite, text);
    g_free(text);
    return true;
}

static void visit_fault(void *self, enum tnd_prv_severity severity, uint64_t line_number, const char *what)
{
    TndRewrite *rewrite = self;
    if (severity == TND_PRV_NOTE || (rewrite->is_stopped && severity == TND_PRV_FAULT))
        return;
    char *text =
        line_number ? g_strdup_printf("line %" G_GUINT64_FORMAT ": %s", (guint64)line_number, what) : g_strdup(what);
    char **kept = severity == TND_PRV_FATAL ? &rewrite->fatal : &rewrite->result->fault;
    rewrite->result->n_faults += severity == TND_PRV_FAULT;
    if (*kept)
        g_free(text);
    else
        *kept = text;
}

static bool visit_progress(void *self, uint64_t n_bytes)
{
    TndRewrite *rewrite = self;
    const TndRewriteOptions *options = rewrite->options;
    if (options->progress && !options->progress(tnd_prv_file_fraction(rewrite->file), n_bytes, options->user_data))
        rewrite->is_cancelled = TRUE;
    return !rewrite->is_cancelled;
}

static const struct tnd_prv_visitor visitor = {
    .header = visit_header,
    .communicator = visit_communicator,
    .state = visit_state,
    .event = visit_event,
    .message = visit_message,
    .comment = visit_comment,
    .fault = visit_fault,
    .progress = visit_progress,
};

static FILE *open_companion(const char *path, const char *ending)
{
    char *companion = tnd_prv_file_companion(path, ending);
    FILE *file = tnd_regular_file_stream(companion);
    g_free(companion);
    return file;
}

static void read_companions(TndRewrite *rewrite)
{
    FILE *pcf = open_companion(rewrite->options->path, ".pcf"), *row = open_companion(rewrite->options->path, ".row");
    rewrite->pcf = pcf ? tnd_pcf_read(pcf, NULL, NULL) : tnd_pcf_new();
    rewrite->names = row ? tnd_row_read(row, NULL, NULL) : NULL;
    if (pcf)
        fclose(pcf);
    if (row)
        fclose(row);
}

static char *default_output(const TndRewrite *rewrite)
{
    const char *path = rewrite->options->path;
    char *stem = tnd_prv_file_stem(path);
    char *output = g_strdup_printf("%s.%s%s", stem, rewrite->tool->name, path + strlen(stem));
    g_free(stem);
    return output;
}

/* Sets the error: why there is no trace. */
static void set_refusal(TndRewrite *rewrite, GError **error)
{
    const GError *read_error = tnd_prv_file_error(rewrite->file);
    const char *path = rewrite->options->path;
    if (rewrite->error)
        g_propagate_error(error, g_steal_pointer(&rewrite->error));
    else if (rewrite->is_cancelled)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "%s: cancelled", path);
    else
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: %s", path,
                    read_error       ? read_error->message
                    : rewrite->fatal ? rewrite->fatal
                                     : "not a trace");
}

/* After everything has been read: closes the writer. */
static gboolean finish_text(TndRewrite *rewrite, GError **error)
{
    const TndRewriteResult *result = rewrite->result;
    if (rewrite->tool->end)
        rewrite->tool->end(rewrite->self);
    if (rewrite->order && !tnd_rewrite_order_finish(rewrite->order, error))
        return FALSE;
    if (!(result->made.n_states + result->made.n_events + result->made.n_messages)) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "%s: no record is left", rewrite->options->path);
        return FALSE;
    }
    if (tnd_prv_write_close(g_steal_pointer(&rewrite->writer)))
        return TRUE;
    int reason = errno;
    g_set_error(error, G_IO_ERROR, (gint)g_io_error_from_errno(reason), "%s: %s",
                tnd_trace_output_directory(rewrite->output), g_strerror(reason));
    return FALSE;
}

/* Copies the .pcf and the .row; if rows are renumbered, makes a new .row. */
static char *finish_files(TndRewrite *rewrite, char **aside, GError **error)
{
    char *pcf = tnd_prv_file_companion(rewrite->options->path, ".pcf"),
         *row = tnd_prv_file_companion(rewrite->options->path, ".row"), *path = NULL;
    struct tnd_row *names = rewrite->rows->is_renumbered ? tnd_rewrite_rows_names(rewrite->rows, rewrite->names) : NULL;
    if (tnd_trace_output_copy(rewrite->output, pcf, row, names, error))
        path = tnd_trace_output_finish(rewrite->output, NULL, NULL, aside, error);
    tnd_row_free(names);
    g_free(pcf);
    g_free(row);
    return path;
}

static void end_run(TndRewrite *rewrite)
{
    if (rewrite->writer)
        (void)tnd_prv_write_close(rewrite->writer);
    tnd_rewrite_order_free(rewrite->order);
    tnd_trace_output_free(rewrite->output);
    tnd_prv_file_close(rewrite->file);
    tnd_rewrite_rows_free(rewrite->rows);
    tnd_pcf_free(rewrite->pcf);
    tnd_row_free(rewrite->names);
    g_ptr_array_unref(rewrite->communicators);
    g_ptr_array_unref(rewrite->comments);
    g_clear_error(&rewrite->error);
    g_free(rewrite->fatal);
}

gboolean tnd_rewrite_run(const TndRewriteOptions *options, const TndRewriteTool *tool, gpointer self,
                         TndRewriteResult *result, GError **error)
{
    TndRewrite rewrite = {.options = options, .tool = tool, .self = self, .result = result};
    *result = (TndRewriteResult){0};
    rewrite.file = tnd_prv_file_open(options->path, error);
    if (!rewrite.file)
        return FALSE;
    rewrite.communicators = g_ptr_array_new_with_free_func(g_free);
    rewrite.comments = g_ptr_array_new_with_free_func(g_free);
    read_companions(&rewrite);
    char *output = options->output ? g_strdup(options->output) : default_output(&rewrite);
    rewrite.output = tnd_trace_output_new(output, options->force, error);
    g_free(output);
    if (!rewrite.output)
        (void)0;
    else if (!tnd_prv_read(tnd_prv_file_read, rewrite.file, &visitor, &rewrite))
        set_refusal(&rewrite, error);
    else if (finish_text(&rewrite, error))
        result->made.output = finish_files(&rewrite, &result->made.aside, error);
    if (rewrite.rows) {
        result->made.n_rows = rewrite.rows->n_chosen;
        result->made.end_ns = rewrite.rows->header.end_time;
    }
    end_run(&rewrite);
    return result->made.output != NULL;
}
