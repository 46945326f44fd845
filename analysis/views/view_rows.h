/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes the bursts of a row of a view from the records of the trace, or from rows of other views.
 *
 * Cost: for the row of a thread one pass over its records; bursts go from function to function as a stream.  The rows
 * of a group are kept while it is evaluated (row_bursts.h).
 */
#ifndef TND_VIEW_ROWS_H
#define TND_VIEW_ROWS_H

#include "analysis/views/view_plan.h"

void tnd_view_rows_evaluate(const TndViewPlan *plan, guint row, TndBurstStream *stream);

#endif
