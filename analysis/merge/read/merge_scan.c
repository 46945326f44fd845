/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads every stream once and keeps what the other passes must know beforehand. A table says which kind of record is
 * noted by which function; what frequent records say is summed up by merge_summary.c.
 *
 * Each rank reads a share of the images, and they give each other the summaries, so that all of them know everything.
 */
#include "analysis/merge/read/merge_scan.h"
#include "analysis/merge/base/merge_note.h"
#include "analysis/merge/read/merge_addresses.h"
#include "analysis/merge/read/merge_counters.h"
#include "analysis/merge/read/merge_heap.h"
#include "analysis/merge/read/merge_library.h"
#include "analysis/merge/read/merge_process.h"
#include "analysis/merge/read/merge_summary.h"

#include <gio/gio.h>
#include <string.h>

/* What a sample costs where the stream does not say it: all of it, or what the handler takes. */
#define SAMPLE_COST_NS 6000
#define HANDLER_COST_NS 1000

#define TEXT_FULL_BYTES (8 * TND_RECORD_MAX_WORDS) /* a text of this length goes on in the next record of its role */

/* The state of noting one stream. */
struct scan {
    TndMerge *merge;
    TndMergeProcess *process;
    TndMergeStream *stream;
    TndMergeComm *comm; /* of which not all records have come */
    GString *texts[TND_TEXT_N];
    gboolean text_goes_on[TND_TEXT_N];
    guint64 signal_ns;       /* what the kernel took for a signal of the sampling clock; 0: nobody said */
    guint64 n_costs_samples; /* samples that somebody said the cost of */
};

static char *record_text(const struct tnd_record *record, unsigned first_word)
{
    if (record->n_words <= first_word)
        return g_strdup("");
    return g_strndup((const char *)&record->words[first_word], 8 * (gsize)(record->n_words - first_word));
}

static void note_clock(struct scan *scan, const struct tnd_record *record)
{
    if (record->n_words < 2)
        return;
    TndMergeProcess *process = scan->process;
    TndMergeClockReading reading = {record->time, record->words[0], record->words[1]};
    process->clock_kind = record->id;
    if (!process->n_readings || reading.ticks < process->first_reading.ticks)
        process->first_reading = reading;
    if (!process->n_readings || reading.ticks > process->last_reading.ticks)
        process->last_reading = reading;
    process->n_readings++;
}

static void note_process(struct scan *scan, const struct tnd_record *record)
{
    if (record->n_words < 3)
        return;
    TndMergeProcess *process = scan->process;
    process->has_begun = TRUE;
    process->pid = record->id;
    process->birth = record->aux;
    process->ppid = (guint32)record->words[0];
    process->n_cpus = (guint32)(record->words[0] >> 32);
    process->parent_image_id = record->words[1];
    process->image_id = record->words[2];
    process->begin_ticks = record->time;
}

static void note_process_end(struct scan *scan, const struct tnd_record *record)
{
    scan->process->has_exited = record->id != TND_END_EXEC;
}

static void note_text(struct scan *scan, const struct tnd_record *record)
{
    if (record->id >= TND_TEXT_N)
        return;
    char *text = record_text(record, 0);
    GString **whole = &scan->texts[record->id];
    if (!*whole)
        *whole = g_string_new(NULL);
    else if (!scan->text_goes_on[record->id])
        g_string_assign(*whole, "");
    g_string_append(*whole, text);
    scan->text_goes_on[record->id] = record->aux >= TEXT_FULL_BYTES;
    if (record->id == TND_TEXT_NOTE && !scan->text_goes_on[record->id])
        tnd_merge_note(scan->merge, "%s", (*whole)->str);
    g_free(text);
}

static void note_module(struct scan *scan, const struct tnd_record *record)
{
    if (record->id != 0 || record->n_words < 4)
        return;
    TndMergeModule module = {record->words[0], record->words[1], record->words[2], record->time,
                             record_text(record, 3)};
    const char *binary = scan->merge->options->binary;
    if (binary && module.path[0] != '/') {
        g_free(module.path);
        module.path = g_strdup(binary);
    }
    g_array_append_val(scan->process->modules, module);
}

