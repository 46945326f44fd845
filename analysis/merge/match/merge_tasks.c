/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tasks to lines: from where a task was complete to where one that waited for it began, from where a detached task
 * ended to where it was complete, and if wanted from where a task was made to where it began.  A walk in time over all
 * streams with tasks; who waits for whom is found out by merge_depend.c.
 *
 * Memory: the tasks that are under way at one moment, or that a later one may have to wait for.
 */
#include "analysis/merge/match/merge_tasks.h"
#include "analysis/merge/base/merge_tournament.h"
#include "analysis/merge/match/merge_depend.h"
#include "analysis/merge/match/merge_spill.h"
#include "analysis/merge/read/merge_reader.h"
#include "formats/event_types.h"
#include "formats/prv_tags.h"

/* The tasks of one process. */
struct graph {
    GHashTable *tasks;   /* number -> TndMergeOmpTask *, of tasks that are not complete or may make tasks */
    GHashTable *handles; /* guint64 * -> number, of detached tasks */
};

/* A walker: where a row is in the walk. */
struct walker {
    TndMergeReader reader;
    guint32 row;
    const struct tnd_record *record; /* the next record */
    struct graph *graph;             /* the tasks of the part's process */
    GArray *implicit; /* guint32, for the thread and each open region: the implicit task that made tasks */
};

struct drawing {
    TndMerge *merge;
    GHashTable *graphs; /* TndMergeProcess * -> struct graph * */
    GError *error;      /* the first error, which ends the walk */
};

/* Releases a task, but its predecessors first: in a run that was killed, tasks that never began would else release
 * each other, as deep as their chain is long. */
static void forget(gpointer data)
{
    TndMergeOmpTask *task = data;
    g_clear_pointer(&task->predecessors, g_ptr_array_unref);
    tnd_merge_depend_release(task);
}

static void free_graph(gpointer data)
{
    struct graph *graph = data;
    g_hash_table_unref(graph->tasks);
    g_hash_table_unref(graph->handles);
    g_free(graph);
}

static struct graph *graph_of(struct drawing *drawing, const TndMergeProcess *process)
{
    struct graph *graph = g_hash_table_lookup(drawing->graphs, process);
    if (!graph) {
        graph = g_new(struct graph, 1);
        graph->tasks = g_hash_table_new_full(NULL, NULL, NULL, forget);
        graph->handles = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
        g_hash_table_insert(drawing->graphs, (gpointer)process, graph);
    }
    return graph;
}

static TndMergeOmpTask *find(struct graph *graph, guint32 number)
{
    return g_hash_table_lookup(graph->tasks, GUINT_TO_POINTER(number));
}

static TndMergeOmpTask *make(struct graph *graph, guint32 number)
{
    TndMergeOmpTask *task = tnd_merge_depend_new(number);
    g_hash_table_replace(graph->tasks, GUINT_TO_POINTER(number), task);
    return task;
}

/* The task that makes tasks on this row.  An implicit task is known from the first task that it makes; an explicit
 * one at the latest when it begins. */
static TndMergeOmpTask *creator_of(struct walker *walker, guint32 number)
{
    TndMergeOmpTask *creator = find(walker->graph, number);
    if (creator)
        return creator;
    guint32 *implicit =
        walker->implicit->len ? &g_array_index(walker->implicit, guint32, walker->implicit->len - 1) : NULL;
    if (implicit && !*implicit)
        *implicit = number;
    return make(walker->graph, number);
}

static void add_line(struct drawing *drawing, guint32 from_row, guint64 from_ns, guint32 to_row, guint64 to_ns,
                     gint32 tag, guint32 number)
{
    const TndMergeMessage message = {from_ns, from_ns, to_ns, to_ns, number, tag, from_row, to_row};
    if (!drawing->error)
        tnd_merge_spill_add(drawing->merge->messages, &message, &drawing->error);
}

