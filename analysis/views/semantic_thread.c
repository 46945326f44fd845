/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Thread functions of states, of events, and of the objects that a thread belongs to.
 */
#include "analysis/views/view_plan.h"

#include "analysis/base/time_heap.h"

#define IS(record, flags) (((record)->kind & (flags)) != 0)

/* States.  The state that began last holds until the next one begins or any state ends; after an end at which none
 * begins there is no state, even if an earlier one has not ended. */

/* A state, or a gap (state is NULL), that begins at time_ns.  next: the state that begins next; NULL: there is none. */
typedef struct {
    const TndState *state, *next;
    guint64 time_ns;
    const TndSemanticCall *call;
} Stretch;

static inline guint32 number_of(const Stretch *stretch)
{
    return stretch->state ? stretch->state->state : 0;
}

/* The ends of states that have begun.  States that do not overlap have one at a time. */
typedef struct {
    TndTimeHeapEntry *heap;
    gsize n, room;
} Ends;

static inline void add_end(Ends *ends, guint64 time_ns)
{
    if (ends->n == ends->room) {
        ends->room = 2 * ends->room + 4;
        ends->heap = g_renew(TndTimeHeapEntry, ends->heap, ends->room);
    }
    tnd_time_heap_add(ends->heap, ends->n++, (TndTimeHeapEntry){.time_ns = time_ns});
}

static inline gboolean read_state(TndWalk *walk, TndState *state)
{
    const TndState *read = tnd_walk_next_state(walk);
    if (read)
        *state = *read;
    return read != NULL;
}

/* Puts the value of each stretch into the stream.  The heap of ends is used only where states overlap. */
static inline __attribute__((always_inline)) void each_state(TndSemanticRow *row, TndBurstStream *stream,
                                                             double (*value)(const Stretch *stretch))
{
    Ends ends = {0};
    TndWalk walk = tnd_walk_states(row->plan->trace, row->row, G_MAXUINT64);
    TndState state, next;
    gboolean has_next = read_state(&walk, &next);
    row->begins_before = !has_next || next.begin_ns > 0;
    tnd_burst_stream_begin(stream, 0, 0);
    while (has_next) {
        state = next;
        has_next = read_state(&walk, &next);
        const TndState *following = has_next ? &next : NULL;
        const guint64 until_ns = has_next ? next.begin_ns : G_MAXUINT64;
        tnd_burst_stream_begin(stream, state.begin_ns, value(&(Stretch){&state, following, state.begin_ns, row->call}));
        if (ends.n > 0 || state.end_ns > until_ns)
            add_end(&ends, state.end_ns);
        else if (state.end_ns < until_ns)
            tnd_burst_stream_begin(stream, state.end_ns, value(&(Stretch){NULL, following, state.end_ns, row->call}));
        for (; ends.n > 0 && ends.heap[0].time_ns <= until_ns; tnd_time_heap_drop(ends.heap, ends.n--)) {
            guint64 time_ns = ends.heap[0].time_ns;
            if (time_ns < until_ns)
                tnd_burst_stream_begin(stream, time_ns, value(&(Stretch){NULL, following, time_ns, row->call}));
        }
    }
    tnd_walk_end(&walk);
    g_free(ends.heap);
}

