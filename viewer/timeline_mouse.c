/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mouse: dragging zooms in time, with Ctrl also in rows; with Shift or the middle button it moves, with both keys or as
 * a ruler it marks.  A click selects; a right click selects and opens a menu; on the label of a process or a node it
 * folds; in the legend it lights a value, with Shift all others;
 * a double click there goes to the next burst of it.  Between timelines, dragging divides the height; in
 * the map it moves through the trace.  Escape ends a drag.
 */
#include "viewer/timeline_parts.h"

#include <math.h>

enum { CLICK = 4, LEAST_HEIGHT = 60 }; /* pixels; a shorter drag is a click */

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

/* Of the timeline in which the drag began. */
static const TndTimeline *dragged(const TndTimelineArea *area)
{
    return tnd_lane_stack_timeline(area->picture, area->lane);
}

/* Chooses what a drag does that begins here.  FALSE: nothing. */
static gboolean start_drag(TndTimelineArea *area, const GdkEventButton *event)
{
    if (tnd_lane_stack_is_map(area->picture, event->x, event->y)) {
        area->drag = TND_DRAG_MAP;
    } else if (tnd_lane_stack_find_border(area->picture, event->y, &area->lane)) {
        area->drag = TND_DRAG_BORDER;
    } else if (tnd_lane_stack_find_canvas(area->picture, event->x, event->y, &area->lane)) {
        const guint both = GDK_CONTROL_MASK | GDK_SHIFT_MASK;
        const gboolean marks =
            (event->state & both) == both || (!(event->state & both) && tnd_session_is_ruler(area->session));
        area->drag = event->button == 2                ? TND_DRAG_PAN
                     : marks                           ? TND_DRAG_MARK
                     : event->state & GDK_SHIFT_MASK   ? TND_DRAG_PAN
                     : event->state & GDK_CONTROL_MASK ? TND_DRAG_BOTH
                                                       : TND_DRAG_TIME;
        const guint lane = area->lane;
        tnd_session_select_lane(area->session, lane);
    }
    return area->drag != TND_DRAG_NONE;
}

static void move_map(TndTimelineArea *area, double x)
{
    TndZoom zoom = tnd_session_zoom(area->session);
    const guint64 span = zoom.end_ns - zoom.begin_ns, at = tnd_lane_stack_map_time(area->picture, x);
    zoom.begin_ns = at > span / 2 ? at - span / 2 : 0;
    zoom.end_ns = zoom.begin_ns + span;
    tnd_session_set_zoom(area->session, zoom, TRUE);
}

/* Gives two neighbours the heights that the pointer divides; what both have together stays. */
static void move_border(TndTimelineArea *area, double y)
{
    const guint above = area->lane, below = above + 1;
    TndLaneStackSubject subject;
    if (!tnd_session_stack(area->session, FALSE, &subject) || below >= subject.n_parts)
        return;
    const double rulers[2] = {subject.parts[above].timeline.without_ruler ? 0 : tnd_timeline_ruler_height(),
                              subject.parts[below].timeline.without_ruler ? 0 : tnd_timeline_ruler_height()};
    const double heights[2] = {tnd_lane_stack_height(area->picture, above),
                               tnd_lane_stack_height(area->picture, below)};
    const double both = heights[0] + heights[1], sum = subject.parts[above].height + subject.parts[below].height;
    double wanted = heights[0] + y - area->to_y;
    wanted = CLAMP(wanted, MIN(LEAST_HEIGHT, both / 2), MAX(both - LEAST_HEIGHT, both / 2));
    const double part = (wanted - rulers[0]) / MAX(both - rulers[0] - rulers[1], 1);
    area->to_y += wanted - heights[0];
    tnd_session_set_lane_height(area->session, above, CLAMP(part, 0.01, 0.99) * sum);
    tnd_session_set_lane_height(area->session, below, (1 - CLAMP(part, 0.01, 0.99)) * sum);
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
    if (!tnd_timeline_parts_paint(area) || area->drag != TND_DRAG_NONE)
        return FALSE;
    if (gdk_event_triggers_context_menu((GdkEvent *)event)) {
        const TndSpot spot = spot_at(area, event->x, event->y);
        if (tnd_lane_stack_find_part(area->picture, event->y, &lane))
            tnd_session_select_lane(area->session, lane);
        tnd_session_set_selection(area->session, spot);
        gtk_menu_popup_at_pointer(GTK_MENU(area->menu), (GdkEvent *)event);
        return TRUE;
    }
    if (event->type == GDK_2BUTTON_PRESS && event->button == 1)
        return step_value(area, event);
    if (event->type != GDK_BUTTON_PRESS || event->button > 2)
        return FALSE;
    if (tnd_lane_stack_find_button(area->picture, event->x, event->y, &lane))
        return tnd_session_close_lane(area->session, lane);
    if (fold_parent(area, event->x, event->y) || light_value(area, event))
        return TRUE;
    area->from_x = area->to_x = event->x;
    area->from_y = area->to_y = event->y;
    if (!start_drag(area, event)) {
        if (tnd_lane_stack_find_part(area->picture, event->y, &lane))
            tnd_session_select_lane(area->session, lane);
        return FALSE;
    }
    area->from_zoom = tnd_session_zoom(area->session);
    area->from_marks = *tnd_session_marks(area->session);
    if (area->drag == TND_DRAG_MAP)
        move_map(area, event->x);
    return TRUE;
}

