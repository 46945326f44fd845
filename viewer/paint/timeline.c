/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The title above, the legend and the ruler below and the labels at the left are laid out first; the canvas gets the
 * rest.
 */
#include "viewer/paint/timeline.h"

#include "viewer/paint/cell_picture.h"
#include "viewer/paint/cell_stack.h"
#include "viewer/paint/curve_points.h"
#include "viewer/paint/timeline_inside.h"
#include "viewer/paint/timeline_messages.h"

#include <math.h>
#include <string.h>

enum { MARGIN = 10, COMPACT_MARGIN = 4, SPACE = 6, TICK = 5, LEAST_CANVAS = 24, MOST_LEGEND = 4 };

enum { MOST_STACKED = 4096 }; /* bands; of more rows, several take turns */

static gboolean is_scale_fitted(const TndTimeline *timeline)
{
    return timeline->subject.fits_scale && timeline->scale.kind == TND_PALETTE_GRADIENT;
}

static TndDrawMode mode_of(const TndTimeline *timeline)
{
    if (tnd_timeline_inside_is_stacked(timeline))
        return TND_MODE_TIME;
    return tnd_look_mode(&timeline->subject.look, timeline->scale.kind == TND_PALETTE_CODE);
}

static gboolean are_points(const TndTimelineSubject *subject)
{
    return subject->draw == TND_DRAW_POINTS;
}

static gboolean wants_lines(const TndTimeline *timeline)
{
    return (timeline->subject.draw == TND_DRAW_LINE || are_points(&timeline->subject)) &&
           timeline->scale.kind == TND_PALETTE_GRADIENT;
}

/* The heights of what is above the canvas, and of what is between it and the legend. */
static double head_height(const TndTimelineSubject *subject)
{
    if (subject->is_compact)
        return ceil(COMPACT_MARGIN + tnd_text_height(TND_TEXT_STRONG) + COMPACT_MARGIN);
    return ceil(MARGIN + tnd_text_height(TND_TEXT_TITLE) + 1 + tnd_text_height(TND_TEXT_SMALL) + SPACE);
}

double tnd_timeline_ruler_height(void)
{
    return TICK + 1 + tnd_text_height(TND_TEXT_SMALL) + SPACE;
}

static double ruler_height(const TndTimelineSubject *subject)
{
    return subject->without_ruler ? SPACE : tnd_timeline_ruler_height();
}

/* Rows over an axis, and stacks, have no limit. */
static double most_canvas(const TndTimelineSubject *subject)
{
    const guint n_lines = tnd_row_order_n_lines(subject->order, subject->first_row, subject->last_row);
    if (subject->draw != TND_DRAW_COLOUR && tnd_view_draw_suits(subject->draw, tnd_view_rule(subject->view)->palette))
        return G_MAXDOUBLE;
    return (double)n_lines * TND_TIMELINE_MOST_ROW;
}

double tnd_timeline_most_height(const TndTimelineSubject *subject)
{
    const double legend = MOST_LEGEND / 2.0 * tnd_legend_line_height(); /* which are most legends */
    return ceil(head_height(subject) + most_canvas(subject) + ruler_height(subject) + legend + SPACE);
}

/* The height that a legend of this height leaves to the canvas. */
static double canvas_height(const TndTimeline *timeline, double legend_height)
{
    const TndTimelineSubject *subject = &timeline->subject;
    const double legend_top = timeline->height - SPACE - legend_height;
    const double room = floor(legend_top - ruler_height(subject) - head_height(subject));
    return MAX(MIN(room, most_canvas(subject)), LEAST_CANVAS);
}

/* Those of all lines. */
static guint count_rows(const TndTimeline *timeline)
{
    const TndTimelineSubject *subject = &timeline->subject;
    guint n = 0;
    for (guint line = 0; line < tnd_timeline_inside_n_lines(timeline); line++)
        n += tnd_row_order_n_rows(subject->order, subject->first_row, line);
    return n;
}

