/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads Chrome's Trace Event format, JSON: an array of events, or an object that has one.  The text is parsed as it is
 * read (yajl); events may come in any order.
 */
#include "analysis/import/import.h"
#include "analysis/import/import_items.h"
#include "formats/event_types.h"

#include <math.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#define CHUNK_BYTES (1 << 16)
#define MOST_DEPTH 512 /* of objects and arrays; the parser's time grows with the square of it */

/* Where in the file a record stands. */
typedef enum { NOWHERE, EVENTS, SAMPLES, FRAMES } Section;

/* Texts of an event, by their keys. */
enum { PHASE, NAME, CATEGORY, ID, FRAME, PARENT, N_TEXTS };
static const char *const text_keys[N_TEXTS] = {"ph", "name", "cat", "id", "sf", "parent"};
enum { TIME, DURATION, PROCESS, THREAD, WEIGHT, N_NUMBERS };
static const char *const number_keys[N_NUMBERS] = {"ts", "dur", "pid", "tid", "weight"};

/* A begin without its end yet. */
typedef struct {
    guint64 begin_ns;
    TndImportCall call;
} Begin;

/* An end of an arrow. */
typedef struct {
    guint thread;
    guint64 time_ns;
    gboolean is_start;
} Arrow;

typedef struct {
    char *name, *parent;
    guint frame; /* + 1, once it is made */
} Frame;

typedef struct {
    TndImport *import;
    TndImportItems *items;
    Section section;
    guint depth, record_depth; /* of objects and arrays; of the records of the section */
    GString *key, *record_key; /* at the present depth; of a record that has one */
    gboolean in_arguments, is_array;
    /* Of the present record. */
    GString *texts[N_TEXTS];
    gboolean has_text[N_TEXTS], has_number[N_NUMBERS];
    gint64 numbers[N_NUMBERS]; /* times in ns */
    GString *argument_name;    /* the argument "name" */
    GPtrArray *argument_keys;  /* of numbers */
    GArray *argument_values;   /* double */
    GHashTable *calls;         /* "category:name" to TndImportCall */
    GPtrArray *begins;         /* GArray of Begin, by thread */
    GHashTable *arrows;        /* Arrow by "category:name:id" */
    GHashTable *frames;        /* Frame by its key */
    GHashTable *frame_numbers; /* number of a key in samples */
    GPtrArray *frame_keys;
} Reading;

/* Microseconds with decimal places, as ns; exact up to three of them. */
static gint64 to_ns(const char *text, gsize length)
{
    gint64 whole = 0, part = 0;
    gsize i = 0, n_places = 0;
    gboolean is_negative = length && text[0] == '-';
    for (i = is_negative; i < length && g_ascii_isdigit(text[i]) && whole < G_MAXINT64 / 100000; i++)
        whole = whole * 10 + (text[i] - '0');
    if (i < length && text[i] == '.')
        for (i++; i < length && g_ascii_isdigit(text[i]); i++)
            if (n_places < 3) {
                part = part * 10 + (text[i] - '0');
                n_places++;
            }
    for (; n_places < 3; n_places++)
        part *= 10;
    if (i < length) /* it has an exponent */
        return (gint64)llround(CLAMP(g_ascii_strtod(text, NULL) * 1000, -9e18, 9e18));
    return is_negative ? -(whole * 1000 + part) : whole * 1000 + part;
}

static int find_key(const char *const *keys, guint n, const char *key)
{
    for (guint i = 0; i < n; i++)
        if (strcmp(keys[i], key) == 0)
            return (int)i;
    return -1;
}

static const char *text_of(const Reading *reading, guint which)
{
    return reading->has_text[which] ? reading->texts[which]->str : "";
}

