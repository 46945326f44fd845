/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Summaries of a row for drawing it as a line: parts of 32 bursts, and a pyramid over them.
 *
 * Memory: 2 bytes for each burst, in a TndLargeMemory.  Cost: some 100 ns a column, whatever is in it.
 */
#ifndef TND_ROW_LINE_H
#define TND_ROW_LINE_H

#include "analysis/bursts/row_bursts.h"

typedef struct TndRowLine TndRowLine;

TndRowLine *tnd_row_line_new(TndLargeMemory *memory, const TndRowBursts *row);

/* A column: the extremes of its values that are not 0 (low > high: there is none), whether any is 0, and the value at
 * its end. */
typedef struct {
    double low, high, last;
    gboolean has_zero;
} TndLinePoint;

/* A walk along a line from column to column. */
typedef struct {
    const TndRowLine *line;
    gsize at;
    TndBurstPage page;
} TndRowLineWalk;

/* Starts before the first column. */
static inline void tnd_row_line_start(TndRowLineWalk *walk, const TndRowLine *line)
{
    walk->line = line;
    walk->at = 0;
    tnd_row_bursts_start_page(&walk->page);
}

/* The next column, [begin_ns, end_ns), which does not begin before the one before.  Parts at its edges that are no
 * wider than the column count as a whole, so that it may include bursts up to its own width beyond an edge. */
TndLinePoint tnd_row_line_point(TndRowLineWalk *walk, guint64 begin_ns, guint64 end_ns);

#endif