static void append_flags(const TndTimeline *timeline, GString *text)
{
    const TndEventFlags *flags = timeline->flags;
    if (!timeline->subject.shows_flags || timeline->subject.note || tnd_timeline_inside_is_stacked(timeline))
        return;
    if (!flags)
        g_string_append(text, "  ·  rows are too low for flags");
    else
        g_string_append_printf(text, "  ·  %" G_GUINT64_FORMAT " events%s", flags->n,
                               flags->are_there ? "" : " at most: zoom in to see flags");
}

static char *caption_text(const TndTimeline *timeline)
{
    const TndTimelineSubject *subject = &timeline->subject;
    guint n_rows = tnd_view_n_rows(subject->view), n_shown = count_rows(timeline);
    guint64 resolution = (subject->end_ns - subject->begin_ns) / 10000;
    GString *text = g_string_new(NULL);
    char *begin = tnd_ruler_time_text(subject->begin_ns, resolution);
    char *end = tnd_ruler_time_text(subject->end_ns, resolution);
    g_string_printf(text, "%s – %s", begin, end);
    const char *word = tnd_levels_word(tnd_view_level(subject->view), n_rows != 1);
    if (n_shown == n_rows)
        g_string_append_printf(text, "  ·  %u %s", n_rows, word);
    else if (subject->order)
        g_string_append_printf(text, "  ·  %u of %u %s", n_shown, n_rows, word);
    else
        g_string_append_printf(text, "  ·  rows %u – %u of %u %s", subject->first_row + 1, subject->last_row + 1,
                               n_rows, word);
    if (tnd_timeline_inside_is_stacked(timeline))
        g_string_append(text, "  ·  stacked: how many have each value");
    else
        g_string_append_printf(text, "  ·  %s%s",
                               !timeline->curves     ? "draw mode: "
                               : are_points(subject) ? "points: where values begin"
                                                     : "lines: minimum to maximum",
                               timeline->curves ? "" : tnd_draw_mode_rule(mode_of(timeline))->caption);
    if (wants_lines(timeline) && !timeline->curves)
        g_string_append_printf(text, "  ·  rows are too low for %s", are_points(subject) ? "points" : "lines");
    if (subject->over && !timeline->over && !subject->note)
        g_string_append_printf(text, "  ·  no room for lines of %s", tnd_view_rule(subject->over)->title);
    if (is_scale_fitted(timeline))
        g_string_append(text, "  ·  scale: fitted to what is shown");
    if (subject->is_apart)
        g_string_append(text, "  ·  time and rows of its own");
    append_flags(timeline, text);
    tnd_timeline_messages_append(timeline, text);
    g_free(begin);
    g_free(end);
    return g_string_free(text, FALSE);
}

/* Title and caption: one below the other or, if the picture is compact, side by side. */
static void lay_out_head(TndTimeline *timeline)
{
    const gboolean is_compact = timeline->subject.is_compact;
    const TndTextStyle style = is_compact ? TND_TEXT_STRONG : TND_TEXT_TITLE;
    TndView *view = timeline->subject.view;
    const TndViewRule *rule = tnd_view_rule(view);
    char *title = g_strdup_printf("%s%s%s%s", rule->title, rule->origin ? " (" : "", rule->origin ? rule->origin : "",
                                  rule->origin ? ")" : "");
    char *whole = timeline->subject.without_trace
                      ? g_strdup(title)
                      : g_strdup_printf("%s — %s", title, tnd_trace_name(tnd_view_trace(view)));
    char *caption = caption_text(timeline);
    double line = tnd_text_height(style), small = tnd_text_height(TND_TEXT_SMALL);
    TndRectangle space = {MARGIN, timeline->subject.top + (is_compact ? COMPACT_MARGIN : MARGIN),
                          timeline->width - 2 * MARGIN, line};
    tnd_text_add(timeline->texts, style, TND_TEXT_LEFT, TND_INK, space, whole);
    if (is_compact) {
        double after = MIN(tnd_text_width(style, whole) + 2 * SPACE, space.width);
        space = (TndRectangle){space.x + after, space.y, MAX(space.width - after - TND_TIMELINE_CORNER, 0), line};
    } else {
        space = (TndRectangle){space.x, space.y + line + 1, space.width, small};
    }
    tnd_text_add(timeline->texts, TND_TEXT_SMALL, TND_TEXT_LEFT, TND_INK_SOFT, space, caption);
    g_free(caption);
    g_free(whole);
    g_free(title);
}

