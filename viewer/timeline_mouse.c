/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mouse: a click selects; a right click selects and opens a menu; on the label of a process or a node it folds; in the
 * legend it lights a value, with Shift all others, and a double click there goes to the next burst of it; a double
 * click on a message goes along it.  What is not a click drags (timeline_drag.c).  Escape ends a drag; without one, it
 * takes the mark away.
 */
#include "viewer/timeline_parts.h"

#include <math.h>

static TndSpot spot_at(const TndTimelineArea *area, double x, double y)
{
    guint lane;
    if (!area->picture || !tnd_lane_stack_find_canvas(area->picture, x, y, &lane))
        return (TndSpot){0};
    const TndTimeline *picture = tnd_lane_stack_timeline(area->picture, lane);
    TndSpot spot = {.is_set = TRUE, .lane = lane};
    tnd_timeline_find(picture, x, y, &spot.row, &spot.time_ns);
    return spot;
}

/* The message under the pointer, on the selected timeline or another one.  FALSE: there is none. */
static gboolean find_message(const TndTimelineArea *area, double x, double y, TndMessage *message, guint *lane)
{
    return area->picture && tnd_lane_stack_find_canvas(area->picture, x, y, lane) &&
           tnd_timeline_find_message(tnd_lane_stack_timeline(area->picture, *lane), x, y, message);
}

/* Notes what is under the pointer; is_moved: the pointer was, not the picture. */
static void hover(TndTimelineArea *area, gboolean is_moved)
{
    TndMessage message;
    guint lane;
    const double x = area->pointer_x, y = area->pointer_y;
    (is_moved ? tnd_session_set_hover : tnd_session_follow_hover)(area->session, spot_at(area, x, y));
    tnd_session_set_hover_message(area->session, find_message(area, x, y, &message, &lane) ? &message : NULL);
}

/* A double click on a message goes to the end of it that is farther away. */
static gboolean go_along(TndTimelineArea *area, double x, double y)
{
    TndMessage message;
    guint lane;
    if (!find_message(area, x, y, &message, &lane))
        return FALSE;
    const guint64 at_ns = tnd_timeline_time(tnd_lane_stack_timeline(area->picture, lane), x);
    const double to_begin = fabs((double)at_ns - (double)message.physical_send_ns),
                 to_end = fabs((double)message.physical_receive_ns - (double)at_ns);
    tnd_timeline_parts_cancel_drag(area); /* which its second click began */
    tnd_session_select_lane(area->session, lane);
    tnd_session_go_along_message(area->session, &message, to_begin > to_end);
    return TRUE;
}

/* A click on the label of a process or a node folds its rows, or unfolds them. */
static gboolean fold_parent(TndTimelineArea *area, double x, double y)
{
    guint lane, row;
    TndLevel above;
    if (!tnd_lane_stack_find_part(area->picture, y, &lane) ||
        !tnd_timeline_find_parent(tnd_lane_stack_timeline(area->picture, lane), x, y, &above, &row))
        return FALSE;
    tnd_session_select_lane(area->session, lane);
    tnd_session_fold(area->session, above, row);
    return TRUE;
}

/* The value whose legend is under the pointer.  Its timeline is selected. */
static gboolean find_legend(TndTimelineArea *area, const GdkEventButton *event, double *value)
{
    guint lane;
    if (!tnd_lane_stack_find_part(area->picture, event->y, &lane) ||
        !tnd_timeline_find_legend(tnd_lane_stack_timeline(area->picture, lane), event->x, event->y, value))
        return FALSE;
    tnd_session_select_lane(area->session, lane);
    return TRUE;
}

/* A click in the legend makes only the bursts of a value bright, or dims them; the same again: all are bright. */
static gboolean light_value(TndTimelineArea *area, const GdkEventButton *event)
{
    double value;
    if (!find_legend(area, event, &value))
        return FALSE;
    tnd_session_light_value(area->session, value, (event->state & GDK_SHIFT_MASK) != 0);
    return TRUE;
}

/* A double click there, whose two clicks left the light as it was, goes to the next burst of the value. */
static gboolean step_value(TndTimelineArea *area, const GdkEventButton *event)
{
    double value;
    if (!find_legend(area, event, &value))
        return FALSE;
    tnd_session_step_value(area->session, value, event->state & GDK_SHIFT_MASK ? -1 : 1);
    return TRUE;
}

