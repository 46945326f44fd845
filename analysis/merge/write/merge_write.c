/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The last pass: all streams, states and messages in the order of time, as text.  At one time: a row's state, then its
 * events, row after row; then messages.  Ranks render their own rows and the messages that these send, each row some
 * kilobytes ahead (merge_strands.h).
 */
#include "analysis/merge/write/merge_write.h"
#include "analysis/base/assertion.h"
#include "analysis/merge/match/merge_spill.h"
#include "analysis/merge/read/merge_heap.h"
#include "analysis/merge/read/merge_library.h"
#include "analysis/merge/read/merge_reader.h"
#include "analysis/merge/read/merge_rows.h"
#include "analysis/merge/write/merge_counted.h"
#include "analysis/merge/write/merge_events.h"
#include "analysis/merge/write/merge_function_sums.h"
#include "analysis/merge/write/merge_states.h"
#include "analysis/merge/write/merge_strands.h"
#include "formats/event_types.h"
#include "formats/fact.h"

#include <errno.h>
#include <gio/gio.h>
#include <time.h>

#define RECORD_COST_NS 20 /* what an event costs the traced program (measured, tests/bench) */

#define TEXT_BYTES ((gsize)256 << 10) /* bytes that are written at once */

/* The sources of a row's lines, in the order in which they write at one time: its states, then each sort of stream
 * that it has; and when the next line of each is due, G_MAXUINT64: never. */
struct row {
    const TndMergeRow *of;
    TndMergeCpu cpu;
    TndMergeStates *states; /* NULL: a guest has none */
    guint64 next_state;
    guint n_events;
    TndMergeEvents *events[TND_MERGE_N_STREAMS];
    guint64 next[TND_MERGE_N_STREAMS];
    TndMergeCounts *counts; /* of all streams */
};

struct writing {
    TndMerge *merge;
    struct tnd_prv_writer *writer;
    TndTraceOutput *output;
    TndMergeSlices *slices; /* NULL: there is one rank, which writes into the output itself */
    GByteArray *text;       /* text that is on its way there */
    GArray *marks;          /* TndMergePiece of that text, for slices */
    struct row *rows;       /* the rows that this rank writes, and its guests */
    guint32 *orders;        /* of rows, then of messages: the place of their lines among all of one time */
    guint n_rows;
    GError *error;
};

static guint64 next_time(const struct row *row)
{
    guint64 next = row->next_state;
    for (guint i = 0; i < row->n_events; i++)
        next = MIN(next, row->next[i]);
    return next;
}

/* Writes all lines that are due in the row now.  Returns when the next one is due. */
static inline guint64 step_row(struct writing *writing, struct row *row, guint64 now)
{
    guint64 next = row->next_state;
    while (next == now)
        next = tnd_merge_states_step(row->states, writing->writer, &row->cpu.of_state, &writing->error);
    row->next_state = next;
    for (guint i = 0; i < row->n_events; i++) {
        while (row->next[i] == now && !writing->error)
            row->next[i] = tnd_merge_events_step(row->events[i], now, writing->writer, &writing->error);
        next = MIN(next, row->next[i]);
    }
    return next;
}

/* When the next message is due.  At one time messages come after the lines of rows and guests, in the order of their
 * senders. */
static guint64 next_message(struct writing *writing)
{
    const TndMergeMessage *first = tnd_merge_spill_first(writing->merge->messages);
    if (!first)
        return G_MAXUINT64;
    writing->orders[writing->n_rows] = writing->merge->rows->len + writing->merge->guests->len + first->sender;
    return first->logical_send;
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
    return next_message(writing);
}

/* Whether this rank writes the lines of a row, or of a guest, which are written by the rank of its host. */
static gboolean is_ours(const struct writing *writing, guint walker)
{
    const TndMerge *merge = writing->merge;
    guint row = writing->orders[walker];
    if (row >= merge->rows->len)
        row = ((const TndMergeGuest *)merge->guests->pdata[row - merge->rows->len])->host;
    return merge->row_ranks[row] == merge->team->rank;
}