static void set_name(GPtrArray *names, guint32 number, char *name)
{
    if (number > 1u << 20) { /* no program defines a million; a damaged record might */
        g_free(name);
        return;
    }
    if (names->len <= number)
        g_ptr_array_set_size(names, (int)number + 1);
    g_free(names->pdata[number]);
    names->pdata[number] = name;
}

static void note_define(struct scan *scan, const struct tnd_record *record)
{
    if (record->n_words < 2)
        return;
    char *text = record_text(record, 2);
    if (record->aux == TND_DEFINE_REGION) {
        set_name(scan->process->region_names, record->id, text);
    } else if (record->aux == TND_DEFINE_COUNTER) {
        set_name(scan->process->counter_names, record->id, text);
    } else if (record->aux == TND_DEFINE_PYTHON) {
        set_name(scan->process->python_names, record->id, text);
    } else if (record->aux == TND_DEFINE_LIBRARY) {
        set_name(scan->process->library_names, record->id, tnd_merge_library_name(text));
        g_free(text);
    } else if (record->aux == TND_DEFINE_LIBRARY_WISH) {
        TndMergeLibraryWish wish = {record->id, (guint32)record->words[0], text};
        g_array_append_val(scan->merge->library_wishes, wish);
    } else if (record->aux == TND_DEFINE_PYTHON_WISH) {
        TndMergePythonWish wish = {record->id, record->words[0] != 0, text};
        g_array_append_val(scan->merge->python_wishes, wish);
    } else if (record->aux == TND_DEFINE_THREAD) {
        set_name(scan->process->thread_names, record->id, text);
    } else if (record->aux == TND_DEFINE_STACK) {
        TndMergeStackMark mark = {record->id, record->words[0]};
        g_array_append_val(scan->process->stack_marks, mark);
        g_free(text);
    } else if (record->aux == TND_DEFINE_PYTHON_SHORT) {
        g_array_append_val(scan->process->python_short, record->id);
        g_free(text);
    } else if (record->aux == TND_DEFINE_COUNTED) {
        tnd_merge_counters_note(scan->merge, scan->process, record, text);
        g_free(text);
    } else if (record->aux == TND_DEFINE_SENSOR) {
        TndMergeSensor sensor = {record->id, text};
        g_array_append_val(scan->process->sensors, sensor);
    } else if (record->aux == TND_DEFINE_TYPE || record->aux == TND_DEFINE_VALUE) {
        gboolean has_value = record->aux == TND_DEFINE_VALUE;
        TndMergeLabel label = {record->id, has_value ? (gint64)record->words[0] : 0, has_value, text};
        g_array_append_val(scan->merge->labels, label);
    } else {
        g_free(text);
    }
}

static void note_switch(struct scan *scan, const struct tnd_record *record)
{
    TndMergeSwitch change = {record->time, record->id != 0};
    g_array_append_val(scan->process->switches, change);
}

static void note_sampling(struct scan *scan, const struct tnd_record *record)
{
    TndMerge *merge = scan->merge;
    gboolean is_refused =
        record->id == 0 && merge->sampling.clock != 0; /* sampling was refused in one thread, but others are sampled */
    if (record->n_words < 1 || is_refused)
        return;
    merge->sampling.clock = record->id;
    merge->sampling.period_ns = record->words[0];
}

static void note_sampling_cost(struct scan *scan, const struct tnd_record *record)
{
    if (record->n_words < 2)
        return;
    scan->signal_ns = record->words[0];
    scan->n_costs_samples += record->id;
    scan->merge->sampling.took_ns += record->words[1];
}

/* Adds what those samples took of which nobody said it. */
static void estimate_sampling_cost(struct scan *scan)
{
    guint64 n_samples = scan->stream->n_samples;
    if (n_samples > scan->n_costs_samples)
        scan->merge->sampling.took_ns += (n_samples - scan->n_costs_samples) *
                                         (scan->signal_ns ? scan->signal_ns + HANDLER_COST_NS : SAMPLE_COST_NS);
}

