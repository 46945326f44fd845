/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The panel that describes what was clicked: row, time, value, the burst and its messages.  Its place and size change
 * only if the user moves them.
 */
#ifndef TND_DETAILS_H
#define TND_DETAILS_H

#include "viewer/session.h"

#include <gtk/gtk.h>

GtkWidget *tnd_details_new(TndSession *session);

#endif
