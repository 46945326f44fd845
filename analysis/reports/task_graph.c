/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads tasks from the events of each row (task_frames.h).  A line between tasks gives the number of the task that
 * begins, and the place and time at which the other task ended.
 */
#include "analysis/reports/task_graph.h"

#include "analysis/views/task_frames.h"
#include "formats/event_types.h"
#include "formats/prv_tags.h"

/* The place and time at which a task ended, was suspended, or was fulfilled. */
typedef struct {
    guint32 row, index;
    guint64 time_ns;
} End;

typedef struct {
    const TndTrace *trace;
    GArray *tasks;        /* TndGraphTask */
    GHashTable *indices;  /* key_of (guint64 *) to the index in tasks */
    GArray *ends;         /* End; in the end sorted by row and time */
    GArray *begun, *left; /* guint64: times when tasks began or continued to run, and when they stopped */
    guint32 *processes;   /* of each row */
    /* Of the current row: */
    guint32 row;
    TndTaskFrames frames; /* the index of a frame is that of its task */
    guint64 since_ns;     /* the innermost task has run since then */
} Reading;

/* The process of each row. */
static guint32 *number_processes(const TndTrace *trace)
{
    guint n_rows = tnd_trace_n_threads(trace);
    guint32 *processes = g_new0(guint32, n_rows + 1);
    for (guint row = 1; row < n_rows; row++) {
        const TndThread *before = tnd_trace_thread(trace, row - 1), *thread = tnd_trace_thread(trace, row);
        processes[row] =
            processes[row - 1] + (before->application != thread->application || before->task != thread->task);
    }
    return processes;
}

static guint64 key_of(const Reading *reading, gint64 number)
{
    return (guint64)reading->processes[reading->row] << 32 | (guint32)number;
}

static guint32 find_task(const Reading *reading, gint64 number)
{
    guint64 key = key_of(reading, number);
    gpointer index;
    gboolean is_known = number && g_hash_table_lookup_extended(reading->indices, &key, NULL, &index);
    return is_known ? GPOINTER_TO_UINT(index) : G_MAXUINT32;
}

static guint32 add_task(Reading *reading, gint64 number)
{
    const TndGraphTask task = {.process = reading->processes[reading->row],
                               .row = reading->row,
                               .number = number,
                               .made_ns = G_MAXUINT64,
                               .begin_ns = G_MAXUINT64,
                               .end_ns = G_MAXUINT64,
                               .ready_ns = G_MAXUINT64};
    guint64 key = key_of(reading, number);
    guint32 index = reading->tasks->len;
    g_array_append_val(reading->tasks, task);
    if (number)
        g_hash_table_insert(reading->indices, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(index));
    return index;
}

static guint32 get_task(Reading *reading, gint64 number)
{
    guint32 index = find_task(reading, number);
    return index == G_MAXUINT32 ? add_task(reading, number) : index;
}

/* The innermost task stops running. */
static void stop(Reading *reading, guint64 time_ns)
{
    const TndTaskFrame *top = tnd_task_frames_top(&reading->frames);
    if (top && !top->wait && time_ns > reading->since_ns) {
        g_array_index(reading->tasks, TndGraphTask, top->index).work_ns += time_ns - reading->since_ns;
        g_array_append_val(reading->begun, reading->since_ns);
        g_array_append_val(reading->left, time_ns);
    }
    reading->since_ns = time_ns;
}

static void pop(Reading *reading, guint64 time_ns, guint keep)
{
    stop(reading, time_ns);
    for (guint i = reading->frames.frames->len; i-- > keep;) {
        const TndTaskFrame *frame = &g_array_index(reading->frames.frames, TndTaskFrame, i);
        if (frame->wait)
            continue;
        TndGraphTask *task = &g_array_index(reading->tasks, TndGraphTask, frame->index);
        const End end = {reading->row, frame->index, time_ns};
        g_array_append_val(reading->ends, end);
        task->end_ns = task->end_ns == G_MAXUINT64 ? time_ns : MAX(task->end_ns, time_ns);
    }
    g_array_set_size(reading->frames.frames, keep);
}

