/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each timeline is a canvas of its own, with its own stretch of time.
 */
#include "viewer/paint/marks.h"

#include "viewer/paint/ruler.h"

#include <math.h>

enum { MARK_COLOUR = 0x1a73e8, EDGE = 5, TOP = 4, DIGITS = 10000 };

static void set_colour(cairo_t *cr, guint32 colour, double alpha)
{
    cairo_set_source_rgba(cr, (colour >> 16 & 255) / 255.0, (colour >> 8 & 255) / 255.0, (colour & 255) / 255.0, alpha);
}

void tnd_marks_paint_length(const TndTimeline *timeline, guint64 begin_ns, guint64 end_ns, TndTheme theme, cairo_t *cr)
{
    const TndRectangle canvas = tnd_timeline_canvas(timeline);
    const double from = MAX(tnd_timeline_x(timeline, begin_ns), canvas.x);
    const double to = MIN(tnd_timeline_x(timeline, end_ns), canvas.x + canvas.width);
    char *length = tnd_ruler_time_text(end_ns - begin_ns, (end_ns - begin_ns) / DIGITS);
    char *text = g_strdup_printf("\316\224t %s", length); /* a capital delta */
    const double width = tnd_text_width(TND_TEXT_SMALL, text) + 2 * EDGE;
    TndRectangle box = {floor((from + to - width) / 2), canvas.y + TOP, width, tnd_text_height(TND_TEXT_SMALL) + 2};
    box.x = CLAMP(box.x, canvas.x, MAX(canvas.x + canvas.width - width, canvas.x));
    GArray *texts = tnd_text_list_new();
    tnd_text_set_theme(cr, theme);
    tnd_text_set_colour(cr, TND_PAPER);
    cairo_rectangle(cr, box.x, box.y, box.width, box.height);
    cairo_fill(cr);
    tnd_text_add(texts, TND_TEXT_SMALL, TND_TEXT_CENTRE, TND_INK, box, text);
    tnd_text_draw(texts, cr);
    g_array_unref(texts);
    g_free(text);
    g_free(length);
}

/* White beside the colour, so that the edge is seen on any values. */
static void paint_edge(const TndTimeline *timeline, guint64 time_ns, TndRectangle canvas, cairo_t *cr)
{
    const double x = floor(tnd_timeline_x(timeline, time_ns));
    set_colour(cr, 0xffffff, 1);
    cairo_rectangle(cr, x - 1, canvas.y, 3, canvas.height);
    cairo_fill(cr);
    set_colour(cr, MARK_COLOUR, 1);
    cairo_rectangle(cr, x, canvas.y, 1, canvas.height);
    cairo_fill(cr);
}

/* FALSE: nothing of it is seen. */
static gboolean paint_stretch(const TndMarks *marks, const TndTimeline *timeline, cairo_t *cr)
{
    const TndRectangle canvas = tnd_timeline_canvas(timeline);
    const double from = MAX(tnd_timeline_x(timeline, marks->begin_ns), canvas.x);
    const double to = MIN(tnd_timeline_x(timeline, marks->end_ns), canvas.x + canvas.width);
    if (from >= canvas.x + canvas.width || to <= canvas.x)
        return FALSE;
    cairo_save(cr);
    cairo_rectangle(cr, canvas.x, canvas.y, canvas.width, canvas.height);
    cairo_clip(cr);
    set_colour(cr, MARK_COLOUR, 0.22);
    cairo_rectangle(cr, from, canvas.y, to - from, canvas.height);
    cairo_fill(cr);
    paint_edge(timeline, marks->begin_ns, canvas, cr);
    paint_edge(timeline, marks->end_ns, canvas, cr);
    cairo_restore(cr);
    return TRUE;
}

void tnd_marks_paint(const TndMarks *marks, const TndLaneStack *stack, TndTheme theme, cairo_t *cr)
{
    gboolean is_told = FALSE;
    for (guint i = 0; i < tnd_lane_stack_n(stack) && marks->begin_ns < marks->end_ns; i++) {
        const TndTimeline *timeline = tnd_lane_stack_timeline(stack, i);
        if (!paint_stretch(marks, timeline, cr) || is_told)
            continue;
        tnd_marks_paint_length(timeline, marks->begin_ns, marks->end_ns, theme, cr);
        is_told = TRUE;
    }
}