/* Lets a row or a guest, or after all of them the messages, write. */
static guint64 step(gpointer user_data, guint walker, guint64 now)
{
    struct writing *writing = user_data;
    if (writing->error)
        return G_MAXUINT64;
    tnd_assert(walker == writing->n_rows || is_ours(writing, walker));
    guint64 next = walker < writing->n_rows ? step_row(writing, &writing->rows[walker], now) : step_messages(writing);
    return writing->error ? G_MAXUINT64 : next;
}

static void fail(struct writing *writing)
{
    int reason = errno ? errno : EIO;
    if (!writing->error)
        g_set_error(&writing->error, G_IO_ERROR, (gint)g_io_error_from_errno(reason), "writing the trace: %s",
                    g_strerror(reason));
}

static void write_text(struct writing *writing)
{
    gsize n_bytes = writing->text->len;
    if (!writing->error && !tnd_trace_output_bytes(writing->output, (const char *)writing->text->data, n_bytes))
        fail(writing);
    g_byte_array_set_size(writing->text, 0);
}

static void walk_alone(struct writing *writing, TndMergeStrands *strands)
{
    do {
        write_text(writing);
        tnd_merge_strands_take(strands, writing->text, NULL, TEXT_BYTES);
    } while (!writing->error && writing->text->len);
}

static void walk_in_turns(struct writing *writing, TndMergeStrands *strands)
{
    do
        tnd_merge_strands_take(strands, writing->text, writing->marks, tnd_merge_slices_limit_bytes);
    while (tnd_merge_slices_turn(writing->slices, writing->text, writing->marks, tnd_merge_strands_due(strands),
                                 &writing->error));
}

/* Whether threads of the row's task tell of each other, so that they must be walked together. */
static gboolean is_tied(const TndMergeRow *row)
{
    for (guint i = 0; i < row->parts->len; i++)
        if (g_array_index(row->parts, TndMergePart, i).process->is_tied)
            return TRUE;
    return FALSE;
}

static gboolean are_tied(const TndMergeRow *row, const TndMergeRow *next)
{
    return row->at.application == next->at.application && row->at.task == next->at.task &&
           (is_tied(row) || is_tied(next));
}

/* The strands: rows that are walked together, guests, and last the messages. */
static TndMergeStrands *make_strands(struct writing *writing)
{
    const TndMergeWalkers walkers = {writing, writing->writer, step, writing->orders};
    guint n = 0, *ends = g_new(guint, writing->n_rows + 1);
    guint64 *times = g_new(guint64, writing->n_rows + 1);
    for (guint i = 0; i < writing->n_rows; i++) {
        times[i] = next_time(&writing->rows[i]);
        if (i && !are_tied(writing->rows[i - 1].of, writing->rows[i].of))
            n++;
        ends[n] = i + 1;
    }
    n += writing->n_rows > 0;
    times[writing->n_rows] = next_message(writing);
    ends[n] = writing->n_rows + 1;
    TndMergeStrands *strands =
        tnd_merge_strands_new(&walkers, ends, n + 1, times, writing->merge->end_ns, &writing->error);
    g_free(times);
    g_free(ends);
    return strands;
}

static void walk(struct writing *writing)
{
    TndMergeStrands *strands = make_strands(writing);
    if (strands) {
        (writing->slices ? walk_in_turns : walk_alone)(writing, strands);
        tnd_merge_strands_free(strands);
    } else if (writing->slices) {
        tnd_merge_slices_turn(writing->slices, writing->text, writing->marks, TND_MERGE_NEVER, &writing->error);
    }
}

/* When the run began, in the form that Paraver reads best. */
static void set_date(const TndMerge *merge, struct tnd_prv_header *header)
{
    time_t seconds = (time_t)(merge->begin_realtime_ns / 1000000000u);
    struct tm local;
    gmtime_r(&seconds, &local);
    strftime(header->date, sizeof header->date, "%d/%m/%Y at %H:%M", &local);
}

static struct tnd_prv_writer *open_writer(const TndMerge *merge, GByteArray *text)
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
        tnd_prv_write_open(tnd_merge_strands_text, text, &header, (const char *const *)merge->communicators->pdata);
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
    char *line = g_strdup_printf(TND_FACT_PREFIX "%s=%s", key, value);
    tnd_prv_write_comment(writer, line);
    g_free(line);
    g_free(value);
}

