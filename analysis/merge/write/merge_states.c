/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A row's state is that of its innermost open call that has one (event_types.tsv says which), else Running; Not created
 * before its first thread, Idle between threads and after the last, Tracing Disabled while the program wants nothing
 * recorded.  States of no length are left out.  Every chunk of a loop is a state of its own, so that one sees how long
 * it took.
 *
 * Where the thread is sampled, time that it was off a CPU is not Running (merge_off_cpu.h).  A thread that does not
 * tell its end, because its process was killed or left by a system call of its own, has used less CPU time since its
 * last sample than would have given another one: a period, or more if its last two samples took more.  One alone says
 * nothing: a thread whose signals were held, or whose machine stood still, gets a sample late.
 *
 * A state has a CPU if its thread was seen on that one from before its begin up to its end, and on no other between: by
 * what is told before each record that ends a state, and by samples.
 */
#include "analysis/merge/write/merge_states.h"
#include "analysis/base/assertion.h"
#include "analysis/merge/base/merge_ticks.h"
#include "analysis/merge/read/merge_calls.h"
#include "analysis/merge/read/merge_reader.h"
#include "analysis/merge/read/merge_rows.h"
#include "analysis/merge/write/merge_off_cpu.h"
#include "formats/event_types.h"

struct TndMergeStates {
    TndMerge *merge;
    const TndMergeRow *row;
    TndMergeReader reader;
    const struct tnd_record *record; /* the next record */
    guint64 record_ns;
    TndMergeReader samples;            /* reads the part's signal stream */
    const struct tnd_record *sighting; /* the next record of it that tells of the thread; NULL: there is none */
    guint64 sighting_ns;
    guint n_switches; /* how many of the process's switches were applied in this part */
    TndMergeCalls calls;
    TndMergeOffCpu *off_cpu;
    gboolean is_alive, is_off, is_over, is_new_part;
    gboolean is_fake;          /* the samples' weights are not CPU time */
    guint32 told_cpu_ns;       /* since the last sample, by waits */
    guint64 period_ns;         /* CPU time that gives a sample at the latest; 0: it is not known */
    guint64 weights_ns[2];     /* CPU time that gave the last sample, and the one before it */
    guint64 begin_ns;          /* when the current state began */
    guint32 state, first_cpu;  /* first_cpu: that of the row's node, in the trace's numbers */
    guint32 cpu;               /* the CPU on which the thread was seen last, from 1; 0: it was not seen */
    gboolean has_moved;        /* the thread was seen on several CPUs since begin_ns */
    struct tnd_prv_state line; /* the state that is complete */
};

TndMergeStates *tnd_merge_states_new(TndMerge *merge, const TndMergeRow *row)
{
    TndMergeStates *states = g_new0(TndMergeStates, 1);
    states->merge = merge;
    states->row = row;
    states->reader.row = states->samples.row = row;
    states->samples.which = TND_MERGE_SIGNAL;
    states->first_cpu = tnd_merge_rows_first_cpu(merge, row);
    states->state = TND_STATE_NOT_CREATED;
    states->line.at = row->at;
    states->off_cpu = tnd_merge_off_cpu_new();
    return states;
}

void tnd_merge_states_free(TndMergeStates *states)
{
    tnd_merge_reader_end(&states->reader);
    tnd_merge_reader_end(&states->samples);
    tnd_merge_off_cpu_free(states->off_cpu);
    g_free(states->calls.frames);
    g_free(states);
}

TndMergeReader *tnd_merge_states_reader(TndMergeStates *states)
{
    return &states->reader;
}

static guint32 state_of_type(guint32 type)
{
    const struct tnd_event_type *entry = tnd_event_types_find(type);
    return entry ? entry->state : TND_STATE_NONE;
}

