/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The members of a picture of a timeline, for the files that implement it: laying out and painting (timeline.c), and
 * what is where in it (timeline_places.c).
 */
#ifndef TND_TIMELINE_INSIDE_H
#define TND_TIMELINE_INSIDE_H

#include "viewer/paint/cells.h"
#include "viewer/paint/curves.h"
#include "viewer/paint/event_flags.h"
#include "viewer/paint/legend.h"
#include "viewer/paint/message_lines.h"
#include "viewer/paint/row_tree.h"
#include "viewer/paint/ruler.h"
#include "viewer/paint/timeline.h"

struct TndTimeline {
    TndTimelineSubject subject;
    double width, height;
    double title_width, label_width, axis_width; /* at the left of the canvas: the level, names, ticks of the axis */
    TndRowTree tree;                             /* of the labels */
    gboolean are_lines;
    TndRectangle canvas;
    TndRuler ruler;
    TndPaletteScale scale;
    TndCells *cells;   /* NULL: values are drawn as lines, or not at all */
    TndCurves *curves; /* NULL: values are drawn as cells, or not at all */
    TndValueAxis axis;
    TndEventFlags *flags; /* NULL: there are none */
    TndCurves *over;      /* lines over the cells; NULL: there are none */
    TndValueAxis over_axis;
    TndLegend legend;
    TndMessageLines messages;
    GArray *texts, *boxes;
};

/* Rows are not drawn one by one: canvas' height is their number. */
static inline gboolean tnd_timeline_inside_is_stacked(const TndTimeline *timeline)
{
    return timeline->subject.draw == TND_DRAW_STACK && timeline->scale.kind == TND_PALETTE_CODE;
}

/* How many lines are shown, and the row of one. */
static inline guint tnd_timeline_inside_n_lines(const TndTimeline *timeline)
{
    const TndTimelineSubject *subject = &timeline->subject;
    return tnd_row_order_n_lines(subject->order, subject->first_row, subject->last_row);
}

static inline guint tnd_timeline_inside_row(const TndTimeline *timeline, guint line)
{
    return tnd_row_order_row(timeline->subject.order, timeline->subject.first_row, line);
}

#endif
