/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pixels of an image under a part of a drawing, for what writes them itself: cells and many thin lines, which cairo
 * would draw one by one.
 */
#ifndef TND_PIXELS_H
#define TND_PIXELS_H

#include "viewer/paint/text.h"

#include <cairo.h>

typedef struct {
    guint32 *first; /* top left; 0xffRRGGBB */
    gsize stride;   /* pixels from a line to the next one */
    guint width, height;
    double zoom; /* pixels in a unit of the drawing */
} TndPixels;

/* Covers a part of a pixel, alpha of 256, with a colour. */
static inline void tnd_pixels_blend(guint32 *pixel, guint32 colour, guint32 alpha)
{
    guint32 rest = 256 - alpha;
    guint32 outer = (*pixel & 0xff00ff) * rest + (colour & 0xff00ff) * alpha;
    guint32 inner = (*pixel & 0x00ff00) * rest + (colour & 0x00ff00) * alpha;
    *pixel = 0xff000000 | (outer >> 8 & 0xff00ff) | (inner >> 8 & 0x00ff00);
}

/* FALSE: the surface is no image of such pixels, meets the area not at whole ones, or is not drawn to in all of it. */
gboolean tnd_pixels_find(cairo_t *cr, TndRectangle area, TndPixels *pixels);

/* Around what is written into them. */
void tnd_pixels_begin(cairo_t *cr);
void tnd_pixels_end(cairo_t *cr);

#endif
