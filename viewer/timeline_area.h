/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The widget of a timeline: shows the session's picture, hands the mouse to the session.  The picture is painted when
 * it changes; pointing and dragging only add a few lines to it.
 */
#ifndef TND_TIMELINE_AREA_H
#define TND_TIMELINE_AREA_H

#include "viewer/session.h"

#include <gtk/gtk.h>

GtkWidget *tnd_timeline_area_new(TndSession *session);

/* The picture that is shown, for tests: where is what; NULL before the first drawing. */
const TndTimeline *tnd_timeline_area_picture(GtkWidget *area);

#endif
