/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A location's events are in the order of time.  A row is therefore walked through once: before each of its events come
 * the messages and samples that are due by then.  A send stands after the begin of its call, a receive before the end.
 */
#include "analysis/convert/otf2_write.h"

#include "analysis/base/otf2_errors.h"
#include "analysis/convert/collective_roots.h"
#include "analysis/convert/otf2_definitions.h"
#include "analysis/convert/otf2_places.h"
#include "analysis/convert/row_items.h"
#include "analysis/convert/row_messages.h"
#include "formats/event_types.h"

#include <gio/gio.h>

/* How many events are written between two calls of the progress. */
#define EVENTS_OF_A_STEP 65536

/* What OTF2 calls the collective calls that block, by their value. */
static const struct {
    gint64 value;
    OTF2_CollectiveOp operation;
} operations[] = {
    {7, OTF2_COLLECTIVE_OP_BCAST},       {8, OTF2_COLLECTIVE_OP_BARRIER},
    {9, OTF2_COLLECTIVE_OP_REDUCE},      {10, OTF2_COLLECTIVE_OP_ALLREDUCE},
    {11, OTF2_COLLECTIVE_OP_ALLTOALL},   {12, OTF2_COLLECTIVE_OP_ALLTOALLV},
    {13, OTF2_COLLECTIVE_OP_GATHER},     {14, OTF2_COLLECTIVE_OP_GATHERV},
    {15, OTF2_COLLECTIVE_OP_SCATTER},    {16, OTF2_COLLECTIVE_OP_SCATTERV},
    {17, OTF2_COLLECTIVE_OP_ALLGATHER},  {18, OTF2_COLLECTIVE_OP_ALLGATHERV},
    {30, OTF2_COLLECTIVE_OP_SCAN},       {80, OTF2_COLLECTIVE_OP_REDUCE_SCATTER},
    {170, OTF2_COLLECTIVE_OP_ALLTOALLW}, {168, OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK},
    {214, OTF2_COLLECTIVE_OP_EXSCAN},
};

/* A collective call that is open, and what its events say of it. */
typedef struct {
    guint operation; /* an index; G_MAXUINT: none is open */
    gint64 communicator, sent, received;
    gboolean is_root;
} Collective;

typedef struct {
    const TndConversion *conversion;
    TndOtf2Archive *archive;
    TndOtf2Definitions *definitions;
    TndOtf2Places *places;
    TndRowMessages *messages;
    TndCollectiveRoots *roots;
    guint64 n_done, n_events; /* of the trace */
    gboolean is_cancelled;
    /* Of the row that is being written. */
    guint row;
    OTF2_EvtWriter *writer;
    OTF2_AttributeList *attributes;
    gsize next_message;
    TndSampleFollower *samples[2]; /* by TndSamplesOf */
    TndSamplesOf of;               /* what the sample that is given is of */
    guint64 time_ns;               /* of the last event */
    Collective collective;
} Writing;

static void put_message(Writing *writing, const TndRowMessage *message)
{
    guint32 rank;
    OTF2_CommRef world = tnd_otf2_places_world(writing->places, writing->row, message->partner, &rank);
    guint32 tag = (guint32)message->tag;
    guint64 size = (guint64)MAX(message->size_bytes, 0);
    if (message->other_ns != message->time_ns)
        OTF2_AttributeList_AddUint64(writing->attributes,
                                     !message->is_receive  ? TND_OTF2_PHYSICAL_SEND
                                     : message->came_early ? TND_OTF2_PHYSICAL_RECEIVE
                                                           : TND_OTF2_RECEIVE_POSTED,
                                     message->other_ns);
    if (message->is_receive)
        OTF2_EvtWriter_MpiRecv(writing->writer, writing->attributes, message->time_ns, rank, world, tag, size);
    else
        OTF2_EvtWriter_MpiSend(writing->writer, writing->attributes, message->time_ns, rank, world, tag, size);
}

/* Writes the messages of before a time, and receives of that time. */
static void put_messages(Writing *writing, guint64 time_ns)
{
    gsize end = writing->messages->first[writing->row + 1];
    for (; writing->next_message < end; writing->next_message++) {
        const TndRowMessage *message = &writing->messages->messages[writing->next_message];
        if (message->time_ns > time_ns || (message->time_ns == time_ns && !message->is_receive))
            return;
        put_message(writing, message);
    }
}

