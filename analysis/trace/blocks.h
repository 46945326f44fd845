/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks: compressed runs of records of one kind (columns.h); those of states and events are of one row.  An entry says
 * what is in a block, so that others need not be read.
 *
 * Cost: 6 bytes a state or event; 13 to 19 ns to write one, 6 to 9 to read (measured).
 */
#ifndef TND_BLOCKS_H
#define TND_BLOCKS_H

#include "analysis/trace/trace.h"

#include <string.h>

/* How many records a block has at most: after reading they fit into a core's own cache. */
#define TND_BLOCKS_RECORDS 2048

typedef enum { TND_BLOCK_STATES, TND_BLOCK_EVENTS, TND_BLOCK_MESSAGES, TND_BLOCK_N } TndBlockKind;

/* The entry of a block.  Its records are in the order of time: of a state's begin, of a message's logical send. */
typedef struct {
    guint64 offset; /* of its bytes */
    guint64 first_ns, last_ns;
    guint64 begin_ns, end_ns; /* the earliest and the latest time in any record (messages may be received before they
                               * are sent); end G_MAXUINT64: a state is open */
    guint64 holds;            /* tnd_blocks_bit of each state or event type in it; others may share a bit */
    guint32 n_bytes, n_records;
    guint32 sum; /* of its bytes (checksum.h) */
    guint32 unused;
} TndBlock;

/* The bit of a state or an event type in `holds`. */
static inline guint64 tnd_blocks_bit(guint32 number)
{
    return G_GUINT64_CONSTANT(1) << (number * 2654435761u >> 26);
}

extern const gsize tnd_blocks_record_bytes[TND_BLOCK_N]; /* sizes of TndState, TndEvent, TndMessage */

/* The time that a record is sorted by, which is its first member. */
static inline guint64 tnd_blocks_time(gconstpointer record)
{
    guint64 time_ns;
    memcpy(&time_ns, record, sizeof time_ns);
    return time_ns;
}
G_STATIC_ASSERT(offsetof(TndState, begin_ns) == 0 && offsetof(TndEvent, time_ns) == 0 &&
                offsetof(TndMessage, logical_send_ns) == 0);

/* Appends a block of n records, 1 to TND_BLOCKS_RECORDS in the order of time, to bytes, which its offset is into. */
TndBlock tnd_blocks_write(TndBlockKind kind, GByteArray *bytes, gconstpointer records, gsize n);

/* Reads the n_records of a block.  bytes: of the block, with TND_COLUMNS_SLACK readable bytes behind them.  FALSE: they
 * are not such a block, or its records are not in the order of time. */
gboolean tnd_blocks_read(TndBlockKind kind, const TndBlock *block, const guint8 *bytes, gpointer records);

#endif
