/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bursts of a row, kept: blocks of them as columns (columns.h), with what each comes to in its entry and in a
 * pyramid over the entries.  They never change, and any number of threads may read them.
 *
 * Memory: 2 to 5 bytes a burst as it takes, of a TndLargeMemory.
 */
#ifndef TND_ROW_BURSTS_H
#define TND_ROW_BURSTS_H

#include "analysis/base/columns.h"
#include "analysis/base/large_memory.h"
#include "analysis/bursts/burst_stream.h"

#include <string.h>

/* Bursts of a block; the last one has fewer. */
#define TND_ROW_BURSTS_BLOCK TND_BURST_STREAM_ROOM

/* What bursts come to: of the values that hold for some time and are not 0 the extremes (+inf and -inf if there is
 * none), and whether any is 0. */
typedef struct {
    double minimum, maximum;
    gboolean has_zero;
} TndBurstSummary;

extern const TndBurstSummary tnd_row_bursts_nothing;

void tnd_row_bursts_add(TndBurstSummary *summary, TndBurstSummary other);

/* A pyramid: n sums, and behind them, level by level, those of two neighbours of the level below: half as many, rounded
 * down.  Of the 2 n that there is room for the first n are given. */
void tnd_row_bursts_raise(TndBurstSummary *pyramid, gsize n);

/* Of those in [from, to).  Cost: two steps a level. */
TndBurstSummary tnd_row_bursts_sum_of(const TndBurstSummary *pyramid, gsize n, gsize from, gsize to);

typedef struct {
    guint64 offset; /* of its bytes */
    guint32 n;
    guint has_empty : 1; /* bursts that end where they begin */
    guint are_whole : 1; /* numbers less than 2^53 */
} TndBurstBlock;

typedef struct {
    guint64 end_ns; /* of the last burst; the first begins at 0 */
    gsize n_blocks;
    const guint64 *ends_ns; /* of blocks, apart: a search in them touches little else */
    const TndBurstBlock *blocks;
    const guint8 *bytes;
    gsize n_bytes;
    const TndBurstSummary *pyramid; /* over the blocks */
} TndRowBursts;

/* Those that `evaluate` puts into the stream, which ends at end_ns. */
TndRowBursts *tnd_row_bursts_new(TndLargeMemory *memory, guint64 end_ns,
                                 void (*evaluate)(TndBurstStream *stream, gpointer data), gpointer data);

/* The block with the first burst that ends after time_ns; n_blocks: there is none. */
gsize tnd_row_bursts_block_at(const TndRowBursts *row, guint64 time_ns);

/* Where a block begins. */
static inline guint64 tnd_row_bursts_block_begin(const TndRowBursts *row, gsize block)
{
    return block ? row->ends_ns[block - 1] : 0;
}

/* Its bursts, of which there is room for a block; how many. */
gsize tnd_row_bursts_read(const TndRowBursts *row, gsize block, TndBurst *bursts);

/* The same, as columns: where they end, and numbers that their values are made of; how many. */
guint tnd_row_bursts_read_columns(const TndRowBursts *row, gsize block, guint64 *ends_ns, guint64 *numbers);

/* Those of blocks whose values are whole are of tnd_columns_zigzag. */
static inline double tnd_row_bursts_value(guint64 number, gboolean are_whole)
{
    double value;
    memcpy(&value, &number, sizeof value);
    return are_whole ? (double)(gint64)tnd_columns_unzigzag(number) : value;
}

/* All bursts, a block at a time. */
void tnd_row_bursts_each(const TndRowBursts *row, TndBurstTake take, gpointer data);

/* The block that was read last, of one row: who asks for moments that are near each other asks with the same page. */
typedef struct {
    gsize block, n;
    TndBurst bursts[TND_ROW_BURSTS_BLOCK];
} TndBurstPage;

/* Before it is asked with. */
static inline void tnd_row_bursts_start_page(TndBurstPage *page)
{
    page->block = G_MAXSIZE;
}

/* Has the page have this block. */
void tnd_row_bursts_turn(TndBurstPage *page, const TndRowBursts *row, gsize block);

/* Of n bursts, one at least, the first that ends after time_ns; the last one if none does. */
static inline const TndBurst *tnd_row_bursts_find(const TndBurst *bursts, gsize n, guint64 time_ns)
{
    gsize low = 0, high = n - 1;
    while (low < high) {
        gsize middle = low + (high - low) / 2;
        if (bursts[middle].end_ns <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return &bursts[low];
}

/* The burst at a moment, which is of the page; NULL: outside. */
const TndBurst *tnd_row_bursts_at(const TndRowBursts *row, guint64 time_ns, TndBurstPage *page);

/* What holds for some time in [begin_ns, end_ns). */
TndBurstSummary tnd_row_bursts_sum(const TndRowBursts *row, guint64 begin_ns, guint64 end_ns, TndBurstPage *page);

#endif
