/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records to event lines.  A leave gives the value of the call around it of the same type, 0 if there is none; what a
 * process left open when it died is closed at its last record.
 */
#include "analysis/merge/write/merge_events.h"
#include "analysis/base/assertion.h"
#include "analysis/merge/base/merge_ticks.h"
#include "analysis/merge/match/merge_comms.h"
#include "analysis/merge/read/merge_addresses.h"
#include "analysis/merge/read/merge_calls.h"
#include "analysis/merge/read/merge_python.h"
#include "analysis/merge/read/merge_reader.h"
#include "analysis/merge/read/merge_stack.h"
#include "analysis/merge/write/merge_counted.h"
#include "analysis/merge/write/merge_function_sums.h"
#include "formats/event_types.h"

#define MAX_DEPTH 100     /* types of the functions of a stack: 30000000 to 30000099 */
#define CODE_LINE 100     /* the type of a code's line is that of its function and so much */
#define MAX_LEVEL 99      /* types of callers: 70000001 to 70000099 */
#define PROCESS_TYPES 100 /* types of the heap */

/* An event line in the making. */
struct line {
    struct tnd_prv_pair *pairs;
    guint n_pairs, room;
    struct tnd_prv_event event;
};

struct TndMergeEvents {
    TndMerge *merge;
    TndMergeReader reader;
    const TndMergeStream *stream;
    const struct tnd_record *record; /* the next record; NULL: the next thing is the part's end */
    guint64 next_ns;                 /* the time of that */
    TndMergeCalls calls;
    TndMergeCounts *counts; /* the row's, which all of its streams share */
    TndMergeFunctionSums *sums;
    struct line own, of_process; /* of_process: of values that are the process's, in the row of its first thread */
    guint n_comms;
    gboolean is_first_slot, has_thread, is_guest;
    GHashTable *before;    /* of a guest: type of an energy -> ns from its last reading before the trace */
    guint32 thread;        /* the thread's number */
    TndMergeStack sampled; /* of the stream's last sample */
    TndMergeCpu *cpu;
    gboolean is_sighting; /* the line has a record of a moment at which the thread looked at its CPU */
    guint has;            /* a bit for each type of of_thread whose value is not 0 */
    guint remote;         /* the open one-sided call told: 0 nothing, 1 its target, 2 what it moves, too */
};

/* The types whose values end with the thread. */
static const guint32 of_thread[] = {TND_TYPE_CPU, TND_TYPE_STACK_DEPTH, TND_TYPE_STACK_SIZE};

TndMergeEvents *tnd_merge_events_new(TndMerge *merge, const TndMergeRow *row, guint which, TndMergeCpu *cpu,
                                     TndMergeCounts *counts)
{
    TndMergeEvents *events = g_new0(TndMergeEvents, 1);
    events->merge = merge;
    events->reader = (TndMergeReader){.row = row, .which = which};
    events->own.event.at = events->of_process.event.at = row->at;
    events->of_process.event.at.thread = 1;
    events->cpu = cpu;
    events->counts = counts;
    events->sums = tnd_merge_function_sums_new(merge);
    return events;
}

TndMergeReader *tnd_merge_events_reader(TndMergeEvents *events)
{
    return &events->reader;
}

TndMergeEvents *tnd_merge_events_new_guest(TndMerge *merge, const TndMergeRow *row)
{
    TndMergeEvents *events = tnd_merge_events_new(merge, row, TND_MERGE_OWN, NULL, NULL);
    events->is_guest = TRUE;
    events->before = g_hash_table_new(NULL, NULL);
    return events;
}

void tnd_merge_events_free(TndMergeEvents *events)
{
    tnd_merge_reader_end(&events->reader);
    tnd_merge_function_sums_free(events->sums);
    g_free(events->calls.frames);
    g_free(events->own.pairs);
    g_free(events->of_process.pairs);
    if (events->before)
        g_hash_table_unref(events->before);
    g_free(events);
}

guint64 tnd_merge_events_begin(TndMergeEvents *events)
{
    return tnd_merge_reader_part_time(&events->reader);
}

static gboolean is_of_process(guint32 type)
{
    return type >= TND_TYPE_HEAP_LIVE && type < TND_TYPE_HEAP_LIVE + PROCESS_TYPES;
}

