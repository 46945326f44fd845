/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fills a trace from what a reader hands out.  A thread's records go to arrays that double; the arrays of a finished
 * trace are cut to their size and sorted by time where the file was not.
 */
#include "analysis/trace_build.h"

#include <string.h>

/* More objects than this in a header are a damaged file rather than a machine. */
#define MAX_OBJECTS (1u << 24)
#define MAX_COMMENTS 50000

typedef struct {
    TndState *states;
    TndEvent *events;
    gsize n_states, room_states, n_events, room_events;
    gboolean states_unsorted, events_unsorted, has_open;
} Columns;

struct TndTraceBuild {
    TndTrace *trace;
    Columns *columns;
    gsize room_messages;
    gboolean messages_unsorted;
    guint64 unit_ns;
    gboolean has_header;
    const char *refusal;
};

TndTraceBuild *tnd_trace_build_new(const char *path)
{
    TndTraceBuild *build = g_new0(TndTraceBuild, 1);
    build->trace = g_new0(TndTrace, 1);
    build->trace->path = g_strdup(path);
    char *base = g_path_get_basename(path);
    for (guint i = 0; i < 2; i++) {
        static const char *const endings[] = {".gz", ".prv"};
        if (g_str_has_suffix(base, endings[i]))
            base[strlen(base) - strlen(endings[i])] = '\0';
    }
    build->trace->name = base;
    build->trace->comments = g_ptr_array_new_with_free_func(g_free);
    return build;
}

void tnd_trace_build_free(TndTraceBuild *build)
{
    if (!build)
        return;
    for (guint row = 0; build->trace && build->columns && row < build->trace->n_threads; row++) {
        g_free(build->columns[row].states);
        g_free(build->columns[row].events);
    }
    g_free(build->columns);
    tnd_trace_free(build->trace);
    g_free(build);
}

const char *tnd_trace_build_refusal(const TndTraceBuild *build)
{
    return build->refusal;
}

static guint64 to_ns(const TndTraceBuild *build, guint64 time)
{
    guint64 time_ns;
    return __builtin_mul_overflow(time, build->unit_ns, &time_ns) ? G_MAXUINT64 - 1 : time_ns;
}

static gboolean refuse(TndTraceBuild *build, const char *why)
{
    build->refusal = why;
    return FALSE;
}

static void copy_header(struct tnd_prv_header *to, const struct tnd_prv_header *from)
{
    *to = *from;
    to->n_cpus = g_memdup2(from->n_cpus, from->n_nodes * sizeof *from->n_cpus);
    to->applications = g_new0(struct tnd_prv_application, from->n_applications);
    for (guint a = 0; a < from->n_applications; a++) {
        const struct tnd_prv_application *application = &from->applications[a];
        to->applications[a].n_tasks = application->n_tasks;
        to->applications[a].tasks = g_memdup2(application->tasks, application->n_tasks * sizeof *application->tasks);
    }
}

/* Numbers the rows: threads in the order of applications, tasks, threads. */
static gboolean number_rows(TndTraceBuild *build)
{
    TndTrace *trace = build->trace;
    const struct tnd_prv_header *header = &trace->header;
    guint64 n_tasks = 0, n_threads = 0;
    for (guint a = 0; a < header->n_applications; a++) {
        n_tasks += header->applications[a].n_tasks;
        for (guint t = 0; t < header->applications[a].n_tasks && n_tasks <= MAX_OBJECTS; t++)
            n_threads += header->applications[a].tasks[t].n_threads;
    }
    if (n_tasks > MAX_OBJECTS || n_threads > MAX_OBJECTS)
        return refuse(build, "its header speaks of more threads than any machine has");
    trace->n_threads = (guint)n_threads;
    trace->threads = g_new0(TndThread, n_threads + 1);
    trace->first_row = g_new0(guint, n_tasks + 1);
    trace->first_task = g_new0(guint, header->n_applications + 1);
    guint row = 0, task = 0;
    for (guint a = 0; a < header->n_applications; a++) {
        trace->first_task[a] = task;
        for (guint t = 0; t < header->applications[a].n_tasks; t++) {
            trace->first_row[task++] = row;
            for (guint h = 0; h < header->applications[a].tasks[t].n_threads; h++, row++)
                trace->threads[row] = (TndThread){.application = a + 1,
                                                  .task = t + 1,
                                                  .thread = h + 1,
                                                  .node = header->applications[a].tasks[t].node};
        }
    }
    trace->first_task[header->n_applications] = task;
    trace->first_row[task] = row;
    return TRUE;
}

