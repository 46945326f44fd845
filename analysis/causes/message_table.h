/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The messages of a trace, as the rows meet them: in the order in which each row sends, posts and completes them.
 * Lines between tasks of OpenMP are left out.
 *
 * Cost: two passes over the messages, and sorting those that a row receives.  Memory: 60 bytes a message, in an unnamed
 * file if there are many (large_memory.h).
 */
#ifndef TND_MESSAGE_TABLE_H
#define TND_MESSAGE_TABLE_H

#include "analysis/base/large_memory.h"
#include "analysis/trace/trace.h"

typedef struct {
    guint64 send_ns, post_ns, receive_ns; /* the send's begin, the receive's begin, the moment when it was received */
    guint32 sender, receiver;             /* rows */
    guint64 size_bytes;
} TndMessageEnds;

/* Of each row, the indices of its messages from first[row] to first[row + 1]. */
typedef struct {
    guint32 *indices;
    gsize *first;
} TndMessageOrder;

typedef struct {
    TndMessageEnds *messages;
    gsize n;
    guint64 n_backward;                     /* received before they were sent; they are not in the table */
    TndMessageOrder sent, posted, received; /* each by its time, then in the order of the trace */
    TndLargeMemory *memory;
} TndMessageTable;

TndMessageTable *tnd_message_table_new(const TndTrace *trace);
void tnd_message_table_free(TndMessageTable *table);

#endif
