/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the marked stretch of time has in it: how long it is, and each value with its time, its share and its bursts.
 * The widget is visible while something is marked.
 */
#ifndef TND_MARK_PANE_H
#define TND_MARK_PANE_H

#include "viewer/session.h"

#include <gtk/gtk.h>

GtkWidget *tnd_mark_pane_new(TndSession *session);

#endif
