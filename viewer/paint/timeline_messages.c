/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A message is a line with a head at the receiver.  Where there is room, lines have a dark edge.
 */
#include "viewer/paint/timeline_messages.h"

#include "analysis/reports/task_graph.h"
#include "formats/prv_tags.h"
#include "viewer/paint/strokes.h"

#include <math.h>

/* The length of a head in pixels, and its breadth to either side in lengths. */
#define HEAD 8
#define HEAD_SLOPE 0.4

/* Lines have edges if there is room for so many times as many, and rows are so many pixels high: in lower ones there is
 * hardly any colour that a line could be lost on, and edges would take a third of a frame's time. */
enum { SPARSE = 4, EDGED_ROW = 4 };

/* How near a point is to a line that is found there, in pixels; and the width of one that stands out. */
enum { NEAR = 4, WIDE = 3 };

static guint64 most_fitting(const TndTimeline *timeline)
{
    const double share = timeline->subject.is_compact ? MIN(timeline->height / TND_TIMELINE_MESSAGE_HEIGHT, 1) : 1;
    return (guint64)(timeline->canvas.width / TND_TIMELINE_MESSAGE_WIDTH * share);
}

void tnd_timeline_messages_append(const TndTimeline *timeline, GString *text)
{
    const TndMessageLines *messages = &timeline->messages;
    const TndMessageChoice *choice = timeline->subject.message_choice;
    if ((!messages->n_visible && !choice) || timeline->subject.messages == TND_MESSAGES_NONE)
        return;
    const char *about = messages->is_about ? "about " : "";
    guint64 n_messages = messages->n_visible - messages->n_tasks;
    if (n_messages)
        g_string_append_printf(text, "  ·  %s%" G_GUINT64_FORMAT " message%s", about, n_messages,
                               n_messages == 1 ? "" : "s");
    if (messages->n_tasks)
        g_string_append_printf(text, "  ·  %s%" G_GUINT64_FORMAT " line%s between tasks", about, messages->n_tasks,
                               messages->n_tasks == 1 ? "" : "s");
    if (!messages->n_visible)
        g_string_append(text, "  ·  no messages");
    if (choice)
        g_string_append_printf(text, " (%s)", tnd_message_choice_text(choice));
    if (messages->n_visible && !messages->stride)
        g_string_append(text, ": zoom in to see them");
    else if (messages->stride > 1)
        g_string_append_printf(text, ", 1 in %" G_GUINT64_FORMAT " drawn", messages->stride);
}

void tnd_timeline_messages_find(TndTimeline *timeline)
{
    const TndTimelineSubject *subject = &timeline->subject;
    const guint64 too_many[] = {
        [TND_MESSAGES_FITTING] = most_fitting(timeline), [TND_MESSAGES_ALL] = G_MAXUINT64, [TND_MESSAGES_NONE] = 0};
    if (subject->note || tnd_timeline_inside_is_stacked(timeline))
        return;
    const TndMessageLinesSubject wanted = {.trace = tnd_view_trace(subject->view),
                                           .level = tnd_view_level(subject->view),
                                           .order = subject->order,
                                           .choice = subject->message_choice,
                                           .begin_ns = subject->begin_ns,
                                           .end_ns = subject->end_ns,
                                           .first_row = subject->first_row,
                                           .last_row = subject->last_row};
    timeline->messages = tnd_message_lines_new(&wanted, too_many[subject->messages], TND_TIMELINE_MOST_MESSAGES);
}

/* Messages are yellow.  Lines between tasks: dependences and fulfilments are pale blue, creations grey. */
static TndStroke stroke_of(const TndTimeline *timeline, const TndMessage *message)
{
    const TndTrace *trace = tnd_view_trace(timeline->subject.view);
    const TndLevel level = tnd_view_level(timeline->subject.view);
    TndStroke stroke = {.red = 0.6, .green = 0.9, .blue = 1};
    double top, bottom;
    if (!tnd_task_graph_is_line(trace, message))
        stroke = (TndStroke){.red = 1, .green = 0.96, .blue = 0.2};
    else if (message->tag == TND_PRV_TAG_CREATION)
        stroke = (TndStroke){.red = 0.65, .green = 0.65, .blue = 0.65};
    guint row = tnd_levels_row_above(trace, TND_LEVEL_THREAD, message->sender, level);
    tnd_timeline_row_span(timeline, row, &top, &bottom);
    stroke.x1 = tnd_timeline_x(timeline, message->physical_send_ns);
    stroke.y1 = (top + bottom) / 2;
    row = tnd_levels_row_above(trace, TND_LEVEL_THREAD, message->receiver, level);
    tnd_timeline_row_span(timeline, row, &top, &bottom);
    stroke.x2 = tnd_timeline_x(timeline, message->physical_receive_ns);
    stroke.y2 = (top + bottom) / 2;
    return stroke;
}

