/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Direct access to the pixels of an image under a part of a drawing, for cells and many thin lines, which cairo would
 * draw one by one.
 */
#ifndef TND_PIXELS_H
#define TND_PIXELS_H

#include "viewer/paint/text.h"

#include <cairo.h>

typedef struct {
    guint32 *first; /* the top left pixel; pixels are 0xffRRGGBB; owned by the surface */
    gsize stride;   /* distance from a line to the next one, in pixels */
    guint width, height;
    double zoom; /* pixels per unit of the drawing */
} TndPixels;

/* Blends a colour over a pixel; alpha is 0 to 256. */
static inline void tnd_pixels_blend(guint32 *pixel, guint32 colour, guint32 alpha)
{
    guint32 rest = 256 - alpha;
    guint32 outer = (*pixel & 0xff00ff) * rest + (colour & 0xff00ff) * alpha;
    guint32 inner = (*pixel & 0x00ff00) * rest + (colour & 0x00ff00) * alpha;
    *pixel = 0xff000000 | (outer >> 8 & 0xff00ff) | (inner >> 8 & 0x00ff00);
}

/* FALSE: the surface is no image of such pixels, the area does not begin and end at whole pixels, or a part of it is
 * clipped. */
gboolean tnd_pixels_find(cairo_t *cr, TndRectangle area, TndPixels *pixels);

/* To be called before and after pixels are written. */
void tnd_pixels_begin(cairo_t *cr);
void tnd_pixels_end(cairo_t *cr);

#endif
