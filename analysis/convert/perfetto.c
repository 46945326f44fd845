/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes the packets of Perfetto's schema (perfetto.protos.Trace).  All are of one sequence, in which names, functions
 * and stacks are written when they come up first.
 */
#include "analysis/convert/perfetto.h"

#include "analysis/convert/numbering.h"
#include "analysis/convert/protobuf.h"
#include "analysis/convert/row_items.h"
#include "analysis/reports/call_tree.h"
#include "analysis/reports/source_line.h"
#include "formats/event_types.h"

/* Numbers of fields in the schema. */
enum { TRACE_PACKET = 1 };
enum {
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_TRACK_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_FLAGS = 13,
    PACKET_DEFAULTS = 59,
    PACKET_TRACK = 60,
    PACKET_STACK_SAMPLE = 135,
};
enum { FLAGS_CLEARED = 1, FLAGS_NEEDS_INTERNED = 2 };
enum { EVENT_CATEGORY = 3, EVENT_TYPE = 9, EVENT_NAME = 10, EVENT_TRACK, EVENT_COUNTER = 30, EVENT_DOUBLE = 44 };
enum { TYPE_BEGIN = 1, TYPE_END, TYPE_COUNTER = 4 };
enum {
    TRACK_ID = 1,
    TRACK_NAME,
    TRACK_PROCESS,
    TRACK_THREAD,
    TRACK_PARENT,
    TRACK_COUNTER = 8,
    TRACK_MERGING = 15,
};
enum { MERGING_NONE = 2 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6 };
enum { THREAD_PID = 1, THREAD_TID, THREAD_NAME = 5 };
enum {
    INTERNED_CATEGORY = 1,
    INTERNED_EVENT_NAME,
    INTERNED_FUNCTION = 5,
    INTERNED_FRAME,
    INTERNED_STACK,
    INTERNED_SOURCE = 18,
};
enum { ENTRY_ID = 1, ENTRY_TEXT };
enum { FRAME_ID = 1, FRAME_FUNCTION, FRAME_SOURCE = 5, FRAME_LINE };
enum { STACK_ID = 1, STACK_FRAME };
enum { DEFAULTS_STACK_SAMPLE = 100 };
enum { SAMPLE_DEFAULTS_SOURCE = 1, SAMPLE_DEFAULTS_WEIGHT };
enum { WEIGHT_NAME = 2, WEIGHT_UNIT };
enum { UNIT_NANOSECONDS = 1, UNIT_COUNT = 9 };
enum { SAMPLE_TASK = 1, SAMPLE_STACK = 6, SAMPLE_WEIGHT = 11 };
enum { TASK_PID = 2, TASK_TID };

#define SEQUENCE 1
#define OF_STATE (-1) /* in place of a type */

typedef struct {
    const TndConversion *conversion;
    GByteArray *bytes, *interned; /* interned: entries that the next packet brings, as fields of InternedData */
    GHashTable *names, *categories, *functions, *sources, *counters;
    TndCallTree *tree; /* of the stacks of samples */
    GArray *is_told;   /* guint8, of a node of the tree: its frame (1) and its stack (2) were written */
    guint row, process, before;
} Writing;

enum { TOLD_FRAME = 1, TOLD_STACK = 2 };

/* Identities of tracks: first those of processes and threads by their rows, then states, then counters. */
static guint64 track_of_process(guint process)
{
    return process;
}

static guint64 track_of_thread(const Writing *writing, guint row)
{
    return (guint64)tnd_trace_n_threads(writing->conversion->trace) + row + 1;
}

static guint64 track_of_states(const Writing *writing, guint row)
{
    return 2 * (guint64)tnd_trace_n_threads(writing->conversion->trace) + row + 1;
}

static guint64 track_of_counter(const Writing *writing, guint number)
{
    return 3 * (guint64)tnd_trace_n_threads(writing->conversion->trace) + number;
}

static guint begin_packet(const Writing *writing)
{
    tnd_conversion_flush(writing->conversion, writing->bytes, TND_CONVERSION_BUFFER);
    guint packet = tnd_protobuf_begin(writing->bytes, TRACE_PACKET);
    tnd_protobuf_number(writing->bytes, PACKET_SEQUENCE, SEQUENCE);
    return packet;
}

/* A packet with a time, which brings what was interned for it. */
static guint begin_timed_packet(const Writing *writing, guint64 time_ns)
{
    guint packet = begin_packet(writing);
    tnd_protobuf_number(writing->bytes, PACKET_TIMESTAMP, time_ns);
    tnd_protobuf_number(writing->bytes, PACKET_FLAGS, FLAGS_NEEDS_INTERNED);
    if (writing->interned->len) {
        tnd_protobuf_bytes(writing->bytes, PACKET_INTERNED, writing->interned->data, writing->interned->len);
        g_byte_array_set_size(writing->interned, 0);
    }
    return packet;
}

