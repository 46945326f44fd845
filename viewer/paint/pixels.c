/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whenever direct access might be wrong, no pixels are found, and the caller draws with cairo.
 */
#include "viewer/paint/pixels.h"

#include <math.h>

/* Whether cr draws on an image without rotating, stretching or moving what it draws.  zoom: pixels per unit. */
static gboolean is_plain(cairo_t *cr, cairo_surface_t *target, double *zoom)
{
    cairo_matrix_t matrix;
    double zoom_down, x, y;
    if (target != cairo_get_target(cr) || cairo_surface_get_type(target) != CAIRO_SURFACE_TYPE_IMAGE ||
        (cairo_image_surface_get_format(target) != CAIRO_FORMAT_RGB24 &&
         cairo_image_surface_get_format(target) != CAIRO_FORMAT_ARGB32))
        return FALSE;
    cairo_get_matrix(cr, &matrix);
    cairo_surface_get_device_scale(target, zoom, &zoom_down);
    cairo_surface_get_device_offset(target, &x, &y);
    return matrix.xx == 1 && matrix.yy == 1 && matrix.xy == 0 && matrix.yx == 0 && matrix.x0 == 0 && matrix.y0 == 0 &&
           *zoom == zoom_down && x == 0 && y == 0;
}

static gboolean is_seen(cairo_t *cr, TndRectangle area)
{
    cairo_rectangle_list_t *clip = cairo_copy_clip_rectangle_list(cr);
    gboolean is_one = clip->status == CAIRO_STATUS_SUCCESS && clip->num_rectangles == 1;
    cairo_rectangle_t box = is_one ? clip->rectangles[0] : (cairo_rectangle_t){0};
    cairo_rectangle_list_destroy(clip);
    return box.x <= area.x && box.y <= area.y && box.x + box.width >= area.x + area.width &&
           box.y + box.height >= area.y + area.height;
}

static gboolean is_whole(double number)
{
    return number >= 0 && number == floor(number);
}

gboolean tnd_pixels_find(cairo_t *cr, TndRectangle area, TndPixels *pixels)
{
    cairo_surface_t *target = cairo_get_group_target(cr);
    double zoom;
    if (!is_plain(cr, target, &zoom) || !is_seen(cr, area) || !is_whole(area.x * zoom) || !is_whole(area.y * zoom) ||
        !is_whole(area.width * zoom) || !is_whole(area.height * zoom))
        return FALSE;
    gsize stride = (gsize)cairo_image_surface_get_stride(target) / sizeof(guint32);
    guint32 *first = (guint32 *)(gpointer)cairo_image_surface_get_data(target);
    if (!first)
        return FALSE;
    *pixels = (TndPixels){.first = first + (gsize)(area.y * zoom) * stride + (gsize)(area.x * zoom),
                          .stride = stride,
                          .width = (guint)(area.width * zoom),
                          .height = (guint)(area.height * zoom),
                          .zoom = zoom};
    return TRUE;
}

void tnd_pixels_begin(cairo_t *cr)
{
    cairo_surface_flush(cairo_get_group_target(cr));
}

void tnd_pixels_end(cairo_t *cr)
{
    cairo_surface_mark_dirty(cairo_get_group_target(cr));
}
