/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tview without a window: the same session and the same paint code, into files.
 */
#ifndef TND_BATCH_H
#define TND_BATCH_H

#include "viewer/arguments.h"
#include "viewer/session.h"

/* Whether the arguments ask for something that needs no display. */
gboolean tnd_batch_is_wanted(const TndArguments *arguments);

/* Files of views that the arguments name; what is wrong with others is said on standard error. */
gboolean tnd_batch_add_view_files(const TndArguments *arguments, GError **error);

/* Exit status: 0, 1 (the input is bad), 2 (wrong use). */
int tnd_batch_run(const TndArguments *arguments);

/* View, zoom, page and options of the arguments, into a session that has a trace. */
gboolean tnd_batch_apply(TndSession *session, const TndArguments *arguments, GError **error);

#endif
