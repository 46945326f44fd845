/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions of Python: their values, and which names of the user's list were of none.
 */
#ifndef TND_MERGE_PYTHON_H
#define TND_MERGE_PYTHON_H

#include "analysis/merge/base/merge_model.h"

/* What functions are called that have no name: those that were met when all numbers were given. */
#define TND_MERGE_PYTHON_OTHERS "further functions of Python"

/* The value of a function that has this number in the process. */
guint32 tnd_merge_python_value(const TndMerge *merge, const TndMergeProcess *process, guint32 number);

/* Makes room for what they took, and notes what the user should know of them.  After all names have their values. */
void tnd_merge_python_run(TndMerge *merge);

#endif