static void put_sample(gpointer self, const TndSample *sample)
{
    Writing *writing = self;
    if (sample->weight_ns)
        OTF2_AttributeList_AddUint64(writing->attributes, TND_OTF2_SAMPLE_WEIGHT, sample->weight_ns);
    put_messages(writing, sample->time_ns);
    OTF2_EvtWriter_CallingContextSample(writing->writer, writing->attributes, sample->time_ns,
                                        tnd_otf2_definitions_stack(writing->definitions, sample), sample->n_frames,
                                        writing->of);
}

static void show_progress(Writing *writing)
{
    const TndConversion *conversion = writing->conversion;
    if (conversion->progress && !writing->is_cancelled &&
        !conversion->progress((double)writing->n_done / (double)MAX(writing->n_events, 1), conversion->user_data))
        writing->is_cancelled = TRUE;
}

/* Writes the samples of before a time, and messages. */
static void catch_up(Writing *writing, guint64 time_ns)
{
    for (writing->of = 0; writing->of < G_N_ELEMENTS(writing->samples); writing->of++)
        tnd_samples_pass(writing->samples[writing->of], time_ns);
    put_messages(writing, time_ns);
}

static gboolean before_event(gpointer self, const TndEvent *event)
{
    Writing *writing = self;
    catch_up(writing, event->time_ns);
    writing->time_ns = event->time_ns;
    for (guint of = 0; of < G_N_ELEMENTS(writing->samples); of++)
        tnd_samples_follow(writing->samples[of], event);
    if (++writing->n_done % EVENTS_OF_A_STEP == 0)
        show_progress(writing);
    return !writing->is_cancelled;
}

static guint find_operation(const TndNestingCall *call)
{
    for (guint i = 0; call->type == TND_TYPE_MPI_COLLECTIVE && i < G_N_ELEMENTS(operations); i++)
        if (operations[i].value == call->value)
            return i;
    return G_MAXUINT;
}

static void begin_call(gpointer self, const TndNestingCall *call)
{
    Writing *writing = self;
    guint operation = find_operation(call);
    OTF2_EvtWriter_Enter(writing->writer, NULL, call->begin_ns,
                         tnd_otf2_definitions_region(writing->definitions, call->type, call->value));
    if (operation != G_MAXUINT) {
        writing->collective = (Collective){.operation = operation};
        OTF2_EvtWriter_MpiCollectiveBegin(writing->writer, NULL, call->begin_ns);
    }
}

static void end_collective(Writing *writing, guint64 time_ns)
{
    Collective *now = &writing->collective;
    guint32 rank;
    guint root = now->is_root ? writing->row : G_MAXUINT;
    if (tnd_collective_roots_has(operations[now->operation].value)) {
        guint found = tnd_collective_roots_next(writing->roots, now->communicator);
        root = now->is_root ? root : found;
    }
    OTF2_CommRef comm = tnd_otf2_places_communicator(writing->places, writing->row, now->communicator, root, &rank);
    OTF2_EvtWriter_MpiCollectiveEnd(writing->writer, NULL, time_ns, operations[now->operation].operation, comm, rank,
                                    (guint64)now->sent, (guint64)now->received);
    now->operation = G_MAXUINT;
}

static void end_call(gpointer self, const TndNestingCall *call, guint64 time_ns)
{
    Writing *writing = self;
    catch_up(writing, time_ns);
    if (writing->collective.operation != G_MAXUINT && find_operation(call) == writing->collective.operation)
        end_collective(writing, time_ns);
    OTF2_EvtWriter_Leave(writing->writer, NULL, time_ns,
                         tnd_otf2_definitions_region(writing->definitions, call->type, call->value));
}

static void put_counter(gpointer self, guint32 type, guint64 time_ns, gint64 value)
{
    (void)time_ns; /* OTF2 has a time before the event for counters, too */
    Writing *writing = self;
    static const OTF2_Type is_signed = OTF2_TYPE_INT64;
    const OTF2_MetricValue values = {.signed_int = value};
    OTF2_EvtWriter_Metric(writing->writer, NULL, writing->time_ns,
                          tnd_otf2_definitions_metric(writing->definitions, writing->row, type), 1, &is_signed,
                          &values);
}

/* Whether it says something of the open collective call, which is then written at the call's end. */
static gboolean is_of_collective(Writing *writing, const TndEvent *event)
{
    Collective *now = &writing->collective;
    if (now->operation == G_MAXUINT)
        return FALSE;
    switch (event->type) {
    case TND_TYPE_MPI_COLLECTIVE_SENT:
        now->sent = event->value;
        return TRUE;
    case TND_TYPE_MPI_COLLECTIVE_RECEIVED:
        now->received = event->value;
        return TRUE;
    case TND_TYPE_MPI_COLLECTIVE_ROOT:
        now->is_root = event->value != 0;
        return TRUE;
    case TND_TYPE_MPI_COLLECTIVE_COMMUNICATOR:
        now->communicator = event->value;
        return TRUE;
    default:
        return FALSE;
    }
}

