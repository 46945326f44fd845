/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records of a thread, sorted as Paraver sorts them, and its filters.
 */
#include "analysis/views/semantic_records.h"

#include <math.h>
#include <string.h>

/* The messages of each row, at either end: CSR. */
struct TndMessageIndex {
    TndMessage *all;
    gsize *first; /* of a row; one more than there are rows */
    guint *messages;
};

TndMessageIndex *tnd_semantic_records_index(const TndTrace *trace)
{
    guint n_rows = tnd_trace_n_threads(trace);
    gsize n;
    TndMessageIndex *index = g_new0(TndMessageIndex, 1);
    const TndMessage *messages = index->all = tnd_walk_all_messages(trace, &n);
    index->first = g_new0(gsize, n_rows + 2);
    for (gsize i = 0; i < n; i++) {
        index->first[messages[i].sender + 2]++;
        if (messages[i].receiver != messages[i].sender)
            index->first[messages[i].receiver + 2]++;
    }
    for (guint row = 0; row < n_rows; row++)
        index->first[row + 2] += index->first[row + 1];
    index->messages = g_new(guint, index->first[n_rows + 1] + 1);
    for (gsize i = 0; i < n; i++) {
        index->messages[index->first[messages[i].sender + 1]++] = (guint)i;
        if (messages[i].receiver != messages[i].sender)
            index->messages[index->first[messages[i].receiver + 1]++] = (guint)i;
    }
    return index;
}

void tnd_semantic_records_index_free(TndMessageIndex *index)
{
    if (!index)
        return;
    g_free(index->all);
    g_free(index->first);
    g_free(index->messages);
    g_free(index);
}

/* A function of a filter over the numbers that it has, by the rules of Paraver: a list is any of them for "=", none for
 * "!=", and all for an inequality. */
static gboolean filter_holds(const TndCfgWindow *window, TndFilterKind kind, double value)
{
    const char *function = window->filters[kind].function;
    const TndNumbers *numbers = &window->filters[kind].values;
    gboolean is_none = function && strcmp(function, "None") == 0;
    if (!function || is_none || strcmp(function, "All") == 0 || numbers->n == 0)
        return !is_none && (numbers->n > 0 || !function || strcmp(function, "All") == 0);
    if (strcmp(function, "[x,y]") == 0)
        return value >= numbers->values[0] && (numbers->n < 2 || value <= numbers->values[1]);
    gboolean is_equal = strcmp(function, "=") == 0;
    for (guint i = 0; i < numbers->n; i++) {
        double limit = numbers->values[i];
        if (is_equal && value == limit)
            return TRUE;
        if ((function[0] == '!' && value == limit) || (function[0] == '>' && !(value > limit)) ||
            (function[0] == '<' && !(value < limit)))
            return FALSE;
    }
    return !is_equal;
}

static gboolean event_passes(const TndCfgWindow *window, guint32 type, double value)
{
    gboolean type_holds = filter_holds(window, TND_FILTER_TYPE, type);
    if (type_holds == window->type_or_value)
        return type_holds;
    return window->filters[TND_FILTER_VALUE].values.n == 0 ? type_holds : filter_holds(window, TND_FILTER_VALUE, value);
}

static guint node_of(const TndTrace *trace, guint row)
{
    return tnd_trace_thread(trace, row)->node;
}

static gboolean side_passes(const TndCfgWindow *window, const TndMessage *message, guint kind)
{
    if (kind & TND_RECORD_IS_LOGICAL)
        return window->logical;
    gboolean is_receive = kind & (TND_RECORD_IS_RECEIVE | TND_RECORD_IS_FAR_RECEIVE);
    return window->physical ||
           (window->logical && is_receive && message->logical_receive_ns <= message->physical_receive_ns);
}

static double bandwidth_of(const TndCfgWindow *window, const TndMessage *message, double unit_ns)
{
    double time;
    if (window->logical && message->logical_receive_ns > message->physical_receive_ns)
        time = (double)message->logical_receive_ns - (double)message->logical_send_ns;
    else
        time = (double)message->physical_receive_ns -
               (double)(window->physical ? message->physical_send_ns : message->logical_send_ns);
    return (double)message->size_bytes / (time / unit_ns);
}