static void lay_out_ruler(TndTimeline *timeline, double label_left, double label_width)
{
    const TndRectangle canvas = timeline->canvas;
    const TndTimelineSubject *subject = &timeline->subject;
    double y = canvas.y + canvas.height + TICK + 1, line = tnd_text_height(TND_TEXT_SMALL);
    timeline->ruler = tnd_ruler_new(subject->begin_ns, subject->end_ns, canvas.width);
    char *title = g_strdup_printf("Time (%s)", timeline->ruler.unit);
    tnd_text_add(timeline->texts, TND_TEXT_SMALL, TND_TEXT_RIGHT, TND_INK_SOFT,
                 (TndRectangle){label_left, y, label_width, line}, title);
    g_free(title);
    double free_from = canvas.x - 1;
    for (guint i = 0; i < timeline->ruler.n_ticks; i++) {
        guint64 time = timeline->ruler.first_ns + i * timeline->ruler.step_ns;
        char *label = tnd_ruler_label(&timeline->ruler, time);
        double width = tnd_text_width(TND_TEXT_SMALL, label), right = timeline->width - 2;
        double x = CLAMP(tnd_timeline_x(timeline, time) - width / 2, free_from, MAX(right - width, free_from));
        if (x + width <= right)
            tnd_text_add(timeline->texts, TND_TEXT_SMALL, TND_TEXT_LEFT, TND_INK_SOFT,
                         (TndRectangle){x, y, width, line}, label);
        free_from = x + width + SPACE;
        g_free(label);
    }
}

static void place_legend(TndTimeline *timeline, guint first_text, double down)
{
    tnd_legend_move(&timeline->legend, down);
    for (guint i = first_text; i < timeline->texts->len; i++)
        g_array_index(timeline->texts, TndText, i).box.y += down;
    for (guint i = 0; i < timeline->legend.swatches->len; i++)
        g_array_append_val(timeline->boxes, g_array_index(timeline->legend.swatches, TndLegendSwatch, i).box);
    if (timeline->legend.gradient.width > 0)
        g_array_append_val(timeline->boxes, timeline->legend.gradient);
}

/* As far as it is known before the legend is. */
static double row_height(const TndTimeline *timeline)
{
    return canvas_height(timeline, tnd_legend_line_height()) / tnd_timeline_inside_n_lines(timeline);
}

/* The axis of lines, and the width of its labels (0: there is no room for labels).  FALSE: values are not drawn as
 * lines, because they are codes, or rows are too low. */
static gboolean make_axis(TndTimeline *timeline, double *labels_width)
{
    const TndTimelineSubject *subject = &timeline->subject;
    const TndViewRule *rule = tnd_view_rule(subject->view);
    *labels_width = 0;
    if (subject->note || !wants_lines(timeline) || row_height(timeline) < TND_CURVES_LEAST_ROW)
        return FALSE;
    if (is_scale_fitted(timeline)) {
        TndCurves *rows = tnd_curves_new(subject->view, subject->order, subject->begin_ns, subject->end_ns,
                                         subject->first_row, subject->last_row, 1);
        tnd_curves_range(rows, &timeline->scale.least, &timeline->scale.most);
        tnd_curves_free(rows);
    }
    guint most_ticks = tnd_curves_most_ticks(row_height(timeline));
    timeline->axis =
        tnd_value_axis_new(timeline->scale.least, timeline->scale.most, rule->unit, rule->zero_is_nothing, most_ticks);
    for (guint tick = 0; most_ticks >= 2 && tick < timeline->axis.n_ticks; tick++) {
        char *label = tnd_value_axis_label(&timeline->axis, tnd_value_axis_tick(&timeline->axis, tick));
        *labels_width = MAX(*labels_width, tnd_text_width(TND_TEXT_SMALL, label));
        g_free(label);
    }
    return TRUE;
}

