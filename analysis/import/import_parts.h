/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of a trace that is being imported: import_trace.c fills it, import_write.c writes it.
 */
#ifndef TND_IMPORT_PARTS_H
#define TND_IMPORT_PARTS_H

#include "analysis/import/import_trace.h"
#include "analysis/output/trace_output.h"
#include "analysis/rewrite/rewrite_order.h"

typedef struct {
    TndImportCall call;
    guint64 begin_ns;
    guint32 state; /* while no call within it has one */
} TndImportOpen;

typedef struct {
    char *name;
    guint process;
    struct tnd_prv_place place;
    gboolean is_begun;
    guint64 last_ns;
    guint32 state; /* since state_ns */
    guint64 state_ns;
    GArray *calls;           /* TndImportOpen, the innermost last */
    gboolean has_end;        /* an event that ends a call, and is not given out yet */
    struct tnd_prv_pair end; /* of last_ns */
} TndImportThread;

typedef struct {
    char *name;
    guint node, n_threads;
} TndImportProcess;

typedef struct {
    char *name;
    guint n_threads;
} TndImportNode;

typedef struct {
    guint caller; /* 0: none */
    gint64 function, line;
} TndImportFrame;

struct TndImport {
    TndImportNames *names;
    TndTraceOutput *output;
    TndRewriteOrder *order;
    GArray *nodes, *processes, *threads;
    GArray *frames;          /* TndImportFrame; the first one is none */
    GHashTable *frame_index; /* of "caller:function:line" */
    GPtrArray *communicators;
    guint32 types_of_depth[2]; /* how many depths of samples and of waits have labels */
    guint64 first_ns, last_ns;
    gint64 run_s; /* when the run began, since 1970; 0: not known */
    guint64 n_lost;
    const char *lost;
    /* While it is written. */
    struct tnd_prv_writer *writer;
    guint64 begin_ns;
    TndImportResult *result;
    GArray *pairs; /* of one thread and time, not written yet */
    guint line_thread;
    guint64 line_ns;
};

/* The last state of a thread ends, and what is held back is told. */
void tnd_import_parts_end(TndImport *import, guint thread);

/* Where records go in order: functions of import_write.c. */
TndRewriteOrderOut tnd_import_parts_out(TndImport *import);

#endif
