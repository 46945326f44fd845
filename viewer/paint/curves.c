/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A line is drawn as filled rectangles, one for each run of columns with the same extremes: into the pixels of an
 * image, or as shapes of a surface of vector graphics.
 */
#include "viewer/paint/curves.h"

#include "analysis/base/cores.h"
#include "viewer/paint/cell_picture.h"
#include "viewer/paint/pixels.h"

#include <math.h>

enum { INK_BELOW = 0x12394d, RULES = 0x3c4043 };

/* Pixels: of the line, and between the ends of the axis and those of the row. */
static const double thickness = 1.5, room = 2;

/* What the rows of new curves are read from. */
typedef struct {
    TndCurves *curves;
    TndView *view;
    const TndRowOrder *order;
    guint64 begin_ns, end_ns;
    guint first_row;
} Making;

/* The line of several rows spans the values of all of them. */
static void merge_points(TndLinePoint *to, const TndLinePoint *from, guint n)
{
    for (guint c = 0; c < n; c++) {
        to[c].low = MIN(to[c].low, from[c].low);
        to[c].high = MAX(to[c].high, from[c].high);
        to[c].has_zero |= from[c].has_zero;
    }
}

static void make_row(guint line, gpointer data)
{
    const Making *making = data;
    const guint n_columns = making->curves->n_columns;
    const guint n_rows = tnd_row_order_n_rows(making->order, making->first_row, line);
    TndLinePoint *points = making->curves->points + (gsize)line * n_columns;
    TndLinePoint *others = n_rows > 1 ? g_new(TndLinePoint, n_columns) : NULL;
    for (guint i = 0; i < n_rows; i++) {
        tnd_view_line(making->view, tnd_row_order_row_at(making->order, making->first_row, line, i), making->begin_ns,
                      making->end_ns, n_columns, i ? others : points);
        if (i)
            merge_points(points, others, n_columns);
    }
    g_free(others);
}

TndCurves *tnd_curves_new(TndView *view, const TndRowOrder *order, guint64 begin_ns, guint64 end_ns, guint first_row,
                          guint last_row, guint n_columns)
{
    TndCurves *curves = g_new0(TndCurves, 1);
    curves->n_rows = tnd_row_order_n_lines(order, first_row, last_row);
    curves->n_columns = n_columns;
    curves->points = g_new(TndLinePoint, (gsize)curves->n_rows * n_columns);
    curves->zero_is_nothing = tnd_view_rule(view)->zero_is_nothing;
    Making making = {curves, view, order, begin_ns, end_ns, first_row};
    tnd_cores_run(curves->n_rows, make_row, &making);
    return curves;
}

void tnd_curves_free(TndCurves *curves)
{
    if (!curves)
        return;
    g_free(curves->points);
    g_free(curves);
}

gboolean tnd_curves_range(const TndCurves *curves, double *minimum, double *maximum)
{
    double least = INFINITY, most = -INFINITY;
    for (gsize i = 0; i < (gsize)curves->n_rows * curves->n_columns; i++) {
        least = MIN(least, curves->points[i].low);
        most = MAX(most, curves->points[i].high);
    }
    if (least > most)
        return FALSE;
    *minimum = least;
    *maximum = most;
    return TRUE;
}

guint tnd_curves_most_ticks(double row_height)
{
    return (guint)(row_height / (1.6 * tnd_text_height(TND_TEXT_SMALL)));
}

/* The y coordinates of the ends of a row's axis. */
typedef struct {
    double low, high;
} Ends;

static Ends ends_of(const TndCurves *curves, TndRectangle canvas, guint row)
{
    double top, bottom;
    tnd_cells_band(curves->n_rows, row, canvas.height, &top, &bottom);
    return (Ends){canvas.y + bottom - room, canvas.y + top + room};
}

static double y_of(const TndValueAxis *axis, Ends ends, double value)
{
    return ends.low - tnd_value_axis_fraction(axis, value) * (ends.low - ends.high);
}

double tnd_curves_y(const TndCurves *curves, const TndValueAxis *axis, TndRectangle canvas, guint row, double value)
{
    return y_of(axis, ends_of(curves, canvas, row), value);
}