static void intern(const Writing *writing, guint field, guint id, const char *text)
{
    guint entry = tnd_protobuf_begin(writing->interned, field);
    tnd_protobuf_number(writing->interned, ENTRY_ID, id);
    tnd_protobuf_text(writing->interned, ENTRY_TEXT, text);
    tnd_protobuf_end(writing->interned, entry);
}

static guint intern_text(const Writing *writing, GHashTable *table, guint field, const char *text)
{
    gboolean is_new;
    guint id = tnd_numbering_text(table, text, &is_new);
    if (is_new)
        intern(writing, field, id, text);
    return id;
}

/* Tracks. */

static guint begin_track(const Writing *writing, guint64 id, guint *packet)
{
    *packet = begin_packet(writing);
    guint track = tnd_protobuf_begin(writing->bytes, PACKET_TRACK);
    tnd_protobuf_number(writing->bytes, TRACK_ID, id);
    return track;
}

static void end_track(const Writing *writing, guint track, guint packet)
{
    tnd_protobuf_end(writing->bytes, track);
    tnd_protobuf_end(writing->bytes, packet);
}

static void put_process(const Writing *writing)
{
    guint packet, track = begin_track(writing, track_of_process(writing->process), &packet);
    char *name = tnd_row_items_process_name(writing->conversion->trace, writing->row);
    guint process = tnd_protobuf_begin(writing->bytes, TRACK_PROCESS);
    tnd_protobuf_number(writing->bytes, PROCESS_PID, writing->process);
    tnd_protobuf_text(writing->bytes, PROCESS_NAME, name);
    tnd_protobuf_end(writing->bytes, process);
    end_track(writing, track, packet);
    g_free(name);
}

static void put_thread(const Writing *writing)
{
    const TndThread *thread = tnd_trace_thread(writing->conversion->trace, writing->row);
    guint packet, track = begin_track(writing, track_of_thread(writing, writing->row), &packet);
    guint inner = tnd_protobuf_begin(writing->bytes, TRACK_THREAD);
    tnd_protobuf_number(writing->bytes, THREAD_PID, writing->process);
    tnd_protobuf_number(writing->bytes, THREAD_TID, writing->row + 1);
    tnd_protobuf_text(writing->bytes, THREAD_NAME, thread->name);
    tnd_protobuf_end(writing->bytes, inner);
    end_track(writing, track, packet);
    if (!thread->n_states)
        return;
    track = begin_track(writing, track_of_states(writing, writing->row), &packet);
    tnd_protobuf_number(writing->bytes, TRACK_PARENT, track_of_thread(writing, writing->row));
    tnd_protobuf_text(writing->bytes, TRACK_NAME, "State");
    tnd_protobuf_number(writing->bytes, TRACK_MERGING, MERGING_NONE);
    end_track(writing, track, packet);
}

/* The track of a counter of the row. */
static guint64 counter_of(const Writing *writing, guint32 type)
{
    gboolean is_new;
    guint number = tnd_numbering_pair(writing->counters, type, writing->row, &is_new);
    guint64 id = track_of_counter(writing, number);
    if (!is_new)
        return id;
    TndViewScope scope;
    char *name = tnd_row_items_counter_name(writing->conversion->trace, writing->row, type, &scope);
    guint packet, track = begin_track(writing, id, &packet);
    if (scope == TND_SCOPE_THREAD || scope == TND_SCOPE_PROCESS)
        tnd_protobuf_number(writing->bytes, TRACK_PARENT,
                            scope == TND_SCOPE_THREAD ? track_of_thread(writing, writing->row)
                                                      : track_of_process(writing->process));
    tnd_protobuf_text(writing->bytes, TRACK_NAME, name);
    tnd_protobuf_bytes(writing->bytes, TRACK_COUNTER, "", 0);
    end_track(writing, track, packet);
    g_free(name);
    return id;
}

/* Events. */

