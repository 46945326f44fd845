/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bursts of a row of a view, made from the records of the trace or from rows of other views.
 *
 * Cost: of a row of threads its records, and as many bursts; bursts go from function to function as a stream.  Rows of
 * a group are kept meanwhile, as those of a view are (row_bursts.h).
 */
#ifndef TND_VIEW_ROWS_H
#define TND_VIEW_ROWS_H

#include "analysis/views/view_plan.h"

void tnd_view_rows_evaluate(const TndViewPlan *plan, guint row, TndBurstStream *stream);

#endif
