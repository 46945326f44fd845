/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages as lines, from the physical send at the sender to the physical receive at the receiver (as Paraver).
 */
#ifndef TND_MESSAGE_LINES_H
#define TND_MESSAGE_LINES_H

#include "analysis/trace/levels.h"

typedef struct {
    guint64 n_visible; /* that cross the stretch of time and rows */
    guint64 n_tasks;   /* of them between tasks of OpenMP: no messages */
    gboolean is_about; /* the two were counted in a sample, and are round numbers */
    guint64 stride;    /* 1: all are drawn; n: about every n-th; 0: none, they are too many */
    GArray *drawn;     /* of TndMessage */
} TndMessageLines;

/* Those that touch [begin_ns, end_ns] and a row of first..last of a level: none if they are more than `too_many`, else
 * at most `most`, evenly chosen.  A message's ends are threads: rows of nodes and CPUs have none, and a coarser row has
 * none with itself.
 *
 * Cost: 10 ns a message in the stretch, up to some 100,000 of them; where there are more, only so many are read.  But
 * if few of those are in the rows, all are read, on all cores. */
TndMessageLines tnd_message_lines_new(const TndTrace *trace, TndLevel level, guint64 begin_ns, guint64 end_ns,
                                      guint first_row, guint last_row, guint64 too_many, guint most);
void tnd_message_lines_clear(TndMessageLines *lines);

#endif
