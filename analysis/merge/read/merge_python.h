/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions of Python: their values, and what the user should know of the choice of functions.
 */
#ifndef TND_MERGE_PYTHON_H
#define TND_MERGE_PYTHON_H

#include "analysis/merge/base/merge_model.h"

/* The name of all functions that have none of their own, because the recorder had given all its numbers. */
#define TND_MERGE_PYTHON_OTHERS "further functions of Python"

/* The value of the function that has this number in the process. */
guint32 tnd_merge_python_value(const TndMerge *merge, const TndMergeProcess *process, guint32 number);

/* Makes room for the sums of all functions, and notes what the user should know.  After the names pass. */
void tnd_merge_python_run(TndMerge *merge);

#endif
