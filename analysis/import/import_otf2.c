/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads the events of an OTF2 archive, all locations together in the order of time.  A send and its receive belong
 * together as MPI orders them: by communicator, ranks and tag, in the order in which they were begun.
 *
 * Memory: a few MB for each location, and for messages that are on their way.
 */
#include "analysis/base/otf2_errors.h"
#include "analysis/import/import.h"
#include "analysis/import/otf2_contents.h"
#include "formats/event_types.h"
#include "formats/otf2_attributes.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

#define EVENTS_OF_A_STEP 65536

/* A half of a message; those of one channel that wait for their other half are all sends or all receives. */
typedef struct {
    guint thread;
    guint64 first_ns, last_ns; /* the logical and the physical time */
    guint64 size_bytes;
    gboolean is_send;
} Half;

typedef struct {
    OTF2_CommRef comm;
    guint32 tag, sender, receiver; /* processes */
} Channel;

typedef struct {
    OTF2_LocationRef location;
    guint64 request;
} Request;

typedef struct {
    TndImport *import;
    TndOtf2Contents *contents;
    GHashTable *channels; /* Channel to GQueue of Half */
    GHashTable *posted;   /* Request to guint64 *, when the receive was posted */
    GHashTable *sums;     /* "location:metric:member" to guint64 *, the last value of an accumulated metric */
} Reading;

static guint hash_words(const guint32 *words, guint n)
{
    guint64 hash = 0;
    for (guint i = 0; i < n; i++)
        hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u;
    return (guint)(hash >> 32);
}

static guint hash_channel(gconstpointer channel)
{
    return hash_words(channel, sizeof(Channel) / sizeof(guint32));
}

static gboolean are_channels_equal(gconstpointer a, gconstpointer b)
{
    return memcmp(a, b, sizeof(Channel)) == 0;
}

static guint hash_request(gconstpointer request)
{
    return hash_words(request, sizeof(Request) / sizeof(guint32));
}

static gboolean are_requests_equal(gconstpointer a, gconstpointer b)
{
    return memcmp(a, b, sizeof(Request)) == 0;
}

static void free_queue(gpointer queue)
{
    g_queue_free_full(queue, g_free);
}

#define READING                                                                                                        \
    Reading *reading = self;                                                                                           \
    guint64 time_ns = tnd_otf2_contents_time_ns(reading->contents, time);                                              \
    guint thread = tnd_otf2_contents_thread(reading->contents, location);                                              \
    (void)attributes;                                                                                                  \
    if (thread == G_MAXUINT)                                                                                           \
    return OTF2_CALLBACK_SUCCESS