static inline void put(TndMergeEvents *events, guint32 type, gint64 value)
{
    struct line *line = is_of_process(type) ? &events->of_process : &events->own;
    if (line->n_pairs == line->room)
        line->pairs = g_renew(struct tnd_prv_pair, line->pairs, line->room = 2 * line->room + 8);
    line->pairs[line->n_pairs++] = (struct tnd_prv_pair){type, value};
    guint32 *seen = &events->merge->seen_types[type * 0x9e3779b9u >> (32 - TND_MERGE_SEEN_BITS)];
    if (*seen != type) {
        *seen = type;
        g_hash_table_add(events->merge->types, GUINT_TO_POINTER(type));
    }
}

static guint32 number_of(const guint32 *numbers, const GPtrArray *names, guint32 index)
{
    return index < names->len ? numbers[index] : 0;
}

static void put_enter(TndMergeEvents *events, const struct tnd_record *record)
{
    const TndMergeProcess *process = events->reader.at->process;
    guint32 type = record->id, value = record->aux;
    if (type == TND_TYPE_REGION)
        value = number_of(process->region_values, process->region_names, value);
    if (type == TND_TYPE_PYTHON_FUNCTION)
        value = tnd_merge_python_value(events->merge, process, record->aux);
    if (type == TND_TYPE_LIBRARY_FUNCTION) {
        value = number_of(process->library_values, process->library_names, value);
        put(events, TND_TYPE_LIBRARY, events->merge->library_file_of[value]);
    }
    if (tnd_merge_function_sums_have(type))
        tnd_merge_function_sums_enter(events->sums, type, value, record->n_words == 0, events->next_ns);
    *tnd_merge_calls_push(&events->calls) = (TndMergeFrame){.type = type, .value = value};
    put(events, type, value);
}

static void put_remote(TndMergeEvents *events, const struct tnd_record *record)
{
    events->remote = record->n_words >= 4 ? 2 : 1;
    put(events, TND_TYPE_MPI_ONE_SIDED_TARGET, record->id);
    if (events->remote == 1)
        return;
    put(events, TND_TYPE_MPI_ONE_SIDED_SIZE, (gint64)record->words[1]);
    put(events, TND_TYPE_MPI_ONE_SIDED_ORIGIN, (gint64)record->words[2]);
    put(events, TND_TYPE_MPI_ONE_SIDED_DISPLACEMENT, (gint64)record->words[3]);
}

static void put_remote_end(TndMergeEvents *events)
{
    static const guint32 types[] = {TND_TYPE_MPI_ONE_SIDED_TARGET, TND_TYPE_MPI_ONE_SIDED_SIZE,
                                    TND_TYPE_MPI_ONE_SIDED_ORIGIN, TND_TYPE_MPI_ONE_SIDED_DISPLACEMENT};
    guint n = events->remote == 2 ? G_N_ELEMENTS(types) : events->remote;
    for (guint i = 0; i < n; i++)
        put(events, types[i], 0);
    events->remote = 0;
}

/* Code begins to run: puts its function and its line.  The frame's data is the line. */
static void put_code(TndMergeEvents *events, guint32 type, guint64 address, guint64 ticks)
{
    guint32 function, line;
    tnd_merge_addresses_find(events->reader.at->process, address, ticks, &function, &line);
    *tnd_merge_calls_push(&events->calls) =
        (TndMergeFrame){.type = type, .value = function, .data = GUINT_TO_POINTER(line)};
    put(events, type, function);
    put(events, type + CODE_LINE, line);
}

/* after: the value if no call of this type is around. */
static void put_leave(TndMergeEvents *events, guint32 type, guint32 after)
{
    TndMergeFrame frame;
    if (!tnd_merge_calls_pop(&events->calls, type, &frame))
        return;
    const TndMergeFrame *outer = tnd_merge_calls_find(&events->calls, type);
    put(events, type, outer ? outer->value : after);
    if (frame.data)
        put(events, type + CODE_LINE, outer ? GPOINTER_TO_UINT(outer->data) : 0);
    if (type == TND_TYPE_LIBRARY_FUNCTION)
        put(events, TND_TYPE_LIBRARY, outer ? events->merge->library_file_of[outer->value] : 0);
    if (type == TND_TYPE_MPI_ONE_SIDED)
        put_remote_end(events);
    if (tnd_merge_function_sums_have(type))
        tnd_merge_function_sums_leave(events->sums, type, frame.value, outer ? outer->value : 0, events->next_ns);
}

static void put_task(TndMergeEvents *events, const struct tnd_record *record)
{
    guint32 opens = tnd_merge_calls_task_opens(record), closes = tnd_merge_calls_task_closes(record);
    if (opens) {
        put_code(events, opens, record->words[0], record->time);
        put(events, TND_TYPE_OPENMP_TASK_ID, record->id);
    } else if (closes) {
        put_leave(events, closes, 0);
    }
}

