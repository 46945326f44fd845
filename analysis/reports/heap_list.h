/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the heap, of the processes and of the stacks that allocate.  The merge writes them into a trace as facts
 * (formats/fact.h).
 *
 * Values over time are events (views `heap` and `heap-rate`).
 */
#ifndef TND_HEAP_LIST_H
#define TND_HEAP_LIST_H

#include "analysis/trace/trace.h"

/* Bytes, as many as the allocator says are usable, and blocks.  They are estimates if only a sample of blocks was
 * recorded. */
typedef struct {
    gint64 live; /* never freed: live at the end */
    guint64 live_blocks;
    guint64 allocated, allocations; /* in total: bytes, blocks */
    gint64 peak_live;               /* live when the process's heap was largest */
    guint64 peak_blocks;
    guint n_processes;
} TndHeapFigures;

typedef struct {
    TndHeapFigures figures;
    char *stack; /* as in the fact, the innermost function first; "": not known */
} TndHeapSite;

typedef struct {
    guint application, task;
    gint64 live, peak; /* bytes at the end, and when the heap was largest */
    guint64 allocated, allocations;
    gint64 sample; /* bytes allocated for each block in the sample; 0: all blocks are, -1: none is */
    char *stack;   /* of the allocation that made the heap largest; "": not known */
} TndHeapProcess;

typedef struct {
    GArray *processes; /* TndHeapProcess */
    GArray *sites;     /* TndHeapSite, the most live bytes first */
} TndHeapList;

TndHeapList *tnd_heap_list_new(const TndTrace *trace);
void tnd_heap_list_free(TndHeapList *list);

/* The name of a site: the innermost function of its stack that is not part of a standard library (operator new,
 * strdup), with its line.  Free with g_free. */
char *tnd_heap_list_name(const char *stack);

#endif