static void pan_to(TndTimelineArea *area)
{
    TndRectangle canvas = tnd_timeline_canvas(dragged(area));
    TndZoom zoom = area->from_zoom, whole = tnd_session_whole(area->session);
    double span = (double)(zoom.end_ns - zoom.begin_ns), rows = zoom.last_row - zoom.first_row + 1.0;
    double begin = (double)zoom.begin_ns - (area->to_x - area->from_x) / canvas.width * span;
    double first = zoom.first_row - round((area->to_y - area->from_y) / canvas.height * rows);
    zoom.begin_ns = (guint64)CLAMP(begin, 0, (double)whole.end_ns - span);
    zoom.end_ns = zoom.begin_ns + (guint64)span;
    zoom.first_row = (guint)CLAMP(first, 0, whole.last_row + 1.0 - rows);
    zoom.last_row = zoom.first_row + (guint)rows - 1;
    tnd_session_set_zoom(area->session, zoom, TRUE);
}

/* A drag that is as short as a click marks nothing. */
static void mark_to(TndTimelineArea *area)
{
    const guint64 from_ns = tnd_timeline_time(dragged(area), area->from_x);
    if (fabs(area->to_x - area->from_x) >= CLICK)
        tnd_session_mark(area->session, from_ns, tnd_timeline_time(dragged(area), area->to_x));
}

static void show_cursor(const TndTimelineArea *area, double y)
{
    guint above;
    gboolean is_border = area->drag == TND_DRAG_BORDER ||
                         (area->drag == TND_DRAG_NONE && tnd_lane_stack_find_border(area->picture, y, &above));
    GdkCursor *cursor = is_border ? gdk_cursor_new_from_name(gtk_widget_get_display(area->widget), "row-resize") : NULL;
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
    if (area->drag == TND_DRAG_BORDER) {
        move_border(area, event->y);
        return TRUE;
    }
    area->to_x = event->x;
    area->to_y = event->y;
    show_cursor(area, event->y);
    tnd_session_set_hover(area->session, spot_at(area, event->x, event->y));
    if (area->drag == TND_DRAG_PAN)
        pan_to(area);
    if (area->drag == TND_DRAG_MARK)
        mark_to(area);
    if (area->drag == TND_DRAG_MAP)
        move_map(area, event->x);
    if (area->drag != TND_DRAG_NONE)
        gtk_widget_queue_draw(widget);
    return TRUE;
}

static void zoom_to_drag(TndTimelineArea *area, TndDrag drag)
{
    const TndTimeline *picture = dragged(area);
    TndZoom zoom = area->from_zoom;
    zoom.begin_ns = tnd_timeline_time(picture, MIN(area->from_x, area->to_x));
    zoom.end_ns = tnd_timeline_time(picture, MAX(area->from_x, area->to_x));
    if (drag == TND_DRAG_BOTH) {
        const TndRowOrder *order = tnd_session_rows(area->session);
        zoom.first_row = tnd_row_order_place(order, tnd_timeline_row(picture, MIN(area->from_y, area->to_y)));
        zoom.last_row = tnd_row_order_place(order, tnd_timeline_last_row(picture, MAX(area->from_y, area->to_y)));
    }
    tnd_session_set_zoom(area->session, zoom, FALSE);
}

static gboolean on_release(GtkWidget *widget, GdkEventButton *event, gpointer data)
{
    TndTimelineArea *area = data;
    TndDrag drag = area->drag;
    area->drag = TND_DRAG_NONE;
    if (drag == TND_DRAG_NONE || drag == TND_DRAG_MAP || drag == TND_DRAG_BORDER || !tnd_timeline_parts_paint(area))
        return FALSE;
    area->to_x = event->x;
    area->to_y = event->y;
    if (fabs(area->to_x - area->from_x) < CLICK && fabs(area->to_y - area->from_y) < CLICK)
        tnd_session_set_selection(area->session, spot_at(area, event->x, event->y));
    else if (drag == TND_DRAG_MARK)
        mark_to(area);
    else if (drag != TND_DRAG_PAN && fabs(area->to_x - area->from_x) >= CLICK)
        zoom_to_drag(area, drag);
    gtk_widget_queue_draw(widget);
    return TRUE;
}

static gboolean on_leave(GtkWidget *widget, GdkEventCrossing *event, gpointer data)
{
    TndTimelineArea *area = data;
    area->has_pointer = FALSE;
    tnd_session_set_hover(area->session, (TndSpot){0});
    return FALSE;
}

/* What was moved by the drag goes back to where it was.  Without a drag, the mark is taken away. */
static gboolean on_key(GtkWidget *widget, GdkEventKey *event, gpointer data)
{
    TndTimelineArea *area = data;
    if (event->keyval != GDK_KEY_Escape)
        return FALSE;
    if (area->drag == TND_DRAG_NONE) {
        tnd_session_mark(area->session, 0, 0);
        return TRUE;
    }
    if (area->drag == TND_DRAG_MARK)
        tnd_session_mark(area->session, area->from_marks.begin_ns, area->from_marks.end_ns);
    if (area->drag == TND_DRAG_PAN || area->drag == TND_DRAG_MAP)
        tnd_session_set_zoom(area->session, area->from_zoom, TRUE);
    area->drag = TND_DRAG_NONE;
    gtk_widget_queue_draw(widget);
    return TRUE;
}

void tnd_timeline_parts_follow_mouse(TndTimelineArea *area)
{
    if (area->has_pointer)
        tnd_session_follow_hover(area->session, spot_at(area, area->pointer_x, area->pointer_y));
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
