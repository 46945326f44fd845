/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages as pieces of a histogram: a row has those that it sent or received, the columns are the rows at the other
 * end.  For histogram_filling.c alone.
 *
 * Cost: one pass over the messages of the trace, on one core; 50 ns a message where there are few partners, 100 where
 * there are thousands (measured).
 */
#ifndef TND_HISTOGRAM_MESSAGES_H
#define TND_HISTOGRAM_MESSAGES_H

#include "analysis/histogram/histogram_plan.h"

/* Fills the cells.  A cell is there if it has any message, also of the other direction: Paraver's averages over cells
 * are over these.  FALSE: progress ended it. */
gboolean tnd_histogram_messages_fill(TndHistogramPlan *plan);

#endif
