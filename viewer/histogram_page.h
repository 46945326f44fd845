/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the page of the histogram shows: the table of the current view, or one that a configuration describes, which may
 * have several planes; kept until what it is of changes.
 *
 * What it is not: it does not know what is shown of the trace; that is told when tables are made.
 */
#ifndef TND_HISTOGRAM_PAGE_H
#define TND_HISTOGRAM_PAGE_H

#include "viewer/cfg_file.h"

typedef struct {
    TndStatistic statistic; /* of a view's own table */
    gboolean is_coloured;
    TndCfgFile *file;   /* whose table is shown; NULL: the view's own */
    guint table;        /* of the file, from 0 on */
    char *plane;        /* that the user chose, by its name; NULL: the one that the file shows */
    TndCfgTables *made; /* a table a plane; NULL: they are not made yet */
} TndHistogramPage;

/* What to make, which may be done in another thread. */
typedef struct {
    TndView *view; /* the table's own, or its control window */
    TndHistogramOptions options;
    TndCfgFile *file; /* NULL: the view's own */
    guint table;
    TndStatistic statistic;
} TndHistogramSource;

void tnd_histogram_page_drop(TndHistogramPage *page);
void tnd_histogram_page_clear(TndHistogramPage *page); /* before it goes */

/* Shows this table of a configuration from now on; file NULL: that of the view. */
void tnd_histogram_page_show(TndHistogramPage *page, TndCfgFile *file, guint table);

/* Of the table that is shown; TND_CFG_FILE_OWN: that of the file, before it is made. */
TndStatistic tnd_histogram_page_statistic(const TndHistogramPage *page);
void tnd_histogram_page_set_statistic(TndHistogramPage *page, TndStatistic statistic);

TndHistogramSource *tnd_histogram_page_source(const TndHistogramPage *page, TndView *view, TndZoom zoom);
void tnd_histogram_page_free_source(TndHistogramSource *source);
TndCfgTables *tnd_histogram_page_make(const TndHistogramSource *source, TndTraceProgress progress, gpointer user_data,
                                      GError **error);
void tnd_histogram_page_take(TndHistogramPage *page, TndCfgTables *tables);

/* Which of the planes is shown; FALSE: there is none. */
gboolean tnd_histogram_page_plane(const TndHistogramPage *page, guint *plane);

/* All planes; "-": standard output. */
gboolean tnd_histogram_page_write_csv(const TndHistogramPage *page, const char *path, GError **error);

#endif