static guint32 begin_task(Reading *reading, const TndRowRecords *row, gsize at, gint64 number)
{
    const TndEvent *event = &row->events[at];
    guint32 index = get_task(reading, number);
    TndGraphTask *task = &g_array_index(reading->tasks, TndGraphTask, index);
    if (event->time_ns < task->begin_ns || task->begin_ns == G_MAXUINT64) {
        task->begin_ns = event->time_ns;
        task->row = reading->row;
    }
    task->function = event->value;
    task->line = tnd_task_frames_task_value(row, at, TND_TYPE_OPENMP_TASK_LINE);
    return index;
}

static void follow_made(Reading *reading, const TndRowRecords *row, gsize at)
{
    gint64 number = tnd_task_frames_task_value(row, at, TND_TYPE_OPENMP_TASK_ID);
    if (!row->events[at].value || !number)
        return;
    guint32 index = get_task(reading, number);
    TndGraphTask *task = &g_array_index(reading->tasks, TndGraphTask, index);
    task->made_ns = row->events[at].time_ns;
    if (!task->function) {
        task->function = row->events[at].value;
        task->line = tnd_task_frames_task_value(row, at, TND_TYPE_OPENMP_TASK_CREATED_LINE);
    }
}

static void follow(Reading *reading, const TndRowRecords *row, gsize at)
{
    const TndEvent *event = &row->events[at];
    if (event->type == TND_TYPE_OPENMP_TASK_CREATED)
        follow_made(reading, row, at);
    TndTaskStep step = tnd_task_frames_step(&reading->frames, row, at);
    if (step.kind == TND_TASK_STEP_POP) {
        pop(reading, event->time_ns, step.keep);
    } else if (step.kind == TND_TASK_STEP_PUSH) {
        stop(reading, event->time_ns);
        if (!step.frame.wait)
            step.frame.index = begin_task(reading, row, at, step.number);
        g_array_append_val(reading->frames.frames, step.frame);
    }
}

static void read_row(Reading *reading, guint row)
{
    TndRowRecords records;
    tnd_walk_all_events(reading->trace, row, &records);
    reading->row = row;
    reading->frames.group = 0;
    for (gsize i = 0; i < records.n_events; i++)
        follow(reading, &records, i);
    pop(reading, tnd_trace_end_ns(reading->trace), 0);
    g_free(records.events);
}

static gboolean is_of_tag(const TndTrace *trace, const TndMessage *message, gint64 tag)
{
    return message->tag == tag && tnd_task_graph_is_line(trace, message);
}

static gboolean is_dependence(const TndTrace *trace, const TndMessage *message)
{
    return is_of_tag(trace, message, TND_PRV_TAG_DEPENDENCE);
}

static int compare_ends(gconstpointer a, gconstpointer b)
{
    const End *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
}

/* For tasks that wait for it, a detached task ends when it is fulfilled. */
static void add_fulfilments(Reading *reading)
{
    TndWalk lines = tnd_walk_messages(reading->trace, 0, G_MAXUINT64);
    for (const TndMessage *line; (line = tnd_walk_next_message(&lines));) {
        if (!is_of_tag(reading->trace, line, TND_PRV_TAG_FULFILMENT))
            continue;
        reading->row = line->receiver;
        const End end = {line->receiver, find_task(reading, line->size_bytes), line->logical_receive_ns};
        if (end.index != G_MAXUINT32)
            g_array_append_val(reading->ends, end);
    }
    tnd_walk_end(&lines);
}

