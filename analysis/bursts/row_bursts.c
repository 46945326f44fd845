/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A block is two columns: the lengths of bursts, and their values, as signed integers if all of them are integers, else
 * as the bits of a double.
 */
#include "analysis/bursts/row_bursts.h"

#include "analysis/base/columns.h"

#include <math.h>
#include <string.h>

/* A double holds all integers below this exactly. */
static const double largest_whole = 9007199254740992.0;

const TndBurstSummary tnd_row_bursts_nothing = {INFINITY, -INFINITY, FALSE};

void tnd_row_bursts_add(TndBurstSummary *summary, TndBurstSummary other)
{
    summary->minimum = MIN(summary->minimum, other.minimum);
    summary->maximum = MAX(summary->maximum, other.maximum);
    summary->has_zero |= other.has_zero;
}

void tnd_row_bursts_raise(TndBurstSummary *pyramid, gsize n)
{
    const TndBurstSummary *below = pyramid;
    for (TndBurstSummary *level = pyramid + n; n > 1; below = level, level += n /= 2)
        for (gsize i = 0; i < n / 2; i++) {
            level[i] = below[2 * i];
            tnd_row_bursts_add(&level[i], below[2 * i + 1]);
        }
}

TndBurstSummary tnd_row_bursts_sum_of(const TndBurstSummary *pyramid, gsize n, gsize from, gsize to)
{
    TndBurstSummary sum = tnd_row_bursts_nothing;
    for (; from < to; pyramid += n, n /= 2, from /= 2, to /= 2) {
        if (from & 1)
            tnd_row_bursts_add(&sum, pyramid[from++]);
        if (to & 1)
            tnd_row_bursts_add(&sum, pyramid[--to]);
    }
    return sum;
}

/* Adds a burst to a summary, without branches that depend on values. */
static inline void add_burst(TndBurstSummary *summary, const TndBurst *burst)
{
    gboolean holds = burst->end_ns > burst->begin_ns, counts = (burst->value != 0.0) & holds;
    tnd_row_bursts_add(summary, (TndBurstSummary){counts ? burst->value : INFINITY, counts ? burst->value : -INFINITY,
                                                  holds & (burst->value == 0.0)});
}

/* A row while it is made. */
typedef struct {
    GArray *blocks, *ends_ns, *sums;
    GByteArray *bytes;
} Making;

static gboolean are_whole(const TndBurst *bursts, gsize n)
{
    gboolean are = TRUE;
    for (gsize i = 0; i < n; i++) {
        double value = bursts[i].value;
        are &= (value > -largest_whole) & (value < largest_whole) && (double)(gint64)value == value;
    }
    return are;
}

static void add_block(const TndBurst *bursts, gsize n, gpointer data)
{
    Making *making = data;
    tnd_assert(n > 0 && n <= TND_ROW_BURSTS_BLOCK);
    tnd_assert(bursts[0].begin_ns ==
               (making->ends_ns->len ? g_array_index(making->ends_ns, guint64, making->ends_ns->len - 1) : 0));
    TndBurstBlock block = {.offset = making->bytes->len, .n = (guint32)n, .are_whole = are_whole(bursts, n) != FALSE};
    TndBurstSummary sum = tnd_row_bursts_nothing;
    guint64 lengths[TND_ROW_BURSTS_BLOCK], values[TND_ROW_BURSTS_BLOCK];
    for (gsize i = 0; i < n; i++) {
        lengths[i] = bursts[i].end_ns - bursts[i].begin_ns;
        block.has_empty |= !lengths[i];
        add_burst(&sum, &bursts[i]);
        if (block.are_whole)
            values[i] = tnd_columns_zigzag((guint64)(gint64)bursts[i].value);
        else
            memcpy(&values[i], &bursts[i].value, sizeof *values);
    }
    tnd_columns_write(making->bytes, lengths, n);
    tnd_columns_write(making->bytes, values, n);
    g_array_append_val(making->blocks, block);
    g_array_append_val(making->sums, sum);
    g_array_append_val(making->ends_ns, bursts[n - 1].end_ns);
}

TndRowBursts *tnd_row_bursts_new(TndLargeMemory *memory, guint64 end_ns,
                                 void (*evaluate)(TndBurstStream *stream, gpointer data), gpointer data)
{
    static const guint8 slack[TND_COLUMNS_SLACK];
    Making making = {g_array_new(FALSE, FALSE, sizeof(TndBurstBlock)), g_array_new(FALSE, FALSE, sizeof(guint64)),
                     g_array_new(FALSE, FALSE, sizeof(TndBurstSummary)), g_byte_array_new()};
    TndBurstStream stream;
    tnd_burst_stream_start(&stream, end_ns, add_block, &making);
    evaluate(&stream, data);
    tnd_burst_stream_finish(&stream);
    TndRowBursts *row = tnd_large_memory_take(memory, sizeof *row);
    *row = (TndRowBursts){.end_ns = end_ns, .n_blocks = making.blocks->len, .n_bytes = making.bytes->len};
    row->ends_ns = tnd_large_memory_copy(memory, making.ends_ns->data, row->n_blocks * sizeof(guint64));
    row->blocks = tnd_large_memory_copy(memory, making.blocks->data, row->n_blocks * sizeof(TndBurstBlock));
    g_byte_array_append(making.bytes, slack, sizeof slack);
    row->bytes = tnd_large_memory_copy(memory, making.bytes->data, making.bytes->len);
    g_array_set_size(making.sums, 2 * (guint)row->n_blocks);
    tnd_row_bursts_raise((TndBurstSummary *)(void *)making.sums->data, row->n_blocks);
    row->pyramid = tnd_large_memory_copy(memory, making.sums->data, making.sums->len * sizeof *row->pyramid);
    g_array_unref(making.blocks);
    g_array_unref(making.ends_ns);
    g_array_unref(making.sums);
    g_byte_array_unref(making.bytes);
    return row;
}

