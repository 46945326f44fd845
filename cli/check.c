/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem check`: checks whether a trace is valid.  It reports every fault of the .prv, .pcf and .row, with its line,
 * and notes things that can be loaded but are not as they should be.  What the trace says about the program is not
 * judged.
 *
 * Cost: one pass over the file; memory for the objects and the event types.
 */
#include "analysis/trace/prv_file.h"
#include "cli/cli.h"
#include "formats/pcf.h"
#include "formats/plain_text.h"
#include "formats/prv_read.h"
#include "formats/regular_file.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define SHOWN_OF_A_KIND 10

static const char *const severities[] = {[TND_PRV_NOTE] = "note: ", [TND_PRV_FAULT] = "", [TND_PRV_FATAL] = ""};

struct check {
    gboolean show_all, show_notes;
    const char *path;   /* of the file that is being read */
    char *shown;        /* the path, as plain text */
    GHashTable *n_told; /* message to how often it was reported */
    guint64 n_faults, n_notes;

    const struct tnd_prv_header *header;
    struct tnd_pcf *pcf; /* NULL: none */
    GHashTable *types;   /* event types that occurred and are not in the .pcf */
    guint *first_task;   /* of each application: index into first_thread */
    gsize *first_thread; /* of each task: index into state_ends */
    guint64 *state_ends; /* of each thread: the end of its last state */
    gsize n_objects[TND_ROW_N_LEVELS];
    guint64 n_states, n_events, n_messages, end_time, header_end_time;
};

/* Reports a fault or a note; only the first few of each message. */
static void tell(struct check *check, enum tnd_prv_severity severity, guint64 line_number, const char *what)
{
    ++*(severity == TND_PRV_NOTE ? &check->n_notes : &check->n_faults);
    if (severity == TND_PRV_NOTE && !check->show_notes)
        return;
    guint64 *n = g_hash_table_lookup(check->n_told, what);
    if (!n)
        g_hash_table_insert(check->n_told, g_strdup(what), n = g_new0(guint64, 1));
    if (++*n > SHOWN_OF_A_KIND && !check->show_all)
        return;
    if (line_number)
        printf("%s:%" G_GUINT64_FORMAT ": %s%s\n", check->shown, line_number, severities[severity], what);
    else
        printf("%s: %s%s\n", check->shown, severities[severity], what);
}

G_GNUC_PRINTF(3, 4)
static void note(struct check *check, guint64 line_number, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    tell(check, TND_PRV_NOTE, line_number, what);
    g_free(what);
}

/* Reports at the end of a file how many messages were not shown. */
static void tell_rest(struct check *check)
{
    GList *keys = g_list_sort(g_hash_table_get_keys(check->n_told), (GCompareFunc)(void (*)(void))strcmp);
    for (const GList *key = keys; key && !check->show_all; key = key->next) {
        guint64 n = *(const guint64 *)g_hash_table_lookup(check->n_told, key->data);
        if (n > SHOWN_OF_A_KIND)
            printf("%s: and %" G_GUINT64_FORMAT " more: %s\n", check->shown, n - SHOWN_OF_A_KIND,
                   (const char *)key->data);
    }
    g_list_free(keys);
    g_hash_table_remove_all(check->n_told);
}

static void on_fault(void *self, enum tnd_prv_severity severity, uint64_t line_number, const char *what)
{
    tell(self, severity, line_number, what);
}

static bool on_header(void *self, const struct tnd_prv_header *header)
{
    struct check *check = self;
    gsize n_tasks = 0, n_threads = 0;
    check->header = header;
    check->header_end_time = header->end_time;
    for (guint i = 0; i < header->n_nodes; i++)
        check->n_objects[TND_ROW_CPU] += header->n_cpus[i];
    for (guint i = 0; i < header->n_applications; i++)
        n_tasks += header->applications[i].n_tasks;
    check->first_task = g_new(guint, header->n_applications);
    check->first_thread = g_new(gsize, n_tasks);
    n_tasks = 0;
    for (guint i = 0; i < header->n_applications; i++) {
        check->first_task[i] = (guint)n_tasks;
        for (guint k = 0; k < header->applications[i].n_tasks; k++) {
            check->first_thread[n_tasks++] = n_threads;
            n_threads += header->applications[i].tasks[k].n_threads;
        }
    }
    check->state_ends = g_new0(guint64, n_threads);
    check->n_objects[TND_ROW_WORKLOAD] = check->n_objects[TND_ROW_SYSTEM] = 1;
    check->n_objects[TND_ROW_APPL] = header->n_applications;
    check->n_objects[TND_ROW_TASK] = n_tasks;
    check->n_objects[TND_ROW_THREAD] = n_threads;
    check->n_objects[TND_ROW_NODE] = header->n_nodes;
    return true;
}

static bool on_state(void *self, const struct tnd_prv_state *state)
{
    struct check *check = self;
    guint64 *end =
        &check->state_ends[check->first_thread[check->first_task[state->at.application - 1] + state->at.task - 1] +
                           state->at.thread - 1];
    check->n_states++;
    if (state->begin < *end)
        tell(check, TND_PRV_NOTE, check->header->line_number, "a state that begins before the thread's last one ended");
    if (state->end != UINT64_MAX) {
        *end = MAX(*end, state->end);
        check->end_time = MAX(check->end_time, state->end);
    }
    if (check->pcf && !tnd_pcf_state_label(check->pcf, state->state))
        note(check, check->header->line_number, "state %" PRIu32 " has no label", state->state);
    return true;
}

static bool on_event(void *self, const struct tnd_prv_event *event)
{
    struct check *check = self;
    check->n_events++;
    check->end_time = MAX(check->end_time, event->time);
    for (gsize i = 0; check->pcf && i < event->n_pairs; i++) {
        guint32 type = event->pairs[i].type;
        if (!tnd_pcf_type(check->pcf, type) && g_hash_table_add(check->types, GUINT_TO_POINTER(type)))
            note(check, check->header->line_number, "event type %" PRIu32 " has no label", type);
    }
    return true;
}

static bool on_message(void *self, const struct tnd_prv_message *message)
{
    struct check *check = self;
    check->n_messages++;
    check->end_time = MAX(check->end_time, MAX(message->physical_send, message->physical_receive));
    /* The physical send is the end of the sender's call, which may be after the receiver has got the message. */
    if (message->physical_receive < message->logical_send)
        tell(check, TND_PRV_NOTE, check->header->line_number, "a message that is received before it is sent");
    return true;
}

static void check_prv(struct check *check, TndPrvFile *file)
{
    static const struct tnd_prv_visitor visitor = {
        .header = on_header, .state = on_state, .event = on_event, .message = on_message, .fault = on_fault};
    guint64 n_before = check->n_faults;
    gboolean ok = tnd_prv_read(tnd_prv_file_read, file, &visitor, check);
    if (!ok && check->n_faults == n_before) {
        const GError *error = tnd_prv_file_error(file);
        tell(check, TND_PRV_FATAL, 0, error ? error->message : g_strerror(errno));
    }
    if (check->end_time > check->header_end_time && check->header)
        note(check, 1,
             "the header's end time, %" G_GUINT64_FORMAT ", is before that of the records, %" G_GUINT64_FORMAT,
             check->header_end_time, check->end_time);
    check->header = NULL;
    tell_rest(check);
}

static void on_label_fault(void *self, uint64_t line_number, const char *what)
{
    tell(self, TND_PRV_FAULT, line_number, what);
}

static void read_pcf(struct check *check, FILE *file)
{
    check->pcf = tnd_pcf_read(file, on_label_fault, check);
}

/* Checks the .row, after the .prv, whose header says how many names there should be. */
static void read_row(struct check *check, FILE *file)
{
    static const char *const names[TND_ROW_N_LEVELS] = {"WORKLOAD", "APPL", "TASK", "THREAD", "SYSTEM", "NODE", "CPU"};
    struct tnd_row *row = tnd_row_read(file, on_label_fault, check);
    for (int level = 0; level < TND_ROW_N_LEVELS; level++)
        if (row->n_names[level] && row->n_names[level] != check->n_objects[level])
            note(check, 0, "%zu names of level %s for %zu objects", row->n_names[level], names[level],
                 check->n_objects[level]);
    tnd_row_free(row);
}

static void set_path(struct check *check, const char *path)
{
    g_free(check->shown);
    check->path = path;
    check->shown = g_strdup(path);
    tnd_plain_text_make(check->shown, "");
}

/* Checks a file that belongs to the trace; notes if there is none. */
static void check_companion(struct check *check, const char *ending, void (*read)(struct check *, FILE *))
{
    const char *prv_path = check->path;
    char *path = tnd_prv_file_companion(prv_path, ending);
    FILE *file = tnd_regular_file_stream(path);
    if (file) {
        set_path(check, path);
        read(check, file);
        tell_rest(check);
        fclose(file);
    } else {
        note(check, 0, "there is no %s file", ending);
    }
    set_path(check, prv_path);
    g_free(path);
}

static void print_summary(const struct check *check)
{
    printf("%s: ", check->shown);
    if (check->n_faults)
        printf("%" G_GUINT64_FORMAT " fault%s", check->n_faults, check->n_faults == 1 ? "" : "s");
    else
        printf("valid");
    if (check->n_notes)
        printf(", %" G_GUINT64_FORMAT " note%s", check->n_notes, check->n_notes == 1 ? "" : "s");
    printf("; %" G_GUINT64_FORMAT " states, %" G_GUINT64_FORMAT " events, %" G_GUINT64_FORMAT
           " messages of %" G_GSIZE_FORMAT " thread%s\n",
           check->n_states, check->n_events, check->n_messages, check->n_objects[TND_ROW_THREAD],
           check->n_objects[TND_ROW_THREAD] == 1 ? "" : "s");
}

/* Checks a trace; FALSE: it has faults. */
static gboolean check_trace(const char *path, gboolean show_all, gboolean show_notes)
{
    GError *error = NULL;
    TndPrvFile *file = tnd_prv_file_open(path, &error);
    if (!file) {
        tnd_cli_complain_error(&error);
        return FALSE;
    }
    struct check check = {.show_all = show_all, .show_notes = show_notes};
    set_path(&check, path);
    check.n_told = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    check.types = g_hash_table_new(NULL, NULL);
    check_companion(&check, ".pcf", read_pcf);
    check_prv(&check, file);
    if (check.first_task)
        check_companion(&check, ".row", read_row);
    print_summary(&check);
    tnd_prv_file_close(file);
    tnd_pcf_free(check.pcf);
    g_hash_table_unref(check.n_told);
    g_hash_table_unref(check.types);
    g_free(check.first_task);
    g_free(check.first_thread);
    g_free(check.state_ends);
    g_free(check.shown);
    return check.n_faults == 0;
}

int tnd_cli_check(int argc, char **argv)
{
    gboolean show_all = FALSE, hide_notes = FALSE;
    const GOptionEntry entries[] = {
        {"all", 'a', 0, G_OPTION_ARG_NONE, &show_all, "Show all faults and notes, not only the first 10 of each kind",
         NULL},
        {"no-notes", 'n', 0, G_OPTION_ARG_NONE, &hide_notes, "Show faults only", NULL},
        G_OPTION_ENTRY_NULL,
    };
    int status;
    if (!tnd_cli_options(
            &argc, &argv, entries, "TRACE.prv...",
            "Checks whether a trace is valid: reports every fault of the .prv, .pcf and .row with its\n"
            "line, and notes what can be loaded but is not as it should be.  Status 1 if there are faults.",
            &status))
        return status;
    if (argc < 2) {
        tnd_cli_complain("check", "takes traces (see `tandem check --help`)");
        return TND_EXIT_USAGE;
    }
    status = TND_EXIT_FINE;
    for (int i = 1; i < argc; i++)
        if (!check_trace(argv[i], show_all, !hide_notes))
            status = TND_EXIT_INPUT;
    return status;
}
