/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes the messages of pprof's schema (perftools.profiles).  The order of fields is free: samples come first, and
 * places and names as they came up at the end.
 */
#include "analysis/convert/pprof.h"

#include "analysis/convert/numbering.h"
#include "analysis/convert/protobuf.h"
#include "analysis/reports/call_tree.h"
#include "analysis/reports/samples.h"
#include "analysis/reports/source_line.h"
#include "analysis/reports/statistics.h"
#include "formats/event_types.h"
#include "formats/fact.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Numbers of fields in the schema. */
enum {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE,
    PROFILE_MAPPING,
    PROFILE_LOCATION,
    PROFILE_FUNCTION,
    PROFILE_STRING,
    PROFILE_TIME = 9,
    PROFILE_DURATION,
    PROFILE_PERIOD_TYPE,
    PROFILE_PERIOD,
    PROFILE_COMMENT,
};
enum { TYPE_TYPE = 1, TYPE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_TEXT };
enum { MAPPING_ID = 1, MAPPING_FILE = 5, MAPPING_HAS_FUNCTIONS = 7, MAPPING_HAS_FILES, MAPPING_HAS_LINES };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1, LINE_NUMBER };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE };

typedef struct {
    const TndConversion *conversion;
    GByteArray *profile; /* the message so far, as far as it has not been compressed */
    GByteArray *strings; /* the table of strings, as fields of the message */
    z_stream stream;
    gboolean is_time;
    /* Numbers of what has been written: texts, pairs of function and line, texts "name, newline, file", objects. */
    GHashTable *texts, *locations, *functions, *mappings;
} Writing;

/* Compresses what there is of the message. */
static void compress_profile(Writing *writing, int flush)
{
    guint8 out[TND_CONVERSION_BUFFER];
    writing->stream.next_in = writing->profile->data;
    writing->stream.avail_in = writing->profile->len;
    do {
        writing->stream.next_out = out;
        writing->stream.avail_out = sizeof out;
        deflate(&writing->stream, flush);
        fwrite(out, 1, sizeof out - writing->stream.avail_out, writing->conversion->file);
    } while (writing->stream.avail_out == 0);
    g_byte_array_set_size(writing->profile, 0);
}

/* The index of a text in the table of strings, whose first one is empty. */
static guint64 text_of(Writing *writing, const char *text)
{
    gboolean is_new;
    guint64 number = tnd_numbering_text(writing->texts, text, &is_new);
    if (is_new)
        tnd_protobuf_text(writing->strings, PROFILE_STRING, text);
    return number - 1;
}

static guint64 mapping_of(Writing *writing, const TndSourceLine *line)
{
    gboolean is_new;
    guint64 id = tnd_numbering_text(writing->mappings, line->object ? line->object : "", &is_new);
    if (is_new) {
        guint64 file = text_of(writing, line->object ? line->object : "");
        guint begin = tnd_protobuf_begin(writing->profile, PROFILE_MAPPING);
        tnd_protobuf_number(writing->profile, MAPPING_ID, id);
        tnd_protobuf_number(writing->profile, MAPPING_FILE, file);
        for (guint field = MAPPING_HAS_FUNCTIONS; field <= MAPPING_HAS_LINES; field++)
            tnd_protobuf_number(writing->profile, field, 1);
        tnd_protobuf_end(writing->profile, begin);
    }
    return id;
}

static guint64 function_of(Writing *writing, gint64 function, const TndSourceLine *line)
{
    gboolean is_new;
    char *name = tnd_samples_function_name(writing->conversion->trace, function);
    char *key = g_strdup_printf("%s\n%s", name, line->file ? line->file : "");
    guint64 id = tnd_numbering_text(writing->functions, key, &is_new);
    if (is_new) {
        guint64 text = text_of(writing, name), file = text_of(writing, line->file ? line->file : "");
        guint begin = tnd_protobuf_begin(writing->profile, PROFILE_FUNCTION);
        tnd_protobuf_number(writing->profile, FUNCTION_ID, id);
        tnd_protobuf_number(writing->profile, FUNCTION_NAME, text);
        tnd_protobuf_number(writing->profile, FUNCTION_SYSTEM_NAME, text);
        tnd_protobuf_number(writing->profile, FUNCTION_FILE, file);
        tnd_protobuf_end(writing->profile, begin);
    }
    g_free(key);
    g_free(name);
    return id;
}

