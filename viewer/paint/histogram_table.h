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
#include "viewer/paint/table_order.h"
#include "viewer/paint/text.h"

#include <cairo.h>

typedef struct TndHistogramTable TndHistogramTable;

/* What cells show beside their numbers: nothing, a colour, or a bar, which fills the cell of the largest value. */
typedef enum { TND_CELLS_NUMBERS, TND_CELLS_COLOURS, TND_CELLS_BARS, TND_CELLS_N } TndTableCells;

typedef struct {
    const TndHistogram *histogram;
    const char *trace_name;
    const TndTrace *trace; /* whose labels the rows have; NULL: they have the names of the table */
    const char *title;     /* the table's own title; NULL: it has none */
    const char *plane;     /* name of the plane that is shown; NULL: there is only one plane */
    const char *data;      /* title of the view that gives the values; NULL: the table's own */
    TndLevel level;        /* the level that the rows belong to */
    gboolean is_marked;    /* a cell has a frame: */
    guint marked_row, marked_column;
    TndTableCells cells;
    TndTableOrder order;
    gboolean is_fitted;            /* the whole table is shrunk to the size; else it is shown at reading size, from: */
    guint first_row, first_column; /* first_row: a place of the order */
    TndLook look;
} TndHistogramTableSubject;

TndHistogramTable *tnd_histogram_table_new(const TndHistogramTableSubject *subject, double width, double height);
void tnd_histogram_table_free(TndHistogramTable *table);
void tnd_histogram_table_paint(const TndHistogramTable *table, cairo_t *cr);

/* The cell at a place, or the column whose head is there; FALSE: there is none. */
gboolean tnd_histogram_table_find(const TndHistogramTable *table, double x, double y, guint *row, guint *column);
gboolean tnd_histogram_table_find_head(const TndHistogramTable *table, double x, double y, guint *column);

/* Where columns are, of which some may be scrolled away, with their heads. */
TndRectangle tnd_histogram_table_columns(const TndHistogramTable *table, guint first, guint last);

/* How many rows the order has; the numbers of rows and columns that are completely visible, for scroll bars. */
guint tnd_histogram_table_n_all_rows(const TndHistogramTable *table);
guint tnd_histogram_table_n_rows(const TndHistogramTable *table);
guint tnd_histogram_table_n_columns(const TndHistogramTable *table);

/* The size in pixels at which the whole table is shown at reading size. */
void tnd_histogram_table_natural_size(const TndHistogramTableSubject *subject, double *width, double *height);

/* All rows of the order and all columns, with their heads, as lines of words with tabs between them.  Free with g_free.
 */
char *tnd_histogram_table_words(const TndHistogramTable *table);

const GArray *tnd_histogram_table_texts(const TndHistogramTable *table); /* of TndText; the table's own */

#endif
