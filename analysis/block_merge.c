/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A heap of blocks, of which the next record's is on top; a block is read when it gets there for the first time.
 */
#include "analysis/block_merge.h"

#include "analysis/columns.h"

typedef struct {
    guint64 time_ns; /* of its next record */
    gsize block;
    guint8 *records, *next, *end; /* NULL: not read */
} Source;

typedef struct {
    TndBlockKind kind;
    const TndBlock *blocks;
    TndTraceStore *store;
    Source *sources; /* the heap */
    gsize n;
    GByteArray *bytes; /* of a block */
} Merge;

static gboolean is_before(const Source *a, const Source *b)
{
    return a->time_ns < b->time_ns || (a->time_ns == b->time_ns && a->block < b->block);
}

static void sift(Merge *merge, gsize at)
{
    Source moved = merge->sources[at];
    for (gsize child = 2 * at + 1; child < merge->n; child = 2 * at + 1) {
        child += child + 1 < merge->n && is_before(&merge->sources[child + 1], &merge->sources[child]);
        if (!is_before(&merge->sources[child], &moved))
            break;
        merge->sources[at] = merge->sources[child];
        at = child;
    }
    merge->sources[at] = moved;
}

static void read_block(Merge *merge, Source *source)
{
    const TndBlock *block = &merge->blocks[source->block];
    g_byte_array_set_size(merge->bytes, block->n_bytes + TND_COLUMNS_SLACK);
    tnd_trace_store_read(merge->store, block->offset, merge->bytes->data, merge->bytes->len);
    gsize size = block->n_records * tnd_blocks_record_bytes[merge->kind];
    source->records = source->next = source->end = g_malloc(size);
    if (tnd_blocks_read(merge->kind, block, merge->bytes->data, source->records))
        source->end += size;
}

/* The record on top, and all that follow it before any other's. */
static void take_run(Merge *merge, TndBlockMergeTake take, gpointer self)
{
    Source *top = merge->sources, *other = merge->n > 1 ? &merge->sources[1] : NULL;
    if (merge->n > 2 && is_before(&merge->sources[2], other))
        other = &merge->sources[2];
    if (!top->records)
        read_block(merge, top);
    for (; top->next < top->end; top->next += tnd_blocks_record_bytes[merge->kind]) {
        top->time_ns = tnd_blocks_time(top->next);
        if (other && is_before(other, top))
            break;
        take(self, top->next);
    }
    if (top->next == top->end) {
        g_free(top->records);
        *top = merge->sources[--merge->n];
    }
}

void tnd_block_merge(TndBlockKind kind, const TndBlock *blocks, gsize n, TndTraceStore *store, TndBlockMergeTake take,
                     gpointer self)
{
    Merge merge = {kind, blocks, store, g_new0(Source, n + 1), n, g_byte_array_new()};
    for (gsize i = 0; i < n; i++)
        merge.sources[i] = (Source){.time_ns = blocks[i].first_ns, .block = i};
    for (gsize i = n / 2; i-- > 0;)
        sift(&merge, i);
    while (merge.n > 0) {
        take_run(&merge, take, self);
        sift(&merge, 0);
    }
    g_free(merge.sources);
    g_byte_array_unref(merge.bytes);
}