static void note_rank(struct scan *scan, const struct tnd_record *record)
{
    if (record->n_words < 1)
        return;
    TndMergeProcess *process = scan->process;
    process->has_rank = TRUE;
    process->rank_ticks = record->time;
    process->rank = record->id;
    process->world_size = (guint32)record->words[0];
    process->application = (guint32)(record->words[0] >> 32);
    process->world_key = record->n_words >= 2 ? record->words[1] : 0;
}

static void note_comm(struct scan *scan, const struct tnd_record *record)
{
    if (record->n_words < 3)
        return;
    if (!scan->comm) {
        scan->comm = g_new0(TndMergeComm, 1);
        scan->comm->handle = record->words[0];
        scan->comm->made_of = record->words[2];
        scan->comm->ticks = record->time;
        scan->comm->nth = record->id;
        scan->comm->is_inter = (record->aux & TND_COMM_INTER) != 0;
        scan->comm->group = g_array_new(FALSE, FALSE, sizeof(guint32));
        if (scan->comm->is_inter)
            scan->comm->remote = g_array_new(FALSE, FALSE, sizeof(guint32));
    }
    TndMergeComm *comm = scan->comm;
    gboolean is_remote = comm->is_inter && (record->aux & TND_COMM_REMOTE);
    GArray *group = is_remote ? comm->remote : comm->group;
    guint size = (guint32)record->words[1];
    for (unsigned i = 0; i < 2 * (record->n_words - 3u) && group->len < size; i++) {
        guint32 rank = (guint32)(record->words[3 + i / 2] >> (i % 2 ? 32 : 0));
        g_array_append_val(group, rank);
    }
    if (!(record->aux & TND_COMM_CONTINUES) && comm->is_inter == is_remote) {
        g_ptr_array_add(scan->stream->comms, comm);
        scan->comm = NULL;
    }
}

static void note_link(struct scan *scan, const struct tnd_record *record)
{
    if (record->n_words < 2)
        return;
    TndMergeLink link = {record->time, record->words[0], record->words[1], record->id};
    g_array_append_val(scan->process->links, link);
}

static void note_peer_clock(struct scan *scan, const struct tnd_record *record)
{
    if (record->n_words < 4)
        return;
    TndMergePeerClock peer = {.process = scan->process,
                              .ticks = record->words[0],
                              .width_ticks = record->words[1],
                              .other_ticks = record->words[2],
                              .other_image_id = record->words[3]};
    g_array_append_val(scan->merge->peer_clocks, peer);
}

static void note_heap(struct scan *scan, const struct tnd_record *record)
{
    tnd_merge_heap_note(scan->process, record);
}

static void (*const notes[256])(struct scan *, const struct tnd_record *) = {
    [TND_RECORD_CLOCK] = note_clock,
    [TND_RECORD_PROCESS] = note_process,
    [TND_RECORD_PROCESS_END] = note_process_end,
    [TND_RECORD_TEXT] = note_text,
    [TND_RECORD_MODULE] = note_module,
    [TND_RECORD_PEER_CLOCK] = note_peer_clock,
    [TND_RECORD_DEFINE] = note_define,
    [TND_RECORD_SWITCH] = note_switch,
    [TND_RECORD_SAMPLING] = note_sampling,
    [TND_RECORD_RANK] = note_rank,
    [TND_RECORD_COMM] = note_comm,
    [TND_RECORD_LINK] = note_link,
    [TND_RECORD_HEAP] = note_heap,
    [TND_RECORD_HEAP_SITE] = note_heap,
    [TND_RECORD_SAMPLING_COST] = note_sampling_cost,
};

static void keep_texts(struct scan *scan)
{
    char **const places[TND_TEXT_N] = {
        [TND_TEXT_EXECUTABLE] = &scan->process->executable,
        [TND_TEXT_COMMAND] = &scan->process->command,
        [TND_TEXT_HOST] = &scan->process->host,
        [TND_TEXT_BOOT] = &scan->process->boot,
        [TND_TEXT_PROGRAM] = &scan->process->program,
        [TND_TEXT_VDSO] = &scan->process->vdso,
        [TND_TEXT_JIT] = &scan->process->jit,
    };
    for (guint role = 0; role < G_N_ELEMENTS(scan->texts); role++) {
        char *text = scan->texts[role] ? g_string_free(scan->texts[role], FALSE) : NULL;
        if (text && places[role] && !*places[role])
            *places[role] = g_steal_pointer(&text);
        g_free(text);
    }
}

