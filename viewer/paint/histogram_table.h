/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The picture of a histogram: a table with row names, column heads, numbers, coloured cells and the totals.  It shows
 * either as much as fits at reading size, from a given row and column on, or the whole table shrunk to the size; then
 * cells that are too small for numbers show only their colour.
 */
#ifndef TND_HISTOGRAM_TABLE_H
#define TND_HISTOGRAM_TABLE_H

#include "analysis/histogram/histogram.h"
#include "analysis/trace/trace.h"
#include "viewer/paint/look.h"
#include "viewer/paint/text.h"

#include <cairo.h>

typedef struct TndHistogramTable TndHistogramTable;

typedef struct {
    const TndHistogram *histogram;
    const char *trace_name;
    const TndTrace *trace; /* whose labels the rows have; NULL: they have the names of the table */
    const char *title;     /* the table's own title; NULL: it has none */
    const char *plane;     /* name of the plane that is shown; NULL: there is only one plane */
    TndLevel level;        /* the level that the rows belong to */
    gboolean is_marked;    /* a cell has a frame: */
    guint marked_row, marked_column;
    gboolean is_coloured; /* cells are coloured */
    gboolean is_fitted;   /* the whole table is shrunk to the size; else it is shown at reading size, from: */
    guint first_row, first_column;
    TndLook look;
} TndHistogramTableSubject;

TndHistogramTable *tnd_histogram_table_new(const TndHistogramTableSubject *subject, double width, double height);
void tnd_histogram_table_free(TndHistogramTable *table);
void tnd_histogram_table_paint(const TndHistogramTable *table, cairo_t *cr);

/* The cell at a place; FALSE: there is none. */
gboolean tnd_histogram_table_find(const TndHistogramTable *table, double x, double y, guint *row, guint *column);

/* Where columns are, of which some may be scrolled away, with their heads. */
TndRectangle tnd_histogram_table_columns(const TndHistogramTable *table, guint first, guint last);

/* The numbers of rows and columns that are completely visible, for scroll bars. */
guint tnd_histogram_table_n_rows(const TndHistogramTable *table);
guint tnd_histogram_table_n_columns(const TndHistogramTable *table);

/* The size in pixels at which the whole table is shown at reading size. */
void tnd_histogram_table_natural_size(const TndHistogramTableSubject *subject, double *width, double *height);

const GArray *tnd_histogram_table_texts(const TndHistogramTable *table); /* of TndText; the table's own */

#endif
