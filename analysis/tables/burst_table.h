/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bursts of a view as a table, row after row.
 *
 * Columns: row (code: the view's rows), begin_ns, end_ns, value, and, if the values are codes of which there are at
 * most TND_BURST_TABLE_MOST_LABELS, label (code).
 *
 * Cost: making the rows of the view, which are kept; then 10 to 15 ns a burst on one core.  Memory: 25 bytes a burst,
 * and one more for a label.
 */
#ifndef TND_BURST_TABLE_H
#define TND_BURST_TABLE_H

#include "analysis/tables/table.h"
#include "analysis/views/view.h"

#define TND_BURST_TABLE_MOST_LABELS 65536

/* The bursts that end after begin_ns and begin before end_ns, not shortened.  What the selection leaves open is what a
 * window of a configuration shows; other views show everything.  NULL and error: not enough memory, or cancelled. */
TndTable *tnd_burst_table_new(TndView *view, const TndTableSelection *selection, GError **error);

#endif