static void put_begin(const Writing *writing, guint64 time_ns, guint64 track, gint64 type, gint64 value)
{
    gboolean is_new;
    guint name = tnd_numbering_pair(writing->names, type, value, &is_new);
    const char *category = type == OF_STATE ? "State" : tnd_row_items_category((guint32)type);
    if (is_new) {
        const TndTrace *trace = writing->conversion->trace;
        char *text = type == OF_STATE ? tnd_row_items_state_name(trace, (guint32)value)
                                      : tnd_row_items_call_name(trace, (guint32)type, value);
        intern(writing, INTERNED_EVENT_NAME, name, text);
        g_free(text);
    }
    guint category_id = intern_text(writing, writing->categories, INTERNED_CATEGORY, category);
    guint packet = begin_timed_packet(writing, time_ns);
    guint event = tnd_protobuf_begin(writing->bytes, PACKET_TRACK_EVENT);
    tnd_protobuf_number(writing->bytes, EVENT_CATEGORY, category_id);
    tnd_protobuf_number(writing->bytes, EVENT_TYPE, TYPE_BEGIN);
    tnd_protobuf_number(writing->bytes, EVENT_NAME, name);
    tnd_protobuf_number(writing->bytes, EVENT_TRACK, track);
    tnd_protobuf_end(writing->bytes, event);
    tnd_protobuf_end(writing->bytes, packet);
}

static void put_end(const Writing *writing, guint64 time_ns, guint64 track)
{
    guint packet = begin_timed_packet(writing, time_ns);
    guint event = tnd_protobuf_begin(writing->bytes, PACKET_TRACK_EVENT);
    tnd_protobuf_number(writing->bytes, EVENT_TYPE, TYPE_END);
    tnd_protobuf_number(writing->bytes, EVENT_TRACK, track);
    tnd_protobuf_end(writing->bytes, event);
    tnd_protobuf_end(writing->bytes, packet);
}

static void put_state(gpointer self, const TndState *state)
{
    const Writing *writing = self;
    guint64 track = track_of_states(writing, writing->row);
    put_begin(writing, state->begin_ns, track, OF_STATE, state->state);
    put_end(writing, state->end_ns, track);
}

static void begin_call(gpointer self, const TndNestingCall *call)
{
    const Writing *writing = self;
    put_begin(writing, call->begin_ns, track_of_thread(writing, writing->row), call->type, call->value);
}

static void end_call(gpointer self, const TndNestingCall *call, guint64 time_ns)
{
    (void)call;
    const Writing *writing = self;
    put_end(writing, time_ns, track_of_thread(writing, writing->row));
}

static void put_counter(gpointer self, guint32 type, guint64 time_ns, gint64 value)
{
    const Writing *writing = self;
    guint64 track = counter_of(writing, type);
    double divisor = tnd_row_items_divisor(writing->conversion->trace, type);
    guint packet = begin_timed_packet(writing, time_ns);
    guint event = tnd_protobuf_begin(writing->bytes, PACKET_TRACK_EVENT);
    tnd_protobuf_number(writing->bytes, EVENT_TYPE, TYPE_COUNTER);
    tnd_protobuf_number(writing->bytes, EVENT_TRACK, track);
    if (divisor > 1)
        tnd_protobuf_double(writing->bytes, EVENT_DOUBLE, (double)value / divisor);
    else
        tnd_protobuf_number(writing->bytes, EVENT_COUNTER, (guint64)value);
    tnd_protobuf_end(writing->bytes, event);
    tnd_protobuf_end(writing->bytes, packet);
}

/* Samples. */

static void intern_frame(const Writing *writing, guint at)
{
    const TndTrace *trace = writing->conversion->trace;
    const TndCallNode *node = tnd_call_tree_node(writing->tree, at);
    char *name = tnd_samples_function_name(trace, node->function);
    TndSourceLine line = tnd_source_line_of(trace, TND_TYPE_SAMPLED_LINE, node->line);
    guint function = intern_text(writing, writing->functions, INTERNED_FUNCTION, name);
    guint source = line.file ? intern_text(writing, writing->sources, INTERNED_SOURCE, line.file) : 0;
    guint frame = tnd_protobuf_begin(writing->interned, INTERNED_FRAME);
    tnd_protobuf_number(writing->interned, FRAME_ID, at);
    tnd_protobuf_number(writing->interned, FRAME_FUNCTION, function);
    if (source) {
        tnd_protobuf_number(writing->interned, FRAME_SOURCE, source);
        tnd_protobuf_number(writing->interned, FRAME_LINE, line.number);
    }
    tnd_protobuf_end(writing->interned, frame);
    tnd_source_line_clear(&line);
    g_free(name);
}

/* The frames from the outermost one to that of the node, as fields of a stack. */
static void put_frames(const Writing *writing, guint at)
{
    guint parent = tnd_call_tree_node(writing->tree, at)->parent;
    if (parent)
        put_frames(writing, parent);
    tnd_protobuf_number(writing->interned, STACK_FRAME, at);
}

