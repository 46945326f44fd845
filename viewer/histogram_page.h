/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the page of the histogram shows: a statistic, in colours or not, and the table, kept until what it is of
 * changes.
 *
 * What it is not: it does not know what is shown of the trace; that is told when a table is made.
 */
#ifndef TND_HISTOGRAM_PAGE_H
#define TND_HISTOGRAM_PAGE_H

#include "analysis/histogram/histogram.h"
#include "viewer/zoom.h"

typedef struct {
    TndStatistic statistic;
    gboolean is_coloured;
    TndHistogram *made; /* NULL: it is not made yet */
} TndHistogramPage;

void tnd_histogram_page_drop(TndHistogramPage *page);

/* A histogram that was made elsewhere. */
void tnd_histogram_page_take(TndHistogramPage *page, TndHistogram *histogram);

/* What to make of the time and the rows that are shown. */
TndHistogramOptions tnd_histogram_page_options(const TndHistogramPage *page, TndZoom zoom);

/* The view's, made if it is not kept. */
const TndHistogram *tnd_histogram_page_make(TndHistogramPage *page, TndView *view, TndZoom zoom, GError **error);

/* "-": standard output. */
gboolean tnd_histogram_page_write_csv(const TndHistogram *histogram, const char *path, GError **error);

#endif
