/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages as lines, from the physical send at the sender to the physical receive at the receiver (as Paraver).
 */
#ifndef TND_MESSAGE_LINES_H
#define TND_MESSAGE_LINES_H

#include "analysis/trace.h"

#include <cairo.h>

typedef struct {
    guint64 n_visible; /* that cross the stretch of time and rows */
    guint64 n_tasks;   /* of them between tasks of OpenMP: no messages */
    guint64 stride;    /* 1: all are drawn; n: every n-th; 0: none, they are too many */
    GArray *drawn;     /* of TndMessage */
} TndMessageLines;

/* Those that touch [begin_ns, end_ns] and a row of first..last: none if they are more than `too_many`, else at most
 * `most`, evenly chosen.  O(messages in it). */
TndMessageLines tnd_message_lines_new(const TndTrace *trace, guint64 begin_ns, guint64 end_ns, guint first_row,
                                      guint last_row, guint64 too_many, guint most);
void tnd_message_lines_clear(TndMessageLines *lines);

#endif