static guint64 location_of(Writing *writing, const TndCallNode *node)
{
    gboolean is_new;
    guint64 id = tnd_numbering_pair(writing->locations, node->function, node->line, &is_new);
    if (!is_new)
        return id;
    TndSourceLine line = tnd_source_line_of(writing->conversion->trace, TND_TYPE_SAMPLED_LINE, node->line);
    guint64 mapping = mapping_of(writing, &line), function = function_of(writing, node->function, &line);
    guint begin = tnd_protobuf_begin(writing->profile, PROFILE_LOCATION);
    tnd_protobuf_number(writing->profile, LOCATION_ID, id);
    tnd_protobuf_number(writing->profile, LOCATION_MAPPING, mapping);
    guint inner = tnd_protobuf_begin(writing->profile, LOCATION_LINE);
    tnd_protobuf_number(writing->profile, LINE_FUNCTION, function);
    tnd_protobuf_number(writing->profile, LINE_NUMBER, line.number);
    tnd_protobuf_end(writing->profile, inner);
    tnd_protobuf_end(writing->profile, begin);
    tnd_source_line_clear(&line);
    return id;
}

static void put_value_type(Writing *writing, guint field, const char *type, const char *unit)
{
    guint64 type_text = text_of(writing, type), unit_text = text_of(writing, unit);
    guint begin = tnd_protobuf_begin(writing->profile, field);
    tnd_protobuf_number(writing->profile, TYPE_TYPE, type_text);
    tnd_protobuf_number(writing->profile, TYPE_UNIT, unit_text);
    tnd_protobuf_end(writing->profile, begin);
}

/* The labels of all samples of a thread, as fields of a sample. */
static GByteArray *labels_of(Writing *writing, guint row)
{
    const TndThread *thread = tnd_trace_thread(writing->conversion->trace, row);
    GByteArray *labels = g_byte_array_new();
    char *process = g_strdup_printf("%u.%u", thread->application, thread->task);
    char *rank = g_strdup_printf("%u", thread->task - 1);
    const char *const pairs[] = {"thread", thread->name, "process", process, "rank", rank};
    for (guint i = 0; i < G_N_ELEMENTS(pairs); i += 2) {
        guint begin = tnd_protobuf_begin(labels, SAMPLE_LABEL);
        tnd_protobuf_number(labels, LABEL_KEY, text_of(writing, pairs[i]));
        tnd_protobuf_number(labels, LABEL_TEXT, text_of(writing, pairs[i + 1]));
        tnd_protobuf_end(labels, begin);
    }
    g_free(process);
    g_free(rank);
    return labels;
}

static void put_sample(Writing *writing, const TndCallTree *tree, guint at, const GByteArray *labels, GArray *stack)
{
    const TndCallNode *node = tnd_call_tree_node(tree, at);
    g_array_set_size(stack, 0);
    for (guint i = at; i; i = tnd_call_tree_node(tree, i)->parent) {
        guint64 location = location_of(writing, tnd_call_tree_node(tree, i));
        g_array_append_val(stack, location);
    }
    guint begin = tnd_protobuf_begin(writing->profile, PROFILE_SAMPLE);
    for (guint i = 0; i < stack->len; i++)
        tnd_protobuf_number(writing->profile, SAMPLE_LOCATION, g_array_index(stack, guint64, i));
    tnd_protobuf_number(writing->profile, SAMPLE_VALUE, node->n);
    if (writing->is_time)
        tnd_protobuf_number(writing->profile, SAMPLE_VALUE, node->self);
    g_byte_array_append(writing->profile, labels->data, labels->len);
    tnd_protobuf_end(writing->profile, begin);
    if (writing->profile->len >= TND_CONVERSION_BUFFER)
        compress_profile(writing, Z_NO_FLUSH);
}

