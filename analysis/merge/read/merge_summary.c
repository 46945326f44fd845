/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads streams as fast as they come.
 */
#include "analysis/merge/read/merge_summary.h"
#include "analysis/merge/base/merge_progress.h"
#include "analysis/merge/read/merge_addresses.h"
#include "analysis/merge/read/merge_calls.h"
#include "analysis/merge/read/merge_stack.h"
#include "formats/event_types.h"
#include "formats/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define STEP_RECORDS 65536 /* after which progress is told */
#define MAX_CPU 65535      /* a higher number is that of a damaged record */

/* The state of reading one stream. */
struct reading {
    TndMergeProcess *process;
    TndMergeSummary summary;
};

/* A sample, or a wait. */
static void sum_sample(struct reading *reading, const struct tnd_record *record)
{
    if (record->kind == TND_RECORD_SAMPLE) {
        reading->summary.n_samples += !(record->aux & TND_SAMPLE_REST);
        reading->summary.sampled_ns += record->id;
    }
    for (guint i = 0; i < tnd_merge_stack_own(record); i++)
        tnd_merge_addresses_add(reading->process, tnd_merge_addresses_of_frame(record->words[i], i));
}

static void sum_calls(struct reading *reading, const struct tnd_record *record)
{
    for (unsigned i = 0; i < record->n_words; i++)
        tnd_merge_addresses_add(reading->process, TND_MERGE_ADDRESS_IN_STACK | (record->words[i] - 1));
}

/* A stream may have threads by the hundred thousand, so what each of them tells is not kept. */
static void sum_thread(TndMergeSummary *summary, const struct tnd_record *record)
{
    TndMergeThreads *threads = &summary->threads;
    summary->is_own |= record->aux == TND_THREAD_OWN;
    if (threads->n == 1)
        memcpy(threads->first_name, threads->name, sizeof threads->name);
    threads->have_several_names |= threads->n > 1 && strcmp(threads->first_name, threads->name) != 0;
    threads->n++;
    threads->last = record->id;
    threads->name[0] = 0;
}

static void sum_thread_name(TndMergeThreads *threads, const struct tnd_record *record)
{
    gsize n = MIN(record->aux, MIN(8 * (gsize)record->n_words, sizeof threads->name - 1));
    memcpy(threads->name, record->words, n);
    threads->name[n] = 0;
}

/* Whether the record is kept for merge_scan.c. */
static gboolean is_kept(const struct tnd_record *record, const bool *keeps)
{
    return keeps[record->kind] && !(record->kind == TND_RECORD_TEXT && record->id == TND_TEXT_THREAD_NAME);
}

/* Whether the record is of a wait for a lock or for another thread.  Such are recorded in threads of libraries, too,
 * in which no function of the program's began. */
static gboolean is_wait(const struct tnd_record *record)
{
    return (record->kind == TND_RECORD_ENTER || record->kind == TND_RECORD_LEAVE) &&
           record->id == TND_TYPE_PTHREAD_CALL;
}

/* Whether the record says only where the thread was or what it counted, which is no sign that it did something. */
static gboolean is_place(const struct tnd_record *record)
{
    if (record->kind == TND_RECORD_COUNTERS || (record->kind == TND_RECORD_DEFINE && record->aux == TND_DEFINE_COUNTED))
        return TRUE;
    return record->kind == TND_RECORD_EVENT &&
           (record->id == TND_TYPE_CPU || (record->id >= TND_TYPE_STACK_DEPTH && record->id <= TND_TYPE_STACK_SIZE));
}

/* Adds what every record has. */
static void sum_one(TndMergeSummary *summary, const struct tnd_record *record)
{
    if (!summary->n_records++)
        summary->first_ticks = record->time;
    summary->last_ticks = record->time;
    summary->n_bytes += tnd_record_size_bytes(record);
    if (!summary->is_busy)
        summary->is_busy = record->kind >= TND_RECORD_ENTER &&
                           !(record->kind >= TND_RECORD_SAMPLE && record->kind <= TND_RECORD_SAMPLING_COST) &&
                           !is_wait(record) && !is_place(record);
}

