/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The columns of a histogram: one for each value, or equal ranges of values; which one a value falls in, what they are
 * called.  For those who fill tables.
 */
#ifndef TND_HISTOGRAM_COLUMNS_H
#define TND_HISTOGRAM_COLUMNS_H

#include "analysis/histogram/histogram_values.h"
#include "analysis/views/view.h"

typedef struct {
    guint n;
    double *values; /* sorted: one column each; NULL: ranges */
    double minimum, maximum, delta;
    gboolean is_codes;    /* ranges of one integer: called as their value is */
    gboolean is_paravers; /* ranges are called as Paraver does */
    gboolean are_rows;    /* a column for each row of the view: called as they are */
    guint32 *of_codes;    /* the column + 1 of values that are small whole numbers; NULL: they are looked for */
} TndHistogramColumns;

/* A column for each of these values. */
TndHistogramColumns tnd_histogram_columns_of(const double *values, guint n);

/* Equal ranges from limits: of a fixed width, or, if that is 0, so many (0: 20, as Paraver). */
TndHistogramColumns tnd_histogram_columns_ranges(double minimum, double maximum, double delta, guint n);

void tnd_histogram_columns_clear(TndHistogramColumns *columns);

/* -1: in none. */
int tnd_histogram_columns_find(const TndHistogramColumns *columns, double value);

/* Free with g_free. */
char *tnd_histogram_columns_name(const TndHistogramColumns *columns, TndView *control, guint column);

#endif