static OTF2_CallbackCode enter(OTF2_LocationRef location, OTF2_TimeStamp time, void *self,
                               OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
    READING;
    TndImportCall call = tnd_otf2_contents_call(reading->contents, region);
    if (call.type)
        tnd_import_trace_enter(reading->import, thread, time_ns, call);
    else
        tnd_import_trace_lose(reading->import, "its region is not defined");
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode leave(OTF2_LocationRef location, OTF2_TimeStamp time, void *self,
                               OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
    READING;
    (void)region;
    if (!tnd_import_trace_leave(reading->import, thread, time_ns))
        tnd_import_trace_lose(reading->import, "it ends a region that was not begun");
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode enter_context(OTF2_LocationRef location, OTF2_TimeStamp time, void *self,
                                       OTF2_AttributeList *attributes, OTF2_CallingContextRef context,
                                       uint32_t distance)
{
    (void)distance;
    return enter(location, time, self, attributes,
                 tnd_otf2_contents_context_region(((Reading *)self)->contents, context));
}

static OTF2_CallbackCode leave_context(OTF2_LocationRef location, OTF2_TimeStamp time, void *self,
                                       OTF2_AttributeList *attributes, OTF2_CallingContextRef context)
{
    (void)context;
    return leave(location, time, self, attributes, OTF2_UNDEFINED_REGION);
}

/* An attribute that tandem wrote, or what to take without it. */
static guint64 attribute(const Reading *reading, const OTF2_AttributeList *attributes, OTF2_AttributeRef number,
                         guint64 otherwise)
{
    uint64_t value;
    if (tnd_otf2_contents_is_own(reading->contents) && OTF2_AttributeList_TestAttributeByID(attributes, number) &&
        OTF2_AttributeList_GetUint64(attributes, number, &value) == OTF2_SUCCESS)
        return value;
    return otherwise;
}

static OTF2_CallbackCode take_sample(OTF2_LocationRef location, OTF2_TimeStamp time, void *self,
                                     OTF2_AttributeList *attributes, OTF2_CallingContextRef context, uint32_t distance,
                                     OTF2_InterruptGeneratorRef generator)
{
    READING;
    (void)distance;
    gboolean is_wait;
    guint64 period_ns = tnd_otf2_contents_period_ns(reading->contents, generator, &is_wait);
    if (tnd_otf2_contents_is_own(reading->contents))
        period_ns = attribute(reading, attributes, TND_OTF2_SAMPLE_WEIGHT, 0);
    guint frame = tnd_otf2_contents_frame(reading->contents, context);
    if (frame)
        tnd_import_trace_sample(reading->import, thread, time_ns, frame, period_ns, is_wait);
    else
        tnd_import_trace_lose(reading->import, "its calling context is not defined");
    return OTF2_CALLBACK_SUCCESS;
}

static void put_message(const Reading *reading, const Channel *channel, const Half *send, const Half *receive)
{
    const TndImportMessage message = {
        send->thread,      receive->thread,  send->first_ns,           send->last_ns,
        receive->first_ns, receive->last_ns, (gint64)send->size_bytes, (gint32)channel->tag};
    tnd_import_trace_message(reading->import, &message);
}

static void take_half(Reading *reading, OTF2_LocationRef location, OTF2_CommRef comm, guint32 rank, guint32 tag,
                      const Half *half)
{
    OTF2_LocationRef other = tnd_otf2_contents_rank(reading->contents, comm, location, rank);
    guint mine = tnd_otf2_contents_process(reading->contents, location),
          theirs = tnd_otf2_contents_process(reading->contents, other);
    if (mine == G_MAXUINT || theirs == G_MAXUINT) {
        tnd_import_trace_lose(reading->import, "its communicator does not have the rank");
        return;
    }
    const Channel channel = {comm, tag, half->is_send ? mine : theirs, half->is_send ? theirs : mine};
    GQueue *waiting = g_hash_table_lookup(reading->channels, &channel);
    if (!waiting)
        g_hash_table_insert(reading->channels, g_memdup2(&channel, sizeof channel), waiting = g_queue_new());
    Half *first = g_queue_peek_head(waiting);
    if (!first || first->is_send == half->is_send) {
        g_queue_push_tail(waiting, g_memdup2(half, sizeof *half));
        return;
    }
    put_message(reading, &channel, half->is_send ? half : first, half->is_send ? first : half);
    g_free(g_queue_pop_head(waiting));
}

static OTF2_CallbackCode take_send(OTF2_LocationRef location, OTF2_TimeStamp time, void *self,
                                   OTF2_AttributeList *attributes, uint32_t receiver, OTF2_CommRef comm, uint32_t tag,
                                   uint64_t size)
{
    READING;
    const Half half = {thread, time_ns, attribute(reading, attributes, TND_OTF2_PHYSICAL_SEND, time_ns), size, TRUE};
    take_half(reading, location, comm, receiver, tag, &half);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_isend(OTF2_LocationRef location, OTF2_TimeStamp time, void *self,
                                    OTF2_AttributeList *attributes, uint32_t receiver, OTF2_CommRef comm, uint32_t tag,
                                    uint64_t size, uint64_t request)
{
    (void)request;
    return take_send(location, time, self, attributes, receiver, comm, tag, size);
}

static void take_receive_of(Reading *reading, OTF2_LocationRef location, guint thread, guint64 posted_ns,
                            guint64 time_ns, guint32 sender, OTF2_CommRef comm, guint32 tag, guint64 size)
{
    const Half half = {thread, posted_ns, time_ns, size, FALSE};
    take_half(reading, location, comm, sender, tag, &half);
}

static OTF2_CallbackCode take_receive(OTF2_LocationRef location, OTF2_TimeStamp time, void *self,
                                      OTF2_AttributeList *attributes, uint32_t sender, OTF2_CommRef comm, uint32_t tag,
                                      uint64_t size)
{
    READING;
    /* Others than tandem do not say when a blocking receive was posted: as its call began. */
    guint64 begin_ns = tnd_otf2_contents_is_own(reading->contents)
                           ? time_ns
                           : tnd_import_trace_begin_ns(reading->import, thread, time_ns);
    take_receive_of(reading, location, thread, attribute(reading, attributes, TND_OTF2_RECEIVE_POSTED, begin_ns),
                    attribute(reading, attributes, TND_OTF2_PHYSICAL_RECEIVE, time_ns), sender, comm, tag, size);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode post_receive(OTF2_LocationRef location, OTF2_TimeStamp time, void *self,
                                      OTF2_AttributeList *attributes, uint64_t request)
{
    READING;
    const Request key = {location, request};
    g_hash_table_replace(reading->posted, g_memdup2(&key, sizeof key), g_memdup2(&time_ns, sizeof time_ns));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_ireceive(OTF2_LocationRef location, OTF2_TimeStamp time, void *self,
                                       OTF2_AttributeList *attributes, uint32_t sender, OTF2_CommRef comm, uint32_t tag,
                                       uint64_t size, uint64_t request)
{
    READING;
    const Request key = {location, request};
    const guint64 *posted_ns = g_hash_table_lookup(reading->posted, &key);
    take_receive_of(reading, location, thread, posted_ns ? *posted_ns : time_ns, time_ns, sender, comm, tag, size);
    g_hash_table_remove(reading->posted, &key);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode end_collective(OTF2_LocationRef location, OTF2_TimeStamp time, void *self,
                                        OTF2_AttributeList *attributes, OTF2_CollectiveOp operation, OTF2_CommRef comm,
                                        uint32_t root, uint64_t sent, uint64_t received)
{
    READING;
    guint64 begin_ns = tnd_import_trace_begin_ns(reading->import, thread, time_ns);
    guint64 number = tnd_otf2_contents_communicator(reading->contents, comm);
    if (!tnd_import_trace_is_in(reading->import, thread, TND_TYPE_MPI_COLLECTIVE) ||
        operation > OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK)
        return OTF2_CALLBACK_SUCCESS;
    gboolean is_root = root == OTF2_COLLECTIVE_ROOT_SELF ||
                       (root < OTF2_COLLECTIVE_ROOT_THIS_GROUP &&
                        tnd_otf2_contents_process(reading->contents,
                                                  tnd_otf2_contents_rank(reading->contents, comm, location, root)) ==
                            tnd_otf2_contents_process(reading->contents, location));
    const struct {
        const char *label;
        guint64 value;
        gboolean is_told;
    } facts[] = {{"Send Size in MPI Global OP", sent, TRUE},
                 {"Recv Size in MPI Global OP", received, TRUE},
                 {"Communicator in MPI Global OP", number, number != 0},
                 {"Root in MPI Global OP", 1, is_root}};
    for (guint i = 0; i < G_N_ELEMENTS(facts); i++)
        if (facts[i].is_told)
            tnd_import_trace_event(reading->import, thread, begin_ns,
                                   tnd_import_names_known(tnd_import_trace_names(reading->import), facts[i].label),
                                   (gint64)facts[i].value);
    return OTF2_CALLBACK_SUCCESS;
}

/* What an accumulated metric became more by since the thread told it last. */
static double less_the_last(const Reading *reading, guint thread, OTF2_MetricRef metric, guint member, double value)
{
    char *key = g_strdup_printf("%u:%u:%u", thread, metric, member);
    double *last = g_hash_table_lookup(reading->sums, key), before = last ? *last : 0;
    if (last) {
        *last = value;
        g_free(key);
    } else
        g_hash_table_insert(reading->sums, key, g_memdup2(&value, sizeof value));
    return value - before;
}

static OTF2_CallbackCode take_metric(OTF2_LocationRef location, OTF2_TimeStamp time, void *self,
                                     OTF2_AttributeList *attributes, OTF2_MetricRef number, uint8_t n,
                                     const OTF2_Type *types, const OTF2_MetricValue *values)
{
    READING;
    for (guint i = 0; i < n; i++) {
        TndOtf2Metric metric = tnd_otf2_contents_metric(reading->contents, number, i);
        if (!metric.type) {
            tnd_import_trace_lose(reading->import, "its metric is not defined");
            continue;
        }
        gboolean is_double = types[i] == OTF2_TYPE_DOUBLE;
        gint64 whole = is_double ? 0 : values[i].signed_int; /* the bits of an unsigned one are the same */
        if (is_double || metric.factor != 1 || metric.is_accumulated) {
            double value = is_double                      ? values[i].floating_point
                           : types[i] == OTF2_TYPE_UINT64 ? (double)values[i].unsigned_int
                                                          : (double)values[i].signed_int;
            if (metric.is_accumulated)
                value = less_the_last(reading, thread, number, i, value);
            whole = (gint64)llround(CLAMP(value * metric.factor, -9e18, 9e18));
        }
        tnd_import_trace_event(reading->import, thread, time_ns, metric.type, whole);
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_int(OTF2_LocationRef location, OTF2_TimeStamp time, void *self,
                                  OTF2_AttributeList *attributes, OTF2_ParameterRef parameter, int64_t value)
{
    READING;
    guint32 type = tnd_otf2_contents_parameter(reading->contents, parameter);
    if (type)
        tnd_import_trace_event(reading->import, thread, time_ns, type, value);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_unsigned(OTF2_LocationRef location, OTF2_TimeStamp time, void *self,
                                       OTF2_AttributeList *attributes, OTF2_ParameterRef parameter, uint64_t value)
{
    return take_int(location, time, self, attributes, parameter, (int64_t)value);
}

static OTF2_CallbackCode take_text(OTF2_LocationRef location, OTF2_TimeStamp time, void *self,
                                   OTF2_AttributeList *attributes, OTF2_ParameterRef parameter, OTF2_StringRef text)
{
    READING;
    guint32 type = tnd_otf2_contents_parameter(reading->contents, parameter);
    if (type)
        tnd_import_trace_event(reading->import, thread, time_ns, type,
                               tnd_import_names_value(tnd_import_trace_names(reading->import), type,
                                                      tnd_otf2_contents_text(reading->contents, text)));
    return OTF2_CALLBACK_SUCCESS;
}

static void register_callbacks(OTF2_Reader *reader, OTF2_GlobalEvtReader *events, Reading *reading)
{
    OTF2_GlobalEvtReaderCallbacks *callbacks = OTF2_GlobalEvtReaderCallbacks_New();
    OTF2_GlobalEvtReaderCallbacks_SetEnterCallback(callbacks, enter);
    OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback(callbacks, leave);
    OTF2_GlobalEvtReaderCallbacks_SetCallingContextEnterCallback(callbacks, enter_context);
    OTF2_GlobalEvtReaderCallbacks_SetCallingContextLeaveCallback(callbacks, leave_context);
    OTF2_GlobalEvtReaderCallbacks_SetCallingContextSampleCallback(callbacks, take_sample);
    OTF2_GlobalEvtReaderCallbacks_SetMpiSendCallback(callbacks, take_send);
    OTF2_GlobalEvtReaderCallbacks_SetMpiIsendCallback(callbacks, take_isend);
    OTF2_GlobalEvtReaderCallbacks_SetMpiRecvCallback(callbacks, take_receive);
    OTF2_GlobalEvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, post_receive);
    OTF2_GlobalEvtReaderCallbacks_SetMpiIrecvCallback(callbacks, take_ireceive);
    OTF2_GlobalEvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, end_collective);
    OTF2_GlobalEvtReaderCallbacks_SetMetricCallback(callbacks, take_metric);
    OTF2_GlobalEvtReaderCallbacks_SetParameterIntCallback(callbacks, take_int);
    OTF2_GlobalEvtReaderCallbacks_SetParameterUnsignedIntCallback(callbacks, take_unsigned);
    OTF2_GlobalEvtReaderCallbacks_SetParameterStringCallback(callbacks, take_text);
    OTF2_Reader_RegisterGlobalEvtCallbacks(reader, events, callbacks, reading);
    OTF2_GlobalEvtReaderCallbacks_Delete(callbacks);
}

/* Opens the files of all locations, whose definitions correct times and numbers. */
static OTF2_GlobalEvtReader *open_events(OTF2_Reader *reader, const TndOtf2Contents *contents)
{
    guint n;
    const OTF2_LocationRef *locations = tnd_otf2_contents_locations(contents, &n);
    for (guint i = 0; i < n; i++)
        OTF2_Reader_SelectLocation(reader, locations[i]);
    gboolean have_definitions = OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS;
    OTF2_Reader_OpenEvtFiles(reader);
    for (guint i = 0; i < n && !tnd_otf2_errors_any(); i++) {
        OTF2_DefReader *definitions = have_definitions ? OTF2_Reader_GetDefReader(reader, locations[i]) : NULL;
        uint64_t n_read;
        if (definitions) {
            OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &n_read);
            OTF2_Reader_CloseDefReader(reader, definitions);
        }
        OTF2_Reader_GetEvtReader(reader, locations[i]);
    }
    if (have_definitions)
        OTF2_Reader_CloseDefFiles(reader);
    return n ? OTF2_Reader_GetGlobalEvtReader(reader) : NULL;
}

static void count_halves(Reading *reading)
{
    GHashTableIter iter;
    gpointer queue;
    g_hash_table_iter_init(&iter, reading->channels);
    while (g_hash_table_iter_next(&iter, NULL, &queue))
        for (guint i = 0; i < g_queue_get_length(queue); i++)
            tnd_import_trace_lose(reading->import, "the other half of the message is not there");
}

static gboolean read_events(const TndImportOptions *options, OTF2_Reader *reader, Reading *reading, GError **error)
{
    OTF2_GlobalEvtReader *events = open_events(reader, reading->contents);
    guint64 n_all = MAX(tnd_otf2_contents_n_events(reading->contents), 1), n_done = 0;
    uint64_t n_read = events ? 1 : 0;
    if (events)
        register_callbacks(reader, events, reading);
    while (n_read && !tnd_otf2_errors_any()) {
        OTF2_Reader_ReadGlobalEvents(reader, events, EVENTS_OF_A_STEP, &n_read);
        n_done += n_read;
        if (options->progress && !options->progress(MIN((double)n_done / (double)n_all, 1), options->user_data)) {
            g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
            return FALSE;
        }
    }
    count_halves(reading);
    return tnd_otf2_errors_take(error);
}

static gboolean read_archive(const TndImportOptions *options, OTF2_Reader *reader, TndImport *import, guint64 *end_ns,
                             GError **error)
{
    OTF2_Reader_SetSerialCollectiveCallbacks(reader);
    Reading reading = {.import = import, .contents = tnd_otf2_contents_read(reader, import, error)};
    if (!reading.contents)
        return FALSE;
    reading.channels = g_hash_table_new_full(hash_channel, are_channels_equal, g_free, free_queue);
    reading.posted = g_hash_table_new_full(hash_request, are_requests_equal, g_free, g_free);
    reading.sums = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    gboolean good = read_events(options, reader, &reading, error);
    *end_ns = tnd_otf2_contents_end_ns(reading.contents);
    g_hash_table_unref(reading.sums);
    g_hash_table_unref(reading.posted);
    g_hash_table_unref(reading.channels);
    tnd_otf2_contents_free(reading.contents);
    return good;
}

gboolean tnd_import_otf2(const TndImportOptions *options, TndImport *import, guint64 *begin_ns, guint64 *end_ns,
                         GError **error)
{
    tnd_otf2_errors_begin();
    OTF2_Reader *reader = OTF2_Reader_Open(options->path);
    *begin_ns = 0;
    gboolean good = reader ? read_archive(options, reader, import, end_ns, error) : tnd_otf2_errors_take(error);
    if (reader)
        OTF2_Reader_Close(reader);
    return reader && good;
}