static gboolean message_passes(const TndTrace *trace, const TndCfgWindow *window, const TndMessage *message,
                               double unit_ns)
{
    if (window->within_nodes != window->between_nodes) {
        gboolean is_within = node_of(trace, message->sender) == node_of(trace, message->receiver);
        if (is_within != window->within_nodes)
            return FALSE;
    } else if (!window->within_nodes)
        return FALSE;
    gboolean holds = filter_holds(window, TND_FILTER_FROM,
                                  tnd_levels_row_above(trace, TND_LEVEL_THREAD, message->sender, window->level));
    if (holds == window->from_or_to)
        return holds;
    if (!filter_holds(window, TND_FILTER_TO,
                      tnd_levels_row_above(trace, TND_LEVEL_THREAD, message->receiver, window->level)))
        return FALSE;
    holds = filter_holds(window, TND_FILTER_TAG, (double)message->tag);
    if (holds == window->tag_or_size)
        return holds;
    return filter_holds(window, TND_FILTER_SIZE, (double)message->size_bytes) &&
           filter_holds(window, TND_FILTER_BANDWIDTH, bandwidth_of(window, message, unit_ns));
}

static int rank_of(guint kind)
{
    if (kind & TND_RECORD_IS_STATE)
        return kind & TND_RECORD_IS_END ? 0 : 8;
    if (kind & TND_RECORD_IS_PHYSICAL)
        return kind & TND_RECORD_IS_RECEIVE ? 1 : 5;
    return (kind & TND_RECORD_IS_LOGICAL) && (kind & TND_RECORD_IS_SEND) ? 4 : 6;
}

static int compare_records(gconstpointer a, gconstpointer b, gpointer unused)
{
    const TndSemanticRecord *x = a, *y = b;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    if (x->kind & y->kind & TND_RECORD_IS_EVENT || (x->kind & TND_RECORD_IS_STATE && y->kind & TND_RECORD_IS_STATE))
        return 0; /* as they stand in the file */
    return rank_of(x->kind) - rank_of(y->kind);
}

typedef struct {
    TndRecords *records;
    guint needs;
    gboolean is_sorted;
} Adding;

static void add_record(Adding *adding, TndSemanticRecord record)
{
    TndRecords *records = adding->records;
    if (records->n > 0)
        adding->is_sorted &= compare_records(&records->records[records->n - 1], &record, NULL) <= 0;
    records->records[records->n++] = record;
}

static void add_message(Adding *adding, const TndMessage *message, double unit_ns)
{
    TndRecords *records = adding->records;
    gboolean passes = message_passes(records->trace, records->window, message, unit_ns);
    gboolean is_sender = message->sender == records->row, is_receiver = message->receiver == records->row;
    const struct {
        gboolean is_here;
        guint32 kind;
        guint64 time_ns;
    } sides[] = {
        {is_sender, TND_RECORD_IS_LOGICAL | TND_RECORD_IS_SEND, message->logical_send_ns},
        {is_sender, TND_RECORD_IS_PHYSICAL | TND_RECORD_IS_SEND, message->physical_send_ns},
        {is_sender, TND_RECORD_IS_LOGICAL | TND_RECORD_IS_FAR_RECEIVE, message->logical_receive_ns},
        {is_sender, TND_RECORD_IS_PHYSICAL | TND_RECORD_IS_FAR_RECEIVE, message->physical_receive_ns},
        {is_receiver, TND_RECORD_IS_LOGICAL | TND_RECORD_IS_RECEIVE, message->logical_receive_ns},
        {is_receiver, TND_RECORD_IS_PHYSICAL | TND_RECORD_IS_RECEIVE, message->physical_receive_ns},
        {is_receiver, TND_RECORD_IS_LOGICAL | TND_RECORD_IS_FAR_SEND, message->logical_send_ns},
        {is_receiver, TND_RECORD_IS_PHYSICAL | TND_RECORD_IS_FAR_SEND, message->physical_send_ns},
    };
    for (guint i = 0; i < G_N_ELEMENTS(sides); i++)
        if (sides[i].is_here && (sides[i].kind & adding->needs & TND_RECORD_IS_MESSAGE))
            add_record(adding,
                       (TndSemanticRecord){.time_ns = sides[i].time_ns,
                                           .kind = sides[i].kind,
                                           .cpu = sides[i].kind & (TND_RECORD_IS_SEND | TND_RECORD_IS_FAR_SEND)
                                                      ? message->sender_cpu
                                                      : message->receiver_cpu,
                                           .passes = passes && side_passes(records->window, message, sides[i].kind),
                                           .message = message});
}

