/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values are read row by row into bands; a band becomes pixels or rectangles only when it is painted.
 */
#include "viewer/paint/cells.h"

#include <math.h>
#include <string.h>

static gboolean wins(double candidate, double current)
{
    return isnan(current) || (!isnan(candidate) && fabs(candidate) > fabs(current));
}

static void merge(double *band, const double *values, guint n_columns)
{
    for (guint c = 0; c < n_columns; c++)
        if (wins(values[c], band[c]))
            band[c] = values[c];
}

/* States outside a thread's life are nothing, not Idle. */
static void blank_outside_life(const TndThread *thread, guint64 begin_ns, double column_ns, guint n_columns,
                               double *values)
{
    double first = 1, last = 0;
    if (thread->n_states) {
        first = (double)thread->begin_ns - (double)begin_ns;
        last = (double)thread->end_ns - (double)begin_ns;
    }
    for (guint c = 0; c < n_columns; c++)
        if (values[c] == 0 && ((c + 1) * column_ns <= first || c * column_ns >= last))
            values[c] = NAN;
}

typedef struct {
    double value;
    gsize n_cells;
} Seen;

static gint by_value(gconstpointer a, gconstpointer b)
{
    double x = ((const Seen *)a)->value, y = ((const Seen *)b)->value;
    return x < y ? -1 : x > y;
}

static gint by_area(gconstpointer a, gconstpointer b)
{
    const Seen *x = a, *y = b;
    return x->n_cells != y->n_cells ? (x->n_cells > y->n_cells ? -1 : 1) : by_value(a, b);
}

static void collect_seen(TndCells *cells)
{
    GHashTable *index = g_hash_table_new(g_double_hash, g_double_equal); /* keys are cells, values are places + 1 */
    GArray *seen = g_array_new(FALSE, FALSE, sizeof(Seen));
    for (gsize i = 0; i < (gsize)cells->n_bands * cells->n_columns; i++) {
        double *value = &cells->values[i];
        if (isnan(*value))
            continue;
        guint place = GPOINTER_TO_UINT(g_hash_table_lookup(index, value));
        if (!place) {
            Seen first = {*value, 0};
            g_array_append_val(seen, first);
            place = seen->len;
            g_hash_table_insert(index, value, GUINT_TO_POINTER(place));
        }
        g_array_index(seen, Seen, place - 1).n_cells++;
    }
    g_array_sort(seen, seen->len > TND_CELLS_FEW ? by_area : by_value);
    cells->n_seen = seen->len;
    cells->seen = g_new(double, seen->len);
    for (guint i = 0; i < seen->len; i++)
        cells->seen[i] = g_array_index(seen, Seen, i).value;
    g_array_unref(seen);
    g_hash_table_destroy(index);
}

TndCells *tnd_cells_new(TndView *view, guint64 begin_ns, guint64 end_ns, guint first_row, guint last_row,
                        guint n_columns, guint most_bands)
{
    const TndViewRule *rule = tnd_view_rule(view);
    guint n_rows = last_row - first_row + 1;
    TndCells *cells = g_new0(TndCells, 1);
    cells->n_bands = CLAMP(n_rows, 1, MAX(most_bands, 1));
    cells->n_columns = n_columns;
    gsize n_values = (gsize)cells->n_bands * n_columns;
    cells->values = g_new(double, n_values);
    for (gsize i = 0; i < n_values; i++)
        cells->values[i] = NAN;

    gboolean is_state = !strcmp(rule->name, "state");
    double column_ns = (double)(end_ns - begin_ns) / n_columns;
    double *row_values = g_new(double, n_columns);
    for (guint row = 0; row < n_rows; row++) {
        tnd_view_columns(view, first_row + row, begin_ns, end_ns, n_columns, row_values);
        if (is_state)
            blank_outside_life(tnd_trace_thread(tnd_view_trace(view), first_row + row), begin_ns, column_ns, n_columns,
                               row_values);
        merge(cells->values + (guint64)row * cells->n_bands / n_rows * n_columns, row_values, n_columns);
    }
    g_free(row_values);
    if (rule->palette == TND_PALETTE_CODE)
        collect_seen(cells);
    return cells;
}

