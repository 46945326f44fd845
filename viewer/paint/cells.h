/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cells of a timeline: one value per row and pixel column.  Rows thinner than a pixel are merged when they are read
 * (the largest magnitude wins, as in a column), so that memory is bounded by the size of the picture.
 *
 * A cell is a code of two bytes where that says all: of a value that is a small whole number, of one of the 256 colours
 * of a gradient.  Else it is the value.
 *
 * Cost: 1 ns a row and column where bursts are long, up to 10 where there are two to a column (measured with codes),
 * shared by all cores.
 */
#ifndef TND_CELLS_H
#define TND_CELLS_H

#include "viewer/paint/palette.h"

typedef struct {
    guint n_bands;   /* rows, or as many groups of rows as there are pixels */
    guint n_columns; /* pixels across */
    guint stride;    /* cells from a line to the next one */
    guint *lines;    /* of a band */
    guint16 *codes;  /* [line * stride + column], as of value_codes.h; larger ones are of larger magnitudes.  Else NULL
                        and ... */
    double *values;  /* ... these; NaN: before or after the row's life */
    guint n_codes;   /* beyond all codes that occur */
    double *seen;    /* the values that occur, without NaN; only for codes of a palette */
    guint n_seen;
} TndCells;

enum { TND_CELLS_FEW = 20 }; /* values that occur are sorted by value; more of them by how many cells they have */

/* are_values: no codes, because the scale of a gradient depends on them. */
TndCells *tnd_cells_new(TndView *view, gboolean are_values, guint64 begin_ns, guint64 end_ns, guint first_row,
                        guint last_row, guint n_columns, guint most_bands);
/* Merges bands until they are at most so many: the canvas may turn out lower than the picture. */
void tnd_cells_limit(TndCells *cells, guint most_bands);
void tnd_cells_free(TndCells *cells);

/* Smallest and largest of the values that are not 0; FALSE, and nothing written, if there are none, or only codes. */
gboolean tnd_cells_range(const TndCells *cells, double *minimum, double *maximum);

/* Top and bottom of a band within a canvas; neighbours leave a gap where there is room. */
void tnd_cells_band(guint n_bands, guint band, double height, double *top, double *bottom);

#endif
