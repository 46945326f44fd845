/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The header bar: buttons of the most frequent commands, a switch between timeline and histogram, and a menu of all
 * commands.
 */
#ifndef TND_HEADER_H
#define TND_HEADER_H

#include "viewer/session.h"

#include <gtk/gtk.h>

GtkWidget *tnd_header_new(TndSession *session, GtkStack *pages);

/* Shows the trace's name; NULL: none is open. */
void tnd_header_show_trace(GtkWidget *header, const TndTrace *trace);

#endif
