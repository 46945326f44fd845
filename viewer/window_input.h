/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What reaches the window as a whole: keys, which run commands, and files that are dropped on it.
 */
#ifndef TND_WINDOW_INPUT_H
#define TND_WINDOW_INPUT_H

#include "viewer/session.h"

#include <gtk/gtk.h>

/* list: the list of views, which keeps some keys for itself while it has the focus. */
void tnd_window_input_connect(GtkWidget *window, TndSession *session, GtkWidget *list);

#endif