/* Copies the sums of a summary to its stream, and counts what was lost. */
static void keep_sums(struct scan *scan, const TndMergeSummary *summary)
{
    TndMergeStream *stream = scan->stream;
    stream->n_records = summary->n_records;
    stream->n_bytes = summary->n_bytes;
    stream->first_ticks = summary->first_ticks;
    stream->last_ticks = summary->last_ticks;
    stream->n_samples = summary->n_samples;
    stream->cpu_ns = summary->cpu_ns;
    stream->threads = summary->threads;
    stream->sampled_ns = summary->sampled_ns;
    stream->has_messages = summary->has_messages;
    stream->has_comms = summary->has_comms;
    stream->has_tasks = summary->has_tasks;
    stream->last_cpu = summary->last_cpu;
    scan->process->has_cancelled |= summary->has_cancelled;
    stream->is_busy = summary->is_busy;
    stream->is_own = summary->is_own;
    if (summary->has_persistent && !scan->process->persistent)
        scan->process->persistent = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
    if (summary->n_records && (!scan->process->end_ticks || summary->last_ticks > scan->process->end_ticks))
        scan->process->end_ticks = summary->last_ticks;
    scan->merge->flush_ns += summary->flush_ns;
    scan->process->last_cpu = MAX(scan->process->last_cpu, summary->last_cpu);
    scan->merge->result->n_lost += summary->n_lost;
    scan->merge->result->n_damaged_bytes += summary->n_damaged_bytes;
    if (summary->stop_errno)
        tnd_merge_note(scan->merge, "%s: recording stopped: %s", scan->process->files->name,
                       g_strerror(summary->stop_errno));
    if (summary->fault[0])
        tnd_merge_note(scan->merge, "%s/%s: left out: %s%s%s", scan->process->files->name, stream->file->name,
                       summary->fault, summary->open_errno ? ": " : "",
                       summary->open_errno ? g_strerror(summary->open_errno) : "");
}

/* Takes so many bytes of the summaries. */
static void take(const guint8 **at, gpointer to, gsize n_bytes)
{
    memcpy(to, *at, n_bytes);
    *at += n_bytes;
}

/* Notes the records of a summary, then its sums. */
static void note_stream(TndMerge *merge, TndMergeProcess *process, TndMergeStream *stream, const guint8 **at)
{
    struct scan scan = {.merge = merge, .process = process, .stream = stream};
    TndMergeSummary summary;
    take(at, &summary, sizeof summary);
    for (const guint8 *end = *at + summary.n_kept_bytes; *at < end;) {
        guint64 aligned[TND_RECORD_MAX_BYTES / 8];
        const struct tnd_record *record = (const struct tnd_record *)aligned;
        memcpy(aligned, *at, sizeof *record);
        take(at, aligned, tnd_record_size_bytes(record));
        notes[record->kind](&scan, record);
    }
    keep_texts(&scan);
    keep_sums(&scan, &summary);
    estimate_sampling_cost(&scan);
}

static int compare_switches(gconstpointer a, gconstpointer b)
{
    const TndMergeSwitch *s = a, *t = b;
    return (s->ticks > t->ticks) - (s->ticks < t->ticks);
}

/* Reads an image's streams: their summaries, then the addresses in them. */
static gboolean read_image(TndMerge *merge, TndMergeProcess *process, GByteArray *summaries, GError **error)
{
    bool keeps[G_N_ELEMENTS(notes)];
    for (guint kind = 0; kind < G_N_ELEMENTS(notes); kind++)
        keeps[kind] = notes[kind] != NULL;
    for (guint i = 0; i < process->streams->len; i++)
        if (!tnd_merge_summary_read(merge, process, g_array_index(process->streams, TndMergeStream, i).file, keeps,
                                    summaries, error))
            return FALSE;
    tnd_merge_addresses_tell(process, summaries);
    return TRUE;
}

