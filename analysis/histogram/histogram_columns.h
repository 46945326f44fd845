/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The columns of a histogram, one for each value or equal ranges of values: which column a value is in, and the names
 * of the columns.
 */
#ifndef TND_HISTOGRAM_COLUMNS_H
#define TND_HISTOGRAM_COLUMNS_H

#include "analysis/histogram/histogram_values.h"
#include "analysis/views/view.h"

typedef struct {
    guint n;
    double *values; /* sorted, one for each column; NULL: columns are ranges */
    double minimum, maximum, delta;
    gboolean is_codes;    /* each range has one integer, whose text is its name */
    gboolean is_paravers; /* ranges have the names that Paraver gives them */
    gboolean are_rows;    /* there is a column for each row of the view, with its name */
    guint32 *of_codes;    /* the column + 1 of each small whole number; NULL: values are searched */
} TndHistogramColumns;

/* A column for each of the values. */
TndHistogramColumns tnd_histogram_columns_of(const double *values, guint n);

/* Equal ranges from minimum to maximum, of the width delta; if delta is 0, n ranges (n 0: 20, as in Paraver). */
TndHistogramColumns tnd_histogram_columns_ranges(double minimum, double maximum, double delta, guint n);

void tnd_histogram_columns_clear(TndHistogramColumns *columns);

/* The column of a value; -1: it is in none. */
int tnd_histogram_columns_find(const TndHistogramColumns *columns, double value);

/* The least and the largest value of a column, which is not about rows. */
void tnd_histogram_columns_ends(const TndHistogramColumns *columns, guint column, double *least, double *largest);

/* Free with g_free. */
char *tnd_histogram_columns_name(const TndHistogramColumns *columns, TndView *control, guint column);

#endif
