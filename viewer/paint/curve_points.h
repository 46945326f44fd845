/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The values of a timeline as points: each where a value begins, over the axis that lines have (curves.h).  In each
 * part of a pixel column are at most the smallest and the largest value, and 0.
 *
 * Cost: that of lines with so many columns; it does not depend on the number of records.
 */
#ifndef TND_CURVE_POINTS_H
#define TND_CURVE_POINTS_H

#include "viewer/paint/curves.h"

/* How many columns curves need for a canvas: as many for each pixel column as are read quickly, eight if rows are few.
 */
guint tnd_curve_points_columns(guint n_rows, guint n_pixels);

void tnd_curve_points_paint(const TndCurves *curves, const TndValueAxis *axis, cairo_t *cr, TndRectangle canvas);

#endif
