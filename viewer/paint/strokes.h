/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Many thin straight lines.
 *
 * Cost: 7 us a line of 300 pixels in an image, shared by all cores; by cairo, as on all other surfaces, 40 to 80.
 */
#ifndef TND_STROKES_H
#define TND_STROKES_H

#include "viewer/paint/text.h"

#include <cairo.h>

typedef struct {
    double x1, y1, x2, y2;
    double red, green, blue; /* 0 to 1 */
} TndStroke;

/* One over the other, within an area. */
void tnd_strokes_draw(const GArray *strokes, double width, double opacity, TndRectangle area, cairo_t *cr);

#endif
