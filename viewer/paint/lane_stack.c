/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Heights are whole pixels, so that cells can be written into the pixels of an image.  Rulers get their height first;
 * the rest is divided among the timelines.
 */
#include "viewer/paint/lane_stack.h"

#include <math.h>

enum { MAP_TOP = 3, MAP_HEIGHT = 5, MAP_ROOM = 10, BUTTON = 9, BUTTON_EDGE = 7, MARK = 4, RIGHT_MARGIN = 10 };
enum { MARK_COLOUR = 0x1a73e8, MAP_COLOUR = 0x5f6368 };

typedef struct {
    TndTimeline *timeline;
    double top, height;
} Part;

struct TndLaneStack {
    TndLaneStackSubject subject;
    double width, height;
    Part parts[TND_LANE_STACK_MOST];
    guint n;
};

static double ruler_of(const TndTimelineSubject *subject)
{
    return subject->without_ruler ? 0 : tnd_timeline_ruler_height();
}

/* Parts that would be higher than they may be get what they may have, and leave the rest of `room` to the others, whose
 * heights sum up to what is returned. */
static double limit(TndLaneStack *stack, double *room)
{
    double sum = 0;
    gboolean is_changed = TRUE;
    while (is_changed) {
        is_changed = FALSE;
        sum = 0;
        for (guint i = 0; i < stack->n; i++)
            sum += stack->parts[i].height > 0 ? 0 : stack->subject.parts[i].height;
        const double left = *room;
        for (guint i = 0; i < stack->n; i++) {
            const TndTimelineSubject *subject = &stack->subject.parts[i].timeline;
            const double most = floor(MAX(tnd_timeline_most_height(subject) - ruler_of(subject), 1));
            if (stack->parts[i].height > 0 || stack->subject.parts[i].height / sum * left <= most)
                continue;
            stack->parts[i].height = most;
            *room -= most;
            is_changed = TRUE;
        }
    }
    return sum;
}

/* Divides the height among the parts, from `top` on. */
static void divide(TndLaneStack *stack, double top)
{
    double rulers = 0, so_far = 0, y = top;
    for (guint i = 0; i < stack->n; i++)
        rulers += ruler_of(&stack->subject.parts[i].timeline);
    double room = MAX(stack->height - top - rulers - (stack->n - 1.0) * TND_LANE_STACK_GAP, 0);
    const double sum = limit(stack, &room);
    for (guint i = 0; i < stack->n; i++) {
        const TndLaneStackPart *part = &stack->subject.parts[i];
        const double before = floor(so_far / sum * room);
        if (stack->parts[i].height <= 0) {
            so_far += part->height;
            stack->parts[i].height = MAX(floor(so_far / sum * room) - before, 1);
        }
        stack->parts[i].height += floor(ruler_of(&part->timeline));
        stack->parts[i].top = y;
        y += stack->parts[i].height + TND_LANE_STACK_GAP;
    }
}

TndLaneStack *tnd_lane_stack_new(const TndLaneStackSubject *subject, double width, double height, double zoom)
{
    TndLaneStack *stack = g_new0(TndLaneStack, 1);
    stack->subject = *subject;
    stack->n = subject->n_parts;
    stack->width = width;
    stack->height = height;
    double left = 0;
    for (guint i = 0; i < stack->n; i++) {
        TndTimelineSubject *part = &stack->subject.parts[i].timeline;
        part->is_compact = stack->n > 1;
        part->without_trace = stack->n > 1 && (i || subject->has_map); /* a window's title names it */
    }
    if (stack->n == 1)
        stack->parts[0].height = height;
    else
        divide(stack, subject->has_map ? MAP_ROOM : 0);
    for (guint i = 0; i < stack->n; i++) {
        TndTimelineSubject part = stack->subject.parts[i].timeline;
        part.top = stack->parts[i].top;
        stack->parts[i].timeline = tnd_timeline_start(&part, width, stack->parts[i].height);
        left = MAX(left, tnd_timeline_left(stack->parts[i].timeline));
    }
    for (guint i = 0; i < stack->n; i++)
        tnd_timeline_finish(stack->parts[i].timeline, left, zoom);
    return stack;
}

void tnd_lane_stack_free(TndLaneStack *stack)
{
    for (guint i = 0; stack && i < stack->n; i++)
        tnd_timeline_free(stack->parts[i].timeline);
    g_free(stack);
}

static gboolean has_buttons(const TndLaneStack *stack)
{
    return stack->subject.has_map && stack->n > 1;
}

static void fill(cairo_t *cr, guint32 colour, TndRectangle area)
{
    tnd_text_set_colour(cr, colour);
    cairo_rectangle(cr, area.x, area.y, area.width, area.height);
    cairo_fill(cr);
}

/* The first part that shows the stretch of time that most share: the map is about that. */
static const TndTimelineSubject *mapped(const TndLaneStack *stack)
{
    guint i = 0;
    while (i + 1 < stack->n && stack->subject.parts[i].timeline.is_apart)
        i++;
    return &stack->subject.parts[i].timeline;
}

