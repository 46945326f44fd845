/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A loaded trace: rows, labels, names, and records, which are read by walks (walk.h).  It never changes, and any number
 * of threads may read it.
 *
 * Records are kept as blocks (blocks.h), in memory or, for a large trace, in its index (trace_index.h), which is mapped
 * when the trace is opened again.
 *
 * What values mean is the business of views (view.h) and histograms (histogram.h).
 */
#ifndef TND_TRACE_H
#define TND_TRACE_H

#include "formats/pcf.h"
#include "formats/prv.h"

#include <glib.h>

typedef struct TndTrace TndTrace;

/* Records.  Those of a row, and messages, are in the order of time, as in Paraver: of a state's begin, of a message's
 * logical send.  Records of one time keep the order of the file. */
typedef struct {
    guint64 begin_ns, end_ns;
    guint32 state;
    guint32 cpu; /* 1-based, over all nodes; 0: not known */
} TndState;

typedef struct {
    guint64 time_ns;
    guint32 type;
    guint32 cpu;
    gint64 value;
} TndEvent;

typedef struct {
    guint64 logical_send_ns, physical_send_ns, logical_receive_ns, physical_receive_ns;
    guint32 sender, receiver; /* thread rows, 0-based */
    guint32 sender_cpu, receiver_cpu;
    gint64 size_bytes, tag;
} TndMessage;

typedef struct {
    guint32 application, task, thread; /* 1-based */
    guint32 node;                      /* 1-based; 0 without a resource model */
    const char *name;                  /* of the .row, else "THREAD 1.2.1" */
    gsize n_states, n_events;
    guint64 begin_ns, end_ns; /* the thread's life: the begin of its first state, the end of its last one */
} TndThread;

/* Is called from time to time during long work; fraction: from 0 to 1.  If it returns FALSE, the work is cancelled
 * (G_IO_ERROR_CANCELLED). */
typedef gboolean (*TndTraceProgress)(double fraction, gpointer user_data);

/* Opens NAME.prv or NAME.prv.gz, and its .pcf and .row, which may be missing.  progress may be NULL.  Faulty lines are
 * left out and counted. */
TndTrace *tnd_trace_open(const char *path, TndTraceProgress progress, gpointer user_data, GError **error);
void tnd_trace_free(TndTrace *trace);

const char *tnd_trace_path(const TndTrace *trace);
const char *tnd_trace_shown(const TndTrace *trace); /* the path, as plain text */
/* The path of the trace that was joined with this one (trace_join.h), and what they are aligned by; NULL: none was. */
const char *tnd_trace_beside(const TndTrace *trace);
const char *tnd_trace_alignment(const TndTrace *trace);
const char *tnd_trace_name(const TndTrace *trace); /* without directory and ending */
guint64 tnd_trace_end_ns(const TndTrace *trace);   /* max(header, last record) */
guint tnd_trace_n_threads(const TndTrace *trace);
const TndThread *tnd_trace_thread(const TndTrace *trace, guint row);
gsize tnd_trace_n_messages(const TndTrace *trace);
const struct tnd_pcf *tnd_trace_pcf(const TndTrace *trace);
const struct tnd_prv_header *tnd_trace_header(const TndTrace *trace);
guint64 tnd_trace_n_faults(const TndTrace *trace);
const char *tnd_trace_fault(const TndTrace *trace); /* the first one, as a sentence with its line; NULL: none */

/* The event types that occur, sorted, and how many events each has. */
typedef struct {
    guint32 type;
    guint64 n_events;
} TndTraceType;
const TndTraceType *tnd_trace_types(const TndTrace *trace, guint *n_types);
guint64 tnd_trace_n_events_of(const TndTrace *trace, guint32 type); /* 0: the type does not occur */

/* The name of a node (1-based): that of the .row, else "NODE n". */
const char *tnd_trace_node_name(const TndTrace *trace, guint node);

/* The comment lines of the file, in its order, without the #; NULL at the end.  At most 50,000 are kept. */
const char *const *tnd_trace_comments(const TndTrace *trace);

/* Data that is derived from a trace when it is first asked for, and kept with the trace. */
typedef enum {
    TND_TRACE_MESSAGES_OF_ROWS,
    TND_TRACE_THREADS_ON_CPUS,
    TND_TRACE_TEAM_STACKS,
    TND_TRACE_WAIT_STATES,
    TND_TRACE_ROW_LABELS,
    TND_TRACE_READ_AGAIN,
    TND_TRACE_N_KEPT
} TndTraceKept;
gconstpointer tnd_trace_keep(const TndTrace *trace, TndTraceKept what, gpointer (*make)(const TndTrace *trace),
                             GDestroyNotify free_it);

/* The row of a thread, by its 1-based numbers; G_MAXUINT: there is none. */
guint tnd_trace_row(const TndTrace *trace, guint32 application, guint32 task, guint32 thread);

#endif
