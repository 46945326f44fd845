/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window: puts the widgets together, turns keys into commands, opens and saves files.
 */
#ifndef TND_WINDOW_H
#define TND_WINDOW_H

#include "viewer/arguments.h"
#include "viewer/session.h"

#include <gtk/gtk.h>

/* The session outlives the window.  arguments (may be NULL, not kept) hold for the trace that they name, which is
 * opened. */
GtkWidget *tnd_window_new(GtkApplication *application, TndSession *session, const TndArguments *arguments);
void tnd_window_open(GtkWidget *window, const char *path); /* a trace, or a configuration of the one that is open */

GtkWidget *tnd_window_timeline(GtkWidget *window); /* these two: for tests */
GtkWidget *tnd_window_table(GtkWidget *window);

#endif
