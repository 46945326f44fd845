/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The picture of a histogram: a table with row names, column heads, numbers, coloured cells and the totals.  Either as
 * much as fits at reading size, from a given row and column on, or all of it shrunk into the size (then cells that are
 * too small for numbers are colours alone).
 */
#ifndef TND_HISTOGRAM_TABLE_H
#define TND_HISTOGRAM_TABLE_H

#include "analysis/histogram/histogram.h"
#include "viewer/paint/text.h"

#include <cairo.h>

typedef struct TndHistogramTable TndHistogramTable;

typedef struct {
    const TndHistogram *histogram;
    const char *trace_name;
    const char *title;    /* that it has of its own; NULL: it has none */
    const char *plane;    /* of which it is, of several; NULL: there is one only */
    TndLevel level;       /* whose rows the rows are */
    gboolean is_coloured; /* cells from green to blue */
    gboolean is_fitted;   /* everything in the size; else at reading size from here on: */
    guint first_row, first_column;
} TndHistogramTableSubject;

TndHistogramTable *tnd_histogram_table_new(const TndHistogramTableSubject *subject, double width, double height);
void tnd_histogram_table_free(TndHistogramTable *table);
void tnd_histogram_table_paint(const TndHistogramTable *table, cairo_t *cr);

/* How much is to be seen, for scroll bars: rows and columns that are whole. */
guint tnd_histogram_table_n_rows(const TndHistogramTable *table);
guint tnd_histogram_table_n_columns(const TndHistogramTable *table);

/* The size at which all of it can be read. */
void tnd_histogram_table_natural_size(const TndHistogramTableSubject *subject, double *width, double *height);

const GArray *tnd_histogram_table_texts(const TndHistogramTable *table); /* TndText */

#endif
