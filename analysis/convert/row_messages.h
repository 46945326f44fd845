/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each row sends and receives, in the order of time.  Lines between tasks of OpenMP are left out.
 *
 * Cost: two passes over the messages, and sorting those of a row.  Memory: 96 bytes a message, in an unnamed file if
 * there are many (large_memory.h).
 */
#ifndef TND_ROW_MESSAGES_H
#define TND_ROW_MESSAGES_H

#include "analysis/base/large_memory.h"
#include "analysis/trace/trace.h"

/* A message as its sender or its receiver sees it. */
typedef struct {
    guint64 time_ns;  /* when the send began, or when the message was received: the later one of its two times */
    guint64 other_ns; /* the physical send, or the earlier one of the two times of the receive */
    gint64 size_bytes, tag;
    guint32 partner; /* a row */
    guint64 is_receive : 1;
    guint64 came_early : 1; /* other_ns is the physical time of the receive */
    guint64 index : 62;     /* in the order of the trace, which those of one time keep */
} TndRowMessage;

typedef struct {
    TndRowMessage *messages; /* those of a row from first[row] to first[row + 1]; at one time receives come first */
    gsize *first;
    TndLargeMemory *memory;
} TndRowMessages;

TndRowMessages *tnd_row_messages_new(const TndTrace *trace);
void tnd_row_messages_free(TndRowMessages *messages);

#endif