/* Whether calls of a type may be open when the process ends, without a crash: those that threads are in until then or
 * leave by pthread_exit, and functions of Python, which os._exit leaves open. */
static gboolean may_last(const TndMergeProcess *process, guint32 type)
{
    if (type == TND_TYPE_PYTHON_FUNCTION)
        return process->has_exited || process->next_image;
    return type == TND_TYPE_OPENMP_POOL || type == TND_TYPE_THREAD_FUNCTION || type == TND_TYPE_PTHREAD_CALL;
}

static void put_event(TndMergeEvents *events, guint32 type, gint64 value)
{
    put(events, type, value);
    if (type == TND_TYPE_CPU) {
        events->cpu->seen = events->cpu->first + (guint32)value - 1;
        events->is_sighting = TRUE;
    }
    for (guint i = 0; i < G_N_ELEMENTS(of_thread); i++)
        if (type == of_thread[i])
            events->has = value ? events->has | 1u << i : events->has & ~(1u << i);
}

/* Puts what another thread told of this one's stack. */
static void put_stack_mark(TndMergeEvents *events)
{
    const GArray *marks = events->reader.at->process->stack_marks;
    for (guint i = 0; i < marks->len; i++) {
        const TndMergeStackMark *mark = &g_array_index(marks, TndMergeStackMark, i);
        if (mark->thread == events->thread)
            put(events, TND_TYPE_STACK_HIGH, (gint64)mark->n_bytes);
    }
}

static void put_thread(TndMergeEvents *events, guint32 number)
{
    if (events->reader.which != TND_MERGE_MAIN)
        return;
    events->has_thread = TRUE;
    events->thread = number;
    tnd_merge_counts_reset(events->counts);
    put(events, TND_TYPE_THREAD_NUMBER, (gint64)number + 1);
}

/* Closes all open calls, and ends the thread. */
static void put_thread_end(TndMergeEvents *events)
{
    while (events->calls.n > 0) {
        const TndMergeFrame frame = events->calls.frames[--events->calls.n];
        if (!tnd_merge_calls_find(&events->calls,
                                  frame.type)) { /* the outermost call of its type says 0 for all of them */
            put(events, frame.type, 0);
            if (frame.data)
                put(events, frame.type + CODE_LINE, 0);
            if (frame.type == TND_TYPE_LIBRARY_FUNCTION)
                put(events, TND_TYPE_LIBRARY, 0);
        }
        if (tnd_merge_function_sums_have(frame.type))
            tnd_merge_function_sums_leave(events->sums, frame.type, frame.value, 0, events->next_ns);
        events->merge->result->n_open += !may_last(events->reader.at->process, frame.type);
    }
    put_remote_end(events);
    for (guint i = 0; i < G_N_ELEMENTS(of_thread); i++)
        if (events->has & 1u << i)
            put(events, of_thread[i], 0);
    events->has = 0;
    if (events->has_thread) {
        put_stack_mark(events);
        put(events, TND_TYPE_THREAD_NUMBER, 0);
    }
    events->has_thread = FALSE;
}

static void put_process(TndMergeEvents *events)
{
    const TndMergeProcess *process = events->reader.at->process;
    events->is_first_slot = TRUE;
    put(events, TND_TYPE_APPLICATION, 1);
    put(events, TND_TYPE_PID, process->pid);
    put(events, TND_TYPE_PPID, process->ppid);
    put(events, TND_TYPE_IMAGE, process->image_value);
}

static void put_process_end(TndMergeEvents *events)
{
    put_thread_end(events);
    events->cpu->seen = 0;
    if (events->is_first_slot) {
        if (events->reader.at->process->heap)
            put(events, TND_TYPE_HEAP_LIVE, 0);
        put(events, TND_TYPE_IMAGE, 0);
        put(events, TND_TYPE_APPLICATION, 0);
    }
    events->is_first_slot = FALSE;
}

static void put_counter(TndMergeEvents *events, const struct tnd_record *record)
{
    const TndMergeProcess *process = events->reader.at->process;
    guint32 type = number_of(process->counter_types, process->counter_names, record->id);
    if (type && record->n_words >= 1)
        put(events, type, (gint64)record->words[0]);
}

