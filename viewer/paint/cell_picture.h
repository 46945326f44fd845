/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Paints cells: into the pixels of an image, or as rectangles on a surface of vector graphics (svg, pdf).
 *
 * Cost: 0.4 to 0.6 ns a pixel of an image, divided among all cores; it is bound by the memory's bandwidth.
 */
#ifndef TND_CELL_PICTURE_H
#define TND_CELL_PICTURE_H

#include "viewer/paint/cells.h"
#include "viewer/paint/text.h"

#include <cairo.h>

/* Whether the surface is one of vector graphics, which stores shapes instead of pixels. */
gboolean tnd_cell_picture_keeps_shapes(cairo_t *cr);

/* Whether painting overwrites every pixel of the canvas, so that it need not be cleared first. */
gboolean tnd_cell_picture_covers(const TndCells *cells, cairo_t *cr, TndRectangle canvas);

void tnd_cell_picture_paint(const TndCells *cells, const TndPaletteScale *scale, cairo_t *cr, TndRectangle canvas);

#endif