void tnd_cells_limit(TndCells *cells, guint most_bands)
{
    guint n_bands = MIN(cells->n_bands, MAX(most_bands, 1)), n_columns = cells->n_columns, last = 0;
    for (guint b = 1; b < cells->n_bands && n_bands < cells->n_bands; b++) {
        const double *values = cells->values + (gsize)b * n_columns;
        guint band = (guint)((guint64)b * n_bands / cells->n_bands);
        if (band == last)
            merge(cells->values + (gsize)band * n_columns, values, n_columns);
        else
            memmove(cells->values + (gsize)band * n_columns, values, n_columns * sizeof *values);
        last = band;
    }
    cells->n_bands = n_bands;
}

void tnd_cells_free(TndCells *cells)
{
    if (!cells)
        return;
    g_free(cells->values);
    g_free(cells->seen);
    g_free(cells);
}

gboolean tnd_cells_range(const TndCells *cells, double *minimum, double *maximum)
{
    double least = INFINITY, most = -INFINITY;
    for (gsize i = 0; i < (gsize)cells->n_bands * cells->n_columns; i++) {
        double value = cells->values[i];
        if (value == 0 || isnan(value))
            continue;
        least = MIN(least, value);
        most = MAX(most, value);
    }
    if (least > most)
        return FALSE;
    *minimum = least;
    *maximum = most;
    return TRUE;
}

void tnd_cells_band(guint n_bands, guint band, double height, double *top, double *bottom)
{
    double step = height / n_bands;
    double gap = step < 4 ? 0 : MIN(MAX(floor(step * 0.22), 1), 8);
    *top = floor(band * step) + floor(gap / 2);
    *bottom = MAX(floor((band + 1) * step) - ceil(gap / 2), *top + 1);
}

static void paint_pixels(const TndCells *cells, const TndPaletteScale *scale, cairo_t *cr, TndRectangle canvas,
                         double zoom)
{
    int width = (int)cells->n_columns, height = (int)lrint(canvas.height * zoom);
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    int stride = cairo_image_surface_get_stride(image);
    unsigned char *pixels = cairo_image_surface_get_data(image);
    for (guint b = 0; pixels && b < cells->n_bands; b++) {
        double top, bottom;
        tnd_cells_band(cells->n_bands, b, height, &top, &bottom);
        if ((int)top >= height)
            break;
        const double *values = cells->values + (gsize)b * cells->n_columns;
        guint32 *line = (guint32 *)(pixels + (gsize)top * (gsize)stride), colour = TND_CANVAS;
        for (int c = 0; c < width; c++) {
            if (c == 0 || values[c] != values[c - 1])
                colour = tnd_palette_colour(scale, values[c]);
            line[c] = colour;
        }
        for (int y = (int)top + 1; y < MIN((int)bottom, height); y++)
            memcpy(pixels + (gsize)y * (gsize)stride, line, (gsize)width * 4);
    }
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

static void paint_shapes(const TndCells *cells, const TndPaletteScale *scale, cairo_t *cr, TndRectangle canvas)
{
    double column = canvas.width / cells->n_columns;
    for (guint b = 0; b < cells->n_bands; b++) {
        double top, bottom;
        tnd_cells_band(cells->n_bands, b, canvas.height, &top, &bottom);
        const double *values = cells->values + (gsize)b * cells->n_columns;
        guint begin = 0;
        guint32 colour = tnd_palette_colour(scale, values[0]);
        for (guint c = 1; c <= cells->n_columns; c++) {
            guint32 next = c < cells->n_columns ? tnd_palette_colour(scale, values[c]) : G_MAXUINT32;
            if (next == colour)
                continue;
            if (colour != TND_CANVAS) {
                tnd_text_set_colour(cr, colour);
                cairo_rectangle(cr, canvas.x + begin * column, canvas.y + top, (c - begin) * column, bottom - top);
                cairo_fill(cr);
            }
            begin = c;
            colour = next;
        }
    }
}

gboolean tnd_cells_keeps_shapes(cairo_t *cr)
{
    cairo_surface_type_t type = cairo_surface_get_type(cairo_get_group_target(cr));
    return type == CAIRO_SURFACE_TYPE_SVG || type == CAIRO_SURFACE_TYPE_PDF;
}

void tnd_cells_paint(const TndCells *cells, const TndPaletteScale *scale, cairo_t *cr, TndRectangle canvas)
{
    double zoom, ignored;
    cairo_surface_get_device_scale(cairo_get_group_target(cr), &zoom, &ignored);
    if (tnd_cells_keeps_shapes(cr))
        paint_shapes(cells, scale, cr, canvas);
    else
        paint_pixels(cells, scale, cr, canvas, zoom);
}