static void add_events(Adding *adding)
{
    const struct tnd_pcf *pcf = tnd_trace_pcf(adding->records->trace);
    guint32 type = 0;
    double factor = 0; /* not known */
    TndWalk walk = tnd_walk_events(adding->records->trace, adding->records->row, G_MAXUINT64);
    for (const TndEvent *event; (event = tnd_walk_next_event(&walk));) {
        if (event->type != type || factor == 0) {
            const struct tnd_pcf_type *labelled = tnd_pcf_type(pcf, event->type);
            type = event->type;
            factor = labelled && labelled->precision > 0 ? pow(10, -(double)labelled->precision) : 1;
        }
        double value = (double)event->value * factor;
        add_record(adding, (TndSemanticRecord){.time_ns = event->time_ns,
                                               .kind = TND_RECORD_IS_EVENT,
                                               .cpu = event->cpu,
                                               .passes = event_passes(adding->records->window, event->type, value),
                                               .value = value,
                                               .type = event->type});
    }
    tnd_walk_end(&walk);
}

static void add_states(Adding *adding)
{
    TndRowRecords *row = &adding->records->states;
    tnd_walk_all_states(adding->records->trace, adding->records->row, row);
    for (gsize i = 0; i < row->n_states; i++) {
        const TndState *state = &row->states[i];
        add_record(adding, (TndSemanticRecord){.time_ns = state->begin_ns,
                                               .kind = TND_RECORD_IS_BEGIN,
                                               .cpu = state->cpu,
                                               .passes = TRUE,
                                               .state = state});
        if (adding->needs & TND_RECORD_IS_END)
            add_record(adding, (TndSemanticRecord){.time_ns = state->end_ns,
                                                   .kind = TND_RECORD_IS_END,
                                                   .cpu = state->cpu,
                                                   .passes = TRUE,
                                                   .state = state});
    }
}

TndRecords tnd_semantic_records_of(const TndTrace *trace, const TndMessageIndex *index, const TndCfgWindow *window,
                                   guint row, guint needs, double unit_ns)
{
    const TndThread *thread = tnd_trace_thread(trace, row);
    gsize first = index ? index->first[row] : 0, n_messages = index ? index->first[row + 1] - first : 0;
    gsize n = (needs & TND_RECORD_IS_STATE ? 2 * thread->n_states : 0) +
              (needs & TND_RECORD_IS_EVENT ? thread->n_events : 0) +
              (needs & TND_RECORD_IS_MESSAGE ? 8 * n_messages : 0);
    TndRecords records = {.trace = trace, .window = window, .row = row, .records = g_new(TndSemanticRecord, n + 1)};
    Adding adding = {&records, needs, TRUE};
    if (needs & TND_RECORD_IS_EVENT)
        add_events(&adding);
    if (needs & TND_RECORD_IS_MESSAGE)
        for (gsize i = 0; i < n_messages; i++)
            add_message(&adding, &index->all[index->messages[first + i]], unit_ns);
    if (needs & TND_RECORD_IS_STATE)
        add_states(&adding);
    if (!adding.is_sorted) /* stable */
        g_qsort_with_data(records.records, (gint)records.n, sizeof *records.records, compare_records, NULL);
    return records;
}

void tnd_semantic_records_clear(TndRecords *records)
{
    g_free(records->records);
    g_free(records->states.states);
    records->records = NULL;
    records->states.states = NULL;
}

gsize tnd_semantic_records_next(const TndRecords *records, gssize i, guint kind)
{
    gsize next = (gsize)(i + 1);
    while (next < records->n && !(records->records[next].passes && (records->records[next].kind & kind)))
        next++;
    return next;
}
