/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A line is drawn in steps of one pixel along the axis that it is nearer to.  How much it covers of the pixels across
 * that axis is the mean of its coverage at two places of the step.
 */
#include "viewer/paint/strokes.h"

#include "analysis/base/cores.h"
#include "viewer/paint/pixels.h"

#include <math.h>

/* The pixels by coordinates along and across a line's main axis; steps are in pixels of memory. */
typedef struct {
    guint32 *first;
    gsize step_along, step_across;
    double length, breadth;
} Grid;

typedef struct {
    guint32 colour, alpha; /* 0 to 256 */
} Ink;

/* Places and shares are fixed-point numbers: ONE is a pixel.  AHEAD: steps from a prefetch to its use. */
enum { BITS = 12, ONE = 1 << BITS, AHEAD = 12 };

static void blend(guint32 *pixel, Ink ink, gint64 share)
{
    tnd_pixels_blend(pixel, ink.colour, (ink.alpha * (guint32)share + ONE / 2) >> BITS);
}

/* How much of the pixel that begins at `pixel` is within [at - half, at + half]. */
static gint64 overlap(gint64 pixel, gint64 at, gint64 half)
{
    gint64 low = MAX(pixel, at - half), high = MIN(pixel + ONE, at + half);
    return MAX(high - low, 0);
}

/* Draws one step: the line's centre is at middle - bend in the step's first half, at middle + bend in its second.
 * half: of the line's width.  share: the part of the step that the line covers; less than ONE at its ends. */
static inline void draw_step(const Grid *grid, gint along, gint64 middle, gint64 bend, gint64 half, gint64 share,
                             Ink ink)
{
    const gint64 reach = half + ABS(bend);
    const gint64 low = MAX(middle - reach, 0) >> BITS;
    const gint64 high = MIN((middle + reach + ONE - 1) >> BITS, (gint64)grid->breadth);
    guint32 *pixels = grid->first + (gsize)along * grid->step_along;
    for (gint64 at = low; at < high; at++) {
        gint64 cover = overlap(at << BITS, middle + bend, half);
        if (bend)
            cover = (cover + overlap(at << BITS, middle - bend, half)) >> 1;
        blend(pixels + (gsize)at * grid->step_across, ink, share < ONE ? cover * share >> BITS : cover);
    }
}

/* Reduces [*from, *to] to the part in which the line is on the grid. */
static void clip(const Grid *grid, double *from, double *to, double *across, double slope, double half)
{
    double begin = MAX(*from, 0), end = MIN(*to, grid->length);
    if (slope != 0) {
        double enters = *from + (-half - 1 - *across) / slope,
               leaves = *from + (grid->breadth + half + 1 - *across) / slope;
        begin = MAX(begin, MIN(enters, leaves));
        end = MIN(end, MAX(enters, leaves));
    } else if (*across < -half - 1 || *across > grid->breadth + half + 1) {
        end = begin;
    }
    *across += slope * (begin - *from);
    *from = begin;
    *to = end;
}

/* Draws a line along the grid, from `from` to `to`; it begins at `across` and moves across by `slope` per pixel. */
static void draw_along(const Grid *grid, double from, double to, double across, double slope, double width, Ink ink)
{
    enum { FINE = 32 }; /* bits of a fraction, of the place that is advanced by each step */
    clip(grid, &from, &to, &across, slope, width);
    if (from >= to)
        return;
    const gint begin = (gint)from, end = (gint)ceil(to);
    const gint64 half = llround(width / 2 * ONE), bend = llround(slope * ONE) / 4;
    const gint64 step = llround(ldexp(slope, FINE)), ahead = AHEAD * (gint64)grid->step_along;
    gint64 fine = llround(ldexp(across + slope * (begin + 0.5 - from), FINE));
    for (gint along = begin; along < end; along++, fine += step) {
        gint64 middle = fine >> (FINE - BITS), share = ONE;
        const gint64 next = CLAMP((fine + AHEAD * step) >> FINE, 0, (gint64)grid->breadth - 1);
        if (along + AHEAD < end)
            __builtin_prefetch(
                grid->first + (gint64)along * (gint64)grid->step_along + ahead + next * (gint64)grid->step_across, 1);
        if (along < from || along + 1 > to) { /* an end of the line is within the step */
            const double low = MAX(from, along), high = MIN(to, along + 1);
            middle = llround((across + slope * ((low + high) / 2 - from)) * ONE);
            share = llround((high - low) * ONE);
        }
        draw_step(grid, along, middle, bend, half, share, ink);
    }
}

