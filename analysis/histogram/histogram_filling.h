/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fills the cells of a histogram: sums over the pieces of a cell, or over its messages, are kept for all statistics,
 * and the one that was asked for is computed from them at the end.
 *
 * A piece is a stretch of one row in which all views keep their value; a row of the table has the pieces of every row
 * that belongs to it of the view whose rows are the finest.
 *
 * Cost: one pass over the bursts of the views for all planes together, or over the messages.  Bursts are not kept where
 * the control view is its own data.
 */
#ifndef TND_HISTOGRAM_FILLING_H
#define TND_HISTOGRAM_FILLING_H

#include "analysis/histogram/histogram_plan.h"

/* Fills the cells.  FALSE: there would be too many rows and columns, or progress ended it. */
gboolean tnd_histogram_filling_run(TndHistogramPlan *plan);
gboolean tnd_histogram_filling_is_too_large(const TndHistogramPlan *plan);
void tnd_histogram_filling_clear(TndHistogramPlan *plan);

/* How many items progress is told of; of a table of more values than have a column each there are more. */
guint64 tnd_histogram_filling_n_items(const TndHistogramPlan *plan);

/* Whether rows of its views belong to each other. */
gboolean tnd_histogram_filling_has_levels(const TndHistogramPlan *plan);

/* A plane as a table: all columns, in their order. */
TndHistogram *tnd_histogram_filling_table(TndHistogramPlan *plan, guint plane);

#endif
