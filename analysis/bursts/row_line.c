/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Columns that are wider than parts are made of whole parts, by the pyramid; others of their bursts.
 */
#include "analysis/bursts/row_line.h"

#include <math.h>

#define PART 32 /* bursts of a part; the last one of a block may have fewer */
#define PARTS_OF_BLOCK (TND_ROW_BURSTS_BLOCK / PART)

struct TndRowLine {
    const TndRowBursts *row;
    gsize n;
    guint64 *ends_ns; /* of the parts */
    double *lasts;    /* the value at the end of each part */
    TndBurstSummary *pyramid;
};

/* The column of the bursts [burst, end) that begin before until_ns. */
static TndLinePoint point_of(const TndBurst *burst, const TndBurst *end, guint64 until_ns)
{
    TndLinePoint point = {INFINITY, -INFINITY, 0, FALSE};
    for (; burst < end && burst->begin_ns < until_ns; burst++) {
        if (burst->end_ns == burst->begin_ns)
            continue;
        point.last = burst->value;
        point.has_zero |= burst->value == 0;
        point.low = burst->value != 0 ? MIN(point.low, burst->value) : point.low;
        point.high = burst->value != 0 ? MAX(point.high, burst->value) : point.high;
    }
    return point;
}

static void add_parts(const TndBurst *bursts, gsize n, gpointer data)
{
    TndRowLine *line = data;
    for (gsize from = 0, to; from < n; from = to) {
        to = MIN(from + PART, n);
        const TndLinePoint point = point_of(bursts + from, bursts + to, G_MAXUINT64);
        line->ends_ns[line->n] = bursts[to - 1].end_ns;
        line->lasts[line->n] = point.last;
        line->pyramid[line->n++] = (TndBurstSummary){point.low, point.high, point.has_zero};
    }
}

TndRowLine *tnd_row_line_new(TndLargeMemory *memory, const TndRowBursts *row)
{
    gsize n = 0;
    for (gsize block = 0; block < row->n_blocks; block++)
        n += (row->blocks[block].n + PART - 1) / PART;
    TndRowLine *line = tnd_large_memory_take(memory, sizeof *line);
    *line = (TndRowLine){.row = row,
                         .ends_ns = tnd_large_memory_take(memory, (n + 1) * sizeof *line->ends_ns),
                         .lasts = tnd_large_memory_take(memory, (n + 1) * sizeof *line->lasts),
                         .pyramid = tnd_large_memory_take(memory, (2 * n + 1) * sizeof *line->pyramid)};
    tnd_row_bursts_each(row, add_parts, line);
    tnd_row_bursts_raise(line->pyramid, line->n);
    return line;
}

/* The first part, from `from` on, that ends after time_ns.  time_ns is before the row's end. */
static gsize part_at(const TndRowLine *line, gsize from, guint64 time_ns)
{
    gsize step = 1;
    for (; from + step < line->n && line->ends_ns[from + step - 1] <= time_ns; step *= 2)
        from += step;
    gsize low = from, high = MIN(from + step, line->n) - 1;
    while (low < high) {
        gsize middle = low + (high - low) / 2;
        if (line->ends_ns[middle] <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static guint64 width_of(const TndRowLine *line, gsize part)
{
    return line->ends_ns[part] - (part ? line->ends_ns[part - 1] : 0);
}

/* A column that is within one block. */
static TndLinePoint point_of_block(TndRowLineWalk *walk, gsize block, guint64 begin_ns, guint64 end_ns)
{
    TndBurstPage *page = &walk->page;
    tnd_row_bursts_turn(page, walk->line->row, block);
    return point_of(tnd_row_bursts_find(page->bursts, page->n, begin_ns), page->bursts + page->n, end_ns);
}

TndLinePoint tnd_row_line_point(TndRowLineWalk *walk, guint64 begin_ns, guint64 end_ns)
{
    const TndRowLine *line = walk->line;
    end_ns = MIN(end_ns, line->row->end_ns);
    if (begin_ns >= end_ns)
        return (TndLinePoint){INFINITY, -INFINITY, 0, FALSE};
    const gsize from = walk->at = part_at(line, walk->at, begin_ns), to = part_at(line, from, end_ns - 1);
    if (MAX(width_of(line, from), width_of(line, to)) <= end_ns - begin_ns) {
        const TndBurstSummary sum = tnd_row_bursts_sum_of(line->pyramid, line->n, from, to + 1);
        return (TndLinePoint){sum.minimum, sum.maximum, line->lasts[to], sum.has_zero};
    }
    if (from / PARTS_OF_BLOCK == to / PARTS_OF_BLOCK)
        return point_of_block(walk, from / PARTS_OF_BLOCK, begin_ns, end_ns);
    const TndBurstSummary summary = tnd_row_bursts_sum(line->row, begin_ns, end_ns, &walk->page);
    const TndBurst *last = tnd_row_bursts_at(line->row, end_ns - 1, &walk->page);
    return (TndLinePoint){summary.minimum, summary.maximum, last->value, summary.has_zero};
}