/* How many functions of Python, or of libraries, were called, and the sums of some. */
static void write_function_facts(struct tnd_prv_writer *writer, const TndMergeFunctionSum *sums, const GPtrArray *names,
                                 const char *key_of_number, const char *key)
{
    guint n_called;
    GPtrArray *facts = tnd_merge_function_sums_facts(sums, names->len, &n_called);
    if (n_called)
        write_fact(writer, key_of_number, "%u", n_called);
    for (guint i = 0; i < facts->len; i++)
        write_fact(writer, key, "%s", (const char *)facts->pdata[i]);
    g_ptr_array_unref(facts);
}

static void write_counted_facts(const TndMerge *merge, struct tnd_prv_writer *writer)
{
    GPtrArray *facts = tnd_merge_counted_facts(merge);
    for (guint i = 0; i < facts->len; i++)
        write_fact(writer, TND_FACT_COUNTED_CALL, "%s", (const char *)facts->pdata[i]);
    g_ptr_array_unref(facts);
}

static void write_heap_facts(const TndMerge *merge, struct tnd_prv_writer *writer)
{
    GPtrArray *facts = tnd_merge_heap_facts(merge);
    for (guint i = 0; i < facts->len; i++) {
        char *key = facts->pdata[i], *value = strchr(key, '=');
        *value++ = 0;
        write_fact(writer, key, "%s", value);
    }
    g_ptr_array_unref(facts);
}

/* "92010200 1 0,4": an event type, the node's number, and the CPUs that the sensor is about.  Each is told once,
 * whatever processes read it. */
static void write_sensor_facts(const TndMerge *merge, struct tnd_prv_writer *writer)
{
    GHashTable *facts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < merge->processes->len; i++) {
        const TndMergeProcess *process = merge->processes->pdata[i];
        guint node;
        if (!process->host || !g_ptr_array_find_with_equal_func(merge->nodes, process->host, g_str_equal, &node))
            continue;
        for (guint j = 0; j < process->sensors->len; j++) {
            const TndMergeSensor *sensor = &g_array_index(process->sensors, TndMergeSensor, j);
            char *fact = g_strdup_printf("%u %u %s", sensor->type, node + 1, sensor->cpus);
            if (!g_hash_table_contains(facts, fact))
                write_fact(writer, TND_FACT_SENSOR, "%s", fact);
            g_hash_table_add(facts, fact);
        }
    }
    g_hash_table_unref(facts);
}

