/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of levels, counted from what the header of a trace says.
 */
#include "analysis/levels.h"

static guint n_tasks_before(const TndTrace *trace, guint application)
{
    guint n = 0;
    for (guint i = 0; i < application; i++)
        n += tnd_trace_header(trace)->applications[i].n_tasks;
    return n;
}

static guint n_cpus(const TndTrace *trace)
{
    const struct tnd_prv_header *header = tnd_trace_header(trace);
    guint n = 0;
    for (guint node = 0; node < header->n_nodes; node++)
        n += header->n_cpus[node];
    return n;
}

guint tnd_levels_n_rows(const TndTrace *trace, TndLevel level)
{
    const struct tnd_prv_header *header = tnd_trace_header(trace);
    switch (level) {
    case TND_LEVEL_APPLICATION:
        return header->n_applications;
    case TND_LEVEL_TASK:
        return n_tasks_before(trace, header->n_applications);
    case TND_LEVEL_THREAD:
        return tnd_trace_n_threads(trace);
    case TND_LEVEL_NODE:
        return header->n_nodes;
    case TND_LEVEL_CPU:
        return n_cpus(trace);
    default:
        return 1;
    }
}

static guint node_of_cpu(const TndTrace *trace, guint cpu)
{
    const struct tnd_prv_header *header = tnd_trace_header(trace);
    guint node = 0;
    while (node + 1 < header->n_nodes && cpu >= header->n_cpus[node])
        cpu -= header->n_cpus[node++];
    return node;
}

gboolean tnd_levels_is_above(TndLevel coarse, TndLevel fine)
{
    return coarse <= fine && (coarse >= TND_LEVEL_SYSTEM) == (fine >= TND_LEVEL_SYSTEM);
}

guint tnd_levels_row_above(const TndTrace *trace, TndLevel from, guint row, TndLevel to)
{
    if (from == to)
        return row;
    if (to == TND_LEVEL_WORKLOAD || to == TND_LEVEL_SYSTEM)
        return 0;
    if (from == TND_LEVEL_CPU)
        return node_of_cpu(trace, row);
    if (from == TND_LEVEL_THREAD) {
        const TndThread *thread = tnd_trace_thread(trace, row);
        if (to == TND_LEVEL_NODE)
            return MAX(thread->node, 1) - 1;
        return to == TND_LEVEL_APPLICATION ? thread->application - 1
                                           : n_tasks_before(trace, thread->application - 1) + thread->task - 1;
    }
    guint application = 0; /* of a task */
    while (row >= tnd_trace_header(trace)->applications[application].n_tasks)
        row -= tnd_trace_header(trace)->applications[application++].n_tasks;
    return application;
}

char *tnd_levels_row_number(const TndTrace *trace, TndLevel level, guint row)
{
    if (level == TND_LEVEL_WORKLOAD || level == TND_LEVEL_SYSTEM)
        return g_strdup("");
    if (level == TND_LEVEL_THREAD) {
        const TndThread *thread = tnd_trace_thread(trace, row);
        return g_strdup_printf("%u.%u.%u", thread->application, thread->task, thread->thread);
    }
    if (level == TND_LEVEL_TASK) {
        guint application = tnd_levels_row_above(trace, TND_LEVEL_TASK, row, TND_LEVEL_APPLICATION);
        return g_strdup_printf("%u.%u", application + 1, row - n_tasks_before(trace, application) + 1);
    }
    if (level == TND_LEVEL_CPU) {
        guint node = node_of_cpu(trace, row);
        for (guint i = 0; i < node; i++)
            row -= tnd_trace_header(trace)->n_cpus[i];
        return g_strdup_printf("%u.%u", node + 1, row + 1);
    }
    return g_strdup_printf("%u", row + 1);
}

char *tnd_levels_row_name(const TndTrace *trace, TndLevel level, guint row)
{
    static const char *const levels[] = {"WORKLOAD", "APPL ", "TASK ", "THREAD ", "SYSTEM", "NODE ", "CPU "};
    if (level == TND_LEVEL_THREAD)
        return g_strdup(tnd_trace_thread(trace, row)->name);
    if (level == TND_LEVEL_NODE)
        return g_strdup(tnd_trace_node_name(trace, row + 1));
    char *number = tnd_levels_row_number(trace, level, row);
    char *name = g_strconcat(levels[level], number, NULL);
    g_free(number);
    return name;
}