static gboolean is_tied(const TndMergeProcess *process)
{
    guint n = 0;
    for (guint i = 0; i < process->streams->len; i++)
        n += g_array_index(process->streams, TndMergeStream, i).has_comms != 0;
    return process->persistent || n > 1;
}

/* Notes what was read of an image.  An image that does not say which process it was is left out. */
static void note_image(TndMerge *merge, TndMergeProcess *process, const guint8 **at)
{
    for (guint i = 0; i < process->streams->len; i++)
        note_stream(merge, process, &g_array_index(process->streams, TndMergeStream, i), at);
    tnd_merge_addresses_learn(process, at);
    process->is_tied = is_tied(process);
    g_array_sort(process->switches, compare_switches);
    tnd_merge_process_settle_modules(process);
    if (process->has_begun)
        return;
    tnd_merge_note(merge, "%s: left out: it does not say which process it was", process->files->name);
    g_ptr_array_remove(merge->processes, process);
    tnd_merge_process_free(process);
}

/* Which rank reads which image. */
static guint *share_images(const TndMerge *merge)
{
    guint *ranks = g_new(guint, merge->images->len);
    guint64 *loads = g_new0(guint64, merge->team->n_ranks);
    for (guint i = 0; i < merge->images->len; i++)
        ranks[i] = tnd_merge_team_assign(merge->team, loads, tnd_run_files_bytes(merge->images->pdata[i]));
    g_free(loads);
    return ranks;
}

/* Each rank reads its share and gives it to all; then all ranks note all of it, in the order of images. */
static gboolean read_in_shares(TndMerge *merge, GError **error)
{
    guint *ranks = share_images(merge);
    GByteArray *told = g_byte_array_new(), *summaries = g_byte_array_new();
    gboolean goes_on = TRUE;
    for (guint i = 0; i < merge->images->len; i++)
        g_ptr_array_add(merge->processes, tnd_merge_process_new(merge->images->pdata[i]));
    for (guint i = 0; i < merge->images->len && goes_on; i++)
        if (ranks[i] == merge->team->rank)
            goes_on = read_image(merge, merge->processes->pdata[i], told, error);
    if (tnd_merge_team_agree(merge->team, error)) {
        gsize *begins = g_new(gsize, merge->team->n_ranks + 1);
        const guint8 **at = g_new(const guint8 *, merge->team->n_ranks);
        tnd_merge_team_tell(merge->team, told, summaries, begins);
        for (guint rank = 0; rank < merge->team->n_ranks; rank++)
            at[rank] = summaries->data + begins[rank];
        GPtrArray *processes = g_ptr_array_copy(merge->processes, NULL, NULL);
        for (guint i = 0; i < processes->len; i++)
            note_image(merge, processes->pdata[i], &at[ranks[i]]);
        g_ptr_array_unref(processes);
        g_free(at);
        g_free(begins);
    }
    g_byte_array_unref(summaries);
    g_byte_array_unref(told);
    g_free(ranks);
    return !*error;
}

/* Reads and notes one image after another. */
static gboolean read_alone(TndMerge *merge, GError **error)
{
    GByteArray *summaries = g_byte_array_new();
    gboolean goes_on = TRUE;
    for (guint i = 0; i < merge->images->len && goes_on; i++) {
        TndMergeProcess *process = tnd_merge_process_new(merge->images->pdata[i]);
        g_ptr_array_add(merge->processes, process);
        g_byte_array_set_size(summaries, 0);
        goes_on = read_image(merge, process, summaries, error);
        const guint8 *at = summaries->data;
        if (goes_on)
            note_image(merge, process, &at);
    }
    g_byte_array_unref(summaries);
    return goes_on;
}

gboolean tnd_merge_scan_run(TndMerge *merge, GError **error)
{
    if (!(merge->team->n_ranks > 1 ? read_in_shares : read_alone)(merge, error))
        return FALSE;
    if (merge->processes->len > 0)
        return TRUE;
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: no process recorded anything",
                merge->options->run_directory);
    return FALSE;
}
