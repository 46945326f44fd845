/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The values of a timeline as points: each where a value begins, over the axis that lines have (curves.h).  In each
 * eighth of a pixel column are at most the smallest and the largest value, and 0.
 *
 * Cost: that of eight times as many columns of lines; it does not depend on the number of records.
 */
#ifndef TND_CURVE_POINTS_H
#define TND_CURVE_POINTS_H

#include "viewer/paint/curves.h"

/* The columns of the curves for each pixel column of the canvas. */
enum { TND_CURVE_POINTS_PARTS = 8 };

void tnd_curve_points_paint(const TndCurves *curves, const TndValueAxis *axis, cairo_t *cr, TndRectangle canvas);

#endif