static bool visit_header(void *self, const struct tnd_prv_header *header)
{
    TndTraceBuild *build = self;
    if (build->has_header)
        return refuse(build, "it has two headers");
    copy_header(&build->trace->header, header);
    build->has_header = TRUE;
    build->unit_ns = header->unit_ns ? header->unit_ns : 1;
    if (!number_rows(build))
        return false;
    build->columns = g_new0(Columns, build->trace->n_threads + 1);
    build->trace->end_ns = to_ns(build, header->end_time);
    return true;
}

static inline guint row_of(const TndTraceBuild *build, const struct tnd_prv_place *at)
{
    return tnd_trace_row(build->trace, at->application, at->task, at->thread);
}

static void add_fault(TndTraceBuild *build, guint64 line, const char *what)
{
    if (build->trace->n_faults++ == 0)
        build->trace->fault = g_strdup_printf("line %" G_GUINT64_FORMAT ": %s", line, what);
}

#define MAKE_ROOM(array, n, room)                                                                                      \
    do {                                                                                                               \
        if ((n) == (room)) {                                                                                           \
            (room) = (room) ? 2 * (room) : 64;                                                                         \
            (array) = g_realloc_n((array), (room), sizeof *(array));                                                   \
        }                                                                                                              \
    } while (0)

static bool visit_state(void *self, const struct tnd_prv_state *state)
{
    TndTraceBuild *build = self;
    guint row = row_of(build, &state->at);
    if (row == G_MAXUINT) {
        add_fault(build, 0, "a state of a thread that the header does not have");
        return true;
    }
    Columns *columns = &build->columns[row];
    MAKE_ROOM(columns->states, columns->n_states, columns->room_states);
    TndState *new = &columns->states[columns->n_states];
    new->begin_ns = to_ns(build, state->begin);
    new->state = state->state;
    new->cpu = state->at.cpu;
    if (state->end == G_MAXUINT64) {
        new->end_ns = G_MAXUINT64;
        columns->has_open = TRUE;
    } else {
        new->end_ns = MAX(new->begin_ns, to_ns(build, state->end));
        build->trace->end_ns = MAX(build->trace->end_ns, new->end_ns);
    }
    build->trace->end_ns = MAX(build->trace->end_ns, new->begin_ns);
    if (columns->n_states && new->begin_ns < new[-1].begin_ns)
        columns->states_unsorted = TRUE;
    columns->n_states++;
    return true;
}

static bool visit_event(void *self, const struct tnd_prv_event *event)
{
    TndTraceBuild *build = self;
    guint row = row_of(build, &event->at);
    if (row == G_MAXUINT) {
        add_fault(build, 0, "an event of a thread that the header does not have");
        return true;
    }
    Columns *columns = &build->columns[row];
    guint64 time_ns = to_ns(build, event->time);
    if (columns->n_events && time_ns < columns->events[columns->n_events - 1].time_ns)
        columns->events_unsorted = TRUE;
    for (size_t i = 0; i < event->n_pairs; i++) {
        MAKE_ROOM(columns->events, columns->n_events, columns->room_events);
        columns->events[columns->n_events++] = (TndEvent){
            .time_ns = time_ns, .type = event->pairs[i].type, .cpu = event->at.cpu, .value = event->pairs[i].value};
    }
    build->trace->end_ns = MAX(build->trace->end_ns, time_ns);
    return true;
}