void tnd_curves_add_labels(const TndCurves *curves, const TndValueAxis *axis, TndRectangle canvas, double left,
                           double width, GArray *texts)
{
    const double line = tnd_text_height(TND_TEXT_SMALL);
    if (tnd_curves_most_ticks(canvas.height / curves->n_rows) < 2)
        return;
    for (guint row = 0; row < curves->n_rows; row++) {
        double top, bottom;
        tnd_cells_band(curves->n_rows, row, canvas.height, &top, &bottom);
        for (guint tick = 0; tick < axis->n_ticks; tick++) {
            double value = tnd_value_axis_tick(axis, tick);
            double y = tnd_curves_y(curves, axis, canvas, row, value) - line / 2;
            y = CLAMP(y, canvas.y + top, canvas.y + bottom - line);
            char *label = tnd_value_axis_label(axis, value);
            tnd_text_add(texts, TND_TEXT_SMALL, TND_TEXT_RIGHT, TND_INK_SOFT, (TndRectangle){left, y, width, line},
                         label);
            g_free(label);
        }
    }
}

/* What the line covers in a column: the column's values, and the way to them from the column before. */
typedef struct {
    double low, high;
    gboolean is_there; /* FALSE: the column has no value */
} Stroke;

gboolean tnd_curves_count_zero(const TndCurves *curves, const TndValueAxis *axis)
{
    return !curves->zero_is_nothing && axis->minimum <= 0 && axis->maximum >= 0;
}

static Stroke stroke_of(const TndLinePoint *point, const TndLinePoint *before, gboolean counts)
{
    Stroke stroke = {point->low, point->high, FALSE};
    if (point->has_zero && counts) {
        stroke.low = MIN(stroke.low, 0);
        stroke.high = MAX(stroke.high, 0);
    }
    stroke.is_there = stroke.low <= stroke.high;
    if (stroke.is_there && before && (before->last != 0 || counts)) {
        stroke.low = MIN(stroke.low, before->last);
        stroke.high = MAX(stroke.high, before->last);
    }
    return stroke;
}

static gboolean same(Stroke a, Stroke b)
{
    return a.is_there == b.is_there && (!a.is_there || (a.low == b.low && a.high == b.high));
}

/* Called for each rectangle: columns [begin, end), y from top to bottom. */
typedef void (*TakeRectangle)(guint begin, guint end, double top, double bottom, gpointer data);

/* The rectangles of a row's line or, with is_below, of the area between the line and 0. */
static void each_rectangle(const TndCurves *curves, const TndValueAxis *axis, TndRectangle canvas, guint row,
                           gboolean is_below, double width, TakeRectangle take, gpointer data)
{
    const TndLinePoint *points = curves->points + (gsize)row * curves->n_columns;
    const gboolean counts = tnd_curves_count_zero(curves, axis);
    const Ends ends = ends_of(curves, canvas, row);
    const double zero = y_of(axis, ends, 0);
    Stroke stroke = stroke_of(&points[0], NULL, counts);
    guint begin = 0;
    for (guint c = 1; c <= curves->n_columns; c++) {
        Stroke next = {0};
        if (c < curves->n_columns)
            next = stroke_of(&points[c], &points[c - 1], counts);
        if (c < curves->n_columns && same(stroke, next))
            continue;
        double top = y_of(axis, ends, stroke.high) - width / 2;
        double bottom = y_of(axis, ends, stroke.low) + width / 2;
        if (is_below) {
            top = MIN(top, zero);
            bottom = MAX(bottom, zero);
        }
        if (stroke.is_there)
            take(begin, c, top, bottom, data);
        begin = c;
        stroke = next;
    }
}

/* What is filled, and where: cr, or the pixels of an image in which a column is one pixel wide. */
typedef struct {
    const TndCurves *curves;
    const TndValueAxis *axis;
    TndRectangle canvas;
    gboolean is_below;
    double width;
    guint32 colour;
    cairo_t *cr;
    gboolean are_shapes;
    TndPixels pixels;
} Filling;

/* On vector graphics the rectangles of a row become one path, which the caller fills.  On pixels each is filled by
 * itself: cairo takes five times as long for a path of many. */
static void fill_shape(guint begin, guint end, double top, double bottom, gpointer data)
{
    const Filling *filling = data;
    const TndRectangle canvas = filling->canvas;
    const double column = canvas.width / filling->curves->n_columns;
    cairo_rectangle(filling->cr, canvas.x + begin * column, top, (end - begin) * column, bottom - top);
    if (!filling->are_shapes)
        cairo_fill(filling->cr);
}

