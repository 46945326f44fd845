/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The samples of threads as a tree: who called whom, and how much CPU time was spent where.
 *
 * Cost: some 20 ns for each frame of a sample; memory by the number of different stacks.
 */
#ifndef TND_CALL_TREE_H
#define TND_CALL_TREE_H

#include "analysis/trace/trace.h"

/* A function as it was called from the functions above it.  Numbers are in ns of CPU time, or in samples. */
typedef struct {
    gint64 function;            /* a value of TND_TYPE_SAMPLED_FUNCTION */
    guint parent;               /* nodes by their index */
    guint first_child, sibling; /* children, those with the largest total first; 0: none */
    guint64 n;                  /* samples in the function itself */
    guint64 self, total;        /* in the function itself, and with all that it called */
} TndCallNode;

typedef struct {
    GArray *nodes;    /* TndCallNode; the first one is above all functions, and parents come before children */
    gboolean is_time; /* numbers are ns; else the trace has no weights, and they are samples */
} TndCallTree;

/* A function, wherever it was called from. */
typedef struct {
    gint64 function;
    guint64 n;           /* samples in the function itself */
    guint64 self, total; /* total: a function that calls itself counts once */
} TndCallFunction;

/* Of the threads that are chosen (NULL: all). */
TndCallTree *tnd_call_tree_new(const TndTrace *trace, const gboolean *is_chosen);
/* All functions (TndCallFunction), those with the largest self first.  Free with g_array_unref. */
GArray *tnd_call_tree_functions(const TndCallTree *tree);

static inline const TndCallNode *tnd_call_tree_node(const TndCallTree *tree, guint index)
{
    return &g_array_index(tree->nodes, TndCallNode, index);
}

void tnd_call_tree_free(TndCallTree *tree);

#endif
