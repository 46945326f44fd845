/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Goes over the tasks of each row in the order in which they began.
 */
#include "analysis/reports/ready_tasks.h"

#include <string.h>

static int compare_tasks(gconstpointer a, gconstpointer b)
{
    const TndGraphTask *x = *(const TndGraphTask *const *)a, *y = *(const TndGraphTask *const *)b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
}

static int compare_lost(gconstpointer a, gconstpointer b)
{
    const TndReadyTasks *x = a, *y = b;
    if (x->lost_ns != y->lost_ns)
        return x->lost_ns < y->lost_ns ? 1 : -1;
    int order = strcmp(x->name, y->name);
    return order ? order : g_strcmp0(x->before, y->before);
}

static void clear(gpointer tasks)
{
    g_free(((TndReadyTasks *)tasks)->name);
    g_free(((TndReadyTasks *)tasks)->before);
}

static void add(GArray *sums, GHashTable *indices, const TndTrace *trace, const TndGraphTask *task,
                const TndGraphTask *before)
{
    guint64 lost_ns = task->begin_ns - task->ready_ns;
    gint64 key[4] = {task->function, task->line, before ? before->function : 0, before ? before->line : 0};
    GBytes *bytes = g_bytes_new(key, sizeof key);
    guint index = GPOINTER_TO_UINT(g_hash_table_lookup(indices, bytes));
    if (index) {
        g_bytes_unref(bytes);
    } else {
        const TndReadyTasks fresh = {.name = tnd_task_graph_name(trace, task),
                                     .before = before ? tnd_task_graph_name(trace, before) : NULL};
        g_array_append_val(sums, fresh);
        index = sums->len;
        g_hash_table_insert(indices, bytes, GUINT_TO_POINTER(index));
    }
    TndReadyTasks *sum = &g_array_index(sums, TndReadyTasks, index - 1);
    sum->n++;
    sum->lost_ns += lost_ns;
    sum->longest_ns = MAX(sum->longest_ns, lost_ns);
}

GArray *tnd_ready_tasks_new(const TndTrace *trace)
{
    TndTaskGraph *graph = tnd_task_graph_new(trace);
    GArray *sums = g_array_new(FALSE, TRUE, sizeof(TndReadyTasks));
    GPtrArray *tasks = g_ptr_array_new();
    GHashTable *indices = g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
    g_array_set_clear_func(sums, clear);
    for (guint i = 0; i < graph->tasks->len; i++) {
        TndGraphTask *task = &g_array_index(graph->tasks, TndGraphTask, i);
        if (!task->is_wait && task->begin_ns != G_MAXUINT64)
            g_ptr_array_add(tasks, task);
    }
    g_ptr_array_sort(tasks, compare_tasks);
    for (guint i = 0; i < tasks->len; i++) {
        const TndGraphTask *task = g_ptr_array_index(tasks, i), *before = i ? g_ptr_array_index(tasks, i - 1) : NULL;
        gboolean is_instead = before && before->row == task->row && before->end_ns > task->ready_ns;
        if (task->ready_ns < task->begin_ns)
            add(sums, indices, trace, task, is_instead ? before : NULL);
    }
    g_array_sort(sums, compare_lost);
    g_hash_table_unref(indices);
    g_ptr_array_unref(tasks);
    tnd_task_graph_free(graph);
    return sums;
}
