/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each kind of file has its cairo surface; the paint code does not depend on it.
 */
#include "viewer/paint/export.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <errno.h>
#include <gio/gio.h>
#include <math.h>

/* Pixels.  Cairo's images have at most 32767 each way.  A histogram whose natural width is more than WIDEST_NATURAL is
 * shrunk to it, and gets ROOM_TO_STAND more height for upright heads of columns. */
enum { LARGEST = 32000, WIDEST_NATURAL = 4000, ROOM_TO_STAND = 150 };

typedef enum { PNG, SVG, PDF, UNKNOWN } Kind;

static Kind kind_of(const char *path)
{
    static const char *endings[] = {".png", ".svg", ".pdf"};
    char *lower = g_ascii_strdown(path, -1);
    Kind kind = PNG;
    while (kind < UNKNOWN && !g_str_has_suffix(lower, endings[kind]))
        kind++;
    g_free(lower);
    return kind;
}

static cairo_surface_t *surface_new(const char *path, int width, int height, GError **error)
{
    cairo_surface_t *surface = NULL;
    switch (kind_of(path)) {
    case PNG:
        surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
        break;
    case SVG:
        surface = cairo_svg_surface_create(path, width, height);
        cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
        break;
    case PDF:
        surface = cairo_pdf_surface_create(path, width * 0.75, height * 0.75);
        cairo_surface_set_device_scale(surface, 0.75, 0.75);
        break;
    case UNKNOWN:
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "%s: a picture ends in .png, .svg or .pdf, a configuration in .cfg", path);
        return NULL;
    }
    cairo_status_t status = cairo_surface_status(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        return surface;
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: %s", path, cairo_status_to_string(status));
    cairo_surface_destroy(surface);
    return NULL;
}

static gboolean surface_close(cairo_surface_t *surface, const char *path, GError **error)
{
    cairo_status_t status = cairo_surface_status(surface);
    errno = 0;
    if (status == CAIRO_STATUS_SUCCESS && kind_of(path) == PNG)
        status = cairo_surface_write_to_png(surface, path);
    int cause = errno;
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        cairo_surface_finish(surface);
    cairo_surface_destroy(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        return TRUE;
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: %s", path,
                status == CAIRO_STATUS_WRITE_ERROR && cause ? g_strerror(cause) : cairo_status_to_string(status));
    return FALSE;
}

static gboolean check_size(int width, int height, GError **error)
{
    if (width >= 1 && height >= 1 && width <= LARGEST && height <= LARGEST)
        return TRUE;
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%dx%d: a picture has 1 to %d pixels each way", width,
                height, LARGEST);
    return FALSE;
}

gboolean tnd_export_stack(const TndLaneStackSubject *subject, const TndMarks *marks, const char *path, int width,
                          int height, GError **error)
{
    if (!check_size(width, height, error))
        return FALSE;
    cairo_surface_t *surface = surface_new(path, width, height, error);
    if (!surface)
        return FALSE;
    /* vector graphics can show more detail than one cell per pixel */
    TndLaneStack *stack = tnd_lane_stack_new(subject, width, height, kind_of(path) == PNG ? 1 : 4);
    cairo_t *cr = cairo_create(surface);
    tnd_lane_stack_paint(stack, cr);
    if (marks)
        tnd_marks_paint(marks, stack, subject->parts[0].timeline.look.theme, cr);
    cairo_destroy(cr);
    tnd_lane_stack_free(stack);
    return surface_close(surface, path, error);
}

gboolean tnd_export_flame(const TndFlameSubject *subject, const char *path, int width, GError **error)
{
    TndFlame *flame = tnd_flame_new(subject, width);
    int height = (int)ceil(tnd_flame_height(flame));
    cairo_surface_t *surface = check_size(width, height, error) ? surface_new(path, width, height, error) : NULL;
    if (surface) {
        cairo_t *cr = cairo_create(surface);
        tnd_flame_paint(flame, cr);
        cairo_destroy(cr);
    }
    tnd_flame_free(flame);
    return surface && surface_close(surface, path, error);
}

gboolean tnd_export_histogram(const TndHistogramTableSubject *subject, const char *path, int width, int height,
                              GError **error)
{
    TndHistogramTableSubject whole = *subject;
    whole.is_fitted = TRUE;
    if (!width || !height) {
        double natural_width, natural_height;
        tnd_histogram_table_natural_size(&whole, &natural_width, &natural_height);
        width = (int)MIN(ceil(natural_width), WIDEST_NATURAL);
        natural_height += natural_width > WIDEST_NATURAL ? ROOM_TO_STAND : 0;
        height = (int)MIN(ceil(natural_height), LARGEST);
    }
    if (!check_size(width, height, error))
        return FALSE;
    cairo_surface_t *surface = surface_new(path, width, height, error);
    if (!surface)
        return FALSE;
    TndHistogramTable *table = tnd_histogram_table_new(&whole, width, height);
    cairo_t *cr = cairo_create(surface);
    tnd_histogram_table_paint(table, cr);
    cairo_destroy(cr);
    tnd_histogram_table_free(table);
    return surface_close(surface, path, error);
}
