/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Points of a row are gathered in a map of its dots, so that no place is drawn twice, however many values are there.
 */
#include "viewer/paint/curve_points.h"

#include <math.h>
#include <string.h>

enum { DOT = 3, MOST_PARTS = 8, MOST_READ = 200000 }; /* pixels, of a point's side; columns: of a pixel, of all rows */

/* The dots of a row: a map of where points are, in pixels from its top left. */
typedef struct {
    guint8 *is_there; /* [y * width + x] */
    guint width, height;
    double top;
} Dots;

guint tnd_curve_points_columns(guint n_rows, guint n_pixels)
{
    return n_pixels * CLAMP(MOST_READ / (n_rows * n_pixels), 1, MOST_PARTS);
}

static void put(const Dots *dots, double x, double y)
{
    const double down = CLAMP(y - dots->top, 0, dots->height - 1.0);
    dots->is_there[(gsize)down * dots->width + MIN((guint)x, dots->width - 1)] = TRUE;
}

/* A value that the column before ended with goes on, and does not begin. */
static void find_dots(const TndCurves *curves, const TndValueAxis *axis, TndRectangle canvas, guint row, Dots *dots)
{
    const TndLinePoint *points = curves->points + (gsize)row * curves->n_columns;
    const gboolean counts = tnd_curves_count_zero(curves, axis);
    for (guint c = 0; c < curves->n_columns; c++) {
        const double before = c ? points[c - 1].last : NAN, x = (c + 0.5) / curves->n_columns * canvas.width;
        const double values[] = {points[c].low, points[c].high, 0};
        const gboolean has = points[c].low <= points[c].high, are_there[] = {has, has, points[c].has_zero && counts};
        for (guint i = 0; i < G_N_ELEMENTS(values); i++)
            if (are_there[i] && values[i] != before)
                put(dots, x, tnd_curves_y(curves, axis, canvas, row, values[i]));
    }
}

void tnd_curve_points_paint(const TndCurves *curves, const TndValueAxis *axis, cairo_t *cr, TndRectangle canvas)
{
    const double height = canvas.height / curves->n_rows;
    Dots dots = {.width = (guint)ceil(canvas.width), .height = (guint)ceil(height) + 1};
    const gsize n = (gsize)dots.width * dots.height;
    dots.is_there = g_malloc(n);
    cairo_save(cr);
    cairo_rectangle(cr, canvas.x, canvas.y, canvas.width, canvas.height);
    cairo_clip(cr);
    tnd_curves_paint_rules(curves, axis, cr, canvas);
    tnd_text_set_colour(cr, TND_CURVES_INK);
    for (guint row = 0; row < curves->n_rows; row++) {
        memset(dots.is_there, 0, n);
        dots.top = floor(canvas.y + row * height);
        find_dots(curves, axis, canvas, row, &dots);
        for (gsize i = 0; i < n; i++)
            if (dots.is_there[i])
                cairo_rectangle(cr, floor(canvas.x) + (double)(i % dots.width) - DOT / 2,
                                dots.top + (double)(i / dots.width) - DOT / 2, DOT, DOT);
        cairo_fill(cr);
    }
    cairo_restore(cr);
    g_free(dots.is_there);
}