/* The facts that the trace's records cannot say.  `tandem stat` shows them. */
static void write_facts(const TndMerge *merge, struct tnd_prv_writer *writer)
{
    static const char *const clocks[] = {
        [TND_SAMPLING_PERF] = "perf",     [TND_SAMPLING_MONOTONIC] = "real", [TND_SAMPLING_CPU] = "cpu",
        [TND_SAMPLING_ITIMER] = "itimer", [TND_SAMPLING_FAKE] = "fake",      [TND_SAMPLING_EVENT] = "event",
        [TND_SAMPLING_PAPI] = "papi"};
    const TndMergeResult *result = merge->result;
    const struct {
        const char *key;
        guint64 value;
        gboolean always;
    } facts[] = {
        {TND_FACT_PROCESSES, result->n_processes, TRUE},
        {TND_FACT_THREADS, result->n_threads, TRUE},
        {TND_FACT_RECORDS, result->n_records, TRUE},
        {TND_FACT_CPU_NS, merge->cpu_ns, FALSE},
        {TND_FACT_SAMPLING_PERIOD_COUNTS, merge->sampling.period_ns - result->sampling_period_ns, FALSE},
        {TND_FACT_SAMPLING_PERIOD_NS, result->sampling_period_ns, FALSE},
        {TND_FACT_SAMPLES, result->n_samples, merge->sampling.clock != 0},
        {TND_FACT_SAMPLED_CPU_NS, merge->sampled_ns, merge->sampling.clock != 0},
        {TND_FACT_MESSAGES, result->n_messages, FALSE},
        {TND_FACT_UNMATCHED_SENDS, result->n_unmatched_sends, FALSE},
        {TND_FACT_UNMATCHED_RECEIVES, result->n_unmatched_receives, FALSE},
        {TND_FACT_CLOCK_ERROR_NS, merge->clock_error_ns, FALSE},
        {TND_FACT_LOST, result->n_lost, TRUE},
        {TND_FACT_OPEN_CALLS, result->n_open, FALSE},
        {TND_FACT_DAMAGED_BYTES, result->n_damaged_bytes, FALSE},
        {TND_FACT_OVERHEAD_NS, result->overhead_ns, TRUE},
    };
    if (merge->command)
        write_fact(writer, TND_FACT_COMMAND, "%s", merge->command);
    if (merge->sampling.clock && merge->sampling.clock < G_N_ELEMENTS(clocks))
        write_fact(writer, TND_FACT_SAMPLING_CLOCK, "%s", clocks[merge->sampling.clock]);
    for (guint i = 0; i < G_N_ELEMENTS(facts); i++)
        if (facts[i].always || facts[i].value)
            write_fact(writer, facts[i].key, "%" G_GUINT64_FORMAT, facts[i].value);
    write_function_facts(writer, merge->python_sums, merge->python_names, TND_FACT_PYTHON_FUNCTIONS,
                         TND_FACT_PYTHON_FUNCTION);
    write_function_facts(writer, merge->library_sums, merge->library_names, TND_FACT_LIBRARY_FUNCTIONS,
                         TND_FACT_LIBRARY_FUNCTION);
    write_counted_facts(merge, writer);
    write_heap_facts(merge, writer);
    write_sensor_facts(merge, writer);
    for (guint i = 0; i < result->notes->len; i++)
        write_fact(writer, TND_FACT_NOTE, "%s", (const char *)result->notes->pdata[i]);
}

static void count_overhead(TndMerge *merge)
{
    TndMergeResult *result = merge->result;
    result->overhead_ns = merge->flush_ns + (result->n_records - result->n_samples) * RECORD_COST_NS;
    result->overhead_ns += merge->sampling.took_ns + merge->own_cpu_ns;
}

static void note_period(TndMerge *merge)
{
    guint clock = merge->sampling.clock;
    if (clock != TND_SAMPLING_EVENT && clock != TND_SAMPLING_PAPI)
        merge->result->sampling_period_ns = merge->sampling.period_ns;
}

static void add_events(struct row *row, TndMergeEvents *events, guint64 latest)
{
    row->events[row->n_events] = events;
    row->next[row->n_events++] = MIN(tnd_merge_events_begin(events), latest);
}

/* Begins the guests of this rank's rows. */
static void begin_guests(struct writing *writing)
{
    TndMerge *merge = writing->merge;
    for (guint i = 0; i < merge->guests->len; i++) {
        const TndMergeGuest *guest = merge->guests->pdata[i];
        if (merge->row_ranks[guest->host] != merge->team->rank)
            continue;
        writing->orders[writing->n_rows] = merge->rows->len + i;
        struct row *row = &writing->rows[writing->n_rows++];
        row->of = &guest->row;
        row->next_state = G_MAXUINT64;
        add_events(row, tnd_merge_events_new_guest(merge, &guest->row), merge->end_ns);
    }
}

static gboolean has_stream(const TndMergeRow *row, guint which)
{
    for (guint i = 0; i < row->parts->len; i++)
        if (g_array_index(row->parts, TndMergePart, i).streams[which] >= 0)
            return TRUE;
    return FALSE;
}