/* Draws the lines to a task where it goes on for the first time: its predecessors are complete. */
static void arrive(struct drawing *drawing, TndMergeOmpTask *task, guint32 row, guint64 time)
{
    for (guint i = 0; task->predecessors && i < task->predecessors->len; i++) {
        const TndMergeOmpTask *before = task->predecessors->pdata[i];
        if (before->complete_ns && before->complete_ns <= time)
            add_line(drawing, before->row, before->complete_ns, row, time, TND_PRV_TAG_DEPENDENCE, task->number);
    }
    g_clear_pointer(&task->predecessors, g_ptr_array_unref);
}

static void complete(struct graph *graph, TndMergeOmpTask *task, guint32 row, guint64 time)
{
    task->row = row;
    task->complete_ns = time;
    if (task->has_ended && (task->is_fulfilled || !(task->flags & TND_TASK_DETACHED))) {
        tnd_merge_depend_close(task);
        g_hash_table_remove(graph->tasks, GUINT_TO_POINTER(task->number));
    }
}

static guint32 number_of_handle(struct graph *graph, const struct tnd_record *record)
{
    if (record->id || record->n_words < 1)
        return record->id;
    return GPOINTER_TO_UINT(g_hash_table_lookup(graph->handles, &record->words[0]));
}

static void remember_handle(struct graph *graph, const struct tnd_record *record)
{
    if (record->n_words >= 1)
        g_hash_table_replace(graph->handles, g_memdup2(record->words, sizeof *record->words),
                             GUINT_TO_POINTER(record->id));
}

static void follow_task(struct drawing *drawing, struct walker *walker, const struct tnd_record *record, guint64 time)
{
    struct graph *graph = walker->graph;
    guint32 number = record->aux == TND_TASK_FULFIL ? number_of_handle(graph, record) : record->id;
    TndMergeOmpTask *task = record->aux == TND_TASK_CREATE ? make(graph, number) : find(graph, number);
    if (!task && record->aux == TND_TASK_BEGIN)
        task = make(graph, number); /* a task of a taskloop waits for none, but may make tasks that do */
    if (!task)
        return;
    switch (record->aux) {
    case TND_TASK_CREATE:
        task->creator = record->n_words >= 2 ? (guint32)record->words[1] : 0;
        task->flags = record->n_words >= 2 ? (guint32)(record->words[1] >> 32) : 0;
        task->row = walker->row;
        task->created_ns = time;
        break;
    case TND_TASK_DEPEND:
        tnd_merge_depend_add(creator_of(walker, task->creator), task, record->words, record->n_words);
        break;
    case TND_TASK_BEGIN:
        if (task->created_ns && drawing->merge->options->has_task_creation)
            add_line(drawing, task->row, task->created_ns, walker->row, time, TND_PRV_TAG_CREATION, number);
        arrive(drawing, task, walker->row, time);
        break;
    case TND_TASK_END:
        if (task->flags & TND_TASK_WAIT)
            arrive(drawing, task, walker->row, time);
        task->has_ended = TRUE;
        complete(graph, task, walker->row, time);
        break;
    case TND_TASK_FULFIL:
        task->is_fulfilled = TRUE;
        if (task->has_ended)
            add_line(drawing, task->row, task->complete_ns, walker->row, time, TND_PRV_TAG_FULFILMENT, number);
        complete(graph, task, walker->row, time);
        break;
    case TND_TASK_HANDLE:
        remember_handle(graph, record);
        break;
    }
}

/* Ends all implicit tasks but the outermost n: they make no more tasks. */
static void end_implicit(struct walker *walker, guint n)
{
    for (; walker->implicit->len > n; g_array_set_size(walker->implicit, walker->implicit->len - 1)) {
        guint32 number = g_array_index(walker->implicit, guint32, walker->implicit->len - 1);
        if (number)
            g_hash_table_remove(walker->graph->tasks, GUINT_TO_POINTER(number));
    }
}

static void follow(struct drawing *drawing, struct walker *walker, const struct tnd_record *record, guint64 time)
{
    const guint32 none = 0;
    if (record->kind == TND_RECORD_TASK) {
        follow_task(drawing, walker, record, time);
    } else if (record->kind == TND_RECORD_THREAD_END) {
        end_implicit(walker, 0);
    } else if (record->kind != TND_RECORD_LEAVE) {
        g_array_append_val(walker->implicit, none);
    } else if (walker->implicit->len > 1) {
        end_implicit(walker, walker->implicit->len - 1);
    }
}

