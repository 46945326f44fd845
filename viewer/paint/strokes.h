/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Many thin straight lines.
 *
 * Cost: 7 us per line of 300 pixels in an image, divided among all cores.  Other surfaces are drawn on with cairo, at
 * 40 to 80 us per line.
 */
#ifndef TND_STROKES_H
#define TND_STROKES_H

#include "viewer/paint/text.h"

#include <cairo.h>

typedef struct {
    double x1, y1, x2, y2;
    double red, green, blue; /* 0 to 1 */
} TndStroke;

/* Draws them in their order, later ones over earlier ones, clipped to the area.  opacity is 0 to 1. */
void tnd_strokes_draw(const GArray *strokes, double width, double opacity, TndRectangle area, cairo_t *cr);

#endif