static void paint_map(const TndLaneStack *stack, cairo_t *cr)
{
    const TndTimelineSubject *shown = mapped(stack);
    TndRectangle map = tnd_lane_stack_map(stack), thumb = map;
    const double whole = (double)MAX(stack->subject.whole_ns, 1);
    fill(cr, TND_PAPER_SOFT, map);
    thumb.x += floor((double)shown->begin_ns / whole * map.width);
    thumb.width = MAX(ceil((double)(shown->end_ns - shown->begin_ns) / whole * map.width), 3);
    thumb.x = MIN(thumb.x, map.x + map.width - thumb.width);
    thumb.width = MIN(thumb.width, map.x + map.width - thumb.x);
    fill(cr, MAP_COLOUR, thumb);
}

static void paint_button(const TndLaneStack *stack, guint part, cairo_t *cr)
{
    const TndRectangle box = tnd_lane_stack_button(stack, part);
    tnd_text_set_colour(cr, TND_INK_SOFT);
    cairo_set_line_width(cr, 1.5);
    cairo_move_to(cr, box.x, box.y);
    cairo_line_to(cr, box.x + box.width, box.y + box.height);
    cairo_move_to(cr, box.x + box.width, box.y);
    cairo_line_to(cr, box.x, box.y + box.height);
    cairo_stroke(cr);
}

void tnd_lane_stack_paint(const TndLaneStack *stack, cairo_t *cr)
{
    const double map_room = stack->n > 1 ? stack->parts[0].top : 0;
    tnd_text_set_theme(cr, stack->subject.parts[0].timeline.look.theme);
    fill(cr, TND_PAPER, (TndRectangle){0, 0, stack->width, map_room});
    for (guint i = 0; i < stack->n; i++) {
        const Part *part = &stack->parts[i];
        const double bottom = part->top + part->height;
        tnd_timeline_paint(part->timeline, cr);
        if (stack->n > 1)
            fill(cr, TND_PAPER, (TndRectangle){0, bottom, stack->width, MAX(stack->height - bottom, 0)});
        if (i + 1 < stack->n)
            fill(cr, TND_RULE, (TndRectangle){0, bottom + 2, stack->width, 1});
        if (i == stack->subject.selected && stack->n > 1)
            fill(cr, MARK_COLOUR, (TndRectangle){0, part->top, MARK, part->height});
        if (has_buttons(stack))
            paint_button(stack, i, cr);
    }
    if (stack->subject.has_map && stack->n)
        paint_map(stack, cr);
}

guint tnd_lane_stack_n(const TndLaneStack *stack)
{
    return stack->n;
}

const TndTimeline *tnd_lane_stack_timeline(const TndLaneStack *stack, guint part)
{
    return stack->parts[part].timeline;
}

double tnd_lane_stack_height(const TndLaneStack *stack, guint part)
{
    return stack->parts[part].height;
}

gboolean tnd_lane_stack_find_canvas(const TndLaneStack *stack, double x, double y, guint *part)
{
    for (guint i = 0; i < stack->n; i++)
        if (tnd_timeline_contains(stack->parts[i].timeline, x, y)) {
            *part = i;
            return TRUE;
        }
    return FALSE;
}

gboolean tnd_lane_stack_find_part(const TndLaneStack *stack, double y, guint *part)
{
    for (guint i = 0; i < stack->n; i++)
        if (y >= stack->parts[i].top && y < stack->parts[i].top + stack->parts[i].height) {
            *part = i;
            return TRUE;
        }
    return FALSE;
}

gboolean tnd_lane_stack_find_border(const TndLaneStack *stack, double y, guint *above)
{
    for (guint i = 0; i + 1 < stack->n; i++)
        if (y >= stack->parts[i].top + stack->parts[i].height - 1 && y < stack->parts[i + 1].top + 1) {
            *above = i;
            return TRUE;
        }
    return FALSE;
}

static gboolean is_inside(TndRectangle area, double x, double y, double around)
{
    return x >= area.x - around && x < area.x + area.width + around && y >= area.y - around &&
           y < area.y + area.height + around;
}

gboolean tnd_lane_stack_find_button(const TndLaneStack *stack, double x, double y, guint *part)
{
    for (guint i = 0; has_buttons(stack) && i < stack->n; i++)
        if (is_inside(tnd_lane_stack_button(stack, i), x, y, 4)) {
            *part = i;
            return TRUE;
        }
    return FALSE;
}

gboolean tnd_lane_stack_is_map(const TndLaneStack *stack, double x, double y)
{
    return stack->n && stack->subject.has_map && is_inside(tnd_lane_stack_map(stack), x, y, 3);
}

guint64 tnd_lane_stack_map_time(const TndLaneStack *stack, double x)
{
    const TndRectangle map = tnd_lane_stack_map(stack);
    return (guint64)(CLAMP((x - map.x) / map.width, 0, 1) * (double)stack->subject.whole_ns);
}

TndRectangle tnd_lane_stack_button(const TndLaneStack *stack, guint part)
{
    return (TndRectangle){stack->width - BUTTON_EDGE - BUTTON, stack->parts[part].top + BUTTON_EDGE, BUTTON, BUTTON};
}

TndRectangle tnd_lane_stack_map(const TndLaneStack *stack)
{
    const TndRectangle canvas = tnd_timeline_canvas(stack->parts[0].timeline);
    return (TndRectangle){canvas.x, MAP_TOP, stack->width - RIGHT_MARGIN - canvas.x, MAP_HEIGHT};
}
