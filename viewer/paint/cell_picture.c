/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One line of pixels is computed for each band, and copied to the band's other lines.
 */
#include "viewer/paint/cell_picture.h"

#include "analysis/base/cores.h"
#include "viewer/paint/pixels.h"

#include <math.h>
#include <string.h>

enum { MOST_ITEMS = 16 };

/* The cells, and the pixels that they are written to. */
typedef struct {
    const TndCells *cells;
    const TndPaletteScale *scale;
    const guint32 *colours; /* [code]; NULL: the cells are values */
    TndPixels pixels;
    guint n_items; /* into which the bands are divided, for tnd_cores_run */
} Sheet;

static void make_line(const Sheet *sheet, guint band, guint32 *line)
{
    const TndCells *cells = sheet->cells;
    const gsize at = (gsize)cells->lines[band] * cells->stride;
    guint32 colour = TND_CANVAS;
    if (cells->codes) {
        const guint16 *codes = cells->codes + at;
        for (guint c = 0; c < sheet->pixels.width; c++)
            line[c] = sheet->colours[codes[c]];
        return;
    }
    const double *values = cells->values + at;
    for (guint c = 0; c < sheet->pixels.width; c++) {
        if (c == 0 || values[c] != values[c - 1])
            colour = tnd_palette_colour(sheet->scale, values[c]);
        line[c] = colour | 0xff000000;
    }
}

static guint32 *line_at(const Sheet *sheet, guint y)
{
    return sheet->pixels.first + y * sheet->pixels.stride;
}

/* Gives the lines [from, to), which are between bands, the colour of the canvas. */
static void clear_lines(const Sheet *sheet, guint from, guint to)
{
    for (guint y = from; y < to; y++)
        for (guint x = 0; x < sheet->pixels.width; x++)
            line_at(sheet, y)[x] = TND_CANVAS | 0xff000000;
}

/* Paints the bands of a work item, and the gap below each of them. */
static void paint_bands(guint item, gpointer data)
{
    const Sheet *sheet = data;
    const guint n_bands = sheet->cells->n_bands;
    const guint first = (guint)((guint64)item * n_bands / sheet->n_items);
    const guint end = (guint)((item + (guint64)1) * n_bands / sheet->n_items);
    for (guint band = first; band < end; band++) {
        double top, bottom, next = sheet->pixels.height, ignored;
        tnd_cells_band(n_bands, band, sheet->pixels.height, &top, &bottom);
        if (band + 1 < n_bands)
            tnd_cells_band(n_bands, band + 1, sheet->pixels.height, &next, &ignored);
        if (band == 0)
            clear_lines(sheet, 0, (guint)MIN(top, sheet->pixels.height));
        if (top >= sheet->pixels.height)
            break;
        const guint from = (guint)top, to = (guint)MIN(bottom, sheet->pixels.height);
        make_line(sheet, band, line_at(sheet, from));
        for (guint y = from + 1; y < to; y++)
            memcpy(line_at(sheet, y), line_at(sheet, from), (gsize)sheet->pixels.width * 4);
        clear_lines(sheet, to, (guint)MIN(next, sheet->pixels.height));
    }
}

static void fill_pixels(const TndCells *cells, const TndPaletteScale *scale, TndPixels pixels)
{
    guint32 *colours = cells->codes ? tnd_palette_colours(scale, cells->n_codes) : NULL;
    for (guint code = 0; colours && code < cells->n_codes; code++)
        colours[code] |= 0xff000000;
    Sheet sheet = {.cells = cells,
                   .scale = scale,
                   .colours = colours,
                   .pixels = pixels,
                   .n_items = MIN(cells->n_bands, MOST_ITEMS)};
    tnd_cores_run(sheet.n_items, paint_bands, &sheet);
    g_free(colours);
}

static gboolean find_pixels(const TndCells *cells, cairo_t *cr, TndRectangle canvas, TndPixels *pixels)
{
    return tnd_pixels_find(cr, canvas, pixels) && pixels->width == cells->n_columns;
}

gboolean tnd_cell_picture_covers(const TndCells *cells, cairo_t *cr, TndRectangle canvas)
{
    TndPixels pixels;
    return find_pixels(cells, cr, canvas, &pixels);
}

static void paint_image(const TndCells *cells, const TndPaletteScale *scale, cairo_t *cr, TndRectangle canvas)
{
    double zoom, ignored;
    cairo_surface_get_device_scale(cairo_get_group_target(cr), &zoom, &ignored);
    int width = (int)cells->n_columns, height = (int)lrint(canvas.height * zoom);
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    guint32 *first = (guint32 *)(gpointer)cairo_image_surface_get_data(image);
    gsize stride = (gsize)cairo_image_surface_get_stride(image) / sizeof(guint32);
    if (first)
        fill_pixels(cells, scale, (TndPixels){first, stride, (guint)width, (guint)height, 1});
    cairo_surface_mark_dirty(image);
    cairo_save(cr);
    cairo_translate(cr, canvas.x, canvas.y);
    cairo_scale(cr, canvas.width / width, canvas.height / height);
    cairo_set_source_surface(cr, image, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_NEAREST);
    cairo_paint(cr);
    cairo_restore(cr);
    cairo_surface_destroy(image);
}

/* Neighbouring cells of the same colour become one rectangle. */
static void paint_shapes(const TndCells *cells, const TndPaletteScale *scale, cairo_t *cr, TndRectangle canvas)
{
    const double column = canvas.width / cells->n_columns;
    guint32 *line = g_new(guint32, cells->n_columns), *colours = NULL;
    if (cells->codes)
        colours = tnd_palette_colours(scale, cells->n_codes);
    const Sheet sheet = {.cells = cells, .scale = scale, .colours = colours, .pixels.width = cells->n_columns};
    for (guint band = 0; band < cells->n_bands; band++) {
        double top, bottom;
        tnd_cells_band(cells->n_bands, band, canvas.height, &top, &bottom);
        make_line(&sheet, band, line);
        for (guint begin = 0, end; begin < cells->n_columns; begin = end) {
            for (end = begin + 1; end < cells->n_columns && line[end] == line[begin];)
                end++;
            if ((line[begin] & 0xffffff) == TND_CANVAS)
                continue;
            tnd_text_set_colour(cr, line[begin]);
            cairo_rectangle(cr, canvas.x + begin * column, canvas.y + top, (end - begin) * column, bottom - top);
            cairo_fill(cr);
        }
    }
    g_free(colours);
    g_free(line);
}

gboolean tnd_cell_picture_keeps_shapes(cairo_t *cr)
{
    cairo_surface_type_t type = cairo_surface_get_type(cairo_get_group_target(cr));
    return type == CAIRO_SURFACE_TYPE_SVG || type == CAIRO_SURFACE_TYPE_PDF;
}

void tnd_cell_picture_paint(const TndCells *cells, const TndPaletteScale *scale, cairo_t *cr, TndRectangle canvas)
{
    TndPixels pixels;
    if (tnd_cell_picture_keeps_shapes(cr)) {
        paint_shapes(cells, scale, cr, canvas);
    } else if (find_pixels(cells, cr, canvas, &pixels)) {
        tnd_pixels_begin(cr);
        fill_pixels(cells, scale, pixels);
        tnd_pixels_end(cr);
    } else {
        paint_image(cells, scale, cr, canvas);
    }
}
