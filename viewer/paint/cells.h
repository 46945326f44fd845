/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cells of a timeline: one value per row and pixel column, drawn into a buffer of pixels, or as rectangles where
 * the surface keeps shapes (svg, pdf).
 *
 * Cost: O(rows x columns) to fill, whatever the number of records; memory is bounded by the size of the picture,
 * because rows thinner than a pixel are merged when they are read (the largest magnitude wins, as in a column).
 */
#ifndef TND_CELLS_H
#define TND_CELLS_H

#include "viewer/paint/palette.h"
#include "viewer/paint/text.h"

#include <cairo.h>

typedef struct {
    guint n_bands;   /* rows, or as many groups of rows as there are pixels */
    guint n_columns; /* pixels across */
    double *values;  /* [band * n_columns + column]; NaN: before or after the row's life */
    double *seen;    /* the values that occur, without NaN; only for codes */
    guint n_seen;
} TndCells;

enum { TND_CELLS_FEW = 20 }; /* values that occur are sorted by value; more of them by how many cells they have */

TndCells *tnd_cells_new(TndView *view, guint64 begin_ns, guint64 end_ns, guint first_row, guint last_row,
                        guint n_columns, guint most_bands);
/* Merges bands until they are at most so many: the canvas may turn out lower than the picture. */
void tnd_cells_limit(TndCells *cells, guint most_bands);
void tnd_cells_free(TndCells *cells);

/* Smallest and largest of the values that are not 0; FALSE, and nothing written, if there are none. */
gboolean tnd_cells_range(const TndCells *cells, double *minimum, double *maximum);

/* Top and bottom of a band within a canvas; neighbours leave a gap where there is room. */
void tnd_cells_band(guint n_bands, guint band, double height, double *top, double *bottom);

/* Whether the surface keeps shapes, and no pixels. */
gboolean tnd_cells_keeps_shapes(cairo_t *cr);

void tnd_cells_paint(const TndCells *cells, const TndPaletteScale *scale, cairo_t *cr, TndRectangle canvas);

#endif
