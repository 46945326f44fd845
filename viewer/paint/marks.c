/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each timeline is a canvas of its own, with its own stretch of time.
 */
#include "viewer/paint/marks.h"

#include "viewer/paint/ruler.h"

#include <math.h>

enum { MARK_COLOUR = 0x1a73e8, FLAG_COLOUR = 0xd95f02, WIDEST = 220, EDGE = 5, TOP = 4, DIGITS = 10000 };

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

gboolean tnd_marks_find_row(const TndNote *note, const TndView *view, guint *row)
{
    const TndLevel level = tnd_view_level(view);
    const gboolean is = note->level == level || tnd_levels_is_above(level, note->level);
    if (is)
        *row = tnd_levels_row_above(tnd_view_trace(view), note->level, note->row, level);
    return is;
}

static void paint_flag(double x, double y, cairo_t *cr)
{
    set_colour(cr, 0xffffff, 1);
    cairo_rectangle(cr, x - 1, y - TND_MARKS_FLAG - 1, TND_MARKS_FLAG + 2, TND_MARKS_FLAG - 1);
    cairo_rectangle(cr, x - 1, y - TND_MARKS_FLAG - 1, 3, TND_MARKS_FLAG + 2);
    cairo_fill(cr);
    set_colour(cr, FLAG_COLOUR, 1);
    cairo_rectangle(cr, x, y - TND_MARKS_FLAG, TND_MARKS_FLAG, TND_MARKS_FLAG - 3);
    cairo_rectangle(cr, x, y - TND_MARKS_FLAG, 1, TND_MARKS_FLAG);
    cairo_fill(cr);
}

static gboolean overlaps(const GArray *boxes, TndRectangle box)
{
    for (guint i = 0; i < boxes->len; i++) {
        const TndRectangle other = g_array_index(boxes, TndRectangle, i);
        if (box.x < other.x + other.width && other.x < box.x + box.width && box.y < other.y + other.height &&
            other.y < box.y + box.height)
            return TRUE;
    }
    return FALSE;
}

/* Beside its flag, where there is room: flags and texts that were placed before stay readable. */
static void paint_text(const char *text, double x, double y, GArray *boxes, TndRectangle canvas, cairo_t *cr)
{
    const double height = tnd_text_height(TND_TEXT_SMALL), room = canvas.x + canvas.width - x;
    TndRectangle box = {x, y - height + 1, MIN(tnd_text_width(TND_TEXT_SMALL, text) + 4, MIN(room, WIDEST)), height};
    GArray *texts = tnd_text_list_new();
    box.y = MAX(box.y, canvas.y);
    tnd_text_add(texts, TND_TEXT_SMALL, TND_TEXT_CENTRE, TND_INK, box, text);
    if (texts->len && !overlaps(boxes, box)) {
        tnd_text_set_colour(cr, TND_PAPER);
        cairo_rectangle(cr, box.x, box.y, box.width, box.height);
        cairo_fill(cr);
        tnd_text_draw(texts, cr);
        g_array_append_val(boxes, box);
    }
    g_array_unref(texts);
}

/* All flags, then the texts, which leave the flags visible. */
static void paint_notes(const GArray *notes, const TndTimeline *timeline, cairo_t *cr)
{
    const TndView *view = tnd_timeline_view(timeline);
    const TndRectangle canvas = tnd_timeline_canvas(timeline);
    GArray *boxes = g_array_new(FALSE, FALSE, sizeof(TndRectangle));
    cairo_save(cr);
    cairo_rectangle(cr, canvas.x, canvas.y, canvas.width, canvas.height);
    cairo_clip(cr);
    for (guint i = 0; i < 2 * notes->len; i++) {
        const TndNote *note = &g_array_index(notes, TndNote, i % notes->len);
        const double x = floor(tnd_timeline_x(timeline, note->time_ns));
        double top, bottom;
        guint row;
        if (x < canvas.x || x >= canvas.x + canvas.width || !tnd_marks_find_row(note, view, &row) ||
            !tnd_timeline_row_span(timeline, row, &top, &bottom) || bottom <= canvas.y ||
            top >= canvas.y + canvas.height)
            continue;
        const double y = MAX(floor((top + bottom) / 2), canvas.y + TND_MARKS_FLAG + 1);
        const TndRectangle flag = {x - 1, y - TND_MARKS_FLAG - 1, TND_MARKS_FLAG + 2, TND_MARKS_FLAG + 2};
        if (i < notes->len) {
            paint_flag(x, y, cr);
            g_array_append_val(boxes, flag);
        } else if (*note->text) {
            paint_text(note->text, x + TND_MARKS_FLAG + 1, y, boxes, canvas, cr);
        }
    }
    cairo_restore(cr);
    g_array_unref(boxes);
}

void tnd_marks_paint(const TndMarks *marks, const TndLaneStack *stack, TndTheme theme, cairo_t *cr)
{
    gboolean is_told = FALSE;
    tnd_text_set_theme(cr, theme);
    for (guint i = 0; i < tnd_lane_stack_n(stack); i++) {
        const TndTimeline *timeline = tnd_lane_stack_timeline(stack, i);
        if (marks->begin_ns < marks->end_ns && paint_stretch(marks, timeline, cr) && !is_told) {
            tnd_marks_paint_length(timeline, marks->begin_ns, marks->end_ns, theme, cr);
            is_told = TRUE;
        }
        if (marks->notes && marks->notes->len)
            paint_notes(marks->notes, timeline, cr);
    }
}
