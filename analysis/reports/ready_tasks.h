/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tasks of OpenMP that were ready and not begun: for how long, and what the thread that ran them did instead.
 *
 * Cost: that of the graph of tasks, and sorting them.
 */
#ifndef TND_READY_TASKS_H
#define TND_READY_TASKS_H

#include "analysis/reports/task_graph.h"

typedef struct {
    char *name;   /* of the task, "compute (app.c:12)" */
    char *before; /* of the task that its thread ran last, after this one was ready; NULL: it ran none */
    guint64 n, lost_ns, longest_ns;
} TndReadyTasks;

/* The tasks that lost time, by name and by what their threads ran, the most lost time first.  Free with g_array_unref.
 */
GArray *tnd_ready_tasks_new(const TndTrace *trace);

#endif
