/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The line at the bottom of the window: what is under the pointer, or what was selected since it moved last.
 */
#ifndef TND_STATUS_LINE_H
#define TND_STATUS_LINE_H

#include "viewer/session.h"

#include <gtk/gtk.h>

GtkWidget *tnd_status_line_new(TndSession *session);

#endif