static guint32 state_of(TndMergeStates *states, guint32 type, guint32 value)
{
    guint32 slot = (type * 31 + value) * 0x9e3779b9u >> (32 - TND_MERGE_SEEN_BITS);
    TndMergeSeenState *known = &states->merge->seen_states[slot];
    if (known->type != type || known->value != value) {
        const struct tnd_event_value *entry = tnd_event_types_value(type, value);
        *known = (TndMergeSeenState){type, value, entry ? entry->state : state_of_type(type)};
    }
    return known->state;
}

/* The state that holds now. */
static guint32 current(const TndMergeStates *states)
{
    if (!states->is_alive)
        return TND_STATE_IDLE;
    if (states->is_off)
        return TND_STATE_NOT_TRACING;
    for (guint i = states->calls.n; i-- > 0;)
        if (states->calls.frames[i].state != TND_STATE_NONE)
            return states->calls.frames[i].state;
    return TND_STATE_RUNNING;
}

/* The state that holds is complete up to `time`. */
static void cut(TndMergeStates *states, guint64 time)
{
    if (time <= states->begin_ns)
        return;
    gboolean is_known = states->cpu && !states->has_moved && states->state != TND_STATE_NOT_TRACING;
    struct tnd_prv_state line = {states->row->at, states->begin_ns, time, states->state};
    line.at.cpu = is_known ? states->first_cpu + states->cpu - 1 : 0;
    tnd_merge_off_cpu_add(states->off_cpu, &line);
    states->begin_ns = time;
    states->has_moved = FALSE;
}

/* Another state holds from `time` on. */
static void change(TndMergeStates *states, guint64 time)
{
    cut(states, time);
    states->state = current(states);
}

static void see_cpu(TndMergeStates *states, const struct tnd_record *record, guint64 time)
{
    guint32 cpu = (guint32)tnd_record_value(record);
    states->has_moved |= cpu != states->cpu && time > states->begin_ns;
    states->cpu = cpu;
}

/* The thread's CPU time is known at a sample, and at the end of a wait. */
static void see_moment(TndMergeStates *states, const struct tnd_record *record, guint64 time)
{
    gboolean is_wait = record->kind == TND_RECORD_WAIT;
    TndMergeOffCpuMoment moment = {.time_ns = MAX(time, states->begin_ns)};
    moment.call_ns = moment.time_ns;
    moment.cpu_ns = record->id - MIN(record->id, states->told_cpu_ns);
    moment.was_pushed = (record->aux & TND_SAMPLE_PREEMPTED) != 0;
    states->told_cpu_ns = is_wait ? MAX(record->id, states->told_cpu_ns) : 0;
    if (!is_wait) {
        states->weights_ns[1] = states->weights_ns[0];
        states->weights_ns[0] = record->id;
    }
    if (!states->is_alive || states->is_fake)
        return;
    if (is_wait && record->n_words >= 2)
        moment.call_ns = tnd_merge_ticks_time(states->reader.at->process->clock,
                                              record->time - MIN(record->time, record->words[record->n_words - 2]));
    cut(states, moment.time_ns);
    tnd_merge_off_cpu_know(states->off_cpu, &moment);
}

/* The clock of the samples that follow.  The timers' periods differ by a quarter (sampler/clock_timer.c). */
static void see_clock(TndMergeStates *states, const struct tnd_record *record)
{
    static const guint64 longest_tick_ns[] = {
        [TND_SAMPLING_PERF] = 1, [TND_SAMPLING_MONOTONIC] = 1, [TND_SAMPLING_CPU] = 10000000};
    guint64 tick_ns = record->id < G_N_ELEMENTS(longest_tick_ns) ? longest_tick_ns[record->id] : 0;
    states->is_fake = record->id == TND_SAMPLING_FAKE;
    states->period_ns = tick_ns && record->n_words ? MAX(record->words[0] / 4 * 5, tick_ns) : 0;
}

