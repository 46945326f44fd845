/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of a timeline as lines: a row has an axis of its own height, all of one scale, and in each pixel column its
 * line goes from the smallest to the largest value that occurs there.
 *
 * Cost: O(rows x columns) to fill and to paint, whatever the number of records.
 */
#ifndef TND_CURVES_H
#define TND_CURVES_H

#include "viewer/paint/text.h"
#include "viewer/paint/value_axis.h"

#include "analysis/views/view.h"

enum {
    TND_CURVES_LEAST_ROW = 12, /* pixels that a row must have for a line */
    TND_CURVES_INK = 0x4fc3f7,
};

typedef struct {
    guint n_rows, n_columns;
    TndLinePoint *points; /* [row * n_columns + column] */
    gboolean zero_is_nothing;
} TndCurves;

TndCurves *tnd_curves_new(TndView *view, guint64 begin_ns, guint64 end_ns, guint first_row, guint last_row,
                          guint n_columns);
void tnd_curves_free(TndCurves *curves);

/* Smallest and largest of the values that are not 0; FALSE, and nothing written, if there are none. */
gboolean tnd_curves_range(const TndCurves *curves, double *minimum, double *maximum);

/* As many ticks as leave room for their labels in a row of this height; less than 2: none. */
guint tnd_curves_most_ticks(double row_height);

/* Where a value is in the canvas. */
double tnd_curves_y(const TndCurves *curves, const TndValueAxis *axis, TndRectangle canvas, guint row, double value);

/* The ticks' labels of all rows, at the right of [left, left + width). */
void tnd_curves_add_labels(const TndCurves *curves, const TndValueAxis *axis, TndRectangle canvas, double left,
                           double width, GArray *texts);

void tnd_curves_paint(const TndCurves *curves, const TndValueAxis *axis, cairo_t *cr, TndRectangle canvas);

#endif