static gboolean on_press(GtkWidget *widget, GdkEventButton *event, gpointer data)
{
    TndTimelineArea *area = data;
    guint lane;
    gtk_widget_grab_focus(widget);
    if (!tnd_timeline_parts_paint(area))
        return FALSE;
    if (event->type == GDK_2BUTTON_PRESS && event->button == 1)
        return step_value(area, event) || go_along(area, event->x, event->y);
    if (area->drag != TND_DRAG_NONE)
        return FALSE;
    if (gdk_event_triggers_context_menu((GdkEvent *)event)) {
        const TndSpot spot = spot_at(area, event->x, event->y);
        if (tnd_lane_stack_find_part(area->picture, event->y, &lane))
            tnd_session_select_lane(area->session, lane);
        tnd_session_set_selection(area->session, spot);
        gtk_menu_popup_at_pointer(GTK_MENU(area->menu), (GdkEvent *)event);
        return TRUE;
    }
    if (event->type != GDK_BUTTON_PRESS || event->button > 2)
        return FALSE;
    if (tnd_lane_stack_find_button(area->picture, event->x, event->y, &lane))
        return tnd_session_close_lane(area->session, lane);
    if (fold_parent(area, event->x, event->y) || light_value(area, event))
        return TRUE;
    if (tnd_timeline_parts_start_drag(area, event))
        return TRUE;
    if (tnd_lane_stack_find_part(area->picture, event->y, &lane))
        tnd_session_select_lane(area->session, lane);
    return FALSE;
}

static void show_cursor(const TndTimelineArea *area, double y)
{
    guint above;
    gboolean is_border = area->drag == TND_DRAG_BORDER ||
                         (area->drag == TND_DRAG_NONE && tnd_lane_stack_find_border(area->picture, y, &above));
    const char *name = is_border ? "row-resize" : area->drag == TND_DRAG_ROW ? "grabbing" : NULL;
    GdkCursor *cursor = name ? gdk_cursor_new_from_name(gtk_widget_get_display(area->widget), name) : NULL;
    gdk_window_set_cursor(gtk_widget_get_window(area->widget), cursor);
    g_clear_object(&cursor);
}

static gboolean on_motion(GtkWidget *widget, GdkEventMotion *event, gpointer data)
{
    TndTimelineArea *area = data;
    area->has_pointer = TRUE;
    area->pointer_x = event->x;
    area->pointer_y = event->y;
    if (!tnd_timeline_parts_paint(area))
        return TRUE;
    if (area->drag != TND_DRAG_BORDER) {
        show_cursor(area, event->y);
        hover(area, TRUE);
    }
    if (area->drag != TND_DRAG_NONE) {
        tnd_timeline_parts_drag_to(area, event->x, event->y);
        gtk_widget_queue_draw(widget);
    }
    return TRUE;
}

static gboolean on_release(GtkWidget *widget, GdkEventButton *event, gpointer data)
{
    TndTimelineArea *area = data;
    if (area->drag == TND_DRAG_NONE || !tnd_timeline_parts_paint(area))
        return FALSE;
    if (!tnd_timeline_parts_end_drag(area, event->x, event->y))
        tnd_session_set_selection(area->session, spot_at(area, event->x, event->y));
    gtk_widget_queue_draw(widget);
    return TRUE;
}

static gboolean on_leave(GtkWidget *widget, GdkEventCrossing *event, gpointer data)
{
    TndTimelineArea *area = data;
    area->has_pointer = FALSE;
    tnd_session_set_hover(area->session, (TndSpot){0});
    tnd_session_set_hover_message(area->session, NULL);
    return FALSE;
}

static gboolean on_key(GtkWidget *widget, GdkEventKey *event, gpointer data)
{
    TndTimelineArea *area = data;
    if (event->keyval != GDK_KEY_Escape)
        return FALSE;
    if (area->drag == TND_DRAG_NONE)
        tnd_session_mark(area->session, 0, 0);
    else
        tnd_timeline_parts_cancel_drag(area);
    gtk_widget_queue_draw(widget);
    return TRUE;
}

void tnd_timeline_parts_follow_mouse(TndTimelineArea *area)
{
    if (area->has_pointer)
        hover(area, FALSE);
}

void tnd_timeline_parts_connect_mouse(TndTimelineArea *area)
{
    gtk_widget_add_events(area->widget, GDK_BUTTON_PRESS_MASK | GDK_BUTTON_RELEASE_MASK | GDK_POINTER_MOTION_MASK |
                                            GDK_LEAVE_NOTIFY_MASK);
    g_signal_connect(area->widget, "button-press-event", G_CALLBACK(on_press), area);
    g_signal_connect(area->widget, "motion-notify-event", G_CALLBACK(on_motion), area);
    g_signal_connect(area->widget, "button-release-event", G_CALLBACK(on_release), area);
    g_signal_connect(area->widget, "leave-notify-event", G_CALLBACK(on_leave), area);
    g_signal_connect(area->widget, "key-press-event", G_CALLBACK(on_key), area);
}
