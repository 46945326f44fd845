/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looks at processes from outside while they run, and writes into a run directory what the runtime would have written
 * there if it were inside.  The processes are not stopped, nothing in them is changed, and they run on afterwards.
 */
#ifndef TND_ATTACH_SESSION_H
#define TND_ATTACH_SESSION_H

#include <glib.h>

typedef struct TndAttachSession TndAttachSession;

typedef struct {
    guint64 period_ns; /* CPU time between two samples of a thread */
    guint depth;       /* frames kept of a stack: 0 to 128 */
    guint stack_bytes; /* of a stack that are copied with a sample */
} TndAttachSessionWish;

/* Begins to watch; tnd_attach_refusal_find had nothing against the processes.  NULL with *error. */
TndAttachSession *tnd_attach_session_new(const char *run_path, const int *pids, guint n_pids,
                                         const TndAttachSessionWish *wish, GError **error);

/* Waits a moment and records what happened.  FALSE: all processes have ended. */
gboolean tnd_attach_session_step(TndAttachSession *session);

/* Ends it and writes the rest.  FALSE with *error.  Frees it in any case. */
gboolean tnd_attach_session_end(TndAttachSession *session, GError **error);

typedef struct {
    guint n_threads; /* that there are now */
    guint64 n_samples, n_lost;
} TndAttachSessionFacts;
TndAttachSessionFacts tnd_attach_session_facts(const TndAttachSession *session);

#endif