/* A line to a number that no task has is a line to a taskwait, which ends where the line does. */
static void add_waits(Reading *reading)
{
    TndWalk lines = tnd_walk_messages(reading->trace, 0, G_MAXUINT64);
    for (const TndMessage *line; (line = tnd_walk_next_message(&lines));) {
        if (!is_dependence(reading->trace, line))
            continue;
        reading->row = line->receiver;
        if (find_task(reading, line->size_bytes) != G_MAXUINT32 || line->size_bytes <= 0)
            continue;
        const End end = {line->receiver, add_task(reading, line->size_bytes), line->logical_receive_ns};
        TndGraphTask *task = &g_array_index(reading->tasks, TndGraphTask, end.index);
        task->is_wait = TRUE;
        task->begin_ns = task->end_ns = line->logical_receive_ns;
        g_array_append_val(reading->ends, end);
    }
    tnd_walk_end(&lines);
}

/* The task, other than the waiting one, that ended at this place and time; G_MAXUINT32: there is none. */
static guint32 find_end(const Reading *reading, guint32 row, guint64 time_ns, guint32 other)
{
    const End wanted = {row, 0, time_ns};
    guint low = 0, high = reading->ends->len;
    while (low < high) {
        guint middle = (low + high) / 2;
        if (compare_ends(&g_array_index(reading->ends, End, middle), &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < reading->ends->len; low++) {
        const End *end = &g_array_index(reading->ends, End, low);
        if (compare_ends(end, &wanted) != 0)
            break;
        if (end->index != other)
            return end->index;
    }
    return G_MAXUINT32;
}

static void add_edges(Reading *reading, TndTaskGraph *graph)
{
    TndWalk lines = tnd_walk_messages(reading->trace, 0, G_MAXUINT64);
    for (const TndMessage *line; (line = tnd_walk_next_message(&lines));) {
        if (!is_dependence(reading->trace, line))
            continue;
        reading->row = line->receiver;
        guint32 after = find_task(reading, line->size_bytes);
        guint32 before = find_end(reading, line->sender, line->logical_send_ns, after);
        if (after != G_MAXUINT32) { /* what it waited for ended then, even if that is not known */
            TndGraphTask *task = &g_array_index(reading->tasks, TndGraphTask, after);
            task->ready_ns =
                task->ready_ns == G_MAXUINT64 ? line->logical_send_ns : MAX(task->ready_ns, line->logical_send_ns);
        }
        const TndGraphEdge edge = {before, after};
        if (before != G_MAXUINT32 && after != G_MAXUINT32)
            g_array_append_val(graph->edges, edge);
        else
            graph->n_unknown++;
    }
    tnd_walk_end(&lines);
}

static int compare_tasks(gconstpointer a, gconstpointer b, gpointer data)
{
    const TndGraphTask *tasks = data, *x = &tasks[*(const guint32 *)a], *y = &tasks[*(const guint32 *)b];
    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    if (x->begin_ns != y->begin_ns)
        return x->begin_ns < y->begin_ns ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static int compare_edges(gconstpointer a, gconstpointer b)
{
    const TndGraphEdge *x = a, *y = b;
    if (x->before != y->before)
        return x->before < y->before ? -1 : 1;
    return (x->after > y->after) - (x->after < y->after);
}

/* Sorts the tasks, and replaces the indices in the edges. */
static void sort_graph(TndTaskGraph *graph, const GArray *tasks)
{
    guint32 *order = g_new(guint32, tasks->len + 1), *places = g_new(guint32, tasks->len + 1);
    for (guint32 i = 0; i < tasks->len; i++)
        order[i] = i;
    g_qsort_with_data(order, (gint)tasks->len, sizeof *order, compare_tasks, tasks->data);
    for (guint32 i = 0; i < tasks->len; i++) {
        g_array_append_val(graph->tasks, g_array_index(tasks, TndGraphTask, order[i]));
        places[order[i]] = i;
    }
    for (guint i = 0; i < graph->edges->len; i++) {
        TndGraphEdge *edge = &g_array_index(graph->edges, TndGraphEdge, i);
        *edge = (TndGraphEdge){places[edge->before], places[edge->after]};
    }
    g_array_sort(graph->edges, compare_edges);
    g_free(order);
    g_free(places);
}

static int compare_times(gconstpointer a, gconstpointer b)
{
    guint64 x = *(const guint64 *)a, y = *(const guint64 *)b;
    return (x > y) - (x < y);
}

/* Counts the tasks that ran at once.  At one time, tasks stop before others begin. */
static void count_running(TndTaskGraph *graph, GArray *begun, GArray *left)
{
    g_array_sort(begun, compare_times);
    g_array_sort(left, compare_times);
    guint32 n = 0;
    guint64 since_ns = 0;
    for (guint b = 0, l = 0; l < left->len;) {
        guint64 left_ns = g_array_index(left, guint64, l);
        if (b < begun->len && g_array_index(begun, guint64, b) < left_ns) {
            guint64 begun_ns = g_array_index(begun, guint64, b++);
            if (n++ == 0)
                since_ns = begun_ns;
            graph->n_at_once = MAX(graph->n_at_once, n);
        } else {
            l++;
            if (--n == 0)
                graph->busy_ns += left_ns - since_ns;
        }
    }
}

/* Computes the level and the path of every task, in topological order. */
static void measure_paths(TndTaskGraph *graph)
{
    guint n = graph->tasks->len, n_queued = 0;
    guint32 *n_before = g_new0(guint32, n + 1), *first = g_new0(guint32, n + 2), *queue = g_new(guint32, n + 1);
    const TndGraphEdge *edges = (const TndGraphEdge *)(gpointer)graph->edges->data;
    TndGraphTask *tasks = (TndGraphTask *)(gpointer)graph->tasks->data;
    for (guint i = 0; i < graph->edges->len; i++) {
        n_before[edges[i].after]++;
        first[edges[i].before + 1]++;
    }
    for (guint i = 0; i < n; i++) {
        tasks[i].is_alone = n_before[i] == 0 && first[i + 1] == 0;
        first[i + 1] += first[i];
        if (n_before[i] == 0)
            queue[n_queued++] = i;
    }
    for (guint at = 0; at < n_queued; at++) {
        TndGraphTask *task = &tasks[queue[at]];
        task->level += !task->is_wait;
        task->path_ns += task->work_ns;
        for (guint i = first[queue[at]]; i < first[queue[at] + 1]; i++) {
            TndGraphTask *after = &tasks[edges[i].after];
            after->level = MAX(after->level, task->level);
            after->path_ns = MAX(after->path_ns, task->path_ns);
            if (--n_before[edges[i].after] == 0)
                queue[n_queued++] = edges[i].after;
        }
    }
    g_free(n_before);
    g_free(first);
    g_free(queue);
}

static void measure_wait(TndTaskGraph *graph, TndGraphTask *task)
{
    if (task->made_ns != G_MAXUINT64)
        task->ready_ns = task->ready_ns == G_MAXUINT64 ? task->made_ns : MAX(task->ready_ns, task->made_ns);
    if (task->ready_ns > task->begin_ns)
        return;
    guint64 lost_ns = task->begin_ns - task->ready_ns;
    graph->n_ready++;
    graph->lost_ns += lost_ns;
    graph->longest_lost_ns = MAX(graph->longest_lost_ns, lost_ns);
}

static void measure_task(TndTaskGraph *graph, TndGraphTask *task, GArray *n_of_level)
{
    graph->path_ns = MAX(graph->path_ns, task->path_ns);
    if (task->is_wait)
        return;
    graph->n_tasks++;
    if (task->begin_ns == G_MAXUINT64)
        return;
    graph->n_begun++;
    graph->work_ns += task->work_ns;
    graph->first_ns = MIN(graph->first_ns, task->begin_ns);
    graph->last_ns = MAX(graph->last_ns, task->end_ns);
    measure_wait(graph, task);
    graph->n_alone += task->is_alone;
    if (task->is_alone)
        return;
    if (task->level >= n_of_level->len)
        g_array_set_size(n_of_level, task->level + 1);
    guint32 n = ++g_array_index(n_of_level, guint32, task->level);
    graph->width = MAX(graph->width, n);
    graph->height = MAX(graph->height, task->level);
}

TndTaskGraph *tnd_task_graph_new(const TndTrace *trace)
{
    TndTaskGraph *graph = g_new0(TndTaskGraph, 1);
    Reading reading = {.trace = trace, .processes = number_processes(trace)};
    reading.tasks = g_array_new(FALSE, FALSE, sizeof(TndGraphTask));
    reading.indices = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    reading.ends = g_array_new(FALSE, FALSE, sizeof(End));
    reading.begun = g_array_new(FALSE, FALSE, sizeof(guint64));
    reading.left = g_array_new(FALSE, FALSE, sizeof(guint64));
    reading.frames.frames = g_array_new(FALSE, FALSE, sizeof(TndTaskFrame));
    graph->tasks = g_array_new(FALSE, FALSE, sizeof(TndGraphTask));
    graph->edges = g_array_new(FALSE, FALSE, sizeof(TndGraphEdge));
    graph->first_ns = G_MAXUINT64;
    for (guint row = 0; row < tnd_trace_n_threads(trace); row++)
        read_row(&reading, row);
    add_fulfilments(&reading);
    add_waits(&reading);
    g_array_sort(reading.ends, compare_ends);
    add_edges(&reading, graph);
    g_free(reading.processes);
    sort_graph(graph, reading.tasks);
    count_running(graph, reading.begun, reading.left);
    measure_paths(graph);
    GArray *n_of_level = g_array_new(FALSE, TRUE, sizeof(guint32));
    for (guint i = 0; i < graph->tasks->len; i++)
        measure_task(graph, &g_array_index(graph->tasks, TndGraphTask, i), n_of_level);
    g_array_unref(n_of_level);
    graph->first_ns = MIN(graph->first_ns, graph->last_ns);
    g_hash_table_unref(reading.indices);
    GArray *const arrays[] = {reading.tasks, reading.ends, reading.begun, reading.left, reading.frames.frames};
    for (guint i = 0; i < G_N_ELEMENTS(arrays); i++)
        g_array_unref(arrays[i]);
    return graph;
}

void tnd_task_graph_free(TndTaskGraph *graph)
{
    if (!graph)
        return;
    g_array_unref(graph->tasks);
    g_array_unref(graph->edges);
    g_free(graph);
}

char *tnd_task_graph_name(const TndTrace *trace, const TndGraphTask *task)
{
    const struct tnd_pcf *pcf = tnd_trace_pcf(trace);
    if (task->is_wait)
        return g_strdup("taskwait");
    const char *function = tnd_pcf_value_label(pcf, TND_TYPE_OPENMP_TASK, task->function);
    const char *line = task->line ? tnd_pcf_value_label(pcf, TND_TYPE_OPENMP_TASK_LINE, task->line) : NULL;
    char *number = function ? NULL : g_strdup_printf("function %" G_GINT64_FORMAT, task->function);
    const char *shown = function ? function : number;
    gboolean says_more =
        line && !g_str_has_prefix(line, shown); /* without debug information the line is the function again */
    char *name = says_more ? g_strdup_printf("%s (%s)", shown, line) : g_strdup(shown);
    g_free(number);
    return name;
}

gboolean tnd_task_graph_is_line(const TndTrace *trace, const TndMessage *message)
{
    if (message->tag < TND_PRV_TAG_CREATION || message->tag > TND_PRV_TAG_FULFILMENT)
        return FALSE;
    const TndThread *from = tnd_trace_thread(trace, message->sender), *to = tnd_trace_thread(trace, message->receiver);
    return from->application == to->application && from->task == to->task;
}
