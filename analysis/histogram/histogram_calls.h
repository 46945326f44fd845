/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counts calls for histograms: of a view of calls and regions, whose events tell when one begins.  Bursts do not count
 * them: calls that follow at once share a burst, and a call of no length has none.  Used by histogram_filling.c and
 * histogram.c only.
 *
 * Cost: one pass over the events of the view.
 */
#ifndef TND_HISTOGRAM_CALLS_H
#define TND_HISTOGRAM_CALLS_H

#include "analysis/histogram/histogram_plan.h"

/* Whether the calls of the control view can be counted. */
gboolean tnd_histogram_calls_are_known(const TndHistogramPlan *plan);

/* Sets the number of pieces of each cell of a row to that of the calls that begin in the histogram's time. */
void tnd_histogram_calls_count(TndHistogramPlan *plan, guint row);

#endif
