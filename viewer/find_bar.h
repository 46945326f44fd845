/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The widget to find bursts with: a line for the query, and the list of what it found.  It is hidden until it is asked
 * for (TND_WANTS_FIND).  The search runs in a thread of its own.
 */
#ifndef TND_FIND_BAR_H
#define TND_FIND_BAR_H

#include "viewer/session.h"

#include <gtk/gtk.h>

GtkWidget *tnd_find_bar_new(TndSession *session);
void tnd_find_bar_open(GtkWidget *bar); /* shows it, and gives its entry the focus */

/* To be called before the session's trace is freed: returns when no thread reads it any more. */
void tnd_find_bar_stop(GtkWidget *bar);

#endif
