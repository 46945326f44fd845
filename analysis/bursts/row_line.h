/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a row comes to over pieces of time, for who draws it as a line: parts of 32 bursts, and a pyramid over them.
 *
 * Memory: with the bursts 2 bytes more each, of a TndLargeMemory.  Cost: a column some 100 ns, whatever is in it.
 */
#ifndef TND_ROW_LINE_H
#define TND_ROW_LINE_H

#include "analysis/bursts/row_bursts.h"

typedef struct TndRowLine TndRowLine;

TndRowLine *tnd_row_line_new(TndLargeMemory *memory, const TndRowBursts *row);

/* Of a column: the extremes of the values in it that are not 0 (low > high: there is none), whether any is 0, and the
 * value at its end; where bursts are many to a column, of up to a column more at either edge. */
typedef struct {
    double low, high, last;
    gboolean has_zero;
} TndLinePoint;

/* Along a line from column to column. */
typedef struct {
    const TndRowLine *line;
    gsize at;
    TndBurstPage page;
} TndRowLineWalk;

/* Before the first column. */
static inline void tnd_row_line_start(TndRowLineWalk *walk, const TndRowLine *line)
{
    walk->line = line;
    walk->at = 0;
    tnd_row_bursts_start_page(&walk->page);
}

/* Of the next column, which does not begin before the one before.  Where the parts at its edges are no wider than it
 * is, they belong to it as a whole: it may have what is up to its width beyond an edge. */
TndLinePoint tnd_row_line_point(TndRowLineWalk *walk, guint64 begin_ns, guint64 end_ns);

#endif