static bool visit_message(void *self, const struct tnd_prv_message *message)
{
    TndTraceBuild *build = self;
    TndTrace *trace = build->trace;
    guint sender = row_of(build, &message->sender), receiver = row_of(build, &message->receiver);
    if (sender == G_MAXUINT || receiver == G_MAXUINT) {
        add_fault(build, 0, "a message of a thread that the header does not have");
        return true;
    }
    MAKE_ROOM(trace->messages, trace->n_messages, build->room_messages);
    TndMessage *new = &trace->messages[trace->n_messages];
    *new = (TndMessage){.sender = sender,
                        .receiver = receiver,
                        .sender_cpu = message->sender.cpu,
                        .receiver_cpu = message->receiver.cpu,
                        .logical_send_ns = to_ns(build, message->logical_send),
                        .physical_send_ns = to_ns(build, message->physical_send),
                        .logical_receive_ns = to_ns(build, message->logical_receive),
                        .physical_receive_ns = to_ns(build, message->physical_receive),
                        .size_bytes = message->size_bytes,
                        .tag = message->tag};
    if (trace->n_messages && new->logical_send_ns < new[-1].logical_send_ns)
        build->messages_unsorted = TRUE;
    guint64 last_send = MAX(new->logical_send_ns, new->physical_send_ns);
    guint64 last_receive = MAX(new->logical_receive_ns, new->physical_receive_ns);
    trace->end_ns = MAX(trace->end_ns, MAX(last_send, last_receive));
    trace->n_messages++;
    return true;
}

static bool visit_comment(void *self, const char *line, size_t length)
{
    TndTraceBuild *build = self;
    if (build->trace->comments->len >= MAX_COMMENTS)
        return true;
    gsize skip = length && line[0] == '#';
    char *text = g_utf8_make_valid(line + skip, (gssize)(length - skip));
    g_ptr_array_add(build->trace->comments, g_strchomp(text));
    return true;
}

static void visit_fault(void *self, enum tnd_prv_severity severity, uint64_t line_number, const char *what)
{
    TndTraceBuild *build = self;
    if (severity != TND_PRV_NOTE)
        add_fault(build, line_number, what);
}

const struct tnd_prv_visitor tnd_trace_build_visitor = {
    .header = visit_header,
    .state = visit_state,
    .event = visit_event,
    .message = visit_message,
    .comment = visit_comment,
    .fault = visit_fault,
};

static int compare_states(gconstpointer a, gconstpointer b, gpointer unused)
{
    guint64 x = ((const TndState *)a)->begin_ns, y = ((const TndState *)b)->begin_ns;
    return (x > y) - (x < y);
}

static int compare_events(gconstpointer a, gconstpointer b, gpointer unused)
{
    guint64 x = ((const TndEvent *)a)->time_ns, y = ((const TndEvent *)b)->time_ns;
    return (x > y) - (x < y);
}

static int compare_messages(gconstpointer a, gconstpointer b, gpointer unused)
{
    guint64 x = ((const TndMessage *)a)->logical_send_ns, y = ((const TndMessage *)b)->logical_send_ns;
    return (x > y) - (x < y);
}

static int compare_types(gconstpointer a, gconstpointer b, gpointer unused)
{
    guint32 x = ((const TndTraceType *)a)->type, y = ((const TndTraceType *)b)->type;
    return (x > y) - (x < y);
}

/* A stable sort, as g_qsort_with_data is; its count is an int. */
static void sort(gpointer array, gsize n, gsize size, GCompareDataFunc compare)
{
    if (n <= G_MAXINT)
        g_qsort_with_data(array, (gint)n, size, compare, NULL);
}

