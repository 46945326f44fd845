/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A row's calls are complete events ("X") of a thread, its states those of a thread beside it, because states and calls
 * are not within each other.
 */
#include "analysis/convert/chrome.h"

#include "analysis/convert/json.h"
#include "analysis/convert/numbering.h"
#include "analysis/convert/row_items.h"
#include "analysis/reports/call_tree.h"

/* In place of a type where names are kept: of states, and of a counter of a row. */
#define OF_STATE (-1)
#define OF_COUNTER(type) (-2 - (gint64)(type))

typedef struct {
    const TndConversion *conversion;
    GByteArray *bytes;
    GHashTable *numbers; /* of pairs of type and value */
    GPtrArray *names;    /* by number - 1: what an event of it has, "name":"MPI_Send","cat":"MPI"}, as GByteArray */
    guint row, process;  /* that are being written; numbers of threads are rows + 1 */
    TndCallTree *tree;   /* of the stacks of samples */
    const char *separator;
} Writing;

static void put(const Writing *writing, const char *text)
{
    tnd_json_put(writing->bytes, text);
}

/* Begins an event of the current process, and of the thread of this number. */
static void begin_event(Writing *writing, const char *phase, guint thread)
{
    tnd_conversion_flush(writing->conversion, writing->bytes, TND_CONVERSION_BUFFER);
    put(writing, writing->separator);
    writing->separator = ",\n";
    put(writing, "{\"ph\":\"");
    put(writing, phase);
    put(writing, "\",\"pid\":");
    tnd_json_number(writing->bytes, writing->process);
    put(writing, ",\"tid\":");
    tnd_json_number(writing->bytes, thread);
    put(writing, ",");
}

static void put_time(const Writing *writing, const char *key, guint64 time_ns)
{
    put(writing, key);
    tnd_json_microseconds(writing->bytes, time_ns);
    put(writing, ",");
}

static void make_name(const Writing *writing, GByteArray *made, gint64 type, gint64 value)
{
    const TndTrace *trace = writing->conversion->trace;
    TndViewScope scope;
    char *name = type == OF_STATE ? tnd_row_items_state_name(trace, (guint32)value)
                 : type < 0 ? tnd_row_items_counter_name(trace, (guint)value, (guint32)(OF_COUNTER(0) - type), &scope)
                            : tnd_row_items_call_name(trace, (guint32)type, value);
    tnd_json_put(made, "\"name\":");
    tnd_json_text(made, name);
    if (type >= OF_STATE) {
        tnd_json_put(made, ",\"cat\":");
        tnd_json_text(made, type == OF_STATE ? "State" : tnd_row_items_category((guint32)type));
        tnd_json_put(made, "}");
    }
    g_free(name);
}

/* Appends a name, and a category where there is one; it is made when it comes up first. */
static void put_name(Writing *writing, gint64 type, gint64 value)
{
    gboolean is_new;
    guint number = tnd_numbering_pair(writing->numbers, type, value, &is_new);
    if (is_new) {
        g_ptr_array_add(writing->names, g_byte_array_new());
        make_name(writing, g_ptr_array_index(writing->names, number - 1), type, value);
    }
    const GByteArray *made = g_ptr_array_index(writing->names, number - 1);
    g_byte_array_append(writing->bytes, made->data, made->len);
}

static void put_span(Writing *writing, guint thread, guint64 begin_ns, guint64 end_ns)
{
    begin_event(writing, "X", thread);
    put_time(writing, "\"ts\":", begin_ns);
    put_time(writing, "\"dur\":", end_ns - begin_ns);
}

static guint n_threads(const Writing *writing)
{
    return tnd_trace_n_threads(writing->conversion->trace);
}

static void put_state(gpointer self, const TndState *state)
{
    Writing *writing = self;
    put_span(writing, n_threads(writing) + writing->row + 1, state->begin_ns, state->end_ns);
    put_name(writing, OF_STATE, state->state);
}

static void begin_call(gpointer self, const TndNestingCall *call)
{
    (void)self;
    (void)call; /* it is written when it ends */
}

static void end_call(gpointer self, const TndNestingCall *call, guint64 time_ns)
{
    Writing *writing = self;
    put_span(writing, writing->row + 1, call->begin_ns, time_ns);
    put_name(writing, call->type, call->value);
}

static void put_counter(gpointer self, guint32 type, guint64 time_ns, gint64 value)
{
    Writing *writing = self;
    double divisor = tnd_row_items_divisor(writing->conversion->trace, type);
    begin_event(writing, "C", writing->row + 1);
    put_time(writing, "\"ts\":", time_ns);
    put_name(writing, OF_COUNTER(type), writing->row);
    put(writing, ",\"args\":{\"value\":");
    if (divisor > 1)
        tnd_json_double(writing->bytes, (double)value / divisor);
    else
        tnd_json_signed(writing->bytes, value);
    put(writing, "}}");
}