/* A part of a function that is inlined into the rest of it is no call; its line is the innermost. */
static guint drop_repeated(TndMergeLevel *levels, guint n)
{
    guint n_kept = 0;
    for (guint i = 0; i < n; i++)
        if (!n_kept || levels[n_kept - 1].function != levels[i].function)
            levels[n_kept++] = levels[i];
    return n_kept;
}

/* Puts a sample, or a wait. */
static void put_sample(TndMergeEvents *events, const struct tnd_record *record)
{
    const TndMergeProcess *process = events->reader.at->process;
    gboolean is_wait = record->kind == TND_RECORD_WAIT;
    guint32 first = is_wait ? TND_TYPE_WAITING_FUNCTION : TND_TYPE_SAMPLED_FUNCTION;
    TndMergeLevel levels[MAX_DEPTH];
    TndMergeStack stack;
    guint n = 0;
    tnd_merge_stack_read(record, &events->sampled, &stack);
    for (guint i = 0; i < stack.n; i++) {
        guint64 address = tnd_merge_addresses_of_frame(stack.frames[i], i);
        guint n_inlined = tnd_merge_addresses_levels(process, address, record->time, levels + n, MAX_DEPTH - n);
        n += drop_repeated(levels + n, n_inlined);
    }
    for (guint i = 0; i < n; i++) {
        put(events, first + i, levels[i].function);
        put(events, first + CODE_LINE + i, levels[i].line);
    }
    if (is_wait) {
        put(events, TND_TYPE_WAITED_TIME, record->n_words ? (gint64)record->words[record->n_words - 1] : 0);
    } else {
        put(events, TND_TYPE_SAMPLE_WEIGHT, record->id);
        if (!(record->aux & TND_SAMPLE_REST))
            put(events, TND_TYPE_SAMPLE_DEPTH, n);
    }
}

/* Puts callers as Extrae does: at the begin of the call, and no 0 at its end. */
static void put_callers(TndMergeEvents *events, const struct tnd_record *record)
{
    TndMergeLevel levels[MAX_LEVEL];
    guint n = 0, max = MIN(record->aux ? record->aux : record->n_words, MAX_LEVEL);
    for (guint i = 0; i < record->n_words; i++)
        n += tnd_merge_addresses_levels(events->reader.at->process, TND_MERGE_ADDRESS_IN_STACK | (record->words[i] - 1),
                                        record->time, levels + n, max - n);
    for (guint i = 0; i < n; i++) {
        put(events, TND_TYPE_CALLER_LEVEL + i, levels[i].function);
        put(events, TND_TYPE_CALLER_LINE_LEVEL + i, levels[i].line);
    }
}

static void put_collective(TndMergeEvents *events, const struct tnd_record *record)
{
    if (record->n_words < 3)
        return;
    TndMergeProcess *process = events->reader.at->process;
    const TndMergeComm *comm = tnd_merge_comms_find(process, record->words[0]);
    put(events, TND_TYPE_MPI_COLLECTIVE_SENT, (gint64)record->words[1]);
    put(events, TND_TYPE_MPI_COLLECTIVE_RECEIVED, (gint64)record->words[2]);
    if (comm)
        put(events, TND_TYPE_MPI_COLLECTIVE_COMMUNICATOR, comm->id);
    gboolean is_root = record->id == TND_ROOT_SELF;
    if (comm && !comm->is_inter && record->id < comm->group->len)
        is_root = g_array_index(comm->group, guint32, record->id) == process->member;
    if (is_root)
        put(events, TND_TYPE_MPI_COLLECTIVE_ROOT, 1);
}

static void put_counters(TndMergeEvents *events, const struct tnd_record *record)
{
    struct tnd_prv_pair pairs[TND_MERGE_COUNTS_PAIRS];
    guint n = tnd_merge_counts_read(events->counts, events->reader.at->process, record, events->next_ns, pairs);
    for (guint i = 0; i < n; i++)
        put(events, pairs[i].type, pairs[i].value);
}

/* A persistent collective is remembered under its request until that is freed. */
static void follow_collective(TndMergeEvents *events, const struct tnd_record *record)
{
    if (!record->aux || record->n_words < 4) {
        put_collective(events, record);
        return;
    }
    struct tnd_record *kept = g_memdup2(record, tnd_record_size_bytes(record));
    g_hash_table_replace(events->reader.at->process->persistent, &kept->words[3], kept);
}

static void follow_request(TndMergeEvents *events, const struct tnd_record *record)
{
    GHashTable *persistent = events->reader.at->process->persistent;
    const struct tnd_record *made = record->n_words >= 2 ? g_hash_table_lookup(persistent, &record->words[1]) : NULL;
    if (made && record->id == TND_POST_START)
        put_collective(events, made);
    else if (made && record->id == TND_POST_FREE)
        g_hash_table_remove(persistent, &record->words[1]);
}

