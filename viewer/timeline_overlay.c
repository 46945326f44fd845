/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Over the picture: the moment under the pointer in all timelines, the selected burst, the frame that is dragged.
 */
#include "viewer/timeline_parts.h"

#include <math.h>

static void draw_line(cairo_t *cr, double x, double top, double bottom)
{
    cairo_move_to(cr, floor(x) + 0.5, top);
    cairo_line_to(cr, floor(x) + 0.5, bottom);
    cairo_stroke(cr);
}

static void draw_selection(const TndTimelineArea *area, const TndTimeline *picture, cairo_t *cr)
{
    TndSpot spot = tnd_session_selection(area->session);
    TndView *view = tnd_session_lane_view(area->session, spot.lane);
    TndZoom zoom = tnd_session_lane_zoom(area->session, spot.lane);
    TndBurst burst;
    double top, bottom;
    if (!tnd_timeline_row_span(picture, spot.row, &top, &bottom) || !tnd_view_is_prepared(view) ||
        !tnd_view_burst_at(view, spot.row, spot.time_ns, &burst) || burst.begin_ns > zoom.end_ns ||
        burst.end_ns < zoom.begin_ns)
        return;
    double left = tnd_timeline_x(picture, MAX(burst.begin_ns, zoom.begin_ns));
    double right = tnd_timeline_x(picture, MIN(burst.end_ns, zoom.end_ns));
    cairo_rectangle(cr, floor(left) - 0.5, floor(top) + 0.5, MAX(ceil(right - left), 1) + 1, bottom - top - 1);
    cairo_set_source_rgb(cr, 0, 0, 0);
    cairo_set_line_width(cr, 3);
    cairo_stroke_preserve(cr);
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_set_line_width(cr, 1);
    cairo_stroke(cr);
}

/* A frame over time is as high as each timeline that it zooms; one over rows, too, is where the mouse drew it. */
static void draw_drag(const TndTimelineArea *area, TndRectangle canvas, cairo_t *cr)
{
    gboolean is_both = area->drag == TND_DRAG_BOTH;
    double y = is_both ? MIN(area->from_y, area->to_y) : canvas.y;
    double height = is_both ? fabs(area->to_y - area->from_y) : canvas.height;
    cairo_rectangle(cr, MIN(area->from_x, area->to_x), y, fabs(area->to_x - area->from_x), height);
    cairo_set_source_rgba(cr, 1, 1, 1, 0.25);
    cairo_fill_preserve(cr);
    cairo_set_source_rgba(cr, 1, 1, 1, 0.9);
    cairo_stroke(cr);
}

/* Where the row that is dragged would go to. */
static void draw_row_drag(const TndTimelineArea *area, const TndTimeline *picture, cairo_t *cr)
{
    const TndRectangle canvas = tnd_timeline_canvas(picture);
    double from, to, bottom;
    tnd_timeline_row_span(picture, tnd_timeline_row(picture, area->from_y), &from, &bottom);
    tnd_timeline_row_span(picture, tnd_timeline_row(picture, area->to_y), &to, &bottom);
    const double y = CLAMP(floor(to > from ? bottom : to), canvas.y + 1, canvas.y + canvas.height - 2);
    if (to == from)
        return;
    cairo_rectangle(cr, canvas.x, y - 1, canvas.width, 3);
    cairo_set_source_rgb(cr, 0, 0, 0);
    cairo_fill(cr);
    cairo_rectangle(cr, canvas.x, y, canvas.width, 1);
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_fill(cr);
}

/* How long the stretch of time is that the drag would zoom to. */
static void draw_drag_length(const TndTimelineArea *area, const TndTimeline *picture, cairo_t *cr)
{
    const guint64 from_ns = tnd_timeline_time(picture, MIN(area->from_x, area->to_x));
    const guint64 to_ns = tnd_timeline_time(picture, MAX(area->from_x, area->to_x));
    if (from_ns < to_ns)
        tnd_marks_paint_length(picture, from_ns, to_ns, tnd_session_look(area->session).theme, cr);
}

static gboolean is_dragged(const TndTimelineArea *area, guint lane)
{
    if (area->drag != TND_DRAG_TIME && area->drag != TND_DRAG_BOTH)
        return FALSE;
    return lane == area->lane || (area->drag == TND_DRAG_TIME && !tnd_session_lane_is_apart(area->session, lane) &&
                                  !tnd_session_lane_is_apart(area->session, area->lane));
}

static void draw_over(const TndTimelineArea *area, guint lane, cairo_t *cr)
{
    const TndTimeline *picture = tnd_lane_stack_timeline(area->picture, lane);
    const TndRectangle canvas = tnd_timeline_canvas(picture);
    const TndSpot hover = tnd_session_hover(area->session), selection = tnd_session_selection(area->session);
    const TndZoom zoom = tnd_session_lane_zoom(area->session, lane);
    cairo_save(cr);
    cairo_rectangle(cr, canvas.x, canvas.y, canvas.width, canvas.height);
    cairo_clip(cr);
    if (selection.is_set && selection.lane == lane)
        draw_selection(area, picture, cr);
    if (tnd_session_hover_message(area->session) && hover.lane == lane && area->drag == TND_DRAG_NONE)
        tnd_timeline_paint_message(picture, tnd_session_hover_message(area->session), cr);
    cairo_set_line_width(cr, 1);
    cairo_set_source_rgba(cr, 1, 1, 1, 0.7);
    if (area->drag == TND_DRAG_ROW && lane == area->lane) {
        draw_row_drag(area, picture, cr);
    } else if (is_dragged(area, lane)) {
        draw_drag(area, canvas, cr);
        if (lane == area->lane)
            draw_drag_length(area, picture, cr);
    } else if (hover.is_set && hover.time_ns >= zoom.begin_ns && hover.time_ns <= zoom.end_ns)
        draw_line(cr, tnd_timeline_x(picture, hover.time_ns), canvas.y, canvas.y + canvas.height);
    cairo_restore(cr);
}

void tnd_timeline_parts_draw_over(const TndTimelineArea *area, cairo_t *cr)
{
    tnd_marks_paint(tnd_session_marks(area->session), area->picture, tnd_session_look(area->session).theme, cr);
    for (guint lane = 0; lane < tnd_lane_stack_n(area->picture); lane++)
        draw_over(area, lane, cr);
}
