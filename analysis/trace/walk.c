/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A block that cannot be read, because its index is damaged and the trace has changed since, is treated as empty.
 */
#include "analysis/trace/walk.h"

#include "analysis/trace/trace_build.h"
#include "analysis/trace/trace_index.h"

#include <string.h>

static TndWalk start(const TndTrace *trace, TndBlockKind kind, guint row, guint64 wanted)
{
    const TndTraceBlocks *blocks = &trace->blocks[kind];
    return (TndWalk){.trace = trace,
                     .kind = kind,
                     .block = blocks->blocks + blocks->first[row],
                     .end = blocks->blocks + blocks->first[row + 1],
                     .wanted = wanted,
                     .until_ns = G_MAXUINT64};
}

TndWalk tnd_walk_states(const TndTrace *trace, guint row, guint64 wanted)
{
    return start(trace, TND_BLOCK_STATES, row, wanted);
}

TndWalk tnd_walk_events(const TndTrace *trace, guint row, guint64 wanted)
{
    return start(trace, TND_BLOCK_EVENTS, row, wanted);
}

TndWalk tnd_walk_messages(const TndTrace *trace, guint64 from_ns, guint64 until_ns)
{
    TndWalk walk = start(trace, TND_BLOCK_MESSAGES, 0, G_MAXUINT64);
    walk.from_ns = from_ns;
    walk.until_ns = until_ns;
    return walk;
}

const TndBlock *tnd_walk_message_blocks(const TndTrace *trace, gsize *n_blocks)
{
    const TndTraceBlocks *blocks = &trace->blocks[TND_BLOCK_MESSAGES];
    if (n_blocks)
        *n_blocks = blocks->first[1] - blocks->first[0];
    return blocks->blocks + blocks->first[0];
}

TndWalk tnd_walk_message_block(const TndTrace *trace, gsize block)
{
    TndWalk walk = start(trace, TND_BLOCK_MESSAGES, 0, G_MAXUINT64);
    walk.block = (const TndBlock *)walk.block + block;
    walk.end = (const TndBlock *)walk.block + 1;
    return walk;
}

void tnd_walk_end(TndWalk *walk)
{
    g_clear_pointer(&walk->records, g_free);
}

static gboolean are_rows(const TndWalk *walk, const TndMessage *messages, gsize n)
{
    for (gsize i = 0; i < n; i++)
        if (messages[i].sender >= walk->trace->n_threads || messages[i].receiver >= walk->trace->n_threads)
            return FALSE;
    return TRUE;
}

static gboolean read_block(TndWalk *walk, const TndBlock *block, gpointer to)
{
    const TndTrace *trace = walk->trace;
    const guint8 *bytes = trace->index ? tnd_trace_index_block(trace, walk->kind, block) : trace->bytes + block->offset;
    return bytes && tnd_blocks_read(walk->kind, block, bytes, to) &&
           (walk->kind != TND_BLOCK_MESSAGES || are_rows(walk, to, block->n_records));
}

static gboolean is_wanted(const TndWalk *walk, const TndBlock *block)
{
    return (walk->kind == TND_BLOCK_MESSAGES || (block->holds & walk->wanted)) && block->end_ns >= walk->from_ns &&
           block->begin_ns < walk->until_ns;
}

guint64 tnd_walk_most(const TndWalk *walk)
{
    guint64 n = walk->n - walk->at;
    for (const TndBlock *block = walk->block; block < (const TndBlock *)walk->end; block++)
        n += is_wanted(walk, block) ? block->n_records : 0;
    return n;
}

gboolean tnd_walk_on(TndWalk *walk)
{
    const TndBlock *block = walk->block;
    for (; block < (const TndBlock *)walk->end; block++) {
        if (!is_wanted(walk, block))
            continue;
        if (!walk->records)
            walk->records = g_malloc_n(TND_BLOCKS_RECORDS, tnd_blocks_record_bytes[walk->kind]);
        if (read_block(walk, block, walk->records)) {
            walk->block = block + 1;
            walk->at = 0;
            walk->n = block->n_records;
            return TRUE;
        }
    }
    walk->block = block;
    walk->at = walk->n = 0;
    return FALSE;
}

static gpointer read_all(TndWalk walk, gsize *n)
{
    gsize size = tnd_blocks_record_bytes[walk.kind], n_all = 0;
    for (const TndBlock *block = walk.block; block < (const TndBlock *)walk.end; block++)
        n_all += block->n_records;
    guint8 *all = g_malloc_n(n_all + 1, size);
    *n = 0;
    for (const TndBlock *block = walk.block; block < (const TndBlock *)walk.end; block++)
        if (read_block(&walk, block, all + *n * size))
            *n += block->n_records;
    return all;
}

void tnd_walk_all_states(const TndTrace *trace, guint row, TndRowRecords *records)
{
    records->states = read_all(tnd_walk_states(trace, row, G_MAXUINT64), &records->n_states);
}

void tnd_walk_all_events(const TndTrace *trace, guint row, TndRowRecords *records)
{
    records->events = read_all(tnd_walk_events(trace, row, G_MAXUINT64), &records->n_events);
}

TndMessage *tnd_walk_all_messages(const TndTrace *trace, gsize *n)
{
    return read_all(tnd_walk_messages(trace, 0, G_MAXUINT64), n);
}