#define OF_STATES(function, expression)                                                                                \
    static double function##_value(const Stretch *stretch)                                                             \
    {                                                                                                                  \
        return expression;                                                                                             \
    }                                                                                                                  \
    static void function(TndSemanticRow *row, TndBurstStream *stream)                                                  \
    {                                                                                                                  \
        each_state(row, stream, function##_value);                                                                     \
    }

static gboolean is_given_state(const Stretch *stretch)
{
    return tnd_semantic_is_given(stretch->call, number_of(stretch));
}

/* The length of a stretch.  That of the last gap is its begin, as in Paraver. */
static double length_of(const Stretch *stretch)
{
    guint64 length_ns = stretch->state  ? stretch->state->end_ns - stretch->time_ns
                        : stretch->next ? stretch->next->begin_ns - stretch->time_ns
                                        : stretch->time_ns;
    return (double)length_ns / stretch->call->unit_ns;
}

OF_STATES(state_as_is, number_of(stretch))
OF_STATES(state_useful, number_of(stretch) == 1)
OF_STATES(state_sign, number_of(stretch) != 0)
OF_STATES(state_given, is_given_state(stretch) ? number_of(stretch) : 0)
OF_STATES(state_in, is_given_state(stretch))
OF_STATES(state_not_in, !is_given_state(stretch))
OF_STATES(state_duration, is_given_state(stretch) ? length_of(stretch) : 0)

const TndSemanticThread tnd_semantic_states[] = {
    {{"State As Is", 0, {0}}, TND_SEMANTIC_STATES, state_as_is},
    {{"Useful", 0, {0}}, TND_SEMANTIC_STATES, state_useful},
    {{"State Sign", 0, {0}}, TND_SEMANTIC_NUMBERS, state_sign},
    {{"Given State", 1, {1}}, TND_SEMANTIC_STATES, state_given},
    {{"In State", 1, {1}}, TND_SEMANTIC_NUMBERS, state_in},
    {{"Not In State", 1, {1}}, TND_SEMANTIC_NUMBERS, state_not_in},
    {{"State Record Dur.", 1, {1}}, TND_SEMANTIC_TIMES, state_duration},
    {{NULL, 0, {0}}, 0, NULL},
};

/* Events. */

typedef struct {
    guint64 time_ns;
    guint32 type;
    double value;
} Event;

/* The current event (NULL before the first one), the next one (NULL after the last one), and the value before. */
typedef struct {
    const Event *at, *next;
    double before;
    const TndSemanticCall *call;
} Pair;

static inline gboolean read_event(TndWalk *walk, const TndViewTypes *types, Event *event)
{
    for (const TndEvent *read; (read = tnd_walk_next_event(walk));)
        if (tnd_view_types_value(types, read, &event->value)) {
            event->time_ns = read->time_ns;
            event->type = read->type;
            return TRUE;
        }
    return FALSE;
}

/* Puts the value at each event into the stream.  If a function looks ahead, it is called one event later. */
static inline __attribute__((always_inline)) void each_event(TndSemanticRow *row, TndBurstStream *stream,
                                                             double (*value)(const Pair *pair), gboolean looks_ahead)
{
    const TndViewTypes *types = &row->plan->types;
    TndWalk walk = tnd_walk_events(row->plan->trace, row->row, tnd_view_types_bits(types));
    Event at, next;
    gboolean has_next = read_event(&walk, types, &next);
    row->begins_before = !has_next || next.time_ns > 0;
    double now = value(&(Pair){NULL, has_next ? &next : NULL, 0, row->call});
    tnd_burst_stream_begin(stream, 0, now);
    while (has_next) {
        if (looks_ahead) {
            at = next;
            has_next = read_event(&walk, types, &next);
            now = value(&(Pair){&at, has_next ? &next : NULL, now, row->call});
            tnd_burst_stream_begin(stream, at.time_ns, now);
        } else {
            now = value(&(Pair){&next, NULL, now, row->call});
            tnd_burst_stream_begin(stream, next.time_ns, now);
            has_next = read_event(&walk, types, &next);
        }
    }
    tnd_walk_end(&walk);
}

#define OF_EVENTS_AND_NEXT(function, looks_ahead, expression)                                                          \
    static double function##_value(const Pair *pair)                                                                   \
    {                                                                                                                  \
        return expression;                                                                                             \
    }                                                                                                                  \
    static void function(TndSemanticRow *row, TndBurstStream *stream)                                                  \
    {                                                                                                                  \
        each_event(row, stream, function##_value, looks_ahead);                                                        \
    }
#define OF_EVENTS(function, expression) OF_EVENTS_AND_NEXT(function, FALSE, expression)
#define OF_PAIRS(function, expression) OF_EVENTS_AND_NEXT(function, TRUE, expression)

/* The time from the current event (or the trace's begin) to the next one, in the view's unit; 0: there is no next one.
 */
static double time_to_next(const Pair *pair)
{
    guint64 from_ns = pair->at ? pair->at->time_ns : 0;
    return pair->next ? (double)(pair->next->time_ns - from_ns) / pair->call->unit_ns : 0;
}

static double average_of(const Pair *pair, const Event *event)
{
    double time = event ? time_to_next(pair) : 0;
    return time == 0 ? 0 : event->value * tnd_semantic_parameter(pair->call, 0) / time;
}

static gboolean is_given_value(const Pair *pair)
{
    return pair->at && tnd_semantic_is_given(pair->call, pair->at->value);
}

static gboolean is_in_range(const Pair *pair)
{
    return pair->at && pair->at->value >= tnd_semantic_parameter(pair->call, 0) &&
           pair->at->value <= tnd_semantic_parameter(pair->call, 1);
}

OF_EVENTS(last_type, pair->at ? pair->at->type : 0)
OF_EVENTS(last_value, pair->at ? pair->at->value : 0)
OF_EVENTS(last_value_kept, pair->at && pair->at->value != 0 ? pair->at->value : pair->before)
OF_PAIRS(next_type, pair->next ? pair->next->type : 0)
OF_PAIRS(next_value, pair->next ? pair->next->value : 0)
OF_PAIRS(average_next, average_of(pair, pair->next))
OF_PAIRS(average_last, average_of(pair, pair->at))
OF_EVENTS(value_given, is_given_value(pair) ? pair->at->value : 0)
OF_EVENTS(value_in, is_given_value(pair))
OF_EVENTS(value_not_in, pair->at && !is_given_value(pair))
OF_EVENTS(value_in_range, is_in_range(pair))
OF_PAIRS(interval, pair->at ? time_to_next(pair) : 0)

/* Bytes of messages between events: functions of records. */

static gboolean is_event(const TndRecords *records, gsize i)
{
    return IS(&records->records[i], TND_RECORD_IS_EVENT);
}

/* The event after record i (-1: the first event); NULL: there is none. */
static const TndSemanticRecord *next_event(const TndRecords *records, gssize i)
{
    gsize next = tnd_semantic_records_next(records, i, TND_RECORD_IS_EVENT);
    return next < records->n ? &records->records[next] : NULL;
}

/* Whether the bytes of a record's message count: a send if it is of the side that the window reads, a receive if it is
 * the later one of the logical and the physical receive. */
static gboolean counts_between(const TndRecords *records, const TndSemanticRecord *record, guint64 begin_ns,
                               guint64 end_ns)
{
    const TndCfgWindow *window = &records->plan->window;
    gboolean is_logical = IS(record, TND_RECORD_IS_LOGICAL), is_receive = IS(record, TND_RECORD_IS_RECEIVE);
    const TndMessage *message = record->message;
    gboolean is_later = is_logical ? message->logical_receive_ns > message->physical_receive_ns
                                   : message->physical_receive_ns >= message->logical_receive_ns;
    if (!record->passes || !IS(record, TND_RECORD_IS_OWN))
        return FALSE;
    if (record->time_ns == begin_ns)
        return !is_receive;
    if (window->physical && !window->logical)
        return !is_logical && (record->time_ns < end_ns || is_receive);
    if (!is_receive && !is_logical)
        return FALSE;
    if (window->logical && window->physical && is_logical && is_receive &&
        message->physical_receive_ns >= message->logical_receive_ns)
        return FALSE;
    return record->time_ns < end_ns || (is_receive && is_later);
}

/* The bytes of sends before record i that have the same time. */
static double bytes_just_before(const TndRecords *records, gssize i)
{
    const TndCfgWindow *window = &records->plan->window;
    guint kind = window->logical ? TND_RECORD_IS_LOGICAL : TND_RECORD_IS_PHYSICAL;
    double bytes = 0;
    for (gssize at = i - 1; at >= 0 && records->records[at].time_ns == records->records[i].time_ns; at--) {
        const TndSemanticRecord *record = &records->records[at];
        if (record->passes && IS(record, TND_RECORD_IS_SEND) && IS(record, kind))
            bytes += (double)record->message->size_bytes;
    }
    return bytes;
}

static double event_bytes(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    const TndSemanticRecord *next = i < 0 ? NULL : next_event(records, i);
    if (!next)
        return 0;
    double bytes = bytes_just_before(records, i);
    for (gsize at = (gsize)i + 1; at < records->n && records->records[at].time_ns <= next->time_ns; at++)
        if (IS(&records->records[at], TND_RECORD_IS_MESSAGE) &&
            counts_between(records, &records->records[at], records->records[i].time_ns, next->time_ns))
            bytes += (double)records->records[at].message->size_bytes;
    return bytes;
}

static double event_sent_bytes(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    const TndSemanticRecord *next = i < 0 ? NULL : next_event(records, i);
    if (!next)
        return 0;
    double bytes = bytes_just_before(records, i);
    for (gsize at = (gsize)i + 1; at < records->n && records->records[at].time_ns < next->time_ns; at++)
        if (records->records[at].passes && IS(&records->records[at], TND_RECORD_IS_SEND))
            bytes += (double)records->records[at].message->size_bytes;
    return bytes;
}

#define OF_EVENTS_AND_MESSAGES NULL, TND_RECORD_IS_EVENT | TND_RECORD_IS_OWN, is_event
const TndSemanticThread tnd_semantic_events[] = {
    {{"Last Evt Type", 0, {0}}, TND_SEMANTIC_NUMBERS, last_type},
    {{"Last Evt Val", 0, {0}}, TND_SEMANTIC_EVENTS, last_value},
    {{"Last Evt Val w/o Bursts", 0, {0}}, TND_SEMANTIC_EVENTS, last_value_kept},
    {{"Next Evt Type", 0, {0}}, TND_SEMANTIC_NUMBERS, next_type},
    {{"Next Evt Val", 0, {0}}, TND_SEMANTIC_EVENTS, next_value},
    {{"Avg Next Evt Val", 1, {1}}, TND_SEMANTIC_NUMBERS, average_next},
    {{"Avg Last Evt Val", 1, {1}}, TND_SEMANTIC_NUMBERS, average_last},
    {{"Given Evt Val", 1, {1}}, TND_SEMANTIC_EVENTS, value_given},
    {{"In Evt Val", 1, {1}}, TND_SEMANTIC_NUMBERS, value_in},
    {{"Int. Between Evt", 0, {0}}, TND_SEMANTIC_TIMES, interval},
    {{"Not In Evt Val", 1, {1}}, TND_SEMANTIC_NUMBERS, value_not_in},
    {{"In Evt Range", 2, {0, 1}}, TND_SEMANTIC_NUMBERS, value_in_range},
    {{"Event Bytes", 0, {0}}, TND_SEMANTIC_NUMBERS, OF_EVENTS_AND_MESSAGES, event_bytes},
    {{"Event Sent Bytes", 0, {0}}, TND_SEMANTIC_NUMBERS, OF_EVENTS_AND_MESSAGES, event_sent_bytes},
    {{NULL, 0, {0}}, 0, NULL},
};

/* Objects: which task, node or CPU a thread belongs to, at every state and event. */

static gboolean is_state_or_event(const TndRecords *records, gsize i)
{
    return IS(&records->records[i], TND_RECORD_IS_STATE | TND_RECORD_IS_EVENT);
}

/* The number, from 1 on, of the object of a level that the thread belongs to. */
static double object_of(const TndRecords *records, TndLevel level)
{
    return tnd_levels_row_above(records->plan->trace, TND_LEVEL_THREAD, records->row, level) + 1.0;
}

/* The node of the CPU of a record; 0: not known. */
static double node_of(const TndRecords *records, gssize i)
{
    guint32 cpu = i < 0 ? 0 : records->records[i].cpu;
    return cpu == 0 ? 0 : tnd_levels_row_above(records->plan->trace, TND_LEVEL_CPU, cpu - 1, TND_LEVEL_NODE) + 1.0;
}

/* The object, if it is among the parameters. */
static double if_given(gssize i, const TndSemanticCall *call, double object)
{
    return i >= 0 && tnd_semantic_is_given(call, object) ? object : 0;
}

#define OBJECT(name, expression)                                                                                       \
    static double name(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)                \
    {                                                                                                                  \
        return expression;                                                                                             \
    }
OBJECT(application, object_of(records, TND_LEVEL_APPLICATION))
OBJECT(task, object_of(records, TND_LEVEL_TASK))
OBJECT(thread, records->row + 1)
OBJECT(node, node_of(records, i))
OBJECT(cpu, i < 0 ? 0 : records->records[i].cpu)
OBJECT(in_application, if_given(i, call, object_of(records, TND_LEVEL_APPLICATION)))
OBJECT(in_task, if_given(i, call, object_of(records, TND_LEVEL_TASK)))
OBJECT(in_thread, if_given(i, call, records->row + 1))
OBJECT(in_node, if_given(i, call, node_of(records, i) - 1)) /* numbered from 0 here, as in Paraver */
OBJECT(in_cpu, i < 0 ? 0 : if_given(i, call, records->records[i].cpu))

#define OF_OBJECTS TND_SEMANTIC_NUMBERS, NULL, TND_RECORD_IS_STATE | TND_RECORD_IS_EVENT, is_state_or_event
const TndSemanticThread tnd_semantic_objects[] = {
    {{"Application ID", 0, {0}}, OF_OBJECTS, application},
    {{"TaskID", 0, {0}}, OF_OBJECTS, task},
    {{"Thread ID", 0, {0}}, OF_OBJECTS, thread},
    {{"Node ID", 0, {0}}, OF_OBJECTS, node},
    {{"Cpu ID", 0, {0}}, OF_OBJECTS, cpu},
    {{"In Appl ID", 1, {1}}, OF_OBJECTS, in_application},
    {{"In Task ID", 1, {1}}, OF_OBJECTS, in_task},
    {{"In Thread ID", 1, {1}}, OF_OBJECTS, in_thread},
    {{"In Node ID", 1, {1}}, OF_OBJECTS, in_node},
    {{"In Cpu ID", 1, {1}}, OF_OBJECTS, in_cpu},
    {{NULL, 0, {0}}, 0, NULL},
};
