/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each kind of file has its cairo surface; the paint code does not depend on it.  Where the bytes go is the same for
 * all.
 */
#include "viewer/paint/export.h"

#include "formats/output_file.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <errno.h>
#include <gio/gio.h>
#include <math.h>
#include <stdio.h>

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

/* Where a picture goes. */
typedef struct {
    const char *path;
    FILE *file;
    cairo_surface_t *surface;
    int error; /* errno of what could not be written, or 0 */
} Picture;

static cairo_status_t write_bytes(void *closure, const unsigned char *bytes, unsigned n_bytes)
{
    Picture *picture = (Picture *)closure;
    if (fwrite(bytes, 1, n_bytes, picture->file) == n_bytes)
        return CAIRO_STATUS_SUCCESS;
    picture->error = errno;
    return CAIRO_STATUS_WRITE_ERROR;
}

static cairo_surface_t *surface_new(Picture *picture, Kind kind, int width, int height)
{
    cairo_surface_t *surface;
    switch (kind) {
    case SVG:
        surface = cairo_svg_surface_create_for_stream(write_bytes, picture, width, height);
        cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
        return surface;
    case PDF:
        surface = cairo_pdf_surface_create_for_stream(write_bytes, picture, width * 0.75, height * 0.75);
        cairo_surface_set_device_scale(surface, 0.75, 0.75);
        return surface;
    default:
        return cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    }
}

/* A name that is a minus and an ending is standard output. */
static FILE *open_file(const char *path)
{
    return path[0] == '-' && path[1] == '.' ? stdout : tnd_output_file_open(path);
}

/* FALSE: nothing is to be closed. */
static gboolean picture_open(Picture *picture, const char *path, int width, int height, GError **error)
{
    Kind kind = kind_of(path);
    if (kind == UNKNOWN) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "%s: a picture ends in .png, .svg or .pdf, a configuration in .cfg", path);
        return FALSE;
    }
    *picture = (Picture){.path = path, .file = open_file(path)};
    if (!picture->file) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: %s", path, tnd_output_file_reason(errno));
        return FALSE;
    }
    picture->surface = surface_new(picture, kind, width, height);
    return TRUE;
}

static gboolean picture_close(Picture *picture, GError **error)
{
    cairo_status_t status = cairo_surface_status(picture->surface);
    if (status == CAIRO_STATUS_SUCCESS && kind_of(picture->path) == PNG)
        status = cairo_surface_write_to_png_stream(picture->surface, write_bytes, picture);
    cairo_surface_finish(picture->surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(picture->surface);
    cairo_surface_destroy(picture->surface);
    gboolean is_stdout = picture->file == stdout;
    if ((is_stdout ? fflush(stdout) : fclose(picture->file)) != 0 && !picture->error)
        picture->error = errno;
    if (status == CAIRO_STATUS_SUCCESS && !picture->error)
        return TRUE;
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: %s", is_stdout ? "standard output" : picture->path,
                picture->error ? g_strerror(picture->error) : cairo_status_to_string(status));
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
    Picture picture;
    if (!picture_open(&picture, path, width, height, error))
        return FALSE;
    /* vector graphics can show more detail than one cell per pixel */
    TndLaneStack *stack = tnd_lane_stack_new(subject, width, height, kind_of(path) == PNG ? 1 : 4);
    cairo_t *cr = cairo_create(picture.surface);
    tnd_lane_stack_paint(stack, cr);
    if (marks)
        tnd_marks_paint(marks, stack, subject->parts[0].timeline.look.theme, cr);
    cairo_destroy(cr);
    tnd_lane_stack_free(stack);
    return picture_close(&picture, error);
}

gboolean tnd_export_flame(const TndFlameSubject *subject, const char *path, int width, GError **error)
{
    TndFlame *flame = tnd_flame_new(subject, width);
    int height = (int)ceil(tnd_flame_height(flame));
    Picture picture;
    gboolean is_open = check_size(width, height, error) && picture_open(&picture, path, width, height, error);
    if (is_open) {
        cairo_t *cr = cairo_create(picture.surface);
        tnd_flame_paint(flame, cr);
        cairo_destroy(cr);
    }
    tnd_flame_free(flame);
    return is_open && picture_close(&picture, error);
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
    Picture picture;
    if (!picture_open(&picture, path, width, height, error))
        return FALSE;
    TndHistogramTable *table = tnd_histogram_table_new(&whole, width, height);
    cairo_t *cr = cairo_create(picture.surface);
    tnd_histogram_table_paint(table, cr);
    cairo_destroy(cr);
    tnd_histogram_table_free(table);
    return picture_close(&picture, error);
}
