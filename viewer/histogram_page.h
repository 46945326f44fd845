/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the page of the histogram shows: the table of the current view, or one of a configuration, which may have
 * several planes.  A table is kept until its view, its time, its rows or its statistic change.
 *
 * What it is not: it does not know which time and rows are shown; its callers pass them when tables are made.
 */
#ifndef TND_HISTOGRAM_PAGE_H
#define TND_HISTOGRAM_PAGE_H

#include "viewer/cfg_file.h"
#include "viewer/paint/histogram_table.h"
#include "viewer/paint/row_order.h"

typedef struct {
    TndStatistic statistic; /* of the view's own table */
    TndTableCells cells;
    TndTableOrder order;
    gboolean is_vertical; /* rows and columns are exchanged */
    const char *data;     /* the view that gives the values of the view's own table; interned; NULL: itself */
    const char *third;    /* the view of codes each of whose values has a plane; interned; NULL: there are no planes */
    const char *limited;  /* name of the view whose own table has limits; interned; NULL: none has */
    double minimum, maximum;
    TndCfgFile *file;   /* whose table is shown; NULL: the view's own is */
    guint table;        /* number of the file's table, from 0 on */
    char *plane;        /* name of the one that the user chose; NULL: the one that the file names */
    TndCfgTables *made; /* one table per plane; NULL: they are not made yet */
} TndHistogramPage;

/* All that is needed to make a table, also in another thread. */
typedef struct {
    TndView *view;         /* the table's own, or its control window */
    TndView *data, *third; /* as TndHistogramPage has them; NULL: none */
    TndHistogramOptions options;
    gboolean *rows;   /* that the options name; NULL: they name none */
    TndCfgFile *file; /* NULL: the view's own table */
    guint table;
    TndStatistic statistic;
} TndHistogramSource;

void tnd_histogram_page_drop(TndHistogramPage *page);  /* frees the tables that were made */
void tnd_histogram_page_clear(TndHistogramPage *page); /* frees all that it owns */

/* Shows this table of a configuration from now on; file NULL: the view's own table. */
void tnd_histogram_page_show(TndHistogramPage *page, TndCfgFile *file, guint table);

/* The statistic of the table that is shown; TND_CFG_FILE_OWN: the one that the file names, while no table is made. */
TndStatistic tnd_histogram_page_statistic(const TndHistogramPage *page);
void tnd_histogram_page_set_statistic(TndHistogramPage *page, TndStatistic statistic);

/* The rows of the zoom are places of the order, which may be NULL. */
TndHistogramSource *tnd_histogram_page_source(const TndHistogramPage *page, TndView *view, TndZoom zoom,
                                              const TndRowOrder *order);
void tnd_histogram_page_free_source(TndHistogramSource *source);
TndCfgTables *tnd_histogram_page_make(const TndHistogramSource *source, TndTraceProgress progress, gpointer user_data,
                                      GError **error);
void tnd_histogram_page_take(TndHistogramPage *page, TndCfgTables *tables); /* takes ownership */

/* The number of the plane that is shown; FALSE: there is none. */
gboolean tnd_histogram_page_plane(const TndHistogramPage *page, guint *plane);

/* Writes all planes; path "-": standard output.  Tables must have been made. */
gboolean tnd_histogram_page_write_csv(const TndHistogramPage *page, const char *path, GError **error);

#endif