static void lay_out_axis(TndTimeline *timeline, double left, double title_width, double labels_width)
{
    const TndRectangle canvas = timeline->canvas;
    if (labels_width <= 0)
        return;
    const char *title = tnd_view_rule(timeline->subject.view)->title, *unit = timeline->axis.unit;
    char *text = *unit ? g_strdup_printf("%s (%s)", title, unit) : g_strdup(title);
    tnd_text_add_upright(timeline->texts, TND_TEXT_SMALL, TND_TEXT_CENTRE, TND_INK_SOFT,
                         (TndRectangle){left, canvas.y, title_width, canvas.height}, text);
    tnd_curves_add_labels(timeline->curves, &timeline->axis, canvas, left + title_width + 2, labels_width,
                          timeline->texts);
    g_free(text);
}

static void fit_scale(TndTimeline *timeline)
{
    TndPaletteScale *scale = &timeline->scale;
    if (tnd_cells_range(timeline->cells, &scale->least, &scale->most)) {
        scale->minimum = scale->least;
        scale->maximum = scale->most;
    }
    tnd_palette_set_look(scale, &timeline->subject.look);
}

/* The lines over the cells, if rows are high enough. */
static void read_over(TndTimeline *timeline, guint n_columns)
{
    const TndTimelineSubject *subject = &timeline->subject;
    if (!subject->over || tnd_timeline_inside_is_stacked(timeline) || row_height(timeline) < TND_CURVES_LEAST_ROW)
        return;
    const TndPaletteScale scale = subject->over_scale ? *subject->over_scale : tnd_palette_scale(subject->over);
    const TndViewRule *rule = tnd_view_rule(subject->over);
    timeline->over = tnd_curves_new(subject->over, subject->order, subject->begin_ns, subject->end_ns,
                                    subject->first_row, subject->last_row, n_columns);
    timeline->over_axis = tnd_value_axis_new(scale.least, scale.most, rule->unit, rule->zero_is_nothing, 2);
}

static void read_flags(TndTimeline *timeline, guint n_columns)
{
    const TndTimelineSubject *subject = &timeline->subject;
    if (subject->shows_flags && !tnd_timeline_inside_is_stacked(timeline) &&
        row_height(timeline) >= TND_EVENT_FLAGS_LEAST_ROW)
        timeline->flags = tnd_event_flags_new(subject->view, subject->order, subject->begin_ns, subject->end_ns,
                                              subject->first_row, subject->last_row, n_columns);
}

static void read_values(TndTimeline *timeline, double zoom)
{
    const TndTimelineSubject *subject = &timeline->subject;
    guint n_columns = (guint)MAX(lrint(timeline->canvas.width * zoom), 1);
    if (subject->note)
        return;
    read_over(timeline, n_columns);
    read_flags(timeline, (guint)MAX(timeline->canvas.width, 1));
    if (timeline->are_lines) {
        timeline->curves = tnd_curves_new(
            subject->view, subject->order, subject->begin_ns, subject->end_ns, subject->first_row, subject->last_row,
            are_points(subject) ? tnd_curve_points_columns(tnd_timeline_inside_n_lines(timeline), n_columns)
                                : n_columns);
        return;
    }
    guint most_bands = (guint)MAX(timeline->height * zoom, 1);
    if (tnd_timeline_inside_is_stacked(timeline)) {
        n_columns *= tnd_cell_stack_columns(tnd_timeline_inside_n_lines(timeline));
        most_bands = MAX(most_bands, MOST_STACKED);
    }
    timeline->cells =
        tnd_cells_new(subject->view, mode_of(timeline), subject->order, is_scale_fitted(timeline), subject->begin_ns,
                      subject->end_ns, subject->first_row, subject->last_row, n_columns, most_bands);
    if (is_scale_fitted(timeline))
        fit_scale(timeline);
}