/* The thread is there at the end of its process, and has not told its CPU time. */
static void see_end(TndMergeStates *states, guint64 time)
{
    if (!states->is_alive || states->is_fake || !states->period_ns)
        return;
    guint64 since_ns = states->off_cpu->since_ns;
    guint64 unseen_ns = MAX(states->period_ns, MIN(states->weights_ns[0], states->weights_ns[1]));
    TndMergeOffCpuMoment moment = {.time_ns = MAX(time, states->begin_ns)};
    moment.cpu_ns = MIN(unseen_ns - MIN(unseen_ns, states->told_cpu_ns), moment.time_ns - since_ns);
    moment.call_ns = since_ns + moment.cpu_ns;
    cut(states, moment.time_ns);
    tnd_merge_off_cpu_know(states->off_cpu, &moment);
}

/* The next record of the signal stream that tells of the thread. */
static void read_sighting(TndMergeStates *states)
{
    while ((states->sighting = tnd_merge_reader_record(&states->samples))) {
        states->sighting_ns = tnd_merge_reader_time(&states->samples, states->sighting);
        if (states->sighting->kind == TND_RECORD_SAMPLING)
            see_clock(states, states->sighting);
        if (states->sighting->kind == TND_RECORD_SAMPLE || states->sighting->kind == TND_RECORD_WAIT ||
            (states->sighting->kind == TND_RECORD_EVENT && states->sighting->id == TND_TYPE_CPU))
            return;
    }
    if (!states->period_ns)
        tnd_merge_off_cpu_expect(states->off_cpu, FALSE);
}

static void see_samples(TndMergeStates *states, guint64 until)
{
    while (states->sighting && states->sighting_ns <= until) {
        if (states->sighting->kind == TND_RECORD_EVENT)
            see_cpu(states, states->sighting, states->sighting_ns);
        else
            see_moment(states, states->sighting, states->sighting_ns);
        read_sighting(states);
    }
}

static void begin_thread(TndMergeStates *states, guint64 time)
{
    states->is_alive = TRUE;
    change(states, time);
    tnd_merge_off_cpu_begin(states->off_cpu, states->begin_ns);
}

static void end_thread(TndMergeStates *states, guint64 time)
{
    states->calls.n = 0;
    if (!states->is_alive)
        return;
    states->is_alive = FALSE;
    change(states, time);
    states->cpu = 0;
    tnd_merge_off_cpu_begin(states->off_cpu, states->begin_ns);
}

static void open_call(TndMergeStates *states, guint32 type, guint32 value, guint64 time)
{
    guint32 state = state_of(states, type, value);
    *tnd_merge_calls_push(&states->calls) = (TndMergeFrame){.type = type, .state = state};
    if (state != TND_STATE_NONE && !states->is_off)
        change(states, time);
}

static void close_call(TndMergeStates *states, guint32 type, guint64 time)
{
    TndMergeFrame frame;
    if (tnd_merge_calls_pop(&states->calls, type, &frame) && frame.state != TND_STATE_NONE && !states->is_off)
        change(states, time);
}

/* Changes the state as a record says. */
static void apply(TndMergeStates *states, const struct tnd_record *record, guint64 time)
{
    guint32 type;
    if (!states->is_alive && (states->is_new_part || record->kind == TND_RECORD_THREAD))
        begin_thread(states, time);
    states->is_new_part = FALSE;
    switch (record->kind) {
    case TND_RECORD_ENTER:
    case TND_RECORD_CODE:
        open_call(states, record->id, record->aux, time);
        break;
    case TND_RECORD_LEAVE:
        close_call(states, record->id, time);
        break;
    case TND_RECORD_TASK:
        if ((type = tnd_merge_calls_task_opens(record)))
            open_call(states, type, 0, time);
        else if ((type = tnd_merge_calls_task_closes(record)))
            close_call(states, type, time);
        break;
    case TND_RECORD_EVENT:
        if (record->id == TND_TYPE_CPU)
            see_cpu(states, record, time);
        else if (record->id == TND_TYPE_OPENMP_CHUNK && !states->is_off)
            change(states, time);
        break;
    case TND_RECORD_THREAD_END:
        end_thread(states, time);
        break;
    }
}