static void put_thread(Writing *writing, guint row, gboolean *is_chosen)
{
    is_chosen[row] = TRUE;
    const TndCallTreeOptions options = {.is_chosen = is_chosen, .by_line = TRUE};
    TndCallTree *tree = tnd_call_tree_new(writing->conversion->trace, &options);
    is_chosen[row] = FALSE;
    GByteArray *labels = labels_of(writing, row);
    GArray *stack = g_array_new(FALSE, FALSE, sizeof(guint64));
    for (guint at = 1; at < tree->nodes->len; at++)
        if (tnd_call_tree_node(tree, at)->n)
            put_sample(writing, tree, at, labels, stack);
    g_array_unref(stack);
    g_byte_array_unref(labels);
    tnd_call_tree_free(tree);
}

/* What the facts of the trace say of the run. */
static void put_facts(Writing *writing)
{
    const TndTrace *trace = writing->conversion->trace;
    const char *period_ns = tnd_statistics_comment(trace, TND_FACT_SAMPLING_PERIOD_NS);
    const char *counts = tnd_statistics_comment(trace, TND_FACT_SAMPLING_PERIOD_COUNTS);
    const char *clock = tnd_statistics_comment(trace, TND_FACT_SAMPLING_CLOCK);
    const char *command = tnd_statistics_comment(trace, TND_FACT_COMMAND);
    if (period_ns || counts) {
        put_value_type(writing, PROFILE_PERIOD_TYPE, counts && clock ? clock : "cpu", counts ? "count" : "nanoseconds");
        tnd_protobuf_number(writing->profile, PROFILE_PERIOD, strtoull(counts ? counts : period_ns, NULL, 10));
    }
    tnd_protobuf_number(writing->profile, PROFILE_TIME,
                        (guint64)tnd_conversion_begin_s(trace) * G_GUINT64_CONSTANT(1000000000));
    tnd_protobuf_number(writing->profile, PROFILE_DURATION, tnd_trace_end_ns(trace));
    if (command)
        tnd_protobuf_number(writing->profile, PROFILE_COMMENT, text_of(writing, command));
}

void tnd_pprof_write(const TndConversion *conversion)
{
    guint n_rows = tnd_trace_n_threads(conversion->trace);
    Writing writing = {.conversion = conversion,
                       .profile = g_byte_array_new(),
                       .strings = g_byte_array_new(),
                       .is_time = tnd_samples_are_weighed(conversion->trace, TND_SAMPLES_CPU),
                       .texts = tnd_numbering_new_texts(),
                       .locations = tnd_numbering_new_pairs(),
                       .functions = tnd_numbering_new_texts(),
                       .mappings = tnd_numbering_new_texts()};
    const int gzip = 16 + MAX_WBITS;
    deflateInit2(&writing.stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip, 8, Z_DEFAULT_STRATEGY);
    text_of(&writing, "");
    put_value_type(&writing, PROFILE_SAMPLE_TYPE, "samples", "count");
    if (writing.is_time)
        put_value_type(&writing, PROFILE_SAMPLE_TYPE, "cpu", "nanoseconds");
    put_facts(&writing);
    gboolean *one = g_new0(gboolean, n_rows);
    for (guint row = 0; row < n_rows; row++)
        if (tnd_conversion_is_chosen(conversion, row))
            put_thread(&writing, row, one);
    g_free(one);
    g_byte_array_append(writing.profile, writing.strings->data, writing.strings->len);
    compress_profile(&writing, Z_FINISH);
    deflateEnd(&writing.stream);
    g_byte_array_unref(writing.profile);
    g_byte_array_unref(writing.strings);
    GHashTable *tables[] = {writing.texts, writing.locations, writing.functions, writing.mappings};
    for (guint i = 0; i < G_N_ELEMENTS(tables); i++)
        g_hash_table_unref(tables[i]);
}
