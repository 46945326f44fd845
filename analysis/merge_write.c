/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The last pass: all streams, states and messages in the order of time, as text.  At one time: a row's state, then its
 * events, row after row; then messages.
 */
#include "analysis/merge_events.h"
#include "analysis/merge_spill.h"
#include "analysis/merge_states.h"
#include "analysis/merge_walk.h"
#include "formats/event_types.h"

#include <errno.h>
#include <gio/gio.h>
#include <time.h>

/* What an event costs the traced program, without what the kernel does for a sample (measured, tests/bench). */
#define RECORD_COST_NS 20
#define SAMPLE_COST_NS 6000

/* A row's three sources of lines, in the order in which they are written at one time. */
enum { STATES, MAIN, SIGNAL, N_SOURCES };

struct row {
    TndMergeStates *states;
    TndMergeEvents *events[N_SOURCES]; /* [STATES]: none */
    guint64 next[N_SOURCES];           /* when a line is due; G_MAXUINT64: never */
};

struct writing {
    TndMerge *merge;
    struct tnd_prv_writer *writer;
    struct row *rows;
    GError *error;
};

static guint64 next_time(const struct row *row)
{
    return MIN(row->next[STATES], MIN(row->next[MAIN], row->next[SIGNAL]));
}

/* Writes all that is due in the row now; when it is its turn again. */
static guint64 step_row(struct writing *writing, struct row *row, guint64 now)
{
    while (row->next[STATES] == now)
        row->next[STATES] = tnd_merge_states_step(row->states, writing->writer, &writing->error);
    for (guint i = MAIN; i <= SIGNAL; i++)
        while (row->next[i] == now && !writing->error)
            row->next[i] = tnd_merge_events_step(row->events[i], now, writing->writer, &writing->error);
    return next_time(row);
}

static guint64 step_messages(struct writing *writing)
{
    TndMergeSpill *messages = writing->merge->messages;
    const TndMergeMessage *first = tnd_merge_spill_first(messages);
    struct tnd_prv_message message = {
        .sender = ((TndMergeRow *)writing->merge->rows->pdata[first->sender])->at,
        .receiver = ((TndMergeRow *)writing->merge->rows->pdata[first->receiver])->at,
        .logical_send = first->logical_send,
        .physical_send = first->physical_send,
        .logical_receive = first->logical_receive,
        .physical_receive = first->physical_receive,
        .size_bytes = first->size_bytes,
        .tag = first->tag,
    };
    tnd_prv_write_message(writing->writer, &message);
    if (!tnd_merge_spill_drop_first(messages, &writing->error))
        return G_MAXUINT64;
    first = tnd_merge_spill_first(messages);
    return first ? first->logical_send : G_MAXUINT64;
}

static void walk(struct writing *writing)
{
    guint n_rows = writing->merge->rows->len;
    const TndMergeMessage *message = tnd_merge_spill_first(writing->merge->messages);
    guint64 *times = g_new(guint64, n_rows + 1);
    for (guint i = 0; i < n_rows; i++)
        times[i] = next_time(&writing->rows[i]);
    times[n_rows] = message ? message->logical_send : G_MAXUINT64;
    TndMergeTree tree;
    if (tnd_merge_walk_plant(&tree, times, n_rows + 1, writing->merge->end_ns, &writing->error)) {
        for (guint i; !writing->error && (i = tnd_merge_walk_winner(&tree)) != G_MAXUINT;)
            tnd_merge_walk_replay(&tree, i == n_rows
                                             ? step_messages(writing)
                                             : step_row(writing, &writing->rows[i], tnd_merge_walk_winner_time(&tree)));
        tnd_merge_walk_fell(&tree);
    }
    g_free(times);
}

/* When the run began, in the form that Paraver reads best. */
static void set_date(const TndMerge *merge, struct tnd_prv_header *header)
{
    time_t seconds = (time_t)(merge->begin_realtime_ns / 1000000000u);
    struct tm local;
    gmtime_r(&seconds, &local);
    strftime(header->date, sizeof header->date, "%d/%m/%Y at %H:%M", &local);
}

static struct tnd_prv_writer *open_writer(const TndMerge *merge, tnd_prv_write_bytes write_bytes, void *sink)
{
    struct tnd_prv_header header = {
        .end_time = merge->end_ns,
        .unit_ns = 1,
        .n_nodes = merge->nodes->len,
        .n_cpus = (guint32 *)(void *)merge->node_cpus->data,
        .n_applications = merge->applications->len,
        .applications = g_new0(struct tnd_prv_application, merge->applications->len),
        .n_communicators = merge->communicators->len,
    };
    set_date(merge, &header);
    for (guint i = 0; i < merge->applications->len; i++) {
        const GArray *tasks = ((TndMergeApplication *)merge->applications->pdata[i])->tasks;
        header.applications[i].n_tasks = tasks->len;
        header.applications[i].tasks = g_new0(struct tnd_prv_task, tasks->len);
        for (guint t = 0; t < tasks->len; t++) {
            const TndMergeTask *task = &g_array_index(tasks, TndMergeTask, t);
            header.applications[i].tasks[t] = (struct tnd_prv_task){task->n_threads, task->node};
        }
    }
    struct tnd_prv_writer *writer =
        tnd_prv_write_open(write_bytes, sink, &header, (const char *const *)merge->communicators->pdata);
    for (guint i = 0; i < merge->applications->len; i++)
        g_free(header.applications[i].tasks);
    g_free(header.applications);
    return writer;
}

