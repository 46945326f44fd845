/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cells of a timeline: one value per row and pixel column, as the draw mode chooses it.  Rows thinner than a pixel
 * are merged when they are read, so that memory is bounded by the size of the picture: the modes maximum and minimum
 * choose among rows as among moments, in other modes rows take turns from column to column, each in as many of them as
 * it has of the pixel's height.  Rows that are folded into a line share it in the same way.
 *
 * A cell is a code of two bytes where that is enough to paint it: the code of a small whole number, or of one of the
 * 256 colours of a gradient.  Otherwise it is the value itself.
 *
 * Cost: 1 ns per row and column where bursts are long, up to 10 ns where a column has two of them (measured with
 * codes), divided among all cores.
 */
#ifndef TND_CELLS_H
#define TND_CELLS_H

#include "viewer/paint/palette.h"
#include "viewer/paint/row_order.h"

typedef struct {
    TndDrawMode mode;
    guint16 zero;         /* the code of 0 */
    guint32 first_column; /* counted from time 0 on */
    guint n_bands;        /* rows, or as many groups of rows as there are pixels */
    guint n_columns;      /* width in pixels */
    guint stride;         /* distance from a line to the next one, in cells */
    guint *lines;         /* [band]: its line in codes or values */
    guint16 *codes; /* [line * stride + column]: codes of value_codes.h; a larger code means a larger magnitude.  NULL:
                       the cells are values */
    double *values; /* [line * stride + column]; NaN: outside of the row's life.  NULL: the cells are codes */
    guint n_codes;  /* greater than every code that occurs */
    double *seen;   /* the values that occur, without NaN; NULL unless the palette is one of codes */
    guint n_seen;
    gboolean has_none; /* some cells have no value; known only of a palette of codes */
} TndCells;

/* Up to so many, the values in `seen` are sorted by value; if there are more, by their number of cells. */
enum { TND_CELLS_FEW = 20 };

/* first_row and last_row are places of the order, if there is one.  are_values: the cells are to be values, not codes,
 * because the scale of a gradient is computed from them. */
TndCells *tnd_cells_new(TndView *view, TndDrawMode mode, const TndRowOrder *order, gboolean are_values,
                        guint64 begin_ns, guint64 end_ns, guint first_row, guint last_row, guint n_columns,
                        guint most_bands);
/* Merges neighbouring bands until there are at most `most_bands`: the canvas may have fewer pixels than was assumed. */
void tnd_cells_limit(TndCells *cells, guint most_bands);
void tnd_cells_free(TndCells *cells);

/* Smallest and largest of the values that are not 0.  FALSE, and nothing is written, if there are none or the cells are
 * codes. */
gboolean tnd_cells_range(const TndCells *cells, double *minimum, double *maximum);

/* Top and bottom of a band within a canvas of this height; there is a gap between bands that are high enough. */
void tnd_cells_band(guint n_bands, guint band, double height, double *top, double *bottom);

#endif