static void put_other(gpointer self, const TndEvent *event)
{
    Writing *writing = self;
    if (tnd_samples_are_of(event->type) || is_of_collective(writing, event))
        return;
    gboolean is_text;
    OTF2_ParameterRef parameter = tnd_otf2_definitions_parameter(writing->definitions, event->type, &is_text);
    if (is_text)
        OTF2_EvtWriter_ParameterString(writing->writer, NULL, event->time_ns, parameter,
                                       tnd_otf2_definitions_value(writing->definitions, event->type, event->value));
    else
        OTF2_EvtWriter_ParameterInt(writing->writer, NULL, event->time_ns, parameter, event->value);
}

static void put_items(Writing *writing)
{
    static const TndRowItemsTake take = {
        NULL, begin_call, end_call, put_counter, .event = before_event, .other = put_other};
    const TndTrace *trace = writing->conversion->trace;
    for (guint of = 0; of < G_N_ELEMENTS(writing->samples); of++)
        writing->samples[of] = tnd_samples_follower_new(trace, writing->row, of, put_sample, writing);
    writing->collective.operation = G_MAXUINT;
    tnd_collective_roots_begin(writing->roots, writing->row);
    writing->next_message = writing->messages->first[writing->row];
    writing->time_ns = 0;
    tnd_row_items_each(trace, writing->row, &take, writing);
    for (writing->of = 0; writing->of < G_N_ELEMENTS(writing->samples); writing->of++)
        tnd_samples_follower_finish(writing->samples[writing->of]);
    put_messages(writing, G_MAXUINT64);
}

static void put_row(Writing *writing)
{
    OTF2_Archive *handle = writing->archive->handle;
    guint64 n_events = 0;
    writing->writer = OTF2_Archive_GetEvtWriter(handle, writing->row);
    if (!writing->writer)
        return;
    if (tnd_conversion_is_chosen(writing->conversion, writing->row))
        put_items(writing);
    OTF2_EvtWriter_GetNumberOfEvents(writing->writer, &n_events);
    if (!n_events) { /* libotf2 3.0 reads freed memory where a location has no event: otf2-print may crash */
        OTF2_EvtWriter_MeasurementOnOff(writing->writer, NULL, 0, OTF2_MEASUREMENT_ON);
        n_events = 1;
    }
    OTF2_Archive_CloseEvtWriter(handle, writing->writer);
    /* Its definitions are those of the whole archive, but the file must be there. */
    OTF2_DefWriter *definitions = OTF2_Archive_GetDefWriter(handle, writing->row);
    if (definitions)
        OTF2_Archive_CloseDefWriter(handle, definitions);
    tnd_otf2_places_thread(writing->places, writing->row, n_events);
}

static void put_rows(Writing *writing)
{
    const TndTrace *trace = writing->conversion->trace;
    guint n_rows = tnd_trace_n_threads(trace);
    for (guint row = 0; row < n_rows; row++)
        writing->n_events += tnd_trace_thread(trace, row)->n_events;
    writing->messages = tnd_row_messages_new(trace);
    writing->roots = tnd_collective_roots_new(trace);
    writing->definitions = tnd_otf2_definitions_new(writing->archive);
    writing->attributes = OTF2_AttributeList_New();
    for (writing->row = 0; writing->row < n_rows && !tnd_otf2_errors_any() && !writing->is_cancelled; writing->row++)
        put_row(writing);
    tnd_otf2_places_finish(writing->places);
    tnd_otf2_definitions_finish(writing->definitions);
    OTF2_AttributeList_Delete(writing->attributes);
    tnd_otf2_definitions_free(writing->definitions);
    tnd_collective_roots_free(writing->roots);
    tnd_row_messages_free(writing->messages);
}

gboolean tnd_otf2_write(const TndConversion *conversion, const char *directory, GError **error)
{
    Writing writing = {.conversion = conversion, .archive = tnd_otf2_archive_new(conversion->trace, directory, error)};
    if (!writing.archive)
        return FALSE;
    writing.places = tnd_otf2_places_new(writing.archive, error);
    if (writing.places) {
        put_rows(&writing);
        tnd_otf2_places_free(writing.places);
    }
    if (writing.is_cancelled)
        g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
    gboolean had_places = writing.places != NULL && !writing.is_cancelled;
    return tnd_otf2_archive_close(writing.archive, had_places ? error : NULL) && had_places;
}