static void draw_stroke(const TndPixels *pixels, TndStroke stroke, double width, Ink ink)
{
    Grid grid = {pixels->first, 1, pixels->stride, pixels->width, pixels->height};
    const double right = stroke.x2 - stroke.x1, down = stroke.y2 - stroke.y1;
    if (fabs(down) > fabs(right)) {
        grid = (Grid){pixels->first, pixels->stride, 1, pixels->height, pixels->width};
        stroke = (TndStroke){.x1 = stroke.y1, .y1 = stroke.x1, .x2 = stroke.y2, .y2 = stroke.x2};
    }
    if (stroke.x1 > stroke.x2)
        stroke = (TndStroke){.x1 = stroke.x2, .y1 = stroke.y2, .x2 = stroke.x1, .y2 = stroke.y1};
    if (stroke.x1 == stroke.x2)
        return;
    const double slope = (stroke.y2 - stroke.y1) / (stroke.x2 - stroke.x1), across = width * hypot(1, slope);
    draw_along(&grid, stroke.x1, stroke.x2, stroke.y1, slope, across, ink);
}

static guint32 byte_of(double part)
{
    return (guint32)(part * 255 + 0.5);
}

enum { N_SLICES = 8 };

typedef struct {
    const GArray *strokes;
    TndPixels pixels;
    TndRectangle area;
    double width, opacity;
} Drawing;

/* Draws the part of every stroke that is in one slice of the image. */
static void draw_slice(guint slice, gpointer data)
{
    const Drawing *drawing = data;
    const double zoom = drawing->pixels.zoom, left = drawing->area.x;
    const guint first = slice * drawing->pixels.height / N_SLICES,
                end = (slice + 1) * drawing->pixels.height / N_SLICES;
    const double top = drawing->area.y + first / zoom;
    TndPixels pixels = drawing->pixels;
    pixels.first += first * pixels.stride;
    pixels.height = end - first;
    for (guint i = 0; i < drawing->strokes->len; i++) {
        TndStroke stroke = g_array_index(drawing->strokes, TndStroke, i);
        Ink ink = {byte_of(stroke.red) << 16 | byte_of(stroke.green) << 8 | byte_of(stroke.blue),
                   (guint32)(256 * drawing->opacity + 0.5)};
        stroke.x1 = (stroke.x1 - left) * zoom;
        stroke.x2 = (stroke.x2 - left) * zoom;
        stroke.y1 = (stroke.y1 - top) * zoom;
        stroke.y2 = (stroke.y2 - top) * zoom;
        draw_stroke(&pixels, stroke, drawing->width * zoom, ink);
    }
}

static void draw_by_cairo(const GArray *strokes, double width, double opacity, TndRectangle area, cairo_t *cr)
{
    cairo_save(cr);
    cairo_rectangle(cr, area.x, area.y, area.width, area.height);
    cairo_clip(cr);
    cairo_set_line_width(cr, width);
    for (guint i = 0; i < strokes->len; i++) {
        const TndStroke *stroke = &g_array_index(strokes, TndStroke, i);
        cairo_set_source_rgba(cr, stroke->red, stroke->green, stroke->blue, opacity);
        cairo_move_to(cr, stroke->x1, stroke->y1);
        cairo_line_to(cr, stroke->x2, stroke->y2);
        cairo_stroke(cr);
    }
    cairo_restore(cr);
}

void tnd_strokes_draw(const GArray *strokes, double width, double opacity, TndRectangle area, cairo_t *cr)
{
    Drawing drawing = {.strokes = strokes, .area = area, .width = width, .opacity = opacity};
    if (!tnd_pixels_find(cr, area, &drawing.pixels)) {
        draw_by_cairo(strokes, width, opacity, area, cr);
        return;
    }
    tnd_pixels_begin(cr);
    tnd_cores_run(N_SLICES, draw_slice, &drawing);
    tnd_pixels_end(cr);
}