/* Also sets the height of the canvas, which is what the legend leaves. */
static void lay_out_legend(TndTimeline *timeline, double zoom)
{
    TndRectangle *canvas = &timeline->canvas;
    guint first_text = timeline->texts->len;
    guint most_lines = timeline->height < 180 ? 1 : timeline->height < 420 ? 2 : MOST_LEGEND;
    if (timeline->curves)
        timeline->legend =
            tnd_legend_of_lines(timeline->subject.view, &timeline->axis, canvas->x, canvas->width, timeline->texts);
    else if (timeline->cells)
        timeline->legend = tnd_legend_new(timeline->subject.view, timeline->cells, &timeline->scale, canvas->x,
                                          canvas->width, most_lines, timeline->texts);
    else
        timeline->legend = tnd_legend_of_nothing();
    if (timeline->over)
        tnd_legend_add_over(&timeline->legend, timeline->subject.over, &timeline->over_axis, canvas->x, canvas->width,
                            timeline->texts);
    canvas->height = canvas_height(timeline, timeline->legend.height);
    if (timeline->cells && tnd_timeline_inside_is_stacked(timeline))
        timeline->cells = tnd_cell_stack_new(timeline->cells, (guint)MAX(lrint(canvas->width * zoom), 1),
                                             (guint)lrint(canvas->height * zoom));
    else if (timeline->cells)
        tnd_cells_limit(timeline->cells, (guint)lrint(canvas->height * zoom));
    place_legend(timeline, first_text, canvas->y + canvas->height + ruler_height(&timeline->subject));
}

/* The axis of a stack: numbers of rows. */
static void lay_out_numbers(TndTimeline *timeline, double left)
{
    const TndRectangle canvas = timeline->canvas;
    const double line = tnd_text_height(TND_TEXT_SMALL), n_rows = count_rows(timeline);
    TndValueAxis axis = tnd_value_axis_new(0, n_rows, "", FALSE, MAX(tnd_curves_most_ticks(canvas.height), 2));
    for (guint tick = 0; tick < axis.n_ticks; tick++) {
        const double n = tnd_value_axis_tick(&axis, tick) * axis.unit_size;
        const double y = canvas.y + canvas.height * (1 - n / n_rows) - line / 2;
        if (n > n_rows || n != floor(n))
            continue;
        char *label = g_strdup_printf("%.0f", n);
        tnd_text_add(
            timeline->texts, TND_TEXT_SMALL, TND_TEXT_RIGHT, TND_INK_SOFT,
            (TndRectangle){left, CLAMP(y, canvas.y, canvas.y + canvas.height - line), timeline->label_width, line},
            label);
        g_free(label);
    }
    tnd_value_axis_clear(&axis);
}

static void lay_out_rows(TndTimeline *timeline, double label_left)
{
    const TndRectangle canvas = timeline->canvas;
    const TndLevel level = tnd_view_level(timeline->subject.view);
    const gboolean is_stacked = tnd_timeline_inside_is_stacked(timeline);
    char *title = is_stacked ? g_strdup_printf("Number of %s", tnd_levels_word(level, TRUE)) : tnd_levels_title(level);
    tnd_text_add_upright(timeline->texts, TND_TEXT_SMALL, TND_TEXT_CENTRE, TND_INK_SOFT,
                         (TndRectangle){MARGIN - 2, canvas.y, timeline->title_width, canvas.height}, title);
    if (is_stacked)
        lay_out_numbers(timeline, label_left);
    else
        tnd_row_tree_lay_out(&timeline->tree, canvas, label_left, timeline->texts);
    g_free(title);
}

static void lay_out_note(TndTimeline *timeline)
{
    const double line = tnd_text_height(TND_TEXT_NORMAL);
    TndRectangle space = timeline->canvas;
    if (!timeline->subject.note)
        return;
    space.y += MAX((space.height - line) / 2, 0);
    space.height = line;
    tnd_text_add(timeline->texts, TND_TEXT_NORMAL, TND_TEXT_CENTRE, TND_INK_LIGHT, space, timeline->subject.note);
}

