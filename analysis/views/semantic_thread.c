/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a thread's states and events mean, and who it is.
 */
#include "analysis/views/semantic.h"

#define IS(record, flags) (((record)->kind & (flags)) != 0)

/* An end of a state counts where no state begins: that is a gap. */
static gboolean is_state_change(const TndRecords *records, gsize i)
{
    const TndSemanticRecord *record = &records->records[i];
    if (!IS(record, TND_RECORD_IS_END))
        return IS(record, TND_RECORD_IS_BEGIN);
    for (gsize next = i + 1; next < records->n && records->records[next].time_ns == record->time_ns; next++)
        if (IS(&records->records[next], TND_RECORD_IS_BEGIN))
            return FALSE;
    return TRUE;
}

/* The state from record i on; 0 in a gap. */
static double state_at(const TndRecords *records, gssize i)
{
    const TndSemanticRecord *record = &records->records[i];
    return IS(record, TND_RECORD_IS_END) ? 0 : record->state->state;
}

static double state_as_is(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    return i < 0 ? 0 : state_at(records, i);
}

static double state_useful(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    return i >= 0 && state_at(records, i) == 1;
}

static double state_sign(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    return i >= 0 && state_at(records, i) != 0;
}

static double state_given(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    return i >= 0 && tnd_semantic_is_given(call, state_at(records, i)) ? state_at(records, i) : 0;
}

static double state_in(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    return i >= 0 && tnd_semantic_is_given(call, state_at(records, i));
}

static double state_not_in(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    return i >= 0 && !tnd_semantic_is_given(call, state_at(records, i));
}

static double state_duration(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    if (i < 0 || !tnd_semantic_is_given(call, state_at(records, i)))
        return 0;
    const TndSemanticRecord *record = &records->records[i];
    if (IS(record, TND_RECORD_IS_BEGIN))
        return (double)(record->state->end_ns - record->time_ns) / call->unit_ns;
    gsize next = tnd_semantic_records_next(records, i, TND_RECORD_IS_BEGIN);
    double until_ns = next < records->n ? (double)(records->records[next].time_ns - record->time_ns)
                                        : (double)record->time_ns; /* as Paraver has it */
    return until_ns / call->unit_ns;
}

#define OF_STATES TND_RECORD_IS_STATE, is_state_change
const TndSemanticThread tnd_semantic_states[] = {
    {{"State As Is", 0, {0}}, OF_STATES, state_as_is},
    {{"Useful", 0, {0}}, OF_STATES, state_useful},
    {{"State Sign", 0, {0}}, OF_STATES, state_sign},
    {{"Given State", 1, {1}}, OF_STATES, state_given},
    {{"In State", 1, {1}}, OF_STATES, state_in},
    {{"Not In State", 1, {1}}, OF_STATES, state_not_in},
    {{"State Record Dur.", 1, {1}}, OF_STATES, state_duration},
    {{NULL, 0, {0}}, 0, NULL, NULL},
};

/* Events. */

static gboolean is_event(const TndRecords *records, gsize i)
{
    return IS(&records->records[i], TND_RECORD_IS_EVENT);
}

/* The event after i, the first one if i is -1; NULL: there is none. */
static const TndSemanticRecord *next_event(const TndRecords *records, gssize i)
{
    gsize next = tnd_semantic_records_next(records, i, TND_RECORD_IS_EVENT);
    return next < records->n ? &records->records[next] : NULL;
}

/* From record i (the trace's begin) to that event, in the window's unit. */
static double time_to(const TndRecords *records, gssize i, const TndSemanticRecord *next, const TndSemanticCall *call)
{
    return (double)(next->time_ns - (i < 0 ? 0 : records->records[i].time_ns)) / call->unit_ns;
}

static double last_type(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    return i < 0 ? 0 : records->records[i].type;
}

static double last_value(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    return i < 0 ? 0 : records->records[i].value;
}

static double last_value_kept(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    return i < 0 ? 0 : records->records[i].value != 0 ? records->records[i].value : before;
}

static double next_type(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    const TndSemanticRecord *next = next_event(records, i);
    return next ? next->type : 0;
}

static double next_value(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    const TndSemanticRecord *next = next_event(records, i);
    return next ? next->value : 0;
}

static double average_next(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    const TndSemanticRecord *next = next_event(records, i);
    double time = next ? time_to(records, i, next, call) : 0;
    return time == 0 ? 0 : next->value * tnd_semantic_parameter(call, 0) / time;
}

static double average_last(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    const TndSemanticRecord *next = i < 0 ? NULL : next_event(records, i);
    double time = next ? time_to(records, i, next, call) : 0;
    return time == 0 ? 0 : records->records[i].value * tnd_semantic_parameter(call, 0) / time;
}

static double value_given(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    return i >= 0 && tnd_semantic_is_given(call, records->records[i].value) ? records->records[i].value : 0;
}