static void finish_thread(TndTrace *trace, guint row, Columns *columns)
{
    if (columns->states_unsorted)
        sort(columns->states, columns->n_states, sizeof(TndState), compare_states);
    if (columns->events_unsorted)
        sort(columns->events, columns->n_events, sizeof(TndEvent), compare_events);
    for (gsize i = 0; columns->has_open && i < columns->n_states; i++)
        if (columns->states[i].end_ns == G_MAXUINT64)
            columns->states[i].end_ns = i + 1 < columns->n_states ? columns->states[i + 1].begin_ns : trace->end_ns;
    TndThread *thread = &trace->threads[row];
    thread->states = g_realloc_n(columns->states, columns->n_states, sizeof(TndState));
    thread->n_states = columns->n_states;
    thread->events = g_realloc_n(columns->events, columns->n_events, sizeof(TndEvent));
    thread->n_events = columns->n_events;
}

/* Counts of types: a small table of what came last in front of a hash table. */
#define N_RECENT 256

static void count_types(TndTrace *trace)
{
    GHashTable *totals = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    TndTraceType *recent[N_RECENT] = {NULL};
    for (guint row = 0; row < trace->n_threads; row++) {
        const TndThread *thread = &trace->threads[row];
        for (gsize i = 0; i < thread->n_events; i++) {
            guint32 type = thread->events[i].type;
            TndTraceType **slot = &recent[type % N_RECENT];
            if (!*slot || (*slot)->type != type) {
                *slot = g_hash_table_lookup(totals, GUINT_TO_POINTER(type));
                if (!*slot) {
                    *slot = g_new0(TndTraceType, 1);
                    (*slot)->type = type;
                    g_hash_table_insert(totals, GUINT_TO_POINTER(type), *slot);
                }
            }
            (*slot)->n_events++;
        }
    }
    trace->types = g_new(TndTraceType, g_hash_table_size(totals));
    GHashTableIter iter;
    gpointer total;
    g_hash_table_iter_init(&iter, totals);
    while (g_hash_table_iter_next(&iter, NULL, &total))
        trace->types[trace->n_types++] = *(TndTraceType *)total;
    sort(trace->types, trace->n_types, sizeof *trace->types, compare_types);
    g_hash_table_unref(totals);
}

static const char *name_of(const struct tnd_row *row, enum tnd_row_level level, guint index)
{
    const char *name = row && index < row->n_names[level] ? row->names[level][index] : NULL;
    return name && *name ? name : NULL;
}

/* A name of the .row may be any bytes; a name of a trace is UTF-8. */
static char *copy_name(const char *name)
{
    return g_utf8_make_valid(name, -1);
}

static void name_objects(TndTrace *trace, const struct tnd_row *row)
{
    trace->names = g_new0(char *, trace->n_threads + 1);
    for (guint i = 0; i < trace->n_threads; i++) {
        TndThread *thread = &trace->threads[i];
        const char *name = name_of(row, TND_ROW_THREAD, i);
        trace->names[i] = name ? copy_name(name)
                               : g_strdup_printf("THREAD %u.%u.%u", thread->application, thread->task, thread->thread);
        thread->name = trace->names[i];
    }
    trace->node_names = g_new0(char *, trace->header.n_nodes + 1);
    for (guint i = 0; i < trace->header.n_nodes; i++) {
        const char *name = name_of(row, TND_ROW_NODE, i);
        trace->node_names[i] = name ? copy_name(name) : g_strdup_printf("NODE %u", i + 1);
    }
}

TndTrace *tnd_trace_build_finish(TndTraceBuild *build, struct tnd_pcf *pcf, struct tnd_row *row)
{
    TndTrace *trace = build->trace;
    trace->pcf = pcf ? pcf : tnd_pcf_new();
    trace->row = row;
    if (!build->columns) {
        tnd_trace_build_free(build);
        return NULL;
    }
    for (guint i = 0; i < trace->n_threads; i++)
        finish_thread(trace, i, &build->columns[i]);
    if (build->messages_unsorted)
        sort(trace->messages, trace->n_messages, sizeof(TndMessage), compare_messages);
    trace->messages = g_realloc_n(trace->messages, trace->n_messages, sizeof(TndMessage));
    count_types(trace);
    name_objects(trace, row);
    g_ptr_array_add(trace->comments, NULL);
    g_free(build->columns);
    g_free(build);
    return trace;
}