/* Begins the rows of this rank. */
static void begin_rows(struct writing *writing)
{
    TndMerge *merge = writing->merge;
    writing->rows = g_new0(struct row, merge->rows->len + merge->guests->len);
    writing->orders = g_new(guint32, merge->rows->len + merge->guests->len + 1);
    for (guint i = 0; i < merge->rows->len; i++) {
        if (merge->row_ranks[i] != merge->team->rank)
            continue;
        writing->orders[writing->n_rows] = i;
        struct row *row = &writing->rows[writing->n_rows++];
        row->of = merge->rows->pdata[i];
        row->cpu.first = tnd_merge_rows_first_cpu(merge, merge->rows->pdata[i]);
        row->states = tnd_merge_states_new(merge, merge->rows->pdata[i]);
        row->counts = tnd_merge_counts_new();
        for (guint which = 0; which < TND_MERGE_N_STREAMS; which++)
            if (has_stream(row->of, which))
                add_events(row, tnd_merge_events_new(merge, row->of, which, &row->cpu, row->counts), G_MAXUINT64);
        if (has_stream(row->of, TND_MERGE_MAIN))
            tnd_merge_reader_share(tnd_merge_states_reader(row->states), tnd_merge_events_reader(row->events[0]));
    }
    begin_guests(writing);
}

static void end_rows(struct writing *writing)
{
    for (guint i = 0; i < writing->n_rows; i++) {
        if (writing->rows[i].states)
            tnd_merge_states_free(writing->rows[i].states);
        for (guint j = 0; j < writing->rows[i].n_events; j++)
            tnd_merge_events_free(writing->rows[i].events[j]);
        tnd_merge_counts_free(writing->rows[i].counts);
    }
    g_free(writing->rows);
    g_free(writing->orders);
}

/* Begins the text.  Only rank 0 has the header in it. */
static void begin_text(struct writing *writing)
{
    writing->text = g_byte_array_new();
    writing->marks = g_array_new(FALSE, FALSE, sizeof(TndMergePiece));
    writing->writer = open_writer(writing->merge, writing->text);
    tnd_prv_write_flush(writing->writer);
    if (writing->merge->team->rank > 0)
        g_byte_array_set_size(writing->text, 0);
    const TndMergePiece mark = {.n_bytes = writing->text->len};
    if (mark.n_bytes)
        g_array_append_val(writing->marks, mark);
}

/* Ends the text with the facts, which only rank 0 writes. */
static void end_text(struct writing *writing)
{
    tnd_prv_write_into(writing->writer, tnd_merge_strands_text, writing->text);
    if (!writing->error && writing->merge->team->rank == 0)
        write_facts(writing->merge, writing->writer);
    if (!tnd_prv_write_close(writing->writer))
        fail(writing);
    if (writing->slices)
        tnd_merge_slices_end(writing->slices, writing->text, &writing->error);
    else
        write_text(writing);
    g_byte_array_unref(writing->text);
    g_array_unref(writing->marks);
}

/* Makes what each rank found on the way known to all. */
static void share_findings(TndMerge *merge)
{
    tnd_merge_team_sum(merge->team, &merge->result->n_open, 1);
    tnd_merge_function_sums_share(merge);
    tnd_merge_counted_share(merge);
    tnd_merge_library_tell_counted(merge);
    guint n;
    gpointer *keys = g_hash_table_get_keys_as_array(merge->types, &n);
    GByteArray *told = g_byte_array_new(), *take = g_byte_array_new();
    for (guint i = 0; i < n; i++) {
        guint32 type = GPOINTER_TO_UINT(keys[i]);
        g_byte_array_append(told, (const guint8 *)&type, sizeof type);
    }
    tnd_merge_team_tell(merge->team, told, take, NULL);
    for (gsize at = 0; at < take->len; at += sizeof(guint32))
        g_hash_table_add(merge->types, GUINT_TO_POINTER(*(const guint32 *)(const void *)(take->data + at)));
    g_byte_array_unref(take);
    g_byte_array_unref(told);
    g_free(keys);
}

gboolean tnd_merge_write_run(TndMerge *merge, TndTraceOutput *output, const char *path, GError **error)
{
    struct writing writing = {.merge = merge, .output = output};
    if (merge->team->n_ranks > 1)
        writing.slices = tnd_merge_slices_new(merge->team, output, path, &writing.error);
    begin_text(&writing);
    begin_rows(&writing);
    walk(&writing);
    if (!writing.error) {
        share_findings(merge);
        count_overhead(merge);
        note_period(merge);
    }
    end_rows(&writing);
    end_text(&writing);
    if (writing.error)
        g_propagate_error(error, writing.error);
    return !writing.error;
}
