/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Histograms of messages: a row has the messages that it sends or receives, and the columns are the rows at the other
 * end.  Used by histogram_filling.c only.
 *
 * Cost: one pass over the messages of the trace, on one core: 50 ns a message for few partners, 100 for thousands
 * (measured).
 */
#ifndef TND_HISTOGRAM_MESSAGES_H
#define TND_HISTOGRAM_MESSAGES_H

#include "analysis/histogram/histogram_plan.h"

/* Fills the cells.  A cell exists if it has a message in either direction, because Paraver's averages are over these
 * cells.  FALSE: the work was cancelled. */
gboolean tnd_histogram_messages_fill(TndHistogramPlan *plan);

#endif