/* What tandem, and others, call the parts of a program in their categories. */
static const struct {
    const char *category;
    guint32 type;
} categories[] = {{"Python", TND_TYPE_PYTHON_FUNCTION}, {"Library", TND_TYPE_LIBRARY_FUNCTION},
                  {"pthread", TND_TYPE_PTHREAD_CALL},   {"Heap", TND_TYPE_HEAP_CALL},
                  {"Process", TND_TYPE_PROCESS_CALL},   {"OpenMP", TND_TYPE_OPENMP_FUNCTION}};

/* OpenMP's regions are told apart by their names. */
static guint32 openmp_type(const char *name)
{
    for (gsize i = 0; i < tnd_event_types_n; i++) {
        const struct tnd_event_type *type = &tnd_event_types[i];
        gboolean is_openmp = strcmp(type->source, "openmp") == 0;
        if (is_openmp && type->n_values && strcmp(type->label, name) == 0)
            return type->type;
        for (gsize j = 0; is_openmp && j < type->n_values; j++)
            if (strcmp(type->values[j].label, name) == 0)
                return type->type;
    }
    return TND_TYPE_OPENMP_FUNCTION;
}

static TndImportCall make_call(const Reading *reading, const char *category, const char *name)
{
    TndImportNames *names = tnd_import_trace_names(reading->import);
    TndImportCall call = tnd_import_names_mpi(names, name);
    guint32 type = TND_TYPE_USER_FUNCTION;
    if (call.type)
        return call;
    for (guint i = 0; i < G_N_ELEMENTS(categories); i++)
        if (strcmp(categories[i].category, category) == 0)
            type = categories[i].type;
    if (strcmp(category, "OpenMP") == 0)
        type = openmp_type(name);
    const struct tnd_event_type *known = tnd_event_types_find(type);
    gboolean is_begin = known && known->n_values && strcmp(known->label, name) == 0;
    return (TndImportCall){type, tnd_import_names_value(names, type, is_begin ? "Begin" : name)};
}

static TndImportCall call_of(const Reading *reading)
{
    char *key = g_strconcat(text_of(reading, CATEGORY), ":", text_of(reading, NAME), NULL);
    TndImportCall *call = g_hash_table_lookup(reading->calls, key);
    if (call) {
        g_free(key);
        return *call;
    }
    const TndImportCall made = make_call(reading, text_of(reading, CATEGORY), text_of(reading, NAME));
    g_hash_table_insert(reading->calls, key, g_memdup2(&made, sizeof made));
    return made;
}

static void name_things(const Reading *reading)
{
    const char *what = text_of(reading, NAME);
    if (strcmp(what, "process_name") == 0)
        tnd_import_items_name_process(reading->items, reading->numbers[PROCESS], reading->argument_name->str);
    else if (strcmp(what, "thread_name") == 0)
        tnd_import_items_name_thread(reading->items, reading->numbers[PROCESS], reading->numbers[THREAD],
                                     reading->argument_name->str);
}

static GArray *begins_of(const Reading *reading, guint thread)
{
    while (reading->begins->len <= thread)
        g_ptr_array_add(reading->begins, g_array_new(FALSE, FALSE, sizeof(Begin)));
    return reading->begins->pdata[thread];
}

static void end_begin(const Reading *reading, guint thread, guint64 time_ns)
{
    GArray *begins = begins_of(reading, thread);
    if (!begins->len)
        return tnd_import_trace_lose(reading->import, "it ends a region that was not begun");
    const Begin *begin = &g_array_index(begins, Begin, begins->len - 1);
    tnd_import_items_span(reading->items, thread, begin->begin_ns, MAX(time_ns, begin->begin_ns), begin->call);
    g_array_set_size(begins, begins->len - 1);
}

