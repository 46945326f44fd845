/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The time that functions of Python took, summed up while the events are written. It cannot be had from the events,
 * which say which function is the innermost now: a call of f by g, where an f is below g, looks the same as the return
 * to that f.
 *
 * Cost: two additions an event, and in each row a number for every function.
 */
#ifndef TND_MERGE_PYTHON_SUMS_H
#define TND_MERGE_PYTHON_SUMS_H

#include "analysis/merge/base/merge_model.h"
#include "formats/pcf.h"

/* The calls of functions of one row, which add to the merge's sums. */
typedef struct TndMergePythonSums TndMergePythonSums;

TndMergePythonSums *tnd_merge_python_sums_new(TndMerge *merge);
void tnd_merge_python_sums_free(TndMergePythonSums *python);

/* A function begins and ends.  These come in the order of time.  is_call: it begins here, not in the image that this
 * one was forked from; outer: the innermost function after that, 0: none. */
void tnd_merge_python_sums_enter(TndMergePythonSums *python, guint32 value, gboolean is_call, guint64 now);
void tnd_merge_python_sums_leave(TndMergePythonSums *python, guint32 value, guint32 outer, guint64 now);

/* Makes the sums those over all ranks. */
void tnd_merge_python_sums_share(TndMerge *merge);

/* Facts for the trace, "value calls self-ns inclusive-ns", of the functions that took most time by themselves: a few
 * hundred at most.  *n_functions: how many were called.  Free with g_ptr_array_unref. */
GPtrArray *tnd_merge_python_sums_facts(const TndMerge *merge, guint *n_functions);

/* Sets the labels of the functions that were called: names and, where two have the same name, their files and lines. */
void tnd_merge_python_sums_labels(const TndMerge *merge, struct tnd_pcf *pcf, guint32 type);

#endif