TndTimeline *tnd_timeline_start(const TndTimelineSubject *subject, double width, double height)
{
    TndTimeline *timeline = g_new0(TndTimeline, 1);
    timeline->subject = *subject;
    timeline->width = width;
    timeline->height = height;
    timeline->texts = tnd_text_list_new();
    timeline->boxes = g_array_new(FALSE, FALSE, sizeof(TndRectangle));
    if (!subject->note)
        timeline->scale = subject->scale ? *subject->scale : tnd_palette_scale(subject->view);
    tnd_palette_set_look(&timeline->scale, &subject->look);
    if (subject->lit && subject->lit->row == G_MAXUINT) {
        timeline->scale.is_lit = TRUE;
        timeline->scale.lit_least = subject->lit->least;
        timeline->scale.lit_most = subject->lit->largest;
        timeline->scale.are_others_lit = subject->lit->are_others;
    }
    timeline->title_width = tnd_text_height(TND_TEXT_SMALL);
    timeline->tree =
        tnd_row_tree_new(subject->view, subject->order, subject->first_row, subject->last_row, width * 0.25);
    timeline->label_width = tnd_row_tree_width(&timeline->tree);
    timeline->are_lines = make_axis(timeline, &timeline->axis_width);
    return timeline;
}

double tnd_timeline_left(const TndTimeline *timeline)
{
    double axis = timeline->axis_width > 0 ? ceil(timeline->title_width + 2 + timeline->axis_width + SPACE) : 0;
    return MARGIN + timeline->title_width + 2 + timeline->label_width + SPACE + axis;
}

void tnd_timeline_finish(TndTimeline *timeline, double left, double zoom)
{
    const TndTimelineSubject *subject = &timeline->subject;
    const double own_left = tnd_timeline_left(timeline);
    const double label_left = MARGIN + timeline->title_width + 2 + MAX(left - own_left, 0);
    TndRectangle *canvas = &timeline->canvas;
    canvas->x = MAX(left, own_left);
    canvas->y = subject->top + head_height(subject);
    canvas->width = MAX(floor(timeline->width - MARGIN - canvas->x), 1);
    tnd_timeline_messages_find(timeline);
    read_values(timeline, zoom);
    lay_out_head(timeline);
    lay_out_legend(timeline, zoom);
    g_array_append_val(timeline->boxes, *canvas);

    lay_out_rows(timeline, label_left);
    lay_out_axis(timeline, label_left + timeline->label_width + SPACE, timeline->title_width, timeline->axis_width);
    if (!subject->without_ruler)
        lay_out_ruler(timeline, label_left, timeline->label_width);
    lay_out_note(timeline);
}

TndTimeline *tnd_timeline_new(const TndTimelineSubject *subject, double width, double height, double zoom)
{
    TndTimeline *timeline = tnd_timeline_start(subject, width, height);
    tnd_timeline_finish(timeline, 0, zoom);
    return timeline;
}

void tnd_timeline_free(TndTimeline *timeline)
{
    if (!timeline)
        return;
    tnd_cells_free(timeline->cells);
    tnd_curves_free(timeline->curves);
    tnd_value_axis_clear(&timeline->axis);
    tnd_curves_free(timeline->over);
    tnd_event_flags_free(timeline->flags);
    tnd_value_axis_clear(&timeline->over_axis);
    tnd_row_tree_clear(&timeline->tree);
    tnd_legend_clear(&timeline->legend);
    tnd_message_lines_clear(&timeline->messages);
    g_array_unref(timeline->texts);
    g_array_unref(timeline->boxes);
    g_free(timeline);
}

static void paint_ticks(const TndTimeline *timeline, cairo_t *cr)
{
    const TndRectangle canvas = timeline->canvas;
    tnd_text_set_colour(cr, TND_INK_SOFT);
    cairo_set_line_width(cr, 1);
    for (guint i = 0; i < timeline->ruler.n_ticks; i++) {
        double x = tnd_timeline_x(timeline, timeline->ruler.first_ns + i * timeline->ruler.step_ns);
        x = floor(MIN(x, canvas.x + canvas.width - 1)) + 0.5;
        cairo_move_to(cr, x, canvas.y + canvas.height);
        cairo_line_to(cr, x, canvas.y + canvas.height + TICK);
    }
    cairo_stroke(cr);
}

