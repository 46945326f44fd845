/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fills the cells of a histogram.  A cell has sums over its pieces or messages, from which any statistic is computed at
 * the end.
 *
 * A piece is a stretch of one row in which no view changes its value.  If the views have rows of different levels, the
 * pieces are those of the finest level, and a row of the table has the pieces of all rows that belong to it.
 *
 * Cost: one pass over the bursts of the views for all planes together, or over the messages.  Bursts are not kept if
 * the control view is also the data view.
 */
#ifndef TND_HISTOGRAM_FILLING_H
#define TND_HISTOGRAM_FILLING_H

#include "analysis/histogram/histogram_plan.h"

/* Fills the cells.  FALSE: there are too many rows and columns, or the work was cancelled. */
gboolean tnd_histogram_filling_run(TndHistogramPlan *plan);
gboolean tnd_histogram_filling_is_too_large(const TndHistogramPlan *plan);
void tnd_histogram_filling_clear(TndHistogramPlan *plan);

/* How many items the progress is to be made for.  There are more if the view has too many values for a column each. */
guint64 tnd_histogram_filling_n_items(const TndHistogramPlan *plan);

/* Whether the rows of each view belong to, or are, rows of the others. */
gboolean tnd_histogram_filling_has_levels(const TndHistogramPlan *plan);

/* The table of a plane, with all columns, in their order. */
TndHistogram *tnd_histogram_filling_table(TndHistogramPlan *plan, guint plane);

#endif