/* Adds what records of its kind say. */
static void sum(struct reading *reading, const struct tnd_record *record)
{
    TndMergeSummary *summary = &reading->summary;
    switch (record->kind) {
    case TND_RECORD_LEAVE: /* time for writing rings out is part of the overhead */
        if (record->id == TND_TYPE_FLUSH && record->n_words >= 1)
            summary->flush_ns += record->words[0];
        break;
    case TND_RECORD_EVENT:
        if (record->id == TND_TYPE_CPU)
            summary->last_cpu = MAX(summary->last_cpu, (guint32)CLAMP(tnd_record_value(record), 0, MAX_CPU));
        break;
    case TND_RECORD_THREAD:
        sum_thread(summary, record);
        break;
    case TND_RECORD_THREAD_END:
        summary->cpu_ns += record->n_words >= 1 ? record->words[0] : 0;
        break;
    case TND_RECORD_TEXT:
        if (record->id == TND_TEXT_THREAD_NAME)
            sum_thread_name(&summary->threads, record);
        break;
    case TND_RECORD_CODE:
        if (record->n_words >= 1)
            tnd_merge_addresses_add(reading->process, record->words[0]);
        break;
    case TND_RECORD_TASK:
        summary->has_tasks = TRUE;
        if (tnd_merge_calls_task_opens(record))
            tnd_merge_addresses_add(reading->process, record->words[0]);
        break;
    case TND_RECORD_CALLERS:
    case TND_RECORD_HEAP_SITE:
        sum_calls(reading, record);
        break;
    case TND_RECORD_SAMPLE:
    case TND_RECORD_WAIT:
        sum_sample(reading, record);
        break;
    case TND_RECORD_SEND:
    case TND_RECORD_RECV:
    case TND_RECORD_POST:
    case TND_RECORD_DONE:
        summary->has_messages = TRUE;
        summary->has_cancelled |= record->kind == TND_RECORD_DONE && record->aux == 1;
        break;
    case TND_RECORD_COLLECTIVE:
        summary->has_persistent |= record->aux != 0;
        summary->has_comms = TRUE;
        break;
    case TND_RECORD_COMM:
        summary->has_comms = TRUE;
        break;
    }
}

static struct tnd_stream_reader *open_stream(struct reading *reading, const TndRunStream *file)
{
    int directory = open(reading->process->files->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const char *fault = "cannot be opened";
    struct tnd_stream_reader *reader = tnd_stream_open(directory, file->name, &fault);
    if (!reader) {
        reading->summary.open_errno = errno;
        g_strlcpy(reading->summary.fault, fault, sizeof reading->summary.fault);
    }
    if (directory >= 0)
        close(directory);
    return reader;
}

static gboolean read_all(TndMerge *merge, struct reading *reading, struct tnd_stream_reader *reader, const bool *keeps,
                         GByteArray *summaries, GError **error)
{
    TndMergeSummary *summary = &reading->summary;
    guint64 told_bytes = 0;
    const struct tnd_record *record;
    while ((record = tnd_stream_next(reader))) {
        sum_one(summary, record);
        sum(reading, record);
        if (is_kept(record, keeps)) {
            g_byte_array_append(summaries, (const guint8 *)record, (guint)tnd_record_size_bytes(record));
            summary->n_kept_bytes += tnd_record_size_bytes(record);
        }
        if (summary->n_records % STEP_RECORDS == 0) {
            if (!tnd_merge_progress_advance(merge, TND_MERGE_SCAN, summary->n_bytes - told_bytes, error))
                return FALSE;
            told_bytes = summary->n_bytes;
        }
    }
    summary->n_lost = tnd_stream_header(reader)->n_lost;
    summary->stop_errno = (gint32)tnd_stream_header(reader)->stop_errno;
    summary->n_damaged_bytes = tnd_stream_damaged(reader);
    return tnd_merge_progress_advance(merge, TND_MERGE_SCAN, summary->n_bytes - told_bytes, error);
}

gboolean tnd_merge_summary_read(TndMerge *merge, TndMergeProcess *process, const TndRunStream *file, const bool *keeps,
                                GByteArray *summaries, GError **error)
{
    struct reading reading = {.process = process};
    guint at = summaries->len;
    g_byte_array_set_size(summaries, at + (guint)sizeof reading.summary);
    struct tnd_stream_reader *reader = open_stream(&reading, file);
    gboolean goes_on = reader ? read_all(merge, &reading, reader, keeps, summaries, error)
                              : tnd_merge_progress_advance(merge, TND_MERGE_SCAN, file->size_bytes, error);
    tnd_stream_close(reader);
    memcpy(summaries->data + at, &reading.summary, sizeof reading.summary);
    return goes_on;
}
