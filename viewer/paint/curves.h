/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The values of a timeline as lines: each row has an axis as high as the row, all axes have the same scale, and in each
 * pixel column the line goes from the smallest to the largest value that occurs there.
 *
 * Cost: O(rows x columns) to fill and to paint; it does not depend on the number of records.
 */
#ifndef TND_CURVES_H
#define TND_CURVES_H

#include "viewer/paint/row_order.h"
#include "viewer/paint/text.h"
#include "viewer/paint/value_axis.h"

#include "analysis/views/view.h"

enum {
    TND_CURVES_LEAST_ROW = 12, /* pixels; lower rows are not drawn as lines */
    TND_CURVES_INK = 0x4fc3f7,
    TND_CURVES_OVER = 0xffffff, /* with a dark edge, so that it is seen on any colour */
};

typedef struct {
    guint n_rows, n_columns;
    TndLinePoint *points; /* [row * n_columns + column] */
    gboolean zero_is_nothing;
} TndCurves;

/* first_row and last_row are places of the order, if there is one. */
TndCurves *tnd_curves_new(TndView *view, const TndRowOrder *order, guint64 begin_ns, guint64 end_ns, guint first_row,
                          guint last_row, guint n_columns);
void tnd_curves_free(TndCurves *curves);

/* Smallest and largest of the values that are not 0; FALSE, and nothing written, if there are none. */
gboolean tnd_curves_range(const TndCurves *curves, double *minimum, double *maximum);

/* The largest number of ticks whose labels have room in a row of this height; less than 2: no label has room. */
guint tnd_curves_most_ticks(double row_height);

/* The y coordinate of a value of a row. */
double tnd_curves_y(const TndCurves *curves, const TndValueAxis *axis, TndRectangle canvas, guint row, double value);

/* Appends the labels of all rows' ticks to `texts`, aligned to the right within [left, left + width). */
void tnd_curves_add_labels(const TndCurves *curves, const TndValueAxis *axis, TndRectangle canvas, double left,
                           double width, GArray *texts);

/* Whether 0 is a value, and on the axis. */
gboolean tnd_curves_count_zero(const TndCurves *curves, const TndValueAxis *axis);

/* Thin lines between the rows, and at all ticks except the ends of the axis. */
void tnd_curves_paint_rules(const TndCurves *curves, const TndValueAxis *axis, cairo_t *cr, TndRectangle canvas);
/* Only the lines, over what is there. */
void tnd_curves_paint_over(const TndCurves *curves, const TndValueAxis *axis, cairo_t *cr, TndRectangle canvas);
void tnd_curves_paint(const TndCurves *curves, const TndValueAxis *axis, cairo_t *cr, TndRectangle canvas);

#endif
