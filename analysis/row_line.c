/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pyramid's levels are one behind the other, each with half of the sums of the one below, rounded down.
 */
#include "analysis/row_line.h"

#include <math.h>

#define PART 32 /* bursts; the last one has fewer */
#define PARTS_OF_BLOCK (TND_ROW_BURSTS_BLOCK / PART)

typedef struct {
    float low, high; /* of values that hold for some time and are not 0 */
    float last;      /* of a part: the value at its end */
    guint has_zero;
} Sum;

static const Sum nothing = {INFINITY, -INFINITY, 0, FALSE};

struct TndRowLine {
    const TndRowBursts *row;
    gsize n;
    guint64 *ends_ns; /* of parts */
    Sum *sums;
};

static inline void add(Sum *sum, const Sum *other)
{
    sum->low = MIN(sum->low, other->low);
    sum->high = MAX(sum->high, other->high);
    sum->has_zero |= other->has_zero;
}

/* Of those that begin before until_ns. */
static TndViewPoint point_of(const TndBurst *burst, const TndBurst *end, guint64 until_ns)
{
    TndViewPoint point = {INFINITY, -INFINITY, 0, FALSE};
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
        const TndViewPoint point = point_of(bursts + from, bursts + to, G_MAXUINT64);
        line->ends_ns[line->n] = bursts[to - 1].end_ns;
        line->sums[line->n++] = (Sum){(float)point.low, (float)point.high, (float)point.last, point.has_zero != FALSE};
    }
}

static void make_pyramid(TndRowLine *line)
{
    const Sum *below = line->sums;
    Sum *next = line->sums + line->n;
    for (gsize n = line->n; n > 1; n /= 2) {
        Sum *level = next;
        for (gsize i = 0; i < n / 2; i++, next++) {
            *next = below[2 * i];
            add(next, &below[2 * i + 1]);
        }
        below = level;
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
                         .sums = tnd_large_memory_take(memory, (2 * n + 1) * sizeof *line->sums)};
    tnd_row_bursts_each(row, add_parts, line);
    make_pyramid(line);
    return line;
}

/* The first part from this one on that ends after time_ns, which is before the row's end. */
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

static Sum sum_parts(const TndRowLine *line, gsize from, gsize to)
{
    Sum sum = nothing;
    const Sum *level = line->sums;
    for (gsize n = line->n; from < to; level += n, n /= 2, from /= 2, to /= 2) {
        if (from & 1)
            add(&sum, &level[from++]);
        if (to & 1)
            add(&sum, &level[--to]);
    }
    return sum;
}

/* Of a column within a block. */
static TndViewPoint point_of_block(TndRowLineWalk *walk, gsize block, guint64 begin_ns, guint64 end_ns)
{
    TndBurstPage *page = &walk->page;
    tnd_row_bursts_turn(page, walk->line->row, block);
    return point_of(tnd_row_bursts_find(page->bursts, page->n, begin_ns), page->bursts + page->n, end_ns);
}

TndViewPoint tnd_row_line_point(TndRowLineWalk *walk, guint64 begin_ns, guint64 end_ns)
{
    const TndRowLine *line = walk->line;
    end_ns = MIN(end_ns, line->row->end_ns);
    if (begin_ns >= end_ns)
        return (TndViewPoint){INFINITY, -INFINITY, 0, FALSE};
    const gsize from = walk->at = part_at(line, walk->at, begin_ns), to = part_at(line, from, end_ns - 1);
    if (MAX(width_of(line, from), width_of(line, to)) <= end_ns - begin_ns) {
        const Sum sum = sum_parts(line, from, to + 1);
        return (TndViewPoint){sum.low, sum.high, line->sums[to].last, sum.has_zero != FALSE};
    }
    if (from / PARTS_OF_BLOCK == to / PARTS_OF_BLOCK)
        return point_of_block(walk, from / PARTS_OF_BLOCK, begin_ns, end_ns);
    const TndBurstSummary summary = tnd_row_bursts_sum(line->row, begin_ns, end_ns, &walk->page);
    const TndBurst *last = tnd_row_bursts_at(line->row, end_ns - 1, &walk->page);
    return (TndViewPoint){summary.minimum, summary.maximum, last->value, summary.has_zero};
}
