/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A heap of blocks by the time of their next record.  A block is read when it first comes to the top.
 */
#include "analysis/trace/block_merge.h"

#include "analysis/base/columns.h"
#include "analysis/base/time_heap.h"

/* A block and its records. */
typedef struct {
    guint8 *records, *next, *end;
} Source;

typedef struct {
    TndBlockKind kind;
    const TndBlock *blocks;
    TndTraceStore *store;
    TndTimeHeapEntry *heap; /* blocks by the times of their next records, then by their numbers */
    gsize n;
    Source *sources;   /* of each block; records is NULL until it is read */
    GByteArray *bytes; /* of the block that is being read */
} Merge;

static void read_block(Merge *merge, gsize number)
{
    const TndBlock *block = &merge->blocks[number];
    Source *source = &merge->sources[number];
    g_byte_array_set_size(merge->bytes, block->n_bytes + TND_COLUMNS_SLACK);
    tnd_trace_store_read(merge->store, block->offset, merge->bytes->data, merge->bytes->len);
    gsize size = block->n_records * tnd_blocks_record_bytes[merge->kind];
    source->records = source->next = source->end = g_malloc(size);
    if (tnd_blocks_read(merge->kind, block, merge->bytes->data, source->records))
        source->end += size;
}

/* Takes the record on top, and those of its block that come before the next record of any other block. */
static void take_run(Merge *merge, TndBlockMergeTake take, gpointer self)
{
    TndTimeHeapEntry *top = merge->heap, *other = merge->n > 1 ? &merge->heap[1] : NULL;
    if (merge->n > 2 && tnd_time_heap_is_before(&merge->heap[2], other))
        other = &merge->heap[2];
    Source *source = &merge->sources[top->item];
    if (!source->records)
        read_block(merge, top->item);
    for (; source->next < source->end; source->next += tnd_blocks_record_bytes[merge->kind]) {
        top->time_ns = tnd_blocks_time(source->next);
        if (other && tnd_time_heap_is_before(other, top))
            break;
        take(self, source->next);
    }
    if (source->next == source->end) {
        g_free(source->records);
        *top = merge->heap[--merge->n];
    }
}

void tnd_block_merge(TndBlockKind kind, const TndBlock *blocks, gsize n, TndTraceStore *store, TndBlockMergeTake take,
                     gpointer self)
{
    Merge merge = {kind, blocks, store, g_new(TndTimeHeapEntry, n + 1), n, g_new0(Source, n + 1), g_byte_array_new()};
    for (gsize i = 0; i < n; i++)
        merge.heap[i] = (TndTimeHeapEntry){blocks[i].first_ns, i, i};
    tnd_time_heap_make(merge.heap, n);
    while (merge.n > 0) {
        take_run(&merge, take, self);
        if (merge.n > 0)
            tnd_time_heap_sift(merge.heap, merge.n, 0);
    }
    g_free(merge.heap);
    g_free(merge.sources);
    g_byte_array_unref(merge.bytes);
}
