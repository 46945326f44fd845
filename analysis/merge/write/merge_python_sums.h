/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What functions of Python took, summed up while the events are written: an event says which function is the innermost
 * now, by which a call of f by g, below which there is another f, and the return to that look the same.
 *
 * Cost: two additions an event, and in each row a number for every function.
 */
#ifndef TND_MERGE_PYTHON_SUMS_H
#define TND_MERGE_PYTHON_SUMS_H

#include "analysis/merge/base/merge_model.h"
#include "formats/pcf.h"

/* The functions of one row. */
typedef struct TndMergePythonSums TndMergePythonSums;

TndMergePythonSums *tnd_merge_python_sums_new(TndMerge *merge);
void tnd_merge_python_sums_free(TndMergePythonSums *python);

/* In the order of time; is_call: it begins here, not in what the image was forked from; outer: the function that is the
 * innermost then, 0: none. */
void tnd_merge_python_sums_enter(TndMergePythonSums *python, guint32 value, gboolean is_call, guint64 now);
void tnd_merge_python_sums_leave(TndMergePythonSums *python, guint32 value, guint32 outer, guint64 now);

/* Makes the sums those of all ranks. */
void tnd_merge_python_sums_share(TndMerge *merge);

/* Facts for the trace: "value calls self-ns inclusive-ns" of those that took most by themselves, at most a few hundred;
 * *n_functions: how many there are.  Free with g_ptr_array_unref. */
GPtrArray *tnd_merge_python_sums_facts(const TndMerge *merge, guint *n_functions);

/* Labels of those that were called: a name, and where two have the same their files and lines. */
void tnd_merge_python_sums_labels(const TndMerge *merge, struct tnd_pcf *pcf, guint32 type);

#endif
