/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fills a trace from what a reader hands out: an implementation of tnd_prv_visitor.  tnd_trace_open is a file, a reader
 * and this; tests call the visitor themselves.
 *
 * Cost: one amortised append a record; a thread whose records came in order is not sorted.
 */
#ifndef TND_TRACE_BUILD_H
#define TND_TRACE_BUILD_H

#include "analysis/trace.h"
#include "formats/prv_read.h"

typedef struct TndTraceBuild TndTraceBuild;

/* The inside of a trace, for trace.c. */
struct TndTrace {
    char *path, *name;
    struct tnd_prv_header header; /* a copy, deep */
    struct tnd_pcf *pcf;
    struct tnd_row *row;
    guint64 end_ns;
    guint n_threads;
    TndThread *threads;
    char **names;      /* of the threads */
    char **node_names; /* index = node - 1 */
    guint *first_row;  /* of a task; index = number of the task over all applications */
    guint *first_task; /* of an application */
    TndMessage *messages;
    gsize n_messages;
    TndTraceType *types; /* sorted */
    guint n_types;
    guint64 n_faults;
    char *fault;
    GPtrArray *comments; /* ends with NULL */
};

/* `self` of its functions is the TndTraceBuild.  It has no progress: whoever reads from a file has one. */
extern const struct tnd_prv_visitor tnd_trace_build_visitor;

/* path: what tnd_trace_path is to say. */
TndTraceBuild *tnd_trace_build_new(const char *path);
void tnd_trace_build_free(TndTraceBuild *build);

/* Why the visitor said false; NULL if it did not. */
const char *tnd_trace_build_refusal(const TndTraceBuild *build);

/* The trace; frees build.  pcf and row (either may be NULL) are taken over.  NULL if there was no header. */
TndTrace *tnd_trace_build_finish(TndTraceBuild *build, struct tnd_pcf *pcf, struct tnd_row *row);

#endif