static void apply_switch(TndMergeStates *states, const TndMergeSwitch *next, guint64 time)
{
    states->n_switches++;
    if (states->is_off == !next->on)
        return;
    states->is_off = !next->on;
    if (states->is_alive)
        change(states, time);
}

static void read_record(TndMergeStates *states)
{
    states->record = tnd_merge_reader_record(&states->reader);
    if (states->record)
        states->record_ns = tnd_merge_reader_time(&states->reader, states->record);
}

static gboolean open_samples(TndMergeStates *states, GError **error)
{
    states->samples.part = states->reader.part;
    states->is_fake = FALSE;
    states->period_ns = states->weights_ns[0] = states->weights_ns[1] = 0;
    states->told_cpu_ns = 0;
    if (states->reader.at->streams[TND_MERGE_SIGNAL] < 0)
        return TRUE;
    if (!tnd_merge_reader_open_part(&states->samples, error))
        return FALSE;
    tnd_merge_off_cpu_expect(states->off_cpu, TRUE);
    read_sighting(states);
    return TRUE;
}

static gboolean open_part(TndMergeStates *states, GError **error)
{
    if (!tnd_merge_reader_open_part(&states->reader, error))
        return FALSE;
    states->n_switches = 0;
    states->is_off = FALSE;
    states->is_new_part = TRUE;
    read_record(states);
    return open_samples(states, error);
}

/* Takes the next thing of the open part: a switch, a record, or the part's end. */
static void go_on(TndMergeStates *states)
{
    const TndMergeProcess *process = states->reader.at->process;
    guint64 end = states->record ? states->record_ns : process->end_ns;
    if (states->n_switches < process->switches->len) {
        const TndMergeSwitch *next = &g_array_index(process->switches, TndMergeSwitch, states->n_switches);
        guint64 time = tnd_merge_ticks_time(process->clock, next->ticks);
        if (time <= end) {
            see_samples(states, time);
            apply_switch(states, next, MAX(time, states->begin_ns));
            return;
        }
    }
    see_samples(states, end);
    if (states->record) {
        apply(states, states->record, MAX(states->record_ns, states->begin_ns));
        read_record(states);
        return;
    }
    see_end(states, end);
    tnd_merge_reader_close_part(&states->reader);
    tnd_merge_reader_close_part(&states->samples);
    states->sighting = NULL;
    end_thread(states, MAX(end, states->begin_ns));
    tnd_merge_off_cpu_expect(states->off_cpu, FALSE);
}

/* Finds the next complete state; FALSE when there is none. */
static gboolean find_next(TndMergeStates *states, GError **error)
{
    while (!tnd_merge_off_cpu_take(states->off_cpu, states->is_over, &states->line)) {
        if (states->is_over)
            return FALSE;
        if (states->reader.at) {
            go_on(states);
        } else if (tnd_merge_reader_part_time(&states->reader) != G_MAXUINT64) {
            if (!open_part(states, error))
                return FALSE;
        } else {
            states->is_over = TRUE;
            change(states, states->merge->end_ns);
        }
    }
    return TRUE;
}

guint64 tnd_merge_states_step(TndMergeStates *states, struct tnd_prv_writer *writer, guint32 *cpu, GError **error)
{
    if (states->line.end == 0) { /* the first turn: the state before the thread begins needs no stream */
        guint64 birth = tnd_merge_reader_part_time(&states->reader);
        states->line = (struct tnd_prv_state){states->row->at, 0, MIN(birth, states->merge->end_ns), states->state};
        states->begin_ns = states->line.end;
        if (!states->line.end && !find_next(states, error))
            return G_MAXUINT64;
    }
    tnd_prv_write_state(writer, &states->line);
    const guint64 end = states->line.end;
    *cpu = states->line.at.cpu;
    if (!find_next(states, error))
        return G_MAXUINT64;
    tnd_assert(states->line.begin == end && states->line.end > end);
    return states->line.begin;
}
