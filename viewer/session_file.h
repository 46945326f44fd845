/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A session as a file (.tview): the timelines with their views, order, heights and rows, the stretch of time, what the
 * pages show, and how pictures look.  It is a key file: plain text with groups and keys, which users may read and
 * change.  It can be applied to another trace: what that does not have is left out.
 *
 * What it is not: it has no data of the trace, and no history.
 */
#ifndef TND_SESSION_FILE_H
#define TND_SESSION_FILE_H

#include "viewer/opening.h"
#include "viewer/session.h"

#define TND_SESSION_FILE_SUFFIX ".tview"

/* A trace must be open. */
gboolean tnd_session_file_write(const TndSession *session, const char *path, GError **error);

/* The trace, or the two, that a session was written for; NULL and error: it is no session.  Free with tnd_opening_free.
 */
TndOpening *tnd_session_file_opening(const char *path, GError **error);

/* Applies a file to the trace that is open.  FALSE and error: it is no session, and nothing has changed.  left_out:
 * gets sentences (char *) about what the trace does not have; may be NULL. */
gboolean tnd_session_file_apply(TndSession *session, const char *path, GPtrArray *left_out, GError **error);

/* Where the last state of a trace is kept (in $XDG_STATE_HOME/tview); free with g_free. */
char *tnd_session_file_last(const TndTrace *trace);

#endif
