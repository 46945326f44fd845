/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks of events tell how many there are before any is read.
 */
#include "viewer/paint/event_flags.h"

#include "analysis/base/cores.h"
#include "analysis/views/view_events.h"
#include "viewer/paint/cells.h"
#include "viewer/paint/pixels.h"

#include <math.h>

enum { HEIGHT = 5 }; /* pixels, of a flag, which is a triangle on its tip */

typedef struct {
    TndEventFlags *flags;
    TndView *view;
    const TndRowOrder *order;
    guint64 begin_ns, end_ns;
    guint first_row;
    guint64 *n_of;       /* [line]: events */
    gboolean is_counted; /* only about how many there are is asked */
} Making;

/* The flags of a line; the column of an event. */
typedef struct {
    const Making *making;
    gboolean *are_there;
    guint64 n;
} Line;

static void take(guint64 time_ns, gpointer data)
{
    Line *line = data;
    const Making *making = line->making;
    const double part = (double)(time_ns - making->begin_ns) / (double)(making->end_ns - making->begin_ns);
    const guint column = (guint)(part * making->flags->n_columns);
    line->are_there[MIN(column, making->flags->n_columns - 1)] = TRUE;
    line->n++;
}

static void make_line(guint number, gpointer data)
{
    const Making *making = data;
    Line line = {making, NULL, 0};
    const guint n_rows = tnd_row_order_n_rows(making->order, making->first_row, number);
    if (!making->is_counted)
        line.are_there = making->flags->are_there + (gsize)number * making->flags->n_columns;
    for (guint i = 0; i < n_rows; i++) {
        const guint row = tnd_row_order_row_at(making->order, making->first_row, number, i);
        if (making->is_counted)
            line.n += tnd_view_events_most(making->view, row, making->begin_ns, making->end_ns);
        else
            tnd_view_events_each(making->view, row, making->begin_ns, making->end_ns, take, &line);
    }
    making->n_of[number] = line.n;
}

static guint64 make_lines(Making *making, gboolean is_counted)
{
    guint64 n = 0;
    making->is_counted = is_counted;
    tnd_cores_run(making->flags->n_lines, make_line, making);
    for (guint line = 0; line < making->flags->n_lines; line++)
        n += making->n_of[line];
    return n;
}

TndEventFlags *tnd_event_flags_new(TndView *view, const TndRowOrder *order, guint64 begin_ns, guint64 end_ns,
                                   guint first_row, guint last_row, guint n_columns)
{
    TndEventFlags *flags = g_new0(TndEventFlags, 1);
    flags->n_lines = tnd_row_order_n_lines(order, first_row, last_row);
    flags->n_columns = n_columns;
    Making making = {flags, view, order, begin_ns, end_ns, first_row, g_new0(guint64, flags->n_lines + 1), TRUE};
    flags->n = make_lines(&making, TRUE);
    if (flags->n <= TND_EVENT_FLAGS_MOST) {
        flags->are_there = g_new0(gboolean, (gsize)flags->n_lines * n_columns + 1);
        flags->n = make_lines(&making, FALSE);
    }
    g_free(making.n_of);
    return flags;
}

void tnd_event_flags_free(TndEventFlags *flags)
{
    if (!flags)
        return;
    g_free(flags->are_there);
    g_free(flags);
}

/* Where a line of flags goes: pixels, or shapes that cairo fills. */
typedef struct {
    const TndEventFlags *flags;
    TndRectangle canvas;
    TndPixels pixels;
    cairo_t *cr; /* NULL: pixels */
} Painting;

static void put(const Painting *painting, double x, double y, double width, guint32 colour)
{
    if (painting->cr) {
        cairo_rectangle(painting->cr, painting->canvas.x + x, painting->canvas.y + y, width, 1);
        return;
    }
    const double zoom = painting->pixels.zoom;
    for (guint down = (guint)(y * zoom); down < (y + 1) * zoom && down < painting->pixels.height; down++)
        for (guint at = (guint)(MAX(x, 0) * zoom); at < (x + width) * zoom && at < painting->pixels.width; at++)
            painting->pixels.first[down * painting->pixels.stride + at] = 0xff000000 | colour;
}

/* All flags of a line, and with them their edges, which are a pixel larger. */
static void paint_line(const Painting *painting, guint line, gboolean is_edge)
{
    const TndEventFlags *flags = painting->flags;
    const guint32 colour = is_edge ? TND_INK_DARK : TND_EVENT_FLAGS_INK;
    double top, bottom;
    tnd_cells_band(flags->n_lines, line, painting->canvas.height, &top, &bottom);
    for (guint column = 0; column < flags->n_columns; column++) {
        if (!flags->are_there[(gsize)line * flags->n_columns + column])
            continue;
        const double x = floor((column + 0.5) / flags->n_columns * painting->canvas.width);
        for (int down = 0; down < HEIGHT + is_edge; down++) {
            const double half = (HEIGHT - 1 - down) / 2 + is_edge;
            put(painting, x - half, ceil(top) + down, 2 * half + 1, colour);
        }
    }
    if (painting->cr) {
        tnd_text_set_colour(painting->cr, colour);
        cairo_fill(painting->cr);
    }
}

void tnd_event_flags_paint(const TndEventFlags *flags, cairo_t *cr, TndRectangle canvas)
{
    Painting painting = {flags, canvas, {0}, cr};
    if (!flags->are_there)
        return;
    if (tnd_pixels_find(cr, canvas, &painting.pixels)) {
        painting.cr = NULL;
        tnd_pixels_begin(cr);
    }
    for (guint line = 0; line < flags->n_lines; line++)
        for (int is_edge = TRUE; is_edge >= FALSE; is_edge--)
            paint_line(&painting, line, is_edge);
    if (!painting.cr)
        tnd_pixels_end(cr);
}