static gboolean is_energy(const struct tnd_record *record)
{
    return record->kind == TND_RECORD_EVENT && record->id / 1000 == TND_TYPE_ENERGY / 1000;
}

/* Whether a guest's record is about its node, and within the trace's time. */
static gboolean is_of_node(const TndMergeEvents *events, const struct tnd_record *record)
{
    gint64 time = tnd_merge_ticks_absolute(events->reader.at->process->clock, record->time);
    if (time < 0 && is_energy(record))
        g_hash_table_insert(events->before, GUINT_TO_POINTER(record->id), GSIZE_TO_POINTER((gsize)-time));
    return record->kind == TND_RECORD_EVENT && record->id >= TND_TYPE_TEMPERATURE &&
           record->id <= TND_TYPE_NUMA_OTHER_LAST && events->next_ns <= events->merge->end_ns && time >= 0;
}

/* An event's value.  Of energy that was used since before the trace began, it is the part that is within the trace by
 * time. */
static gint64 value_in_trace(const TndMergeEvents *events, const struct tnd_record *record)
{
    gint64 value = tnd_record_value(record);
    gpointer type = GUINT_TO_POINTER(record->id);
    gsize before =
        events->before && is_energy(record) ? GPOINTER_TO_SIZE(g_hash_table_lookup(events->before, type)) : 0;
    if (!before)
        return value;
    g_hash_table_remove(events->before, type);
    return (gint64)((__int128)value * (gint64)events->next_ns / (gint64)(events->next_ns + before));
}

/* Kinds of records that make pairs, or change what rows share. */
static const gboolean is_loud[G_MAXUINT8 + 1] = {
    [TND_RECORD_PROCESS] = TRUE,  [TND_RECORD_THREAD] = TRUE, [TND_RECORD_THREAD_END] = TRUE,
    [TND_RECORD_ENTER] = TRUE,    [TND_RECORD_LEAVE] = TRUE,  [TND_RECORD_CODE] = TRUE,
    [TND_RECORD_TASK] = TRUE,     [TND_RECORD_EVENT] = TRUE,  [TND_RECORD_COUNTER] = TRUE,
    [TND_RECORD_COUNTERS] = TRUE, [TND_RECORD_SWITCH] = TRUE, [TND_RECORD_CALLERS] = TRUE,
    [TND_RECORD_SAMPLE] = TRUE,   [TND_RECORD_COMM] = TRUE,   [TND_RECORD_COLLECTIVE] = TRUE,
    [TND_RECORD_REMOTE] = TRUE,   [TND_RECORD_POST] = TRUE,   [TND_RECORD_WAIT] = TRUE,
    [TND_RECORD_COUNTED] = TRUE,
};

/* Whether a record makes no pair and changes nothing that rows share, so that it need not wait for its turn. */
static inline gboolean is_silent(const TndMergeEvents *events, const struct tnd_record *record)
{
    if (!is_loud[record->kind])
        return TRUE;
    if (events->is_guest)
        return !is_of_node(events, record);
    if (events->reader.which ==
        TND_MERGE_OWN) /* how the ring of the library's own thread was written out is not of interest */
        return record->kind != TND_RECORD_EVENT;
    return record->kind == TND_RECORD_POST && !events->reader.at->process->persistent;
}

/* Whether the thread looked at its CPU: at samples and at the edges of some calls (runtime/place.h). */
static gboolean is_sighting(const struct tnd_record *record)
{
    if (record->kind < TND_RECORD_ENTER || record->kind > TND_RECORD_CODE || record->kind == TND_RECORD_EVENT)
        return record->kind == TND_RECORD_SAMPLE;
    return tnd_event_types_is_mpi(record->id) || record->id == TND_TYPE_OPENMP_FUNCTION ||
           record->id == TND_TYPE_REGION;
}

