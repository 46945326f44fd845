/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Walks over the records of a trace, forwards, a block (blocks.h) at a time; or all records of a row at once, for who
 * goes to and fro.
 *
 * Cost: 6 to 9 ns a record that is read; blocks in which nothing wanted can be are passed over.  A walk has room for
 * one block.
 */
#ifndef TND_WALK_H
#define TND_WALK_H

#include "analysis/trace/blocks.h"

typedef struct {
    const TndTrace *trace;
    guint kind;               /* a TndBlockKind */
    gconstpointer block, end; /* those still to come */
    guint64 wanted;           /* bits of what is (tnd_blocks_bit) */
    guint64 from_ns, until_ns;
    gsize at, n;
    gpointer records; /* of the block that is being walked over */
} TndWalk;

/* From the first record of a row to its last; of those that wanted has bits for, and some others (G_MAXUINT64: all). */
TndWalk tnd_walk_states(const TndTrace *trace, guint row, guint64 wanted);
TndWalk tnd_walk_events(const TndTrace *trace, guint row, guint64 wanted);

/* Messages of which some moment may be in [from_ns, until_ns). */
TndWalk tnd_walk_messages(const TndTrace *trace, guint64 from_ns, guint64 until_ns);

/* The blocks of all messages, and a walk over one of them. */
const TndBlock *tnd_walk_message_blocks(const TndTrace *trace, gsize *n_blocks);
TndWalk tnd_walk_message_block(const TndTrace *trace, gsize block);

void tnd_walk_end(TndWalk *walk);

/* On to the next block; FALSE: there is none. */
gboolean tnd_walk_on(TndWalk *walk);

/* The next record, which stays where it is until the next call; NULL: there is none. */
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

/* All records of a row, or all messages; each is to be freed with g_free. */
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
