/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The option --rows of commands that load a trace.
 */
#ifndef TND_ROW_OPTION_H
#define TND_ROW_OPTION_H

#include "analysis/trace/levels.h"

/* Whether each thread is chosen.  Free with g_free.  NULL: complained. */
gboolean *tnd_row_option_parse(const char *command, const TndTrace *trace, const char *text);

/* Whether each row of a level has a chosen thread; frees `threads`.  Free with g_free.  NULL: complained, because the
 * rows are CPUs, and a thread has no one CPU. */
gboolean *tnd_row_option_lift(const char *command, const TndTrace *trace, gboolean *threads, TndLevel level);

#endif
