/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A trace that is made of what another tool recorded.  Readers say what happened, in the order of time for each thread;
 * this makes events, states and messages of it, and puts all of them into order.
 *
 * States follow from calls: a thread is running, unless the table of event types knows what it does in a call.
 *
 * Memory: for threads, names, different stacks, and 200 MB for records, of which more are in an unnamed file.
 */
#ifndef TND_IMPORT_TRACE_H
#define TND_IMPORT_TRACE_H

#include "analysis/import/import_names.h"
#include "analysis/output/trace_output.h"

typedef struct TndImport TndImport;

/* What is told of the trace that was made. */
typedef struct {
    TndMadeTrace made;
    guint64 n_lost;   /* events that were left out */
    const char *lost; /* the first one's reason; NULL: none was */
} TndImportResult;

/* path: as for trace_output.h.  NULL and error: it cannot be written. */
TndImport *tnd_import_trace_new(const char *path, gboolean force, GError **error);
void tnd_import_trace_free(TndImport *import);
TndImportNames *tnd_import_trace_names(TndImport *import);

/* Makes a node, a process, a thread; they are numbered in the order in which they are made.  Names are copied. */
guint tnd_import_trace_node(TndImport *import, const char *name);
guint tnd_import_trace_process(TndImport *import, guint node, const char *name);
guint tnd_import_trace_thread(TndImport *import, guint process, const char *name);

/* A communicator of processes, by its number in events. */
void tnd_import_trace_communicator(TndImport *import, guint64 number, const guint *processes, guint n);

/* When the run began, in s since 1970. */
void tnd_import_trace_date(TndImport *import, gint64 run_s);

/* A thread begins, if it has not; then what it does.  FALSE of leave: no call is open. */
void tnd_import_trace_begin(TndImport *import, guint thread, guint64 time_ns);
void tnd_import_trace_enter(TndImport *import, guint thread, guint64 time_ns, TndImportCall call);
gboolean tnd_import_trace_leave(TndImport *import, guint thread, guint64 time_ns);
/* When the call began that the thread is in; time_ns: it is in none. */
guint64 tnd_import_trace_begin_ns(const TndImport *import, guint thread, guint64 time_ns);

/* Whether the thread is in a call of this type, and in no other within it. */
gboolean tnd_import_trace_is_in(const TndImport *import, guint thread, guint32 type);

/* An event; it may be of an earlier time. */
void tnd_import_trace_event(TndImport *import, guint thread, guint64 time_ns, guint32 type, gint64 value);

/* A frame of a stack, called from another one (0: none); labels are copied; line NULL: not known. */
guint tnd_import_trace_frame(TndImport *import, guint caller, const char *function, const char *line);
/* A stack, by its innermost frame; weight 0: it is not known. */
void tnd_import_trace_sample(TndImport *import, guint thread, guint64 time_ns, guint frame, guint64 weight_ns,
                             gboolean is_wait);

/* A message. */
typedef struct {
    guint sender, receiver; /* threads */
    guint64 logical_send_ns, physical_send_ns, logical_receive_ns, physical_receive_ns;
    gint64 size_bytes, tag;
} TndImportMessage;
void tnd_import_trace_message(TndImport *import, const TndImportMessage *message);

/* Something that was left out. */
void tnd_import_trace_lose(TndImport *import, const char *reason);

/* Writes the trace; it ends at end_ns, or at its last record if that is later.  All times become less by begin_ns.
 * FALSE and error: there is none. */
gboolean tnd_import_trace_finish(TndImport *import, guint64 begin_ns, guint64 end_ns, TndImportResult *result,
                                 GError **error);

#endif
