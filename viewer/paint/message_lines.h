/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages as lines, from the physical send at the sender to the physical receive at the receiver (as in Paraver).
 */
#ifndef TND_MESSAGE_LINES_H
#define TND_MESSAGE_LINES_H

#include "analysis/trace/levels.h"
#include "viewer/paint/message_choice.h"
#include "viewer/paint/row_order.h"

typedef struct {
    guint64 n_visible; /* messages that touch the shown time and rows */
    guint64 n_tasks;   /* of n_visible: lines between tasks of OpenMP, which are no messages */
    gboolean is_about; /* n_visible and n_tasks were estimated from a sample, and are rounded */
    guint64 stride;    /* 1: all are drawn; n: about every n-th is; 0: none is, because there are too many */
    GArray *drawn;     /* of TndMessage */
} TndMessageLines;

/* Which messages: those that touch [begin_ns, end_ns] and one of the rows first_row to last_row of a level (places of
 * the order, if there is one; then messages of hidden rows are left out). */
typedef struct {
    const TndTrace *trace;
    TndLevel level;
    const TndRowOrder *order;       /* NULL: all rows */
    const TndMessageChoice *choice; /* NULL: all messages */
    guint64 begin_ns, end_ns;
    guint first_row, last_row;
} TndMessageLinesSubject;

/* Draws none if there are more than `too_many`, else at most `most`, evenly chosen.  A message goes from thread to
 * thread: rows of nodes and CPUs have no messages, and on levels above threads a message within one row is left out.
 *
 * Cost: 10 ns per message in the stretch of time, up to about 100,000 of them; if there are more, only a sample of that
 * size is read.  But if few messages of the sample touch the rows or are chosen, all are read, on all cores. */
TndMessageLines tnd_message_lines_new(const TndMessageLinesSubject *subject, guint64 too_many, guint most);
void tnd_message_lines_clear(TndMessageLines *lines);

#endif
