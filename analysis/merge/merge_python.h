/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions of Python: their values, what they took, and which names of the user's list were of none.
 *
 * What they took is summed up while the events are written: an event says which function is the innermost now, by which
 * a call of f by g, below which there is another f, and the return to that look the same.
 * Cost: two additions an event, and in each row a number for every function.
 */
#ifndef TND_MERGE_PYTHON_H
#define TND_MERGE_PYTHON_H

#include "analysis/merge/merge_parts.h"

/* What functions are called that have no name: those that were met when all numbers were given. */
#define TND_MERGE_PYTHON_OTHERS "further functions of Python"

/* The value of a function that has this number in the process. */
guint32 tnd_merge_python_value(const TndMerge *merge, const TndMergeProcess *process, guint32 number);

/* The functions of one row. */
typedef struct TndMergePython TndMergePython;

TndMergePython *tnd_merge_python_new(TndMerge *merge);
void tnd_merge_python_free(TndMergePython *python);

/* In the order of time; is_call: it begins here, not in what the image was forked from; outer: the function that is the
 * innermost then, 0: none. */
void tnd_merge_python_enter(TndMergePython *python, guint32 value, gboolean is_call, guint64 now);
void tnd_merge_python_leave(TndMergePython *python, guint32 value, guint32 outer, guint64 now);

/* Makes the sums those of all ranks. */
void tnd_merge_python_share(TndMerge *merge);

/* Facts for the trace: "value calls self-ns inclusive-ns" of those that took most by themselves, at most a few hundred;
 * *n_functions: how many there are.  Free with g_ptr_array_unref. */
GPtrArray *tnd_merge_python_facts(const TndMerge *merge, guint *n_functions);

/* Labels of those that were called: a name, and where two have the same their files and lines. */
void tnd_merge_python_labels(const TndMerge *merge, struct tnd_pcf *pcf, guint32 type);

#endif
