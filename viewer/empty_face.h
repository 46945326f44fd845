/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the window shows while no trace is open: how to open one, the recent ones, and how to record one.
 */
#ifndef TND_EMPTY_FACE_H
#define TND_EMPTY_FACE_H

#include "viewer/session.h"

#include <gtk/gtk.h>

/* open: is called with the path of a recent trace. */
GtkWidget *tnd_empty_face_new(TndSession *session, void (*open)(GtkWidget *window, const char *path));

#endif