/* Two short strokes at the receiver's end, where the line is long enough to have a direction. */
static void append_head(GArray *strokes, const TndStroke *line)
{
    const double length = hypot(line->x2 - line->x1, line->y2 - line->y1);
    if (length < 2)
        return;
    const double along = MIN(HEAD, length / 2) / length, across = along * HEAD_SLOPE;
    for (int side = -1; side <= 1; side += 2) {
        TndStroke stroke = *line;
        const double right = line->x1 - line->x2, down = line->y1 - line->y2;
        stroke.x1 = line->x2 + along * right + side * across * down;
        stroke.y1 = line->y2 + along * down - side * across * right;
        g_array_append_val(strokes, stroke);
    }
}

/* An edge that is darker than any colour of a value, below strokes that are brighter. */
static void paint_edges(const GArray *strokes, double width, TndRectangle canvas, cairo_t *cr)
{
    GArray *edges = g_array_sized_new(FALSE, FALSE, sizeof(TndStroke), strokes->len);
    for (guint i = 0; i < strokes->len; i++) {
        TndStroke edge = g_array_index(strokes, TndStroke, i);
        edge.red = edge.green = edge.blue = 0;
        g_array_append_val(edges, edge);
    }
    tnd_strokes_draw(edges, width, 0.55, canvas, cr);
    g_array_unref(edges);
}

void tnd_timeline_messages_paint(const TndTimeline *timeline, cairo_t *cr)
{
    const TndRectangle canvas = timeline->canvas;
    const GArray *drawn = timeline->messages.drawn;
    if (!drawn || !drawn->len)
        return;
    double share = canvas.width / ((double)drawn->len * TND_TIMELINE_MESSAGE_WIDTH); /* below 1: too many to fit */
    GArray *strokes = g_array_new(FALSE, FALSE, sizeof(TndStroke));
    for (guint i = 0; i < drawn->len; i++) {
        TndStroke stroke = stroke_of(timeline, &g_array_index(drawn, TndMessage, i));
        g_array_append_val(strokes, stroke);
        if (share >= 1)
            append_head(strokes, &stroke);
    }
    if (share >= SPARSE && canvas.height >= (double)EDGED_ROW * tnd_timeline_inside_n_lines(timeline))
        paint_edges(strokes, 3, canvas, cr);
    tnd_strokes_draw(strokes, share < 1 ? 0.6 : 1, CLAMP(share, 0.2, 1), canvas, cr);
    g_array_unref(strokes);
}

static double distance(const TndStroke *stroke, double x, double y)
{
    const double right = stroke->x2 - stroke->x1, down = stroke->y2 - stroke->y1, square = right * right + down * down;
    const double part = square > 0 ? ((x - stroke->x1) * right + (y - stroke->y1) * down) / square : 0;
    const double at = CLAMP(part, 0, 1);
    return hypot(x - stroke->x1 - at * right, y - stroke->y1 - at * down);
}

gboolean tnd_timeline_find_message(const TndTimeline *timeline, double x, double y, TndMessage *message)
{
    const GArray *drawn = timeline->messages.drawn;
    double nearest = NEAR;
    for (guint i = 0; drawn && i < drawn->len && tnd_timeline_contains(timeline, x, y); i++) {
        const TndMessage *other = &g_array_index(drawn, TndMessage, i);
        const TndStroke stroke = stroke_of(timeline, other);
        const double away = distance(&stroke, x, y);
        if (away > nearest)
            continue;
        nearest = away;
        *message = *other;
    }
    return nearest < NEAR;
}

void tnd_timeline_paint_message(const TndTimeline *timeline, const TndMessage *message, cairo_t *cr)
{
    GArray *strokes = g_array_new(FALSE, FALSE, sizeof(TndStroke));
    TndStroke stroke = stroke_of(timeline, message);
    g_array_append_val(strokes, stroke);
    append_head(strokes, &stroke);
    paint_edges(strokes, WIDE + 2, timeline->canvas, cr);
    tnd_strokes_draw(strokes, WIDE, 1, timeline->canvas, cr);
    g_array_unref(strokes);
}

gboolean tnd_timeline_messages_fit(const TndTimeline *timeline)
{
    return timeline->messages.n_visible <= most_fitting(timeline);
}