static void write_fact(struct tnd_prv_writer *writer, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *value = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    for (char *c = value; *c; c++)
        if (g_ascii_iscntrl(*c))
            *c = ' ';
    char *line = g_strdup_printf("tandem:%s=%s", key, value);
    tnd_prv_write_comment(writer, line);
    g_free(line);
    g_free(value);
}

/* What the numbers of the trace cannot say; `tandem stat` shows it. */
static void write_facts(const TndMerge *merge, struct tnd_prv_writer *writer)
{
    static const char *const clocks[] = {[TND_SAMPLING_PERF] = "perf",
                                         [TND_SAMPLING_MONOTONIC] = "real",
                                         [TND_SAMPLING_CPU] = "cpu",
                                         [TND_SAMPLING_ITIMER] = "itimer",
                                         [TND_SAMPLING_FAKE] = "fake"};
    const TndMergeResult *result = merge->result;
    const struct {
        const char *key;
        guint64 value;
        gboolean always;
    } facts[] = {
        {"processes", result->n_processes, TRUE},
        {"threads", result->n_threads, TRUE},
        {"records", result->n_records, TRUE},
        {"cpu-ns", merge->cpu_ns, FALSE},
        {"sampling-period-ns", merge->sampling_period_ns, FALSE},
        {"samples", result->n_samples, merge->sampling_clock != 0},
        {"sampled-cpu-ns", merge->sampled_ns, merge->sampling_clock != 0},
        {"messages", result->n_messages, FALSE},
        {"unmatched-sends", result->n_unmatched_sends, FALSE},
        {"unmatched-receives", result->n_unmatched_receives, FALSE},
        {"clock-error-ns", merge->clock_error_ns, FALSE},
        {"lost", result->n_lost, TRUE},
        {"open-calls", result->n_open, FALSE},
        {"damaged-bytes", result->n_damaged_bytes, FALSE},
        {"overhead-ns", result->overhead_ns, TRUE},
    };
    if (merge->command)
        write_fact(writer, "command", "%s", merge->command);
    if (merge->sampling_clock && merge->sampling_clock < G_N_ELEMENTS(clocks))
        write_fact(writer, "sampling-clock", "%s", clocks[merge->sampling_clock]);
    for (guint i = 0; i < G_N_ELEMENTS(facts); i++)
        if (facts[i].always || facts[i].value)
            write_fact(writer, facts[i].key, "%" G_GUINT64_FORMAT, facts[i].value);
    for (guint i = 0; i < result->notes->len; i++)
        write_fact(writer, "note", "%s", (const char *)result->notes->pdata[i]);
}

static void count_overhead(TndMerge *merge)
{
    TndMergeResult *result = merge->result;
    result->overhead_ns =
        merge->flush_ns + (result->n_records - result->n_samples) * RECORD_COST_NS + result->n_samples * SAMPLE_COST_NS;
}

gboolean tnd_merge_write_run(TndMerge *merge, tnd_prv_write_bytes write_bytes, void *sink, GError **error)
{
    struct writing writing = {.merge = merge};
    writing.writer = open_writer(merge, write_bytes, sink);
    writing.rows = g_new0(struct row, merge->rows->len);
    for (guint i = 0; i < merge->rows->len; i++) {
        struct row *row = &writing.rows[i];
        row->states = tnd_merge_states_new(merge, merge->rows->pdata[i]);
        for (guint j = MAIN; j <= SIGNAL; j++) {
            row->events[j] = tnd_merge_events_new(merge, merge->rows->pdata[i], j == SIGNAL);
            row->next[j] = tnd_merge_events_begin(row->events[j]);
        }
    }
    if (writing.writer) {
        walk(&writing);
        count_overhead(merge);
        write_facts(merge, writing.writer);
    }
    for (guint i = 0; i < merge->rows->len; i++) {
        tnd_merge_states_free(writing.rows[i].states);
        for (guint j = MAIN; j <= SIGNAL; j++)
            tnd_merge_events_free(writing.rows[i].events[j]);
    }
    g_free(writing.rows);
    if ((!writing.writer || !tnd_prv_write_close(writing.writer)) && !writing.error) {
        int reason = errno;
        g_set_error(&writing.error, G_IO_ERROR, (gint)g_io_error_from_errno(reason), "writing the trace: %s",
                    g_strerror(reason));
    }
    if (writing.error)
        g_propagate_error(error, writing.error);
    return !writing.error;
}