static void fill(cairo_t *cr, guint32 colour, double x, double y, double width, double height)
{
    tnd_text_set_colour(cr, colour);
    cairo_rectangle(cr, x, y, width, height);
    cairo_fill(cr);
}

/* The background; that of the canvas only if painting the cells does not overwrite all of it. */
static void paint_ground(const TndTimeline *timeline, cairo_t *cr)
{
    const TndRectangle canvas = timeline->canvas;
    const double right = canvas.x + canvas.width, bottom = canvas.y + canvas.height, top = timeline->subject.top;
    if (!timeline->cells || !tnd_cell_picture_covers(timeline->cells, cr, canvas)) {
        fill(cr, TND_PAPER, 0, top, timeline->width, timeline->height);
        fill(cr, TND_CANVAS, canvas.x, canvas.y, canvas.width, canvas.height);
        return;
    }
    fill(cr, TND_PAPER, 0, top, timeline->width, canvas.y - top);
    fill(cr, TND_PAPER, 0, bottom, timeline->width, top + timeline->height - bottom);
    fill(cr, TND_PAPER, 0, canvas.y, canvas.x, canvas.height);
    fill(cr, TND_PAPER, right, canvas.y, timeline->width - right, canvas.height);
}

static void paint_lit(const TndTimeline *timeline, cairo_t *cr)
{
    const TndTimelineSubject *subject = &timeline->subject;
    double top = 0, bottom = 0;
    if (!subject->lit || subject->lit->row == G_MAXUINT || subject->note)
        return;
    if (tnd_timeline_row_span(timeline, subject->lit->row, &top, &bottom))
        tnd_lit_bursts_paint(subject->lit, subject->view, subject->begin_ns, subject->end_ns, timeline->canvas, top,
                             bottom, cr);
    else
        tnd_lit_bursts_dim(timeline->canvas, cr);
}

/* A line between rows that are pinned and those that are scrolled. */
static void paint_pins(const TndTimeline *timeline, cairo_t *cr)
{
    const TndRowOrder *order = timeline->subject.order;
    const TndRectangle canvas = timeline->canvas;
    if (!order || !order->n_pinned || order->n_pinned == order->n)
        return;
    double y = canvas.y + canvas.height / tnd_timeline_inside_n_lines(timeline) * order->n_pinned;
    fill(cr, TND_PAPER, canvas.x, floor(y), canvas.width, 1);
}

void tnd_timeline_paint(const TndTimeline *timeline, cairo_t *cr)
{
    const TndRectangle canvas = timeline->canvas;
    tnd_text_set_theme(cr, timeline->subject.look.theme);
    paint_ground(timeline, cr);
    if (timeline->curves && are_points(&timeline->subject))
        tnd_curve_points_paint(timeline->curves, &timeline->axis, cr, canvas);
    else if (timeline->curves)
        tnd_curves_paint(timeline->curves, &timeline->axis, cr, canvas);
    else if (timeline->cells)
        tnd_cell_picture_paint(timeline->cells, &timeline->scale, cr, canvas);
    if (timeline->over)
        tnd_curves_paint_over(timeline->over, &timeline->over_axis, cr, canvas);
    if (timeline->flags)
        tnd_event_flags_paint(timeline->flags, cr, canvas);
    if (!tnd_timeline_inside_is_stacked(timeline)) {
        tnd_row_tree_paint(&timeline->tree, cr);
        paint_lit(timeline, cr);
        paint_pins(timeline, cr);
    }
    tnd_timeline_messages_paint(timeline, cr);
    paint_ticks(timeline, cr);
    tnd_legend_paint(&timeline->legend, cr);
    tnd_text_draw(timeline->texts, cr);
}