/* Interns what has not been told of the stack that ends at a node. */
static void intern_stack(const Writing *writing, guint at)
{
    g_array_set_size(writing->is_told, writing->tree->nodes->len);
    guint8 *is_told = (guint8 *)writing->is_told->data;
    if (is_told[at] & TOLD_STACK)
        return;
    is_told[at] |= TOLD_STACK;
    for (guint i = at; i && !(is_told[i] & TOLD_FRAME); i = tnd_call_tree_node(writing->tree, i)->parent) {
        is_told[i] |= TOLD_FRAME;
        intern_frame(writing, i);
    }
    guint stack = tnd_protobuf_begin(writing->interned, INTERNED_STACK);
    tnd_protobuf_number(writing->interned, STACK_ID, at);
    put_frames(writing, at);
    tnd_protobuf_end(writing->interned, stack);
}

static void put_sample(gpointer self, const TndSample *sample)
{
    const Writing *writing = self;
    guint at = tnd_call_tree_add(writing->tree, sample, TRUE);
    intern_stack(writing, at);
    guint packet = begin_timed_packet(writing, sample->time_ns);
    guint inner = tnd_protobuf_begin(writing->bytes, PACKET_STACK_SAMPLE);
    guint task = tnd_protobuf_begin(writing->bytes, SAMPLE_TASK);
    tnd_protobuf_number(writing->bytes, TASK_PID, writing->process);
    tnd_protobuf_number(writing->bytes, TASK_TID, writing->row + 1);
    tnd_protobuf_end(writing->bytes, task);
    tnd_protobuf_number(writing->bytes, SAMPLE_STACK, at);
    tnd_protobuf_number(writing->bytes, SAMPLE_WEIGHT, writing->tree->is_time ? sample->weight_ns : 1);
    tnd_protobuf_end(writing->bytes, inner);
    tnd_protobuf_end(writing->bytes, packet);
}

/* The first packet: the sequence begins, and what all samples have in common. */
static void put_defaults(const Writing *writing)
{
    gboolean is_time = writing->tree->is_time;
    guint packet = begin_packet(writing);
    tnd_protobuf_number(writing->bytes, PACKET_FLAGS, FLAGS_CLEARED);
    guint defaults = tnd_protobuf_begin(writing->bytes, PACKET_DEFAULTS);
    guint of_samples = tnd_protobuf_begin(writing->bytes, DEFAULTS_STACK_SAMPLE);
    tnd_protobuf_text(writing->bytes, SAMPLE_DEFAULTS_SOURCE, "tandem");
    guint weight = tnd_protobuf_begin(writing->bytes, SAMPLE_DEFAULTS_WEIGHT);
    tnd_protobuf_text(writing->bytes, WEIGHT_NAME, is_time ? "CPU time" : "samples");
    tnd_protobuf_number(writing->bytes, WEIGHT_UNIT, is_time ? UNIT_NANOSECONDS : UNIT_COUNT);
    tnd_protobuf_end(writing->bytes, weight);
    tnd_protobuf_end(writing->bytes, of_samples);
    tnd_protobuf_end(writing->bytes, defaults);
    tnd_protobuf_end(writing->bytes, packet);
}

static void put_row(Writing *writing)
{
    static const TndRowItemsTake take = {put_state, begin_call, end_call, put_counter};
    writing->process = tnd_row_items_process(writing->conversion->trace, writing->row);
    if (writing->process != writing->before)
        put_process(writing);
    writing->before = writing->process;
    put_thread(writing);
    tnd_row_items_each(writing->conversion->trace, writing->row, &take, writing);
    tnd_samples_each(writing->conversion->trace, writing->row, TND_SAMPLES_CPU, put_sample, writing);
}

void tnd_perfetto_write(const TndConversion *conversion)
{
    GHashTable *tables[] = {tnd_numbering_new_pairs(), tnd_numbering_new_texts(), tnd_numbering_new_texts(),
                            tnd_numbering_new_texts(), tnd_numbering_new_pairs()};
    Writing writing = {.conversion = conversion,
                       .bytes = g_byte_array_new(),
                       .interned = g_byte_array_new(),
                       .names = tables[0],
                       .categories = tables[1],
                       .functions = tables[2],
                       .sources = tables[3],
                       .counters = tables[4],
                       .tree = tnd_call_tree_new_empty(conversion->trace, TND_SAMPLES_CPU),
                       .is_told = g_array_new(FALSE, TRUE, sizeof(guint8))};
    put_defaults(&writing);
    for (writing.row = 0; writing.row < tnd_trace_n_threads(conversion->trace); writing.row++)
        if (tnd_conversion_is_chosen(conversion, writing.row))
            put_row(&writing);
    tnd_conversion_flush(conversion, writing.bytes, 0);
    tnd_call_tree_free(writing.tree);
    g_array_unref(writing.is_told);
    g_byte_array_unref(writing.bytes);
    g_byte_array_unref(writing.interned);
    for (guint i = 0; i < G_N_ELEMENTS(tables); i++)
        g_hash_table_unref(tables[i]);
}
