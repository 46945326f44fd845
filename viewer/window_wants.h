/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What commands ask of the window (TND_WANTS_...): dialogs, files, the clipboard.
 */
#ifndef TND_WINDOW_WANTS_H
#define TND_WINDOW_WANTS_H

#include "viewer/session.h"

#include <gtk/gtk.h>

/* timelines, find: the window's widgets that show these. */
void tnd_window_wants_connect(GtkWidget *window, TndSession *session, GtkWidget *timelines, GtkWidget *find);

#endif
