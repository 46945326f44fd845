/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The totals of a histogram's columns, as in Paraver, and the order of the columns.
 */
#ifndef TND_HISTOGRAM_TOTALS_H
#define TND_HISTOGRAM_TOTALS_H

#include "analysis/histogram/histogram.h"

/* Computes the totals of each column over its cells. */
void tnd_histogram_totals_make(TndHistogram *histogram);

/* The numbers of the columns in the order of the layout.  Free with g_free. */
guint *tnd_histogram_totals_order(const TndHistogram *histogram, const TndHistogramLayout *layout);

/* Puts the columns into this order, and as the layout says leaves out those whose total is 0, and exchanges rows and
 * columns; the totals are then those of the former rows. */
void tnd_histogram_totals_arrange(TndHistogram *histogram, const TndHistogramLayout *layout, const guint *order);

#endif
