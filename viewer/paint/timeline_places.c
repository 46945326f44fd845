/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is where in a picture of a timeline.
 */
#include "viewer/paint/cell_burst.h"
#include "viewer/paint/timeline_inside.h"

#include <math.h>

const TndView *tnd_timeline_view(const TndTimeline *timeline)
{
    return timeline->subject.view;
}

TndRectangle tnd_timeline_canvas(const TndTimeline *timeline)
{
    return timeline->canvas;
}

double tnd_timeline_x(const TndTimeline *timeline, guint64 time_ns)
{
    const TndTimelineSubject *subject = &timeline->subject;
    double span = (double)(subject->end_ns - subject->begin_ns);
    return timeline->canvas.x + ((double)time_ns - (double)subject->begin_ns) / span * timeline->canvas.width;
}

guint64 tnd_timeline_time(const TndTimeline *timeline, double x)
{
    const TndTimelineSubject *subject = &timeline->subject;
    double fraction = CLAMP((x - timeline->canvas.x) / timeline->canvas.width, 0, 1);
    return subject->begin_ns + (guint64)llround(fraction * (double)(subject->end_ns - subject->begin_ns));
}

static guint line_of(const TndTimeline *timeline, double y)
{
    double fraction = CLAMP((y - timeline->canvas.y) / timeline->canvas.height, 0, 1);
    guint line = (guint)(fraction * tnd_timeline_inside_n_lines(timeline));
    return MIN(line, tnd_timeline_inside_n_lines(timeline) - 1);
}

guint tnd_timeline_row(const TndTimeline *timeline, double y)
{
    return tnd_timeline_inside_row(timeline, line_of(timeline, y));
}

guint tnd_timeline_last_row(const TndTimeline *timeline, double y)
{
    const TndTimelineSubject *subject = &timeline->subject;
    const guint line = line_of(timeline, y), n = tnd_row_order_n_rows(subject->order, subject->first_row, line);
    return tnd_row_order_row_at(subject->order, subject->first_row, line, n - 1);
}

gboolean tnd_timeline_find_legend(const TndTimeline *timeline, double x, double y, double *value)
{
    return tnd_legend_find(&timeline->legend, x, y, value);
}

void tnd_timeline_find(const TndTimeline *timeline, double x, double y, guint *row, guint64 *time_ns)
{
    const TndTimelineSubject *subject = &timeline->subject;
    const TndRectangle canvas = timeline->canvas;
    *row = tnd_timeline_row(timeline, y);
    *time_ns = tnd_timeline_time(timeline, x);
    if (!timeline->cells || !tnd_timeline_contains(timeline, x, y))
        return;
    const TndCellsSubject cells = {subject->view,  subject->begin_ns,  subject->end_ns,
                                   subject->order, subject->first_row, subject->last_row};
    guint band = (guint)((y - canvas.y) / canvas.height * timeline->cells->n_bands);
    const guint column = (guint)((x - canvas.x) / canvas.width * timeline->cells->n_columns);
    TndCells shown = *timeline->cells;
    if (tnd_timeline_inside_is_stacked(timeline)) { /* the burst is in any row */
        shown.lines += band;
        shown.n_bands = 1;
        band = 0;
    }
    tnd_cell_burst_find(&shown, &cells, band, column, row, time_ns);
}

gboolean tnd_timeline_contains(const TndTimeline *timeline, double x, double y)
{
    const TndRectangle canvas = timeline->canvas;
    return x >= canvas.x && y >= canvas.y && x < canvas.x + canvas.width && y < canvas.y + canvas.height;
}

gboolean tnd_timeline_row_span(const TndTimeline *timeline, guint row, double *top, double *bottom)
{
    double step = timeline->canvas.height / tnd_timeline_inside_n_lines(timeline);
    gint64 line = 0;
    const gboolean is_shown = !tnd_timeline_inside_is_stacked(timeline) &&
                              tnd_row_order_line(timeline->subject.order, timeline->subject.first_row, row, &line);
    *top = timeline->canvas.y + (double)line * step;
    *bottom = *top + step;
    return is_shown;
}

gboolean tnd_timeline_find_parent(const TndTimeline *timeline, double x, double y, TndLevel *level, guint *row)
{
    const TndRowTreeParent *parent =
        tnd_timeline_inside_is_stacked(timeline) ? NULL : tnd_row_tree_find(&timeline->tree, x, y);
    if (!parent)
        return FALSE;
    *level = parent->level;
    *row = tnd_timeline_inside_row(timeline, parent->first);
    return TRUE;
}

const GArray *tnd_timeline_texts(const TndTimeline *timeline)
{
    return timeline->texts;
}

const GArray *tnd_timeline_boxes(const TndTimeline *timeline)
{
    return timeline->boxes;
}
