/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines are filled rectangles, one for each run of columns of the same extremes: quick on pixels, exact in shapes.
 */
#include "viewer/paint/curves.h"

#include "viewer/paint/cell_picture.h"

#include <math.h>

enum { INK_BELOW = 0x12394d, RULES = 0x3c4043 };

/* Of the line, and between it and the ends of its row. */
static const double thickness = 1.5, room = 2;

TndCurves *tnd_curves_new(TndView *view, guint64 begin_ns, guint64 end_ns, guint first_row, guint last_row,
                          guint n_columns)
{
    TndCurves *curves = g_new0(TndCurves, 1);
    curves->n_rows = last_row - first_row + 1;
    curves->n_columns = n_columns;
    curves->points = g_new(TndViewPoint, (gsize)curves->n_rows * n_columns);
    curves->zero_is_nothing = tnd_view_rule(view)->zero_is_nothing;
    for (guint row = 0; row < curves->n_rows; row++)
        tnd_view_line(view, first_row + row, begin_ns, end_ns, n_columns, curves->points + (gsize)row * n_columns);
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

double tnd_curves_y(const TndCurves *curves, const TndValueAxis *axis, TndRectangle canvas, guint row, double value)
{
    double top, bottom;
    tnd_cells_band(curves->n_rows, row, canvas.height, &top, &bottom);
    double low = bottom - room, high = top + room;
    return canvas.y + low - tnd_value_axis_fraction(axis, value) * (low - high);
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

/* What the line covers in a column: its values, and the way from where it was.  FALSE: nothing. */
typedef struct {
    double low, high;
    gboolean is_there;
} Stroke;

static gboolean counts_zero(const TndCurves *curves, const TndValueAxis *axis)
{
    return !curves->zero_is_nothing && axis->minimum <= 0 && axis->maximum >= 0;
}

static Stroke stroke_of(const TndViewPoint *point, const TndViewPoint *before, gboolean counts)
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

/* Fills the rectangles of a row: of its line, or of what is between it and 0.  Where shapes are kept they are left in
 * one path; on pixels cairo fills many at once five times slower than each by itself. */
static void fill_row(const TndCurves *curves, const TndValueAxis *axis, cairo_t *cr, TndRectangle canvas, guint row,
                     gboolean is_below)
{
    const TndViewPoint *points = curves->points + (gsize)row * curves->n_columns;
    const gboolean counts = counts_zero(curves, axis), are_shapes = tnd_cell_picture_keeps_shapes(cr);
    const double column = canvas.width / curves->n_columns, zero = tnd_curves_y(curves, axis, canvas, row, 0);
    Stroke stroke = stroke_of(&points[0], NULL, counts);
    guint begin = 0;
    for (guint c = 1; c <= curves->n_columns; c++) {
        Stroke next = {0};
        if (c < curves->n_columns)
            next = stroke_of(&points[c], &points[c - 1], counts);
        if (c < curves->n_columns && same(stroke, next))
            continue;
        double top = tnd_curves_y(curves, axis, canvas, row, stroke.high) - thickness / 2;
        double bottom = tnd_curves_y(curves, axis, canvas, row, stroke.low) + thickness / 2;
        if (is_below) {
            top = MIN(top, zero);
            bottom = MAX(bottom, zero);
        }
        if (stroke.is_there) {
            cairo_rectangle(cr, canvas.x + begin * column, top, (c - begin) * column, bottom - top);
            if (!are_shapes)
                cairo_fill(cr);
        }
        begin = c;
        stroke = next;
    }
}

static void fill_rows(const TndCurves *curves, const TndValueAxis *axis, cairo_t *cr, TndRectangle canvas,
                      gboolean is_below)
{
    tnd_text_set_colour(cr, is_below ? INK_BELOW : TND_CURVES_INK);
    for (guint row = 0; row < curves->n_rows; row++) {
        fill_row(curves, axis, cr, canvas, row, is_below);
        cairo_fill(cr);
    }
}

/* A thin line at each tick but a row's ends, and between rows. */
static void paint_rules(const TndCurves *curves, const TndValueAxis *axis, cairo_t *cr, TndRectangle canvas)
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

void tnd_curves_paint(const TndCurves *curves, const TndValueAxis *axis, cairo_t *cr, TndRectangle canvas)
{
    cairo_save(cr);
    cairo_rectangle(cr, canvas.x, canvas.y, canvas.width, canvas.height);
    cairo_clip(cr);
    if (axis->minimum <= 0 && axis->maximum >= 0) /* else its area would say nothing */
        fill_rows(curves, axis, cr, canvas, TRUE);
    paint_rules(curves, axis, cr, canvas);
    fill_rows(curves, axis, cr, canvas, FALSE);
    cairo_restore(cr);
}
