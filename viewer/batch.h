/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tview without a window: writes files, with the same session and the same paint code as the window.
 */
#ifndef TND_BATCH_H
#define TND_BATCH_H

#include "viewer/arguments.h"
#include "viewer/session.h"

/* Whether the arguments ask for something that needs no display. */
gboolean tnd_batch_is_wanted(const TndArguments *arguments);

/* Reads the files of views that the arguments name.  Faults of the user's other files of views are printed on standard
 * error. */
gboolean tnd_batch_add_view_files(const TndArguments *arguments, GError **error);

/* Returns the exit status: 0, 1 (the input is bad) or 2 (the command line is wrong). */
int tnd_batch_run(const TndArguments *arguments);

/* Without a trace, the arguments get the one that their session names.  FALSE and error: that cannot be read. */
gboolean tnd_batch_find_trace(TndArguments *arguments, GError **error);

/* Sets view, zoom, page and options of a session, which has a trace, to those of the arguments.  left_out: as in
 * tnd_session_file_apply. */
gboolean tnd_batch_apply(TndSession *session, const TndArguments *arguments, GPtrArray *left_out, GError **error);

#endif
