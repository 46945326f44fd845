/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is kept for the next time: the last state of each trace, which comes back when the trace is opened again; the
 * list of recent traces, which is the desktop's; and sessions that the user saves.
 */
#ifndef TND_KEEPING_H
#define TND_KEEPING_H

#include "viewer/arguments.h"
#include "viewer/session.h"

#include <gtk/gtk.h>

/* Keeps the state of the trace that is open, if there is one; does nothing where it cannot be written. */
void tnd_keeping_save_last(const TndSession *session);
/* Shows of a trace that was just opened what the arguments say or, if they say nothing or are NULL, what was shown
 * last. */
void tnd_keeping_begin(GtkWindow *window, TndSession *session, const TndArguments *arguments);

void tnd_keeping_add_recent(const char *path);
char **tnd_keeping_recent(guint most); /* paths of traces that exist, the latest first; free with g_strfreev */

void tnd_keeping_save(GtkWindow *window, TndSession *session);                       /* asks where */
void tnd_keeping_apply(GtkWindow *window, TndSession *session, const char *path);    /* to the trace that is open */
void tnd_keeping_open_cfg(GtkWindow *window, TndSession *session, const char *path); /* likewise */

#endif
