/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Levels: what the rows of a view are.  A level has one row for everything, or a row for each application, task,
 * thread, node or CPU.
 *
 * Cost: a function takes O(log applications) or O(log nodes).
 */
#ifndef TND_LEVELS_H
#define TND_LEVELS_H

#include "analysis/trace/trace.h"

/* In the order of Paraver's levels. */
typedef enum {
    TND_LEVEL_WORKLOAD,
    TND_LEVEL_APPLICATION,
    TND_LEVEL_TASK,
    TND_LEVEL_THREAD,
    TND_LEVEL_SYSTEM,
    TND_LEVEL_NODE,
    TND_LEVEL_CPU,
    TND_LEVEL_N,
} TndLevel;

guint tnd_levels_n_rows(const TndTrace *trace, TndLevel level);

/* Whether each row of `fine` belongs to a row of `coarse`, or is one.  Nodes and CPUs do not mix with processes. */
gboolean tnd_levels_is_above(TndLevel coarse, TndLevel fine);

/* The row of `to` that a row of the finer level `from` belongs to. */
guint tnd_levels_row_above(const TndTrace *trace, TndLevel from, guint row, TndLevel to);

/* How many rows of the next finer level belong to a row, and the first of them.  The level is none of the two finest.
 */
guint tnd_levels_rows_below(const TndTrace *trace, TndLevel level, guint row, guint *first);

/* The threads of a row, and how many they are; free with g_free.  A thread has no one CPU: a row of CPUs has none. */
guint *tnd_levels_threads(const TndTrace *trace, TndLevel level, guint row, guint *n);

/* For threads of which some are TRUE, the rows of a level that have any of these; free with g_free.  NULL: the rows are
 * CPUs, and a thread has no one CPU. */
gboolean *tnd_levels_lift(const TndTrace *trace, const gboolean *threads, TndLevel level);

/* What its rows are called: "task", "tasks". */
const char *tnd_levels_word(TndLevel level, gboolean are_several);
char *tnd_levels_title(TndLevel level); /* "Task"; free with g_free */

/* A row's numbers in Paraver's texts: "1.2.1", "1.2", "1", "".  Free with g_free. */
char *tnd_levels_row_number(const TndTrace *trace, TndLevel level, guint row);

/* A row's name: that of the .row, else "THREAD 1.2.1", ...  Free with g_free. */
char *tnd_levels_row_name(const TndTrace *trace, TndLevel level, guint row);

#endif