static double value_in(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    return i >= 0 && tnd_semantic_is_given(call, records->records[i].value);
}

static double value_not_in(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    return i >= 0 && !tnd_semantic_is_given(call, records->records[i].value);
}

static double value_in_range(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    return i >= 0 && records->records[i].value >= tnd_semantic_parameter(call, 0) &&
           records->records[i].value <= tnd_semantic_parameter(call, 1);
}

static double interval(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    const TndSemanticRecord *next = i < 0 ? NULL : next_event(records, i);
    return next ? time_to(records, i, next, call) : 0;
}

/* Whether a message at record i counts for its bytes: as the window looks at one side of it, that one; its receive is
 * the later of the logical and the physical one. */
static gboolean counts_between(const TndRecords *records, const TndSemanticRecord *record, guint64 begin_ns,
                               guint64 end_ns)
{
    const TndCfgWindow *window = records->window;
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

/* Sends before record i that are at its time. */
static double bytes_just_before(const TndRecords *records, gssize i)
{
    const TndCfgWindow *window = records->window;
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

#define OF_EVENTS TND_RECORD_IS_EVENT, is_event
#define OF_EVENTS_AND_MESSAGES TND_RECORD_IS_EVENT | TND_RECORD_IS_OWN, is_event
const TndSemanticThread tnd_semantic_events[] = {
    {{"Last Evt Type", 0, {0}}, OF_EVENTS, last_type},
    {{"Last Evt Val", 0, {0}}, OF_EVENTS, last_value},
    {{"Last Evt Val w/o Bursts", 0, {0}}, OF_EVENTS, last_value_kept},
    {{"Next Evt Type", 0, {0}}, OF_EVENTS, next_type},
    {{"Next Evt Val", 0, {0}}, OF_EVENTS, next_value},
    {{"Avg Next Evt Val", 1, {1}}, OF_EVENTS, average_next},
    {{"Avg Last Evt Val", 1, {1}}, OF_EVENTS, average_last},
    {{"Given Evt Val", 1, {1}}, OF_EVENTS, value_given},
    {{"In Evt Val", 1, {1}}, OF_EVENTS, value_in},
    {{"Int. Between Evt", 0, {0}}, OF_EVENTS, interval},
    {{"Not In Evt Val", 1, {1}}, OF_EVENTS, value_not_in},
    {{"In Evt Range", 2, {0, 1}}, OF_EVENTS, value_in_range},
    {{"Event Bytes", 0, {0}}, OF_EVENTS_AND_MESSAGES, event_bytes},
    {{"Event Sent Bytes", 0, {0}}, OF_EVENTS_AND_MESSAGES, event_sent_bytes},
    {{NULL, 0, {0}}, 0, NULL, NULL},
};

/* Who and where: told at every state and event. */

static gboolean is_state_or_event(const TndRecords *records, gsize i)
{
    return IS(&records->records[i], TND_RECORD_IS_STATE | TND_RECORD_IS_EVENT);
}

/* The row of a level that the thread is in, from 1 on. */
static double object_of(const TndRecords *records, TndLevel level)
{
    return tnd_levels_row_above(records->trace, TND_LEVEL_THREAD, records->row, level) + 1.0;
}

/* Of the CPU of a record; 0: not known. */
static double node_of(const TndRecords *records, gssize i)
{
    guint32 cpu = i < 0 ? 0 : records->records[i].cpu;
    return cpu == 0 ? 0 : tnd_levels_row_above(records->trace, TND_LEVEL_CPU, cpu - 1, TND_LEVEL_NODE) + 1.0;
}

static double application(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    return object_of(records, TND_LEVEL_APPLICATION);
}

static double task(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    return object_of(records, TND_LEVEL_TASK);
}

static double thread(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    return records->row + 1;
}

static double node(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    return node_of(records, i);
}

static double cpu(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    return i < 0 ? 0 : records->records[i].cpu;
}

static double if_given(gssize i, const TndSemanticCall *call, double object)
{
    return i >= 0 && tnd_semantic_is_given(call, object) ? object : 0;
}

static double in_application(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    return if_given(i, call, object_of(records, TND_LEVEL_APPLICATION));
}

static double in_task(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    return if_given(i, call, object_of(records, TND_LEVEL_TASK));
}

static double in_thread(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    return if_given(i, call, records->row + 1);
}

/* Nodes are numbered from 0 here, as Paraver has it. */
static double in_node(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    return if_given(i, call, node_of(records, i) - 1);
}

static double in_cpu(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)
{
    return i < 0 ? 0 : if_given(i, call, records->records[i].cpu);
}

#define OF_OBJECTS TND_RECORD_IS_STATE | TND_RECORD_IS_EVENT, is_state_or_event
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
    {{NULL, 0, {0}}, 0, NULL, NULL},
};
