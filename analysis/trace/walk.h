/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Forward walks over the records of a trace, a block (blocks.h) at a time; and functions that read all records of a row
 * into an array, for random access.
 *
 * Cost: 6 to 9 ns for each record that is read.  Blocks that cannot contain a wanted record are skipped.  A walk has
 * memory for one block.
 */
#ifndef TND_WALK_H
#define TND_WALK_H

#include "analysis/trace/blocks.h"

typedef struct {
    const TndTrace *trace;
    guint kind;               /* a TndBlockKind */
    gconstpointer block, end; /* the blocks still to come */
    guint64 wanted;           /* bits of the wanted states or event types (tnd_blocks_bit) */
    guint64 from_ns, until_ns;
    gsize at, n;
    gpointer records; /* of the current block */
} TndWalk;

/* Walks from the first record of a row to the last one.  It gives all records whose state or type has a bit in `wanted`
 * (G_MAXUINT64: all), and may give others. */
TndWalk tnd_walk_states(const TndTrace *trace, guint row, guint64 wanted);
TndWalk tnd_walk_events(const TndTrace *trace, guint row, guint64 wanted);

/* The same walk, but only over blocks that may have a record in [from_ns, until_ns). */
static inline TndWalk tnd_walk_within(TndWalk walk, guint64 from_ns, guint64 until_ns)
{
    walk.from_ns = from_ns;
    walk.until_ns = until_ns;
    return walk;
}

/* Walks over messages: all that may have a time in [from_ns, until_ns), and others of their blocks. */
TndWalk tnd_walk_messages(const TndTrace *trace, guint64 from_ns, guint64 until_ns);

/* The blocks of all messages, and a walk over one of them. */
const TndBlock *tnd_walk_message_blocks(const TndTrace *trace, gsize *n_blocks);
TndWalk tnd_walk_message_block(const TndTrace *trace, gsize block);

/* How many records the blocks have that are still to be read: at least as many as the walk will give. */
guint64 tnd_walk_most(const TndWalk *walk);

void tnd_walk_end(TndWalk *walk);

/* Moves on to the next block; FALSE: there is none. */
gboolean tnd_walk_on(TndWalk *walk);

/* The next record, valid until the next call; NULL: there is none. */
static inline const TndState *tnd_walk_next_state(TndWalk *walk)
{
    return walk->at < walk->n || tnd_walk_on(walk) ? (const TndState *)walk->records + walk->at++ : NULL;
}

static inline const TndEvent *tnd_walk_next_event(TndWalk *walk)
{
    return walk->at < walk->n || tnd_walk_on(walk) ? (const TndEvent *)walk->records + walk->at++ : NULL;
}

static inline const TndMessage *tnd_walk_next_message(TndWalk *walk)
{
    return walk->at < walk->n || tnd_walk_on(walk) ? (const TndMessage *)walk->records + walk->at++ : NULL;
}

/* All records of a row, or all messages.  Free each array with g_free. */
typedef struct {
    TndState *states;
    gsize n_states;
    TndEvent *events;
    gsize n_events;
} TndRowRecords;
void tnd_walk_all_states(const TndTrace *trace, guint row, TndRowRecords *records);
void tnd_walk_all_events(const TndTrace *trace, guint row, TndRowRecords *records);
TndMessage *tnd_walk_all_messages(const TndTrace *trace, gsize *n);

#endif
