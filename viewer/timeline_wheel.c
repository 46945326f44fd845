/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The wheel zooms at the pointer in time, with Ctrl also in rows; with Shift it moves.
 */
#include "viewer/timeline_parts.h"

#include <math.h>

static double wheel_steps(const GdkEventScroll *event)
{
    switch (event->direction) {
    case GDK_SCROLL_UP:
    case GDK_SCROLL_LEFT:
        return -1;
    case GDK_SCROLL_DOWN:
    case GDK_SCROLL_RIGHT:
        return 1;
    default:
        return fabs(event->delta_x) > fabs(event->delta_y) ? event->delta_x : event->delta_y;
    }
}

/* The wheel is about the timeline under the pointer.  If that is linked, and only its time is meant, the selected one
 * may stay selected. */
static void aim(TndTimelineArea *area, guint lane, gboolean are_rows_meant)
{
    if (are_rows_meant || tnd_session_lane_is_apart(area->session, lane) ||
        tnd_session_lane_is_apart(area->session, tnd_session_lane(area->session)))
        tnd_session_select_lane(area->session, lane);
}

static gboolean on_scroll(GtkWidget *widget, GdkEventScroll *event, gpointer data)
{
    TndTimelineArea *area = data;
    double steps = wheel_steps(event);
    guint lane;
    if (steps == 0 || !tnd_timeline_parts_paint(area) || !tnd_lane_stack_find_part(area->picture, event->y, &lane))
        return TRUE;
    const TndTimeline *picture = tnd_lane_stack_timeline(area->picture, lane);
    const guint row = tnd_timeline_row(picture, event->y);
    const guint64 time_ns = tnd_timeline_time(picture, event->x);
    gboolean is_sideways = event->direction == GDK_SCROLL_LEFT || event->direction == GDK_SCROLL_RIGHT ||
                           (event->direction == GDK_SCROLL_SMOOTH && fabs(event->delta_x) > fabs(event->delta_y));
    aim(area, lane, event->state & GDK_CONTROL_MASK); /* the picture may be gone now */
    if (event->state & GDK_SHIFT_MASK || is_sideways) {
        tnd_session_pan(area->session, 0.1 * steps, 0);
        return TRUE;
    }
    tnd_session_scale_time(area->session, pow(1.25, steps), time_ns);
    if (event->state & GDK_CONTROL_MASK)
        tnd_session_scale_rows(area->session, pow(1.25, steps),
                               tnd_row_order_place(tnd_session_rows(area->session), row));
    return TRUE;
}

void tnd_timeline_parts_connect_wheel(TndTimelineArea *area)
{
    gtk_widget_add_events(area->widget, GDK_SCROLL_MASK | GDK_SMOOTH_SCROLL_MASK);
    g_signal_connect(area->widget, "scroll-event", G_CALLBACK(on_scroll), area);
}