static gboolean is_followed(const struct tnd_record *record)
{
    switch (record->kind) {
    case TND_RECORD_TASK:
    case TND_RECORD_THREAD:
    case TND_RECORD_THREAD_END:
        return TRUE;
    case TND_RECORD_CODE:
    case TND_RECORD_LEAVE:
        return record->id == TND_TYPE_OPENMP_FUNCTION;
    default:
        return FALSE;
    }
}

/* Goes on to the next record that matters here.  Returns its time, or G_MAXUINT64 at the end of the part. */
static guint64 advance(struct walker *walker)
{
    while (walker->graph && (walker->record = tnd_merge_reader_record(&walker->reader))) {
        const struct tnd_record *record = walker->record;
        guint64 time = tnd_merge_reader_time(&walker->reader, record);
        if (is_followed(record))
            return time;
    }
    return G_MAXUINT64;
}

/* Handles the record that the walker stands at and goes on.  Returns the time of the next one. */
static guint64 step(struct drawing *drawing, struct walker *walker)
{
    if (walker->reader.at) {
        follow(drawing, walker, walker->record, walker->reader.last_ns);
    } else {
        if (!tnd_merge_reader_open_part(&walker->reader, &drawing->error))
            return G_MAXUINT64;
        const TndMergeProcess *process = walker->reader.at->process;
        end_implicit(walker, 0); /* those of a part whose threads did not tell their end */
        walker->graph = graph_of(drawing, process);
    }
    guint64 time = advance(walker);
    if (time != G_MAXUINT64)
        return time;
    tnd_merge_reader_close_part(&walker->reader);
    return tnd_merge_reader_part_time(&walker->reader);
}

static gboolean has_tasks(const TndMergeRow *row)
{
    for (guint i = 0; i < row->parts->len; i++) {
        const TndMergePart *part = &g_array_index(row->parts, TndMergePart, i);
        if (part->streams[TND_MERGE_MAIN] >= 0 &&
            g_array_index(part->process->streams, TndMergeStream, part->streams[TND_MERGE_MAIN]).has_tasks)
            return TRUE;
    }
    return FALSE;
}

static void clear_walker(gpointer data)
{
    struct walker *walker = data;
    tnd_merge_reader_close_part(&walker->reader);
    g_array_unref(walker->implicit);
}

gboolean tnd_merge_tasks_run(TndMerge *merge, GError **error)
{
    struct drawing drawing = {merge, g_hash_table_new_full(NULL, NULL, NULL, free_graph), NULL};
    GArray *walkers = g_array_new(FALSE, TRUE, sizeof(struct walker));
    GArray *times = g_array_new(FALSE, FALSE, sizeof(guint64));
    g_array_set_clear_func(walkers, clear_walker);
    for (guint i = 0; i < merge->rows->len; i++) {
        if (merge->row_ranks[i] != merge->team->rank || !has_tasks(merge->rows->pdata[i]))
            continue;
        struct walker walker = {.reader = {.row = merge->rows->pdata[i]}, .row = i};
        walker.implicit = g_array_new(FALSE, FALSE, sizeof(guint32));
        guint64 time = tnd_merge_reader_part_time(&walker.reader);
        g_array_append_val(walkers, walker);
        g_array_append_val(times, time);
    }
    TndMergeTournament tree;
    if (walkers->len && tnd_merge_tournament_make(&tree, (guint64 *)(gpointer)times->data, walkers->len, merge->end_ns,
                                                  &drawing.error)) {
        for (guint i; !drawing.error && (i = tnd_merge_tournament_winner(&tree)) != G_MAXUINT;)
            tnd_merge_tournament_replay(&tree, step(&drawing, &g_array_index(walkers, struct walker, i)));
        tnd_merge_tournament_clear(&tree);
    }
    g_array_unref(times);
    g_array_unref(walkers);
    g_hash_table_unref(drawing.graphs);
    if (drawing.error)
        g_propagate_error(error, drawing.error);
    return tnd_merge_team_agree(merge->team, error);
}
