/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The records of a thread in Paraver's order, and the filters of messages.
 */
#include "analysis/views/view_plan.h"

/* The messages that each row sends or receives: those of row r are messages[first[r]] to messages[first[r + 1] - 1]. */
typedef struct {
    TndMessage *all;
    gsize *first; /* of each row, and the end of the last one */
    guint *messages;
} MessageIndex;

static gpointer make_index(const TndTrace *trace)
{
    guint n_rows = tnd_trace_n_threads(trace);
    gsize n;
    MessageIndex *index = g_new0(MessageIndex, 1);
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

static void free_index(gpointer data)
{
    MessageIndex *index = data;
    g_free(index->all);
    g_free(index->first);
    g_free(index->messages);
    g_free(index);
}

static guint node_of(const TndTrace *trace, guint row)
{
    return tnd_trace_thread(trace, row)->node;
}

gboolean tnd_semantic_records_side_passes(const TndCfgWindow *window, const TndMessage *message, guint kind)
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

gboolean tnd_semantic_records_message_passes(const TndViewPlan *plan, const TndMessage *message)
{
    const TndTrace *trace = plan->trace;
    const TndCfgWindow *window = &plan->window;
    if (!plan->filters_messages)
        return TRUE;
    if (window->within_nodes != window->between_nodes) {
        gboolean is_within = node_of(trace, message->sender) == node_of(trace, message->receiver);
        if (is_within != window->within_nodes)
            return FALSE;
    } else if (!window->within_nodes)
        return FALSE;
    gboolean holds =
        tnd_cfg_filter_holds(&window->filters[TND_FILTER_FROM],
                             tnd_levels_row_above(trace, TND_LEVEL_THREAD, message->sender, window->level));
    if (holds == window->from_or_to)
        return holds;
    if (!tnd_cfg_filter_holds(&window->filters[TND_FILTER_TO],
                              tnd_levels_row_above(trace, TND_LEVEL_THREAD, message->receiver, window->level)))
        return FALSE;
    holds = tnd_cfg_filter_holds(&window->filters[TND_FILTER_TAG], (double)message->tag);
    if (holds == window->tag_or_size)
        return holds;
    return tnd_cfg_filter_holds(&window->filters[TND_FILTER_SIZE], (double)message->size_bytes) &&
           tnd_cfg_filter_holds(&window->filters[TND_FILTER_BANDWIDTH],
                                bandwidth_of(window, message, tnd_view_plan_unit(plan)->ns));
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
        return 0; /* in the order of the file */
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

static void add_message(Adding *adding, const TndMessage *message)
{
    TndRecords *records = adding->records;
    gboolean passes = tnd_semantic_records_message_passes(records->plan, message);
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
                                           .passes = passes && tnd_semantic_records_side_passes(&records->plan->window,
                                                                                                message, sides[i].kind),
                                           .message = message});
}

static void add_events(Adding *adding)
{
    const TndViewPlan *plan = adding->records->plan;
    TndWalk walk = tnd_walk_events(plan->trace, adding->records->row, tnd_view_types_bits(&plan->types));
    double value;
    for (const TndEvent *event; (event = tnd_walk_next_event(&walk));)
        if (tnd_view_types_value(&plan->types, event, &value))
            add_record(adding, (TndSemanticRecord){.time_ns = event->time_ns,
                                                   .kind = TND_RECORD_IS_EVENT,
                                                   .cpu = event->cpu,
                                                   .passes = TRUE,
                                                   .value = value,
                                                   .type = event->type});
    tnd_walk_end(&walk);
}

static void add_states(Adding *adding)
{
    TndRowRecords *row = &adding->records->states;
    tnd_walk_all_states(adding->records->plan->trace, adding->records->row, row);
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

TndRecords tnd_semantic_records_of(const TndViewPlan *plan, guint row, guint needs)
{
    const TndThread *thread = tnd_trace_thread(plan->trace, row);
    const MessageIndex *index = NULL;
    if (needs & TND_RECORD_IS_MESSAGE)
        index = tnd_trace_keep(plan->trace, TND_TRACE_MESSAGES_OF_ROWS, make_index, free_index);
    gsize first = index ? index->first[row] : 0, n_messages = index ? index->first[row + 1] - first : 0;
    gsize n = (needs & TND_RECORD_IS_STATE ? 2 * thread->n_states : 0) +
              (needs & TND_RECORD_IS_EVENT ? thread->n_events : 0) + 8 * n_messages;
    TndRecords records = {.plan = plan, .row = row, .records = g_new(TndSemanticRecord, n + 1)};
    Adding adding = {&records, needs, TRUE};
    if (needs & TND_RECORD_IS_EVENT)
        add_events(&adding);
    for (gsize i = 0; i < n_messages; i++)
        add_message(&adding, &index->all[index->messages[first + i]]);
    if (needs & TND_RECORD_IS_STATE)
        add_states(&adding);
    if (!adding.is_sorted) /* by a stable sort */
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

void tnd_semantic_records_evaluate(const TndSemanticThread *function, TndSemanticRow *row, TndBurstStream *stream)
{
    TndRecords records = tnd_semantic_records_of(row->plan, row->row, function->needs);
    double value = function->value(&records, -1, row->call, 0);
    tnd_burst_stream_begin(stream, 0, value);
    row->begins_before = TRUE;
    for (gsize i = 0; i < records.n; i++) {
        if (!records.records[i].passes || !function->is_valid(&records, i))
            continue;
        value = function->value(&records, (gssize)i, row->call, value);
        row->begins_before &= records.records[i].time_ns > 0;
        tnd_burst_stream_begin(stream, records.records[i].time_ns, value);
    }
    tnd_semantic_records_clear(&records);
}