/* Arrows become messages: from a start, or a step, to the next step or the finish. */
static void take_arrow(const Reading *reading, guint thread, guint64 time_ns, char phase)
{
    char *key = g_strjoin(":", text_of(reading, CATEGORY), text_of(reading, NAME), text_of(reading, ID), NULL);
    const Arrow *other = g_hash_table_lookup(reading->arrows, key);
    const Arrow mine = {thread, time_ns, phase != 'f'};
    if (other && phase != 's' && other->is_start && other->time_ns <= time_ns)
        tnd_import_items_message(reading->items, other->thread, other->time_ns, thread, time_ns);
    else if (other && phase == 's' && !other->is_start && other->time_ns >= time_ns)
        tnd_import_items_message(reading->items, thread, time_ns, other->thread, other->time_ns);
    else if (phase != 's' && other)
        tnd_import_trace_lose(reading->import, "it ends an arrow before its begin");
    if (phase != 'f' || !other)
        g_hash_table_replace(reading->arrows, g_strdup(key), g_memdup2(&mine, sizeof mine));
    g_free(key);
}

static void take_counters(const Reading *reading, guint thread, guint64 time_ns)
{
    for (guint i = 0; i < reading->argument_values->len; i++) {
        const char *key = reading->argument_keys->pdata[i], *name = text_of(reading, NAME);
        gboolean is_alone = reading->argument_values->len == 1 && strcmp(key, "value") == 0;
        char *label = is_alone ? g_strdup(name) : g_strdup_printf("%s: %s", name, key);
        guint32 type = tnd_import_names_type(tnd_import_trace_names(reading->import), label, TND_IMPORT_LEVEL);
        tnd_import_items_counter(reading->items, thread, time_ns, type,
                                 g_array_index(reading->argument_values, double, i));
        g_free(label);
    }
}

static void take_instant(const Reading *reading, guint thread, guint64 time_ns)
{
    TndImportNames *names = tnd_import_trace_names(reading->import);
    guint32 type = tnd_import_names_type(names, "Instant event", TND_IMPORT_EVENT);
    tnd_import_items_event(reading->items, thread, time_ns, type,
                           tnd_import_names_value(names, type, text_of(reading, NAME)));
}

static void take_event(const Reading *reading)
{
    char phase = text_of(reading, PHASE)[0];
    if (phase == 'M')
        return name_things(reading);
    if (!phase)
        return;
    if (!reading->has_number[TIME] || reading->numbers[TIME] < 0)
        return tnd_import_trace_lose(reading->import, "it has no time");
    if (!strchr("XBEiIRCstf", phase))
        return tnd_import_trace_lose(reading->import,
                                     "it is of a kind that no thread has (asynchronous, objects, memory)");
    guint64 time_ns = (guint64)reading->numbers[TIME], end_ns = time_ns + (guint64)MAX(reading->numbers[DURATION], 0);
    /* The states of threads, which tandem writes into threads beside them, are made of calls again. */
    if (strcmp(text_of(reading, CATEGORY), "State") == 0) {
        tnd_import_items_see(reading->items, time_ns);
        tnd_import_items_see(reading->items, end_ns);
        return;
    }
    guint thread = tnd_import_items_thread(reading->items, reading->numbers[PROCESS], reading->numbers[THREAD]);
    if (phase == 'X')
        tnd_import_items_span(reading->items, thread, time_ns, end_ns, call_of(reading));
    else if (phase == 'B') {
        const Begin begin = {time_ns, call_of(reading)};
        g_array_append_val(begins_of(reading, thread), begin);
    } else if (phase == 'E')
        end_begin(reading, thread, time_ns);
    else if (phase == 'C')
        take_counters(reading, thread, time_ns);
    else if (strchr("iIR", phase))
        take_instant(reading, thread, time_ns);
    else
        take_arrow(reading, thread, time_ns, phase);
}

/* The number of a frame's key. */
static guint frame_number(const Reading *reading, const char *key)
{
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(reading->frame_numbers, key));
    if (!number) {
        number = reading->frame_keys->len + 1;
        g_ptr_array_add(reading->frame_keys, g_strdup(key));
        g_hash_table_insert(reading->frame_numbers, g_strdup(key), GUINT_TO_POINTER(number));
    }
    return number - 1;
}

