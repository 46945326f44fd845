/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The totals of a histogram's columns, as Paraver has them.  For whoever fills a table.
 */
#ifndef TND_HISTOGRAM_TOTALS_H
#define TND_HISTOGRAM_TOTALS_H

#include "analysis/histogram/histogram.h"

/* Of each column, from the cells that are there. */
void tnd_histogram_totals_make(TndHistogram *histogram);

/* Columns as the layout wants them to stand: an array of their numbers, to be freed with g_free. */
guint *tnd_histogram_totals_order(const TndHistogram *histogram, const TndHistogramLayout *layout);

/* Puts them so, leaves out those whose total is 0, turns the table: rows are columns then, the totals those of rows. */
void tnd_histogram_totals_arrange(TndHistogram *histogram, const TndHistogramLayout *layout, const guint *order);

#endif
