/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The widget of the timelines: shows the session's picture, and passes actions of the mouse on to the session.  The
 * picture is painted when it changes; pointing and dragging only draw a few lines over it.
 */
#ifndef TND_TIMELINE_AREA_H
#define TND_TIMELINE_AREA_H

#include "viewer/session.h"

#include <gtk/gtk.h>

GtkWidget *tnd_timeline_area_new(TndSession *session);

/* To be called when a view was prepared: paints the picture again. */
void tnd_timeline_area_refresh(GtkWidget *area);

/* For tests: the picture that is shown, and that of the selected timeline, to find what is where; NULL before it is
 * drawn. */
const TndLaneStack *tnd_timeline_area_stack(GtkWidget *area);
const TndTimeline *tnd_timeline_area_picture(GtkWidget *area);

#endif