static void take_sample(const Reading *reading)
{
    if (!reading->has_number[TIME] || !reading->has_text[FRAME])
        return tnd_import_trace_lose(reading->import, "it has no time or no stack");
    guint thread = tnd_import_items_thread(reading->items, reading->numbers[PROCESS], reading->numbers[THREAD]);
    tnd_import_items_sample(reading->items, thread, (guint64)MAX(reading->numbers[TIME], 0),
                            frame_number(reading, text_of(reading, FRAME)), (guint64)MAX(reading->numbers[WEIGHT], 0));
}

static void take_frame(const Reading *reading)
{
    Frame *frame = g_new0(Frame, 1);
    frame->name = g_strdup(text_of(reading, NAME));
    frame->parent = reading->has_text[PARENT] ? g_strdup(text_of(reading, PARENT)) : NULL;
    g_hash_table_replace(reading->frames, g_strdup(reading->record_key->str), frame);
}

static void free_frame(gpointer data)
{
    Frame *frame = data;
    g_free(frame->name);
    g_free(frame->parent);
    g_free(frame);
}

/* The frame of a key in the trace; 0: it is not told.  depth: callers that are calling themselves end. */
static guint make_frame(const Reading *reading, const char *key, guint depth)
{
    Frame *frame = g_hash_table_lookup(reading->frames, key);
    if (!frame || frame->frame || depth > 10000)
        return frame && frame->frame ? frame->frame - 1 : 0;
    guint caller = frame->parent ? make_frame(reading, frame->parent, depth + 1) : 0;
    frame->frame = tnd_import_trace_frame(reading->import, caller, frame->name, NULL) + 1;
    return frame->frame - 1;
}

static void make_frames(const Reading *reading)
{
    GArray *frames = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < reading->frame_keys->len; i++) {
        guint frame = make_frame(reading, reading->frame_keys->pdata[i], 0);
        g_array_append_val(frames, frame);
    }
    tnd_import_items_map_frames(reading->items, frames);
    g_array_unref(frames);
}

static void begin_record(Reading *reading)
{
    memset(reading->has_text, 0, sizeof reading->has_text);
    memset(reading->has_number, 0, sizeof reading->has_number);
    memset(reading->numbers, 0, sizeof reading->numbers);
    g_string_truncate(reading->argument_name, 0);
    g_ptr_array_set_size(reading->argument_keys, 0);
    g_array_set_size(reading->argument_values, 0);
    g_string_assign(reading->record_key, reading->key->str);
}

static void end_record(const Reading *reading)
{
    if (reading->section == EVENTS)
        take_event(reading);
    else if (reading->section == SAMPLES)
        take_sample(reading);
    else
        take_frame(reading);
}

/* The depth at which records of the section stand, now that its array or object begins. */
static void begin_section(Reading *reading, Section section)
{
    reading->section = section;
    reading->record_depth = reading->depth + 1;
}

static int begin_map(void *self)
{
    Reading *reading = self;
    if (++reading->depth > MOST_DEPTH)
        return 0;
    if (reading->section == NOWHERE && reading->depth == 2 && strcmp(reading->key->str, "stackFrames") == 0)
        begin_section(reading, FRAMES);
    else if (reading->section != NOWHERE && reading->depth == reading->record_depth)
        begin_record(reading);
    else if (reading->section != NOWHERE && reading->depth == reading->record_depth + 1)
        reading->in_arguments = strcmp(reading->key->str, "args") == 0;
    return 1;
}

static void leave_depth(Reading *reading)
{
    reading->depth--;
    reading->in_arguments = FALSE;
    if (reading->section != NOWHERE && reading->depth + 1 < reading->record_depth)
        reading->section = NOWHERE;
}

static int end_map(void *self)
{
    Reading *reading = self;
    if (reading->section != NOWHERE && reading->depth == reading->record_depth)
        end_record(reading);
    leave_depth(reading);
    return 1;
}

