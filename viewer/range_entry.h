/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the shown stretch of time and the limits of the colours can be typed.
 */
#ifndef TND_RANGE_ENTRY_H
#define TND_RANGE_ENTRY_H

#include "viewer/session.h"

#include <gtk/gtk.h>

/* Hangs below a widget, and stays until what is typed is right, or the user gives up. */
void tnd_range_entry_show(GtkWidget *below, TndSession *session);

#endif
