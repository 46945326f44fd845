/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The time that functions of Python, or of wrapped libraries, took, summed up while the events are written. It cannot
 * be had from the events, which say which function is the innermost now: a call of f by g, where an f is below g, looks
 * the same as the return to that f.
 *
 * Cost: two additions an event, and in each row a number for every function.
 */
#ifndef TND_MERGE_FUNCTION_SUMS_H
#define TND_MERGE_FUNCTION_SUMS_H

#include "analysis/merge/base/merge_model.h"
#include "formats/event_types.h"
#include "formats/pcf.h"

/* The calls of functions of one row, which add to the merge's sums. */
typedef struct TndMergeFunctionSums TndMergeFunctionSums;

TndMergeFunctionSums *tnd_merge_function_sums_new(TndMerge *merge);
void tnd_merge_function_sums_free(TndMergeFunctionSums *row);

/* Whether there are sums of calls of the type. */
static inline gboolean tnd_merge_function_sums_have(guint32 type)
{
    return type == TND_TYPE_PYTHON_FUNCTION || type == TND_TYPE_LIBRARY_FUNCTION;
}

/* A function begins and ends.  These come in the order of time.  is_call: it begins here, not in the image that this
 * one was forked from; outer: the innermost function of the type after that, 0: none. */
void tnd_merge_function_sums_enter(TndMergeFunctionSums *row, guint32 type, guint32 value, gboolean is_call,
                                   guint64 now);
void tnd_merge_function_sums_leave(TndMergeFunctionSums *row, guint32 type, guint32 value, guint32 outer, guint64 now);

/* Makes the merge's sums those over all ranks. */
void tnd_merge_function_sums_share(TndMerge *merge);

/* Facts for the trace, "value calls self-ns inclusive-ns", and if there are any " counted counted-ns", of the functions
 * that took most time by themselves: a few hundred at most.  *n_called: how many were called.  Free with
 * g_ptr_array_unref. */
GPtrArray *tnd_merge_function_sums_facts(const TndMergeFunctionSum *sums, guint n_functions, guint *n_called);

/* Sets the labels of the functions that were called: names and, where two have the same name, what follows it in the
 * names, between the two brackets. */
void tnd_merge_function_sums_labels(const TndMergeFunctionSum *sums, const GPtrArray *names, const char *brackets,
                                    struct tnd_pcf *pcf, guint32 type);

#endif
