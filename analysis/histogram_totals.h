/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The totals of a histogram's columns, as Paraver has them.  For whoever fills a table.
 */
#ifndef TND_HISTOGRAM_TOTALS_H
#define TND_HISTOGRAM_TOTALS_H

#include "analysis/histogram.h"

/* From the cells that are there; then columns whose total is 0 are left out. */
void tnd_histogram_totals_make(TndHistogram *histogram);

#endif
