/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Levels: whose value a row is. A level has one row for all, or one for each application, task, thread, node or CPU.
 *
 * Cost: O(log applications) or O(log nodes) a question.
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

/* Whether rows of `fine` belong to rows of `coarse`, or are them: processes and nodes do not mix. */
gboolean tnd_levels_is_above(TndLevel coarse, TndLevel fine);

/* Row of `to` that a row of the finer level `from` belongs to. */
guint tnd_levels_row_above(const TndTrace *trace, TndLevel from, guint row, TndLevel to);

/* The rows of the next finer level that belong to a row of any but the two finest: the first one, and how many. */
guint tnd_levels_rows_below(const TndTrace *trace, TndLevel level, guint row, guint *first);

/* Of threads, the rows of a level that any of them that is TRUE belongs to; free with g_free.  NULL: the rows are CPUs,
 * which a thread is not on one of. */
gboolean *tnd_levels_lift(const TndTrace *trace, const gboolean *threads, TndLevel level);

/* What its rows are called: "task", "tasks". */
const char *tnd_levels_word(TndLevel level, gboolean are_several);
char *tnd_levels_title(TndLevel level); /* "Task"; free with g_free */

/* "1.2.1", "1.2", "1", "" as Paraver has it in texts; free with g_free. */
char *tnd_levels_row_number(const TndTrace *trace, TndLevel level, guint row);

/* The .row's name of it, else "THREAD 1.2.1", ...; free with g_free. */
char *tnd_levels_row_name(const TndTrace *trace, TndLevel level, guint row);

#endif