static int begin_array(void *self)
{
    Reading *reading = self;
    if (++reading->depth > MOST_DEPTH)
        return 0;
    reading->is_array = reading->is_array || reading->depth == 1;
    if (reading->depth == 1 || (reading->depth == 2 && strcmp(reading->key->str, "traceEvents") == 0))
        begin_section(reading, EVENTS);
    else if (reading->depth == 2 && strcmp(reading->key->str, "samples") == 0)
        begin_section(reading, SAMPLES);
    return 1;
}

static int end_array(void *self)
{
    leave_depth(self);
    return 1;
}

static int take_key(void *self, const unsigned char *text, size_t length)
{
    Reading *reading = self;
    g_string_truncate(reading->key, 0);
    g_string_append_len(reading->key, (const char *)text, (gssize)length);
    return 1;
}

/* A number may stand where a text is expected, and the other way round: pids that are names are numbers of their own.
 */
static void take_field(Reading *reading, const char *text, gsize length, gboolean is_number)
{
    int which = find_key(text_keys, N_TEXTS, reading->key->str);
    if (which >= 0) {
        g_string_truncate(reading->texts[which], 0);
        g_string_append_len(reading->texts[which], text, (gssize)length);
        reading->has_text[which] = TRUE;
        return;
    }
    which = find_key(number_keys, N_NUMBERS, reading->key->str);
    if (which < 0)
        return;
    char *copy = g_strndup(text, length), *end;
    if (which == TIME || which == DURATION)
        reading->numbers[which] = to_ns(copy, length);
    else {
        reading->numbers[which] = g_ascii_strtoll(copy, &end, 10);
        if (!is_number && *end)
            reading->numbers[which] = g_str_hash(copy);
    }
    reading->has_number[which] = TRUE;
    g_free(copy);
}

static int take_text(void *self, const unsigned char *text, size_t length)
{
    Reading *reading = self;
    if (reading->section == NOWHERE)
        return 1;
    if (reading->depth == reading->record_depth)
        take_field(reading, (const char *)text, length, FALSE);
    else if (reading->in_arguments && strcmp(reading->key->str, "name") == 0) {
        g_string_truncate(reading->argument_name, 0);
        g_string_append_len(reading->argument_name, (const char *)text, (gssize)length);
    }
    return 1;
}

static int take_number(void *self, const char *text, size_t length)
{
    Reading *reading = self;
    if (reading->section == NOWHERE)
        return 1;
    if (reading->depth == reading->record_depth)
        take_field(reading, text, length, TRUE);
    else if (reading->in_arguments && text_of(reading, PHASE)[0] != 'M') {
        char *copy = g_strndup(text, length);
        double value = g_ascii_strtod(copy, NULL);
        g_ptr_array_add(reading->argument_keys, g_strdup(reading->key->str));
        g_array_append_val(reading->argument_values, value);
        g_free(copy);
    }
    return 1;
}

static const yajl_callbacks callbacks = {.yajl_number = take_number,
                                         .yajl_string = take_text,
                                         .yajl_start_map = begin_map,
                                         .yajl_map_key = take_key,
                                         .yajl_end_map = end_map,
                                         .yajl_start_array = begin_array,
                                         .yajl_end_array = end_array};

/* How much was read before the present piece of text. */
typedef struct {
    guint64 n_bytes, n_lines;
} Place;

static void go_on(Place *place, const guchar *text, gsize n)
{
    place->n_bytes += n;
    for (const guchar *feed = text, *end = text + n; (feed = memchr(feed, '\n', (gsize)(end - feed))); feed++)
        place->n_lines++;
}

