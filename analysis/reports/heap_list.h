/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The heap of a trace in figures: of its processes, and of the stacks that allocate.  They stand in the trace as facts
 * (formats/fact.h), which the merge writes.
 *
 * What it is not: values at a time, which are events (views `heap` and `heap-rate`).
 */
#ifndef TND_HEAP_LIST_H
#define TND_HEAP_LIST_H

#include "analysis/trace/trace.h"

/* Bytes that the allocator says are usable, and blocks.  Estimates where a sample of blocks was taken. */
typedef struct {
    gint64 live; /* at the end: never freed */
    guint64 live_blocks;
    guint64 allocated, allocations; /* in all */
    gint64 peak_live;               /* when the process had most */
    guint64 peak_blocks;
    guint n_processes;
} TndHeapFigures;

typedef struct {
    TndHeapFigures figures;
    char *stack; /* as the fact has it, innermost first; "": none is known */
} TndHeapSite;

typedef struct {
    guint application, task;
    gint64 live, peak; /* bytes at the end, at most */
    guint64 allocated, allocations;
    gint64 sample; /* bytes to a block that is in the sample; 0: all are, -1: none */
    char *stack;   /* that made the heap largest; "": not known */
} TndHeapProcess;

typedef struct {
    GArray *processes; /* of TndHeapProcess */
    GArray *sites;     /* of TndHeapSite, most live bytes first */
} TndHeapList;

TndHeapList *tnd_heap_list_new(const TndTrace *trace);
void tnd_heap_list_free(TndHeapList *list);

/* What a site is called: the innermost function of its stack that is not in a library of languages (operator new,
 * strdup), with its line.  Free with g_free. */
char *tnd_heap_list_name(const char *stack);

#endif
