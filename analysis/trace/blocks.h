/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks: runs of records of one kind, of one row where they are states or events, as columns of numbers (columns.h).
 * What is in a block without reading it is in its entry.
 *
 * Cost: 6 bytes a state or event; 13 to 19 ns to write one, 6 to 9 to read (measured).
 */
#ifndef TND_BLOCKS_H
#define TND_BLOCKS_H

#include "analysis/trace/trace.h"

#include <string.h>

/* Records of a block at most: read, they stay in a core's own cache. */
#define TND_BLOCKS_RECORDS 2048

typedef enum { TND_BLOCK_STATES, TND_BLOCK_EVENTS, TND_BLOCK_MESSAGES, TND_BLOCK_N } TndBlockKind;

/* Its records are in order of time: a state's begin, a message's logical send. */
typedef struct {
    guint64 offset; /* of its bytes */
    guint64 first_ns, last_ns;
    guint64 begin_ns, end_ns; /* the first and the last moment that any of its records has; of messages, which may be
                               * received before they are sent, not those two; end G_MAXUINT64: a state is open */
    guint64 holds;            /* a bit for each state or event type that is in it, and of others: tnd_blocks_bit */
    guint32 n_bytes, n_records;
} TndBlock;

/* The bit that a state or an event type has. */
static inline guint64 tnd_blocks_bit(guint32 number)
{
    return G_GUINT64_CONSTANT(1) << (number * 2654435761u >> 26);
}

extern const gsize tnd_blocks_record_bytes[TND_BLOCK_N]; /* of a TndState, TndEvent, TndMessage */

/* What a record is ordered by: its first member. */
static inline guint64 tnd_blocks_time(gconstpointer record)
{
    guint64 time_ns;
    memcpy(&time_ns, record, sizeof time_ns);
    return time_ns;
}
G_STATIC_ASSERT(offsetof(TndState, begin_ns) == 0 && offsetof(TndEvent, time_ns) == 0 &&
                offsetof(TndMessage, logical_send_ns) == 0);

/* Appends a block of n records, 1 to TND_BLOCKS_RECORDS in order of time, to bytes; its entry's offset is into these.
 */
TndBlock tnd_blocks_write(TndBlockKind kind, GByteArray *bytes, gconstpointer records, gsize n);

/* Its records, of which there is room for as many as it says; bytes: its first one, with TND_COLUMNS_SLACK behind its
 * last. FALSE: the bytes are no such block, or not in its order of time. */
gboolean tnd_blocks_read(TndBlockKind kind, const TndBlock *block, const guint8 *bytes, gpointer records);

#endif
