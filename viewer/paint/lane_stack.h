/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The picture of several timelines over one another.  Their canvases begin at the same x, and those that show the same
 * stretch of time share a ruler, which is below the last of them.  A map above shows which part of the trace that is.
 * One timeline alone looks as if there were no stack.
 *
 * What it is not: it does not know which timelines belong together; its subject says which have a ruler.
 *
 * Cost: that of its timelines (cells.h, cell_picture.h).
 */
#ifndef TND_LANE_STACK_H
#define TND_LANE_STACK_H

#include "viewer/paint/timeline.h"

enum {
    TND_LANE_STACK_MOST = 12, /* timelines */
    TND_LANE_STACK_GAP = 5,   /* pixels between two timelines, where the mouse takes hold of the border */
};

typedef struct {
    TndTimelineSubject timeline; /* the stack sets top, is_compact and without_trace */
    double height;               /* in relation to the heights of the others */
} TndLaneStackPart;

typedef struct {
    TndLaneStackPart parts[TND_LANE_STACK_MOST]; /* from the top on */
    guint n_parts;
    guint selected;   /* the part that is marked; n_parts: none is.  One part alone is not marked */
    gboolean has_map; /* and buttons to close parts: it is for a window */
    guint64 whole_ns; /* the length of the trace, for the map */
} TndLaneStackSubject;

typedef struct TndLaneStack TndLaneStack;

/* zoom: device pixels per unit (2 on a dense display). */
TndLaneStack *tnd_lane_stack_new(const TndLaneStackSubject *subject, double width, double height, double zoom);
void tnd_lane_stack_free(TndLaneStack *stack); /* NULL is allowed */
void tnd_lane_stack_paint(const TndLaneStack *stack, cairo_t *cr);

guint tnd_lane_stack_n(const TndLaneStack *stack);
const TndTimeline *tnd_lane_stack_timeline(const TndLaneStack *stack, guint part);
double tnd_lane_stack_height(const TndLaneStack *stack, guint part); /* of a timeline with all that belongs to it */

/* What is at a place.  FALSE: no canvas, no border, no button, not the map. */
gboolean tnd_lane_stack_find_canvas(const TndLaneStack *stack, double x, double y, guint *part);
gboolean tnd_lane_stack_find_part(const TndLaneStack *stack, double y, guint *part);
gboolean tnd_lane_stack_find_border(const TndLaneStack *stack, double y, guint *above); /* the part above the border */
gboolean tnd_lane_stack_find_button(const TndLaneStack *stack, double x, double y, guint *part);
gboolean tnd_lane_stack_is_map(const TndLaneStack *stack, double x, double y);
guint64 tnd_lane_stack_map_time(const TndLaneStack *stack,
                                double x); /* the moment of the trace at x of the map; clamped */

/* For tests: where the button that closes a part is, and the map. */
TndRectangle tnd_lane_stack_button(const TndLaneStack *stack, guint part);
TndRectangle tnd_lane_stack_map(const TndLaneStack *stack);

#endif
