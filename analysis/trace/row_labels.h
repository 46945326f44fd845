/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What rows are called on the screen.  If the program used MPI, processes are its ranks, and both ranks and threads are
 * counted from 0 on, as MPI and OpenMP count them: "Rank 3", "Rank 3 thread 1".  What the .row says besides the numbers
 * of a thread stays.  Else rows have the names that files have (tnd_levels_row_name).
 *
 * What it is not: names in tables and files, which are Paraver's.
 * Cost: the labels of a trace are made when the first one is asked for, and kept.
 */
#ifndef TND_ROW_LABELS_H
#define TND_ROW_LABELS_H

#include "analysis/trace/levels.h"

/* The labels of two traces that were joined (trace_join.h), each with the name of its trace: "app.1: Rank 3".  To be
 * called once, before any label is asked for. */
void tnd_row_labels_join(TndTrace *trace, const TndTrace *first, const TndTrace *second);

const char *tnd_row_labels_get(const TndTrace *trace, TndLevel level, guint row);

/* A thread's label beside that of its process: "thread 1". */
const char *tnd_row_labels_short(const TndTrace *trace, guint thread);

#endif