static void put_record(TndMergeEvents *events, const struct tnd_record *record)
{
    events->is_sighting |= is_sighting(record);
    switch (record->kind) {
    case TND_RECORD_ENTER:
        put_enter(events, record);
        break;
    case TND_RECORD_LEAVE:
        put_leave(events, record->id, record->aux);
        break;
    case TND_RECORD_CODE:
        if (record->n_words >= 1)
            put_code(events, record->id, record->words[0], record->time);
        break;
    case TND_RECORD_TASK:
        put_task(events, record);
        break;
    case TND_RECORD_EVENT:
        put_event(events, record->id, value_in_trace(events, record));
        break;
    case TND_RECORD_COUNTER:
        put_counter(events, record);
        break;
    case TND_RECORD_COUNTERS:
        put_counters(events, record);
        break;
    case TND_RECORD_SAMPLE:
    case TND_RECORD_WAIT:
        put_sample(events, record);
        break;
    case TND_RECORD_CALLERS:
        put_callers(events, record);
        break;
    case TND_RECORD_COLLECTIVE:
        follow_collective(events, record);
        break;
    case TND_RECORD_POST:
        follow_request(events, record);
        break;
    case TND_RECORD_REMOTE:
        put_remote(events, record);
        break;
    case TND_RECORD_SWITCH:
        put(events, TND_TYPE_TRACING, record->id != 0);
        break;
    case TND_RECORD_PROCESS:
        put_process(events);
        break;
    case TND_RECORD_THREAD:
        put_thread(events, record->id);
        break;
    case TND_RECORD_THREAD_END:
        put_thread_end(events);
        break;
    case TND_RECORD_COUNTED:
        tnd_merge_counted_add(events->merge, events->reader.at->process, record);
        break;
    case TND_RECORD_COMM:
        tnd_merge_comms_follow(events->reader.at->process, events->stream, record, &events->n_comms);
        break;
    }
}

/* Goes on to the next record that matters here, or to the end of the part. */
static void advance(TndMergeEvents *events)
{
    while ((events->record = tnd_merge_reader_record(&events->reader))) {
        events->next_ns = tnd_merge_reader_time(&events->reader, events->record);
        if (!is_silent(events, events->record))
            return;
    }
    events->next_ns = MAX(events->reader.last_ns, events->reader.at->process->end_ns);
    if (events->is_guest)
        events->next_ns = MIN(events->next_ns, events->merge->end_ns);
}

static gboolean open_part(TndMergeEvents *events, GError **error)
{
    if (!tnd_merge_reader_open_part(&events->reader, error))
        return FALSE;
    const TndMergePart *part = events->reader.at;
    events->stream = &g_array_index(part->process->streams, TndMergeStream, part->streams[events->reader.which]);
    events->n_comms = 0;
    events->sampled.n = 0;
    advance(events);
    return TRUE;
}

static gboolean end_part(TndMergeEvents *events, GError **error)
{
    if (events->reader.which != TND_MERGE_OWN)
        put_process_end(events);
    events->calls.n = 0;
    gboolean goes_on = tnd_merge_reader_tell(&events->reader, events->merge, TND_MERGE_WRITE, error);
    tnd_merge_reader_close_part(&events->reader);
    events->reader.last_ns = events->next_ns;
    events->next_ns = tnd_merge_reader_part_time(&events->reader);
    return goes_on;
}

/* Writes a line if it has pairs; returns how many lines that were. */
static inline guint write_line(struct line *line, guint64 now, guint32 cpu, struct tnd_prv_writer *writer)
{
    if (!line->n_pairs)
        return 0;
    line->event.at.cpu = cpu;
    line->event.time = now;
    line->event.n_pairs = line->n_pairs;
    line->event.pairs = line->pairs;
    tnd_prv_write_event(writer, &line->event);
    line->n_pairs = 0;
    return 1;
}

guint64 tnd_merge_events_step(TndMergeEvents *events, guint64 now, struct tnd_prv_writer *writer, GError **error)
{
    if (!events->reader.at && !open_part(events, error))
        return G_MAXUINT64;
    while (events->reader.at && events->next_ns == now) {
        if (events->record) {
            put_record(events, events->record);
            advance(events);
            if (!tnd_merge_reader_advance(&events->reader, events->merge, TND_MERGE_WRITE, error))
                return G_MAXUINT64;
        } else if (!end_part(events, error)) {
            return G_MAXUINT64;
        }
    }
    tnd_assert(events->next_ns > now || (events->next_ns == now && !events->reader.at));
    guint32 cpu = 0; /* the library's own thread runs on another CPU than the row's */
    if (events->reader.which != TND_MERGE_OWN)
        cpu = events->is_sighting ? events->cpu->seen : events->cpu->of_state;
    guint n_lines = write_line(&events->of_process, now, events->own.event.at.thread == 1 ? cpu : 0, writer);
    if (n_lines + write_line(&events->own, now, cpu, writer) > 0)
        events->is_sighting = FALSE;
    return events->next_ns;
}
