/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tasks of OpenMP in a trace, who waited for whom, and what that says about parallelism.  Of the trace alone: task
 * events and lines, as the merge writes them; of a trace of Extrae's, which has no lines between tasks, the tasks and
 * when they were made.
 *
 * Cost: one pass over the events, then what sorting tasks and lines costs.
 */
#ifndef TND_TASK_GRAPH_H
#define TND_TASK_GRAPH_H

#include "analysis/trace/trace.h"

typedef struct {
    guint32 process;          /* counted from 0 over the trace's */
    guint32 row;              /* where it began */
    gint64 number;            /* in its process; 0: a share of a taskloop without one */
    gint64 function, line;    /* values of its events; 0: none */
    gboolean is_wait;         /* no task: a taskwait that waited for some */
    gboolean is_alone;        /* it waited for none, and none for it */
    guint64 made_ns;          /* G_MAXUINT64: not known */
    guint64 begin_ns, end_ns; /* G_MAXUINT64: it was made, but never began */
    guint64 ready_ns;         /* it was made and all that it waited for was over; G_MAXUINT64: not known */
    guint64 work_ns;          /* in it: without waiting for tasks and without other tasks that ran meanwhile */
    guint64 path_ns;          /* work of the heaviest chain that ends with it */
    guint32 level;            /* tasks in the longest chain that ends with it; of a wait: before it */
} TndGraphTask;

typedef struct {
    guint32 before, after; /* indices of tasks */
} TndGraphEdge;

typedef struct {
    GArray *tasks;                     /* of TndGraphTask, by process, begin and number */
    GArray *edges;                     /* of TndGraphEdge, by `before`, then `after` */
    guint64 n_tasks, n_begun, n_alone; /* without waits; alone: of those that began */
    guint64 n_unknown;                 /* lines from where no task ended: a taskwait that waited for none */
    guint64 work_ns;
    guint32 height, width;                     /* of tasks that are not alone: levels, and most tasks of one level */
    guint64 path_ns;                           /* of the heaviest chain */
    guint64 first_ns, last_ns;                 /* of the tasks that began */
    guint64 busy_ns;                           /* time in which any task ran */
    guint32 n_at_once;                         /* most that ran at once */
    guint64 n_ready, lost_ns, longest_lost_ns; /* between ready and begun, of those of which it is known */
} TndTaskGraph;

TndTaskGraph *tnd_task_graph_new(const TndTrace *trace);
void tnd_task_graph_free(TndTaskGraph *graph);

/* "compute (app.c:12)".  Free with g_free. */
char *tnd_task_graph_name(const TndTrace *trace, const TndGraphTask *task);

/* The message is no message but a line between tasks. */
gboolean tnd_task_graph_is_line(const TndTrace *trace, const TndMessage *message);

#endif