static void fill_pixels(guint begin, guint end, double top, double bottom, gpointer data)
{
    const Filling *filling = data;
    const TndPixels *pixels = &filling->pixels;
    const double from = CLAMP((top - filling->canvas.y) * pixels->zoom, 0, pixels->height);
    const double to = CLAMP((bottom - filling->canvas.y) * pixels->zoom, 0, pixels->height);
    for (guint y = (guint)from; y < to; y++) {
        guint32 *line = pixels->first + y * pixels->stride, alpha = 256;
        if (y < from || y + 1 > to)
            alpha = (guint32)lrint(256 * (MIN(to, y + 1.0) - MAX(from, y)));
        for (guint x = begin; x < end && alpha < 256; x++)
            tnd_pixels_blend(&line[x], filling->colour, alpha);
        for (guint x = begin; x < end && alpha == 256; x++)
            line[x] = 0xff000000 | filling->colour;
    }
}

static void fill_row_of_pixels(guint row, gpointer data)
{
    const Filling *filling = data;
    each_rectangle(filling->curves, filling->axis, filling->canvas, row, filling->is_below, filling->width, fill_pixels,
                   data);
}

/* Rows may be filled in parallel: the room between their lines keeps two rows from sharing a pixel. */
static void fill_rows(Filling filling, cairo_t *cr)
{
    filling.cr = cr;
    filling.are_shapes = tnd_cell_picture_keeps_shapes(cr);
    if (tnd_pixels_find(cr, filling.canvas, &filling.pixels) && filling.pixels.width == filling.curves->n_columns) {
        tnd_pixels_begin(cr);
        tnd_cores_run(filling.curves->n_rows, fill_row_of_pixels, &filling);
        tnd_pixels_end(cr);
        return;
    }
    tnd_text_set_colour(cr, filling.colour);
    for (guint row = 0; row < filling.curves->n_rows; row++) {
        each_rectangle(filling.curves, filling.axis, filling.canvas, row, filling.is_below, filling.width, fill_shape,
                       &filling);
        cairo_fill(cr);
    }
}

void tnd_curves_paint_rules(const TndCurves *curves, const TndValueAxis *axis, cairo_t *cr, TndRectangle canvas)
{
    guint n_ticks = tnd_curves_most_ticks(canvas.height / curves->n_rows) < 2 ? 0 : axis->n_ticks;
    tnd_text_set_colour(cr, RULES);
    for (guint row = 0; row < curves->n_rows; row++)
        for (guint tick = 1; tick + 1 < n_ticks; tick++) {
            double y = tnd_curves_y(curves, axis, canvas, row, tnd_value_axis_tick(axis, tick));
            cairo_rectangle(cr, canvas.x, floor(y), canvas.width, 1);
        }
    for (guint row = 1; row < curves->n_rows; row++)
        cairo_rectangle(cr, canvas.x, canvas.y + floor(row * canvas.height / curves->n_rows), canvas.width, 1);
    cairo_fill(cr);
}

static void clip(cairo_t *cr, TndRectangle canvas)
{
    cairo_save(cr);
    cairo_rectangle(cr, canvas.x, canvas.y, canvas.width, canvas.height);
    cairo_clip(cr);
}

void tnd_curves_paint(const TndCurves *curves, const TndValueAxis *axis, cairo_t *cr, TndRectangle canvas)
{
    const Filling below = {curves, axis, canvas, TRUE, thickness, INK_BELOW};
    const Filling line = {curves, axis, canvas, FALSE, thickness, TND_CURVES_INK};
    clip(cr, canvas);
    if (axis->minimum <= 0 && axis->maximum >= 0) /* without 0 on the axis the area below the line has no meaning */
        fill_rows(below, cr);
    tnd_curves_paint_rules(curves, axis, cr, canvas);
    fill_rows(line, cr);
    cairo_restore(cr);
}

void tnd_curves_paint_over(const TndCurves *curves, const TndValueAxis *axis, cairo_t *cr, TndRectangle canvas)
{
    const Filling edge = {curves, axis, canvas, FALSE, thickness + 2, TND_INK_DARK};
    const Filling line = {curves, axis, canvas, FALSE, thickness, TND_CURVES_OVER};
    clip(cr, canvas);
    fill_rows(edge, cr);
    fill_rows(line, cr);
    cairo_restore(cr);
}
