/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window: contains the widgets, maps keys to commands, opens and saves files.
 */
#ifndef TND_WINDOW_H
#define TND_WINDOW_H

#include "viewer/arguments.h"
#include "viewer/session.h"

#include <gtk/gtk.h>

/* The session must outlive the window.  arguments may be NULL; else the trace that they name is opened, and
 * they are applied to it.  They must stay valid until then. */
GtkWidget *tnd_window_new(GtkApplication *application, TndSession *session, const TndArguments *arguments);
/* Whether a file is opened beside the trace: a configuration or a session. */
gboolean tnd_window_is_beside(const char *path);
void tnd_window_open(GtkWidget *window, const char *path); /* a trace, or what is opened beside it */
/* Two traces as one, laid beside each other (analysis/causes/alignment.h). */
void tnd_window_open_two(GtkWidget *window, const char *path, const char *beside, const char *alignment);

GtkWidget *tnd_window_timeline(GtkWidget *window); /* this one and the next are for tests */
GtkWidget *tnd_window_table(GtkWidget *window);
GtkWidget *tnd_window_profile(GtkWidget *window);

#endif