static gboolean fail(GError **error, const Reading *reading, yajl_handle parser, Place place, const guchar *text,
                     gsize n)
{
    unsigned char *what = yajl_get_error(parser, 0, text, n);
    char *fault = reading->depth > MOST_DEPTH ? g_strdup_printf("is nested in more than %d levels", MOST_DEPTH)
                                              : g_strdup_printf("is no JSON: %s", g_strchomp((char *)what));
    go_on(&place, text, MIN(yajl_get_bytes_consumed(parser), n));
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                "line %" G_GUINT64_FORMAT ", byte %" G_GUINT64_FORMAT ": %s", place.n_lines + 1, place.n_bytes, fault);
    yajl_free_error(parser, what);
    g_free(fault);
    return FALSE;
}

static gboolean parse(const TndImportOptions *options, GInputStream *stream, yajl_handle parser, const Reading *reading,
                      GError **error)
{
    guchar *text = g_malloc(CHUNK_BYTES);
    TndImportMeter meter = tnd_import_meter(options);
    Place place = {0, 0};
    gssize n;
    gboolean good = TRUE;
    while (good && (n = g_input_stream_read(stream, text, CHUNK_BYTES, NULL, error)) != 0) {
        good = n > 0 &&
               (yajl_parse(parser, text, (size_t)n) == yajl_status_ok ||
                fail(error, reading, parser, place, text, (gsize)n)) &&
               tnd_import_meter_go_on(&meter, stream, error);
        if (good)
            go_on(&place, text, (gsize)n);
    }
    /* An array of events may lack its end, by the format's description. */
    if (good && yajl_complete_parse(parser) != yajl_status_ok && !reading->is_array)
        good = fail(error, reading, parser, place, text, 0);
    g_free(text);
    return good;
}

/* Begins without an end last to the end of all. */
static void end_begins(const Reading *reading, guint64 end_ns)
{
    for (guint thread = 0; thread < reading->begins->len; thread++)
        while (((GArray *)reading->begins->pdata[thread])->len)
            end_begin(reading, thread, end_ns);
}

static void free_begins(gpointer begins)
{
    g_array_unref(begins);
}

static void clear(Reading *reading)
{
    for (guint i = 0; i < N_TEXTS; i++)
        g_string_free(reading->texts[i], TRUE);
    g_string_free(reading->key, TRUE);
    g_string_free(reading->record_key, TRUE);
    g_string_free(reading->argument_name, TRUE);
    g_ptr_array_unref(reading->argument_keys);
    g_array_unref(reading->argument_values);
    g_ptr_array_unref(reading->begins);
    g_ptr_array_unref(reading->frame_keys);
    g_hash_table_unref(reading->calls);
    g_hash_table_unref(reading->arrows);
    g_hash_table_unref(reading->frames);
    g_hash_table_unref(reading->frame_numbers);
    tnd_import_items_free(reading->items);
}

gboolean tnd_import_chrome(const TndImportOptions *options, TndImport *import, guint64 *begin_ns, guint64 *end_ns,
                           GError **error)
{
    Reading reading = {.import = import,
                       .items = tnd_import_items_new(import),
                       .key = g_string_new(NULL),
                       .record_key = g_string_new(NULL),
                       .argument_name = g_string_new(NULL),
                       .argument_keys = g_ptr_array_new_with_free_func(g_free),
                       .argument_values = g_array_new(FALSE, FALSE, sizeof(double)),
                       .calls = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
                       .begins = g_ptr_array_new_with_free_func(free_begins),
                       .arrows = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
                       .frames = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_frame),
                       .frame_numbers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                       .frame_keys = g_ptr_array_new_with_free_func(g_free)};
    for (guint i = 0; i < N_TEXTS; i++)
        reading.texts[i] = g_string_new(NULL);
    GInputStream *stream = tnd_import_open(options->path, error);
    yajl_handle parser = yajl_alloc(&callbacks, NULL, &reading);
    gboolean good = stream && parse(options, stream, parser, &reading, error);
    if (good) {
        end_begins(&reading, tnd_import_items_end_ns(reading.items));
        make_frames(&reading);
        tnd_import_items_tell(reading.items, begin_ns, end_ns);
    }
    yajl_free(parser);
    g_clear_object(&stream);
    clear(&reading);
    return good;
}
