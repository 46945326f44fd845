/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The members of the widget that shows the timelines, for the files that implement it: painting (timeline_area.c), what
 * is drawn over the picture (timeline_overlay.c), the mouse (timeline_mouse.c, timeline_drag.c, timeline_wheel.c).
 */
#ifndef TND_TIMELINE_PARTS_H
#define TND_TIMELINE_PARTS_H

#include "viewer/session.h"

#include <gtk/gtk.h>

typedef enum {
    TND_DRAG_NONE,
    TND_DRAG_TIME,
    TND_DRAG_BOTH,
    TND_DRAG_MARK,
    TND_DRAG_PAN,
    TND_DRAG_ROW,
    TND_DRAG_BORDER,
    TND_DRAG_MAP
} TndDrag;

typedef struct {
    TndSession *session;
    GtkWidget *widget, *menu;
    TndLaneStack *picture; /* NULL: it has to be made again */
    cairo_surface_t *painted;
    int width, height;
    gboolean has_pointer; /* the pointer is over the widget, at: */
    double pointer_x, pointer_y;
    TndDrag drag;
    guint lane; /* in which the drag began; above the border that is dragged */
    double from_x, from_y, to_x, to_y;
    TndZoom from_zoom;
    TndMarks from_marks;
} TndTimelineArea;

/* Paints the picture if it has to be made again.  FALSE: there is nothing to show. */
gboolean tnd_timeline_parts_paint(TndTimelineArea *area);

void tnd_timeline_parts_draw_over(const TndTimelineArea *area, cairo_t *cr);

/* FALSE: nothing can be dragged here. */
gboolean tnd_timeline_parts_start_drag(TndTimelineArea *area, const GdkEventButton *event);
void tnd_timeline_parts_drag_to(TndTimelineArea *area, double x, double y);
gboolean tnd_timeline_parts_end_drag(TndTimelineArea *area, double x, double y); /* FALSE: it was a click */
void tnd_timeline_parts_cancel_drag(TndTimelineArea *area); /* what it moved goes back to where it was */

void tnd_timeline_parts_connect_mouse(TndTimelineArea *area);
void tnd_timeline_parts_connect_wheel(TndTimelineArea *area);
/* Notes what is under the pointer, after the picture has changed. */
void tnd_timeline_parts_follow_mouse(TndTimelineArea *area);

#endif
