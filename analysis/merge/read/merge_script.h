/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names for tasks that run Python: the script or module of the command says more than the interpreter's name.
 */
#ifndef TND_MERGE_SCRIPT_H
#define TND_MERGE_SCRIPT_H

#include "analysis/merge/base/merge_model.h"

/* The name of the script or module in a command of Python's; NULL: it has none (-c, or a script from stdin).  Words are
 * taken to have no blanks in them.  Free with g_free. */
char *tnd_merge_script_name(const char *command);

/* Names the tasks that run Python after their scripts.  A worker of multiprocessing has the name of the script that
 * started it. */
void tnd_merge_script_run(TndMerge *merge);

#endif