gsize tnd_row_bursts_block_at(const TndRowBursts *row, guint64 time_ns)
{
    gsize low = 0, high = row->n_blocks;
    while (low < high) {
        gsize middle = low + (high - low) / 2;
        gboolean is_before = row->ends_ns[middle] <= time_ns;
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    return low;
}

guint tnd_row_bursts_read_columns(const TndRowBursts *row, gsize block, guint64 *ends_ns, guint64 *numbers)
{
    const TndBurstBlock *entry = &row->blocks[block];
    guint64 time_ns = tnd_row_bursts_block_begin(row, block);
    const guint8 *end = row->bytes + row->n_bytes, *from = row->bytes + entry->offset;
    from = tnd_columns_read(from, end, ends_ns, entry->n);
    tnd_columns_read(from, end, numbers, entry->n);
    for (guint i = 0; i < entry->n; i++)
        ends_ns[i] = time_ns += ends_ns[i];
    return entry->n;
}

gsize tnd_row_bursts_read(const TndRowBursts *row, gsize block, TndBurst *bursts)
{
    guint64 ends_ns[TND_ROW_BURSTS_BLOCK], numbers[TND_ROW_BURSTS_BLOCK],
        begin_ns = tnd_row_bursts_block_begin(row, block);
    const gboolean are_whole = row->blocks[block].are_whole;
    guint n = tnd_row_bursts_read_columns(row, block, ends_ns, numbers);
    for (guint i = 0; i < n; i++) {
        bursts[i] = (TndBurst){begin_ns, ends_ns[i], tnd_row_bursts_value(numbers[i], are_whole)};
        begin_ns = ends_ns[i];
    }
    return n;
}

void tnd_row_bursts_each(const TndRowBursts *row, TndBurstTake take, gpointer data)
{
    TndBurst bursts[TND_ROW_BURSTS_BLOCK];
    for (gsize block = 0; block < row->n_blocks; block++)
        take(bursts, tnd_row_bursts_read(row, block, bursts), data);
}

void tnd_row_bursts_turn(TndBurstPage *page, const TndRowBursts *row, gsize block)
{
    if (page->block != block)
        page->n = tnd_row_bursts_read(row, block, page->bursts);
    page->block = block;
}

const TndBurst *tnd_row_bursts_at(const TndRowBursts *row, guint64 time_ns, TndBurstPage *page)
{
    if (time_ns >= row->end_ns)
        return NULL;
    tnd_row_bursts_turn(page, row, tnd_row_bursts_block_at(row, time_ns));
    return tnd_row_bursts_find(page->bursts, page->n, time_ns);
}

/* The summary of the part of a block in [begin_ns, end_ns). */
static TndBurstSummary sum_part(const TndRowBursts *row, gsize block, guint64 begin_ns, guint64 end_ns,
                                TndBurstPage *page)
{
    TndBurstSummary summary = tnd_row_bursts_nothing;
    tnd_row_bursts_turn(page, row, block);
    const TndBurst *burst = tnd_row_bursts_find(page->bursts, page->n, begin_ns), *end = page->bursts + page->n;
    for (; burst < end && burst->begin_ns < end_ns; burst++)
        add_burst(&summary, burst);
    return summary;
}

TndBurstSummary tnd_row_bursts_sum(const TndRowBursts *row, guint64 begin_ns, guint64 end_ns, TndBurstPage *page)
{
    TndBurstSummary summary = tnd_row_bursts_nothing;
    end_ns = MIN(end_ns, row->end_ns);
    if (begin_ns >= end_ns)
        return summary;
    gsize first = tnd_row_bursts_block_at(row, begin_ns), last = tnd_row_bursts_block_at(row, end_ns - 1);
    gboolean has_left = tnd_row_bursts_block_begin(row, first) < begin_ns;
    if (has_left || first == last)
        summary = sum_part(row, first, begin_ns, end_ns, page);
    if (first == last)
        return summary;
    gsize from = first + has_left, to = last;
    if (row->ends_ns[last] <= end_ns)
        to = last + 1;
    else
        tnd_row_bursts_add(&summary, sum_part(row, last, begin_ns, end_ns, page));
    tnd_row_bursts_add(&summary, tnd_row_bursts_sum_of(row->pyramid, row->n_blocks, from, to));
    return summary;
}