/* A fact of the process or of a thread: its name, or where it is shown. */
static void put_metadata(Writing *writing, guint thread, const char *what, const char *name, guint place)
{
    begin_event(writing, "M", thread);
    put(writing, "\"name\":\"");
    put(writing, what);
    put(writing, name ? "\",\"args\":{\"name\":" : "\",\"args\":{\"sort_index\":");
    if (name)
        tnd_json_text(writing->bytes, name);
    else
        tnd_json_number(writing->bytes, place);
    put(writing, "}}");
}

static void put_names_of_row(Writing *writing)
{
    const TndTrace *trace = writing->conversion->trace;
    const TndThread *thread = tnd_trace_thread(trace, writing->row);
    char *process = tnd_row_items_process_name(trace, writing->row);
    char *states = g_strconcat(thread->name, ": states", NULL);
    put_metadata(writing, writing->process, "process_name", process, 0);
    put_metadata(writing, writing->process, "process_sort_index", NULL, writing->process);
    put_metadata(writing, writing->row + 1, "thread_name", thread->name, 0);
    put_metadata(writing, writing->row + 1, "thread_sort_index", NULL, 2 * writing->row + 1);
    if (thread->n_states) {
        guint number = n_threads(writing) + writing->row + 1;
        put_metadata(writing, number, "thread_name", states, 0);
        put_metadata(writing, number, "thread_sort_index", NULL, 2 * writing->row);
    }
    g_free(states);
    g_free(process);
}

static void put_sample(gpointer self, const TndSample *sample)
{
    Writing *writing = self;
    guint stack = tnd_call_tree_add(writing->tree, sample, FALSE);
    tnd_conversion_flush(writing->conversion, writing->bytes, TND_CONVERSION_BUFFER);
    put(writing, writing->separator);
    writing->separator = ",\n";
    put(writing, "{\"cpu\":0,\"name\":\"cpu\",\"pid\":");
    tnd_json_number(writing->bytes, writing->process);
    put(writing, ",\"tid\":");
    tnd_json_number(writing->bytes, writing->row + 1);
    put(writing, ",");
    put_time(writing, "\"ts\":", sample->time_ns);
    put(writing, "\"sf\":");
    tnd_json_number(writing->bytes, stack);
    put(writing, ",\"weight\":");
    tnd_json_number(writing->bytes, writing->tree->is_time ? sample->weight_ns : 1);
    put(writing, "}");
}

static void put_stack_frames(const Writing *writing)
{
    for (guint i = 1; i < writing->tree->nodes->len; i++) {
        const TndCallNode *node = tnd_call_tree_node(writing->tree, i);
        char *name = tnd_samples_function_name(writing->conversion->trace, node->function);
        put(writing, i > 1 ? ",\n\"" : "\n\"");
        tnd_json_number(writing->bytes, i);
        put(writing, "\":{\"category\":\"function\",\"name\":");
        tnd_json_text(writing->bytes, name);
        if (node->parent) {
            put(writing, ",\"parent\":");
            tnd_json_number(writing->bytes, node->parent);
        }
        put(writing, "}");
        tnd_conversion_flush(writing->conversion, writing->bytes, TND_CONVERSION_BUFFER);
        g_free(name);
    }
}

/* Does something for each chosen row. */
static void each_row(Writing *writing, void (*put_row)(Writing *writing))
{
    for (writing->row = 0; writing->row < n_threads(writing); writing->row++)
        if (tnd_conversion_is_chosen(writing->conversion, writing->row)) {
            writing->process = tnd_row_items_process(writing->conversion->trace, writing->row);
            put_row(writing);
        }
}

static void put_items(Writing *writing)
{
    static const TndRowItemsTake take = {put_state, begin_call, end_call, put_counter};
    put_names_of_row(writing);
    tnd_row_items_each(writing->conversion->trace, writing->row, &take, writing);
}

static void put_samples(Writing *writing)
{
    tnd_samples_each(writing->conversion->trace, writing->row, TND_SAMPLES_CPU, put_sample, writing);
}

static void free_bytes(gpointer bytes)
{
    g_byte_array_unref(bytes);
}

void tnd_chrome_write(const TndConversion *conversion)
{
    Writing writing = {.conversion = conversion,
                       .bytes = g_byte_array_new(),
                       .numbers = tnd_numbering_new_pairs(),
                       .names = g_ptr_array_new_with_free_func(free_bytes),
                       .tree = tnd_call_tree_new_empty(conversion->trace, TND_SAMPLES_CPU),
                       .separator = "\n"};
    put(&writing, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"exporter\":\"tandem\",\"trace\":");
    tnd_json_text(writing.bytes, tnd_trace_name(conversion->trace));
    put(&writing, "},\n\"traceEvents\":[");
    each_row(&writing, put_items);
    put(&writing, "],\n\"samples\":[");
    writing.separator = "\n";
    each_row(&writing, put_samples);
    put(&writing, "],\n\"stackFrames\":{");
    put_stack_frames(&writing);
    put(&writing, "}}\n");
    tnd_conversion_flush(conversion, writing.bytes, 0);
    tnd_call_tree_free(writing.tree);
    g_ptr_array_unref(writing.names);
    g_hash_table_unref(writing.numbers);
    g_byte_array_unref(writing.bytes);
}
