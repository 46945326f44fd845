/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The option --rows of commands that have a trace in memory.
 */
#ifndef TND_ROW_OPTION_H
#define TND_ROW_OPTION_H

#include "analysis/trace/levels.h"

/* One for each thread, TRUE: it is chosen; free with g_free.  NULL: complained. */
gboolean *tnd_row_option_parse(const char *command, const TndTrace *trace, const char *text);

/* Of threads, those rows of a level that any of them belongs to; frees `threads`.  NULL: complained, because threads
 * are not on one CPU. */
gboolean *tnd_row_option_lift(const char *command, const TndTrace *trace, gboolean *threads, TndLevel level);

#endif
