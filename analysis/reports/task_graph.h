/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The graph of a trace's OpenMP tasks: which task waited for which, and what that says about parallelism.  It is made
 * of the events of tasks and of the lines between them, which the merge writes.  Traces of Extrae have no such lines;
 * there it has the tasks and the times when they were created.
 *
 * Cost: one pass over the events, and sorting tasks and lines.
 */
#ifndef TND_TASK_GRAPH_H
#define TND_TASK_GRAPH_H

#include "analysis/trace/trace.h"

typedef struct {
    guint32 process;          /* counted from 0 over the whole trace */
    guint32 row;              /* where it began */
    gint64 number;            /* in its process; 0: a part of a taskloop that has no number */
    gint64 function, line;    /* values of its events; 0: none */
    gboolean is_wait;         /* it is not a task, but a taskwait that waited for tasks */
    gboolean is_alone;        /* it waited for no task, and no task waited for it */
    guint64 made_ns;          /* when it was created; G_MAXUINT64: not known */
    guint64 begin_ns, end_ns; /* G_MAXUINT64: it was created, but never began */
    guint64 ready_ns;         /* when it was created and all that it waited for had ended; G_MAXUINT64: not known */
    guint64 work_ns;          /* time in it, without waiting for tasks and without other tasks that ran meanwhile */
    guint64 path_ns;          /* work of the heaviest chain that ends with it */
    guint32 level;            /* how many tasks the longest chain that ends with it has; a wait does not count */
} TndGraphTask;

typedef struct {
    guint32 before, after; /* indices of tasks */
} TndGraphEdge;

typedef struct {
    GArray *tasks;                     /* TndGraphTask, by process, begin and number */
    GArray *edges;                     /* TndGraphEdge, by `before`, then `after` */
    guint64 n_tasks, n_begun, n_alone; /* without waits; n_alone: of those that began */
    guint64 n_unknown;                 /* lines that begin where no task ended */
    guint64 work_ns;
    guint32 height, width;                     /* of tasks that are not alone: levels, and most tasks on one level */
    guint64 path_ns;                           /* work of the heaviest chain */
    guint64 first_ns, last_ns;                 /* first begin and last end of a task */
    guint64 busy_ns;                           /* time in which any task ran */
    guint32 n_at_once;                         /* most tasks that ran at once */
    guint64 n_ready, lost_ns, longest_lost_ns; /* tasks with a known ready_ns, and their time from ready to begin */
} TndTaskGraph;

TndTaskGraph *tnd_task_graph_new(const TndTrace *trace);
void tnd_task_graph_free(TndTaskGraph *graph);

/* "compute (app.c:12)".  Free with g_free. */
char *tnd_task_graph_name(const TndTrace *trace, const TndGraphTask *task);

/* Whether a message of the trace is a line between tasks. */
gboolean tnd_task_graph_is_line(const TndTrace *trace, const TndMessage *message);

#endif
