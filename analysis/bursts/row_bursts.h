/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bursts of a row in memory: compressed blocks (columns.h), and a pyramid of summaries of them.  They never change,
 * and any number of threads may read them.
 *
 * Memory: 2 to 5 bytes a burst, in a TndLargeMemory.
 */
#ifndef TND_ROW_BURSTS_H
#define TND_ROW_BURSTS_H

#include "analysis/base/columns.h"
#include "analysis/base/large_memory.h"
#include "analysis/bursts/burst_stream.h"

#include <string.h>

/* How many bursts a block has; the last one may have fewer. */
#define TND_ROW_BURSTS_BLOCK TND_BURST_STREAM_ROOM

/* A summary of bursts that have a length: the extremes of the values that are not 0 (+inf and -inf if there is none),
 * and whether any value is 0. */
typedef struct {
    double minimum, maximum;
    gboolean has_zero;
} TndBurstSummary;

extern const TndBurstSummary tnd_row_bursts_nothing;

void tnd_row_bursts_add(TndBurstSummary *summary, TndBurstSummary other);

/* Makes a pyramid: n summaries, which are given, followed level by level by those of two neighbours of the level below,
 * half as many, rounded down.  It has room for 2 n. */
void tnd_row_bursts_raise(TndBurstSummary *pyramid, gsize n);

/* The summary of [from, to).  Cost: two steps a level. */
TndBurstSummary tnd_row_bursts_sum_of(const TndBurstSummary *pyramid, gsize n, gsize from, gsize to);

typedef struct {
    guint64 offset; /* of its bytes in those of the row */
    guint32 n;
    guint has_empty : 1; /* any burst has no length */
    guint are_whole : 1; /* all values are integers below 2^53 */
} TndBurstBlock;

typedef struct {
    guint64 end_ns; /* of the last burst; the first begins at 0 */
    gsize n_blocks;
    const guint64 *ends_ns; /* of the blocks; an array of its own, so that a search touches little memory */
    const TndBurstBlock *blocks;
    const guint8 *bytes;
    gsize n_bytes;
    const TndBurstSummary *pyramid; /* over the blocks */
} TndRowBursts;

/* Keeps the bursts that `evaluate` puts into the stream, which ends at end_ns.  Freed with the memory. */
TndRowBursts *tnd_row_bursts_new(TndLargeMemory *memory, guint64 end_ns,
                                 void (*evaluate)(TndBurstStream *stream, gpointer data), gpointer data);

/* The block with the first burst that ends after time_ns; n_blocks: there is none. */
gsize tnd_row_bursts_block_at(const TndRowBursts *row, guint64 time_ns);

/* The time at which a block begins. */
static inline guint64 tnd_row_bursts_block_begin(const TndRowBursts *row, gsize block)
{
    return block ? row->ends_ns[block - 1] : 0;
}

/* Reads the bursts of a block, for which there must be room for TND_ROW_BURSTS_BLOCK.  Returns how many there are. */
gsize tnd_row_bursts_read(const TndRowBursts *row, gsize block, TndBurst *bursts);

/* The same as columns: the ends of the bursts, and numbers for tnd_row_bursts_value.  Returns how many there are. */
guint tnd_row_bursts_read_columns(const TndRowBursts *row, gsize block, guint64 *ends_ns, guint64 *numbers);

/* The value of a number: its integer (tnd_columns_zigzag) if the block's are_whole is set, else the bits of a double.
 */
static inline double tnd_row_bursts_value(guint64 number, gboolean are_whole)
{
    double value;
    memcpy(&value, &number, sizeof value);
    return are_whole ? (double)(gint64)tnd_columns_unzigzag(number) : value;
}

/* Calls take with all bursts, a block at a time. */
void tnd_row_bursts_each(const TndRowBursts *row, TndBurstTake take, gpointer data);

/* A cache of the block of one row that was read last, for questions about times that are near each other. */
typedef struct {
    gsize block, n;
    TndBurst bursts[TND_ROW_BURSTS_BLOCK];
} TndBurstPage;

/* Empties the cache, before its first use and before it is used for another row. */
static inline void tnd_row_bursts_start_page(TndBurstPage *page)
{
    page->block = G_MAXSIZE;
}

/* Reads this block into the page, unless it is there. */
void tnd_row_bursts_turn(TndBurstPage *page, const TndRowBursts *row, gsize block);

/* The first of n bursts (at least one) that ends after time_ns; the last one if none does. */
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

/* The burst at a time, valid until the page is used again; NULL: the time is after the end. */
const TndBurst *tnd_row_bursts_at(const TndRowBursts *row, guint64 time_ns, TndBurstPage *page);

/* The summary of [begin_ns, end_ns). */
TndBurstSummary tnd_row_bursts_sum(const TndRowBursts *row, guint64 begin_ns, guint64 end_ns, TndBurstPage *page);

#endif
