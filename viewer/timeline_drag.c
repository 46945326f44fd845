/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What dragging does.  It zooms in time, with Ctrl also in rows; with Shift or the middle button it moves, with both
 * keys or as a ruler it marks.  The label of a row is dragged to the place of another one.  Between timelines, dragging
 * divides the height; in the map it moves through the trace.
 */
#include "viewer/timeline_parts.h"

#include <math.h>

enum { CLICK = 4, LEAST_HEIGHT = 60 }; /* pixels; a shorter drag is a click */

/* Of the timeline in which the drag began. */
static const TndTimeline *dragged(const TndTimelineArea *area)
{
    return tnd_lane_stack_timeline(area->picture, area->lane);
}

/* Whether the labels of a timeline's rows are here. */
static gboolean find_label(const TndTimelineArea *area, double x, double y, guint *lane)
{
    if (!tnd_lane_stack_find_part(area->picture, y, lane))
        return FALSE;
    const TndTimeline *picture = tnd_lane_stack_timeline(area->picture, *lane);
    double top, bottom;
    return x < tnd_timeline_canvas(picture).x && tnd_timeline_contains(picture, tnd_timeline_canvas(picture).x, y) &&
           tnd_timeline_row_span(picture, tnd_timeline_row(picture, y), &top, &bottom);
}

/* Chooses what a drag does that begins here.  FALSE: nothing. */
static gboolean choose_drag(TndTimelineArea *area, const GdkEventButton *event)
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
    } else if (find_label(area, event->x, event->y, &area->lane) && event->button == 1) {
        area->drag = TND_DRAG_ROW;
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

gboolean tnd_timeline_parts_start_drag(TndTimelineArea *area, const GdkEventButton *event)
{
    area->from_x = area->to_x = event->x;
    area->from_y = area->to_y = event->y;
    if (!choose_drag(area, event))
        return FALSE;
    area->from_zoom = tnd_session_zoom(area->session);
    area->from_marks = *tnd_session_marks(area->session);
    if (area->drag == TND_DRAG_MAP)
        move_map(area, event->x);
    return TRUE;
}

void tnd_timeline_parts_drag_to(TndTimelineArea *area, double x, double y)
{
    if (area->drag == TND_DRAG_BORDER) {
        move_border(area, y);
        return;
    }
    area->to_x = x;
    area->to_y = y;
    if (area->drag == TND_DRAG_PAN)
        pan_to(area);
    if (area->drag == TND_DRAG_MARK)
        mark_to(area);
    if (area->drag == TND_DRAG_MAP)
        move_map(area, x);
}

gboolean tnd_timeline_parts_end_drag(TndTimelineArea *area, double x, double y)
{
    const TndDrag drag = area->drag;
    area->drag = TND_DRAG_NONE;
    if (drag == TND_DRAG_MAP || drag == TND_DRAG_BORDER)
        return TRUE;
    area->to_x = x;
    area->to_y = y;
    if (drag == TND_DRAG_ROW)
        tnd_session_move_row(area->session, tnd_timeline_row(dragged(area), area->from_y),
                             tnd_timeline_row(dragged(area), area->to_y));
    else if (fabs(area->to_x - area->from_x) < CLICK && fabs(area->to_y - area->from_y) < CLICK)
        return FALSE;
    else if (drag == TND_DRAG_MARK)
        mark_to(area);
    else if (drag != TND_DRAG_PAN && fabs(area->to_x - area->from_x) >= CLICK)
        zoom_to_drag(area, drag);
    return TRUE;
}

void tnd_timeline_parts_cancel_drag(TndTimelineArea *area)
{
    if (area->drag == TND_DRAG_MARK)
        tnd_session_mark(area->session, area->from_marks.begin_ns, area->from_marks.end_ns);
    if (area->drag == TND_DRAG_PAN || area->drag == TND_DRAG_MAP)
        tnd_session_set_zoom(area->session, area->from_zoom, TRUE);
    area->drag = TND_DRAG_NONE;
}
