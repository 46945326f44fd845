/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cells as a picture: written into the pixels of an image, or as rectangles where the surface keeps shapes (svg, pdf).
 *
 * Cost: 0.4 to 0.6 ns a pixel of an image, shared by all cores: what writing to memory costs.
 */
#ifndef TND_CELL_PICTURE_H
#define TND_CELL_PICTURE_H

#include "viewer/paint/cells.h"
#include "viewer/paint/text.h"

#include <cairo.h>

/* Whether the surface keeps shapes, and no pixels. */
gboolean tnd_cell_picture_keeps_shapes(cairo_t *cr);

/* Whether painting will write each pixel of the canvas, whatever was there. */
gboolean tnd_cell_picture_covers(const TndCells *cells, cairo_t *cr, TndRectangle canvas);

void tnd_cell_picture_paint(const TndCells *cells, const TndPaletteScale *scale, cairo_t *cr, TndRectangle canvas);

#endif
