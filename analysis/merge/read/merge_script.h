/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a process of Python runs, by its command: a name for its task that says more than the interpreter's.
 */
#ifndef TND_MERGE_SCRIPT_H
#define TND_MERGE_SCRIPT_H

#include "analysis/merge/base/merge_model.h"

/* The name of the script or module in a command of Python's; NULL: it has none (-c, or a script from stdin).  Words are
 * taken to have no blanks in them.  Free with g_free. */
char *tnd_merge_script_name(const char *command);

/* Names the tasks that run Python after their scripts, workers of multiprocessing after that of who started them. */
void tnd_merge_script_run(TndMerge *merge);

#endif
