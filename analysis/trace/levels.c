/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of levels, from the numbers in the header of a trace.
 */
#include "analysis/trace/levels.h"

#include "analysis/trace/trace_build.h"

/* Which of n stretches a number is in.  Stretch i is from first[i] to first[i + 1] - 1. */
static guint find(const guint *first, guint n, guint number)
{
    guint low = 0, high = n;
    while (high - low > 1) {
        guint middle = low + (high - low) / 2;
        if (first[middle] <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

guint tnd_levels_n_rows(const TndTrace *trace, TndLevel level)
{
    const struct tnd_prv_header *header = tnd_trace_header(trace);
    switch (level) {
    case TND_LEVEL_APPLICATION:
        return header->n_applications;
    case TND_LEVEL_TASK:
        return trace->first_task[header->n_applications];
    case TND_LEVEL_THREAD:
        return tnd_trace_n_threads(trace);
    case TND_LEVEL_NODE:
        return header->n_nodes;
    case TND_LEVEL_CPU:
        return trace->first_cpu[header->n_nodes];
    default:
        return 1;
    }
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
        return find(trace->first_cpu, tnd_trace_header(trace)->n_nodes, row);
    if (from == TND_LEVEL_THREAD) {
        const TndThread *thread = tnd_trace_thread(trace, row);
        if (to == TND_LEVEL_NODE)
            return MAX(thread->node, 1) - 1;
        return to == TND_LEVEL_APPLICATION ? thread->application - 1
                                           : trace->first_task[thread->application - 1] + thread->task - 1;
    }
    return find(trace->first_task, tnd_trace_header(trace)->n_applications, row); /* of a task */
}

guint tnd_levels_rows_below(const TndTrace *trace, TndLevel level, guint row, guint *first)
{
    const guint *firsts = level == TND_LEVEL_APPLICATION ? trace->first_task
                          : level == TND_LEVEL_TASK      ? trace->first_row
                          : level == TND_LEVEL_NODE      ? trace->first_cpu
                                                         : NULL;
    *first = firsts ? firsts[row] : 0;
    return firsts ? firsts[row + 1] - firsts[row] : tnd_levels_n_rows(trace, level + 1);
}

guint *tnd_levels_threads(const TndTrace *trace, TndLevel level, guint row, guint *n)
{
    guint first = row;
    *n = 1;
    if (level == TND_LEVEL_CPU || level == TND_LEVEL_NODE || level == TND_LEVEL_SYSTEM) {
        first = 0;
        *n = level == TND_LEVEL_CPU ? 0 : tnd_trace_n_threads(trace);
    }
    for (; level < TND_LEVEL_THREAD; level++) { /* the rows of a process follow each other */
        guint first_of_last;
        const guint n_of_last = tnd_levels_rows_below(trace, level, first + *n - 1, &first_of_last);
        tnd_levels_rows_below(trace, level, first, &first);
        *n = first_of_last + n_of_last - first;
    }
    guint *threads = g_new(guint, *n + 1), n_taken = 0;
    for (guint i = 0; i < *n; i++)
        if (level != TND_LEVEL_NODE || tnd_levels_row_above(trace, TND_LEVEL_THREAD, first + i, level) == row)
            threads[n_taken++] = first + i;
    *n = n_taken;
    return threads;
}

gboolean *tnd_levels_lift(const TndTrace *trace, const gboolean *threads, TndLevel level)
{
    if (level == TND_LEVEL_CPU)
        return NULL;
    gboolean *rows = g_new0(gboolean, tnd_levels_n_rows(trace, level) + 1);
    for (guint thread = 0; thread < tnd_trace_n_threads(trace); thread++)
        if (threads[thread])
            rows[tnd_levels_row_above(trace, TND_LEVEL_THREAD, thread, level)] = TRUE;
    return rows;
}

const char *tnd_levels_word(TndLevel level, gboolean are_several)
{
    static const char *const words[TND_LEVEL_N][2] = {{"workload", "workloads"},
                                                      {"application", "applications"},
                                                      {"task", "tasks"},
                                                      {"thread", "threads"},
                                                      {"system", "systems"},
                                                      {"node", "nodes"},
                                                      {"CPU", "CPUs"}};
    return words[level][are_several];
}

char *tnd_levels_title(TndLevel level)
{
    char *title = g_strdup(tnd_levels_word(level, FALSE));
    title[0] = g_ascii_toupper(title[0]);
    return title;
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
        return g_strdup_printf("%u.%u", application + 1, row - trace->first_task[application] + 1);
    }
    if (level == TND_LEVEL_CPU) {
        guint node = tnd_levels_row_above(trace, TND_LEVEL_CPU, row, TND_LEVEL_NODE);
        return g_strdup_printf("%u.%u", node + 1, row - trace->first_cpu[node] + 1);
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
