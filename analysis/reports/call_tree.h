/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The samples of threads as a tree: who called whom, and how much CPU time was spent, or how long was waited, where.
 *
 * Cost: some 20 ns for each frame of a sample; memory by the number of different stacks.
 */
#ifndef TND_CALL_TREE_H
#define TND_CALL_TREE_H

#include "analysis/reports/samples.h"

/* A function as it was called from the functions above it.  Numbers are in ns, or in samples. */
typedef struct {
    gint64 function;            /* as in samples.h */
    gint64 line;                /* likewise; 0: the trace does not say, or lines were not asked for */
    guint parent;               /* nodes by their index */
    guint first_child, sibling; /* children, those with the largest total first; 0: none */
    guint64 n;                  /* samples in the function itself */
    guint64 self, total;        /* in the function itself, and with all that it called */
} TndCallNode;

typedef struct {
    GArray *nodes; /* TndCallNode; the first one is above all functions, and parents come before children */
    TndSamplesOf what;
    gboolean is_time;     /* numbers are ns; else the trace has no weights, and they are samples */
    GHashTable *children; /* the inside of tnd_call_tree_add */
    const TndTrace *trace;
    GPtrArray *names; /* of functions, which are then indices; NULL: the trace has their names */
} TndCallTree;

/* A function, wherever it was called from. */
typedef struct {
    gint64 function;
    guint64 n;           /* samples in the function itself */
    guint64 self, total; /* total: a function that calls itself counts once */
} TndCallFunction;

/* Which samples are counted, and how. */
typedef struct {
    const gboolean *is_chosen;  /* of each thread; NULL: all are */
    guint64 begin_ns, until_ns; /* until 0: to the end of the trace, which is included */
    gboolean by_line;           /* calls from different lines of a function are different */
    TndSamplesOf what;
    TndTraceProgress progress; /* NULL: nobody waits */
    gpointer user_data;
} TndCallTreeOptions;

/* NULL: progress has cancelled it. */
TndCallTree *tnd_call_tree_new(const TndTrace *trace, const TndCallTreeOptions *options);

/* For those who see the samples themselves: an empty tree, and the function of a sample in it, by its index.  Totals
 * and the links to children are not made. */
TndCallTree *tnd_call_tree_new_empty(const TndTrace *trace, TndSamplesOf what);
guint tnd_call_tree_add(TndCallTree *tree, const TndSample *sample, gboolean by_line);
/* For those who know the totals: the node of a function called from a node, and the links to children of all nodes. */
guint tnd_call_tree_child(TndCallTree *tree, guint parent, gint64 function, gint64 line);
void tnd_call_tree_link(TndCallTree *tree);

/* What numbers of time are: "CPU time". */
const char *tnd_call_tree_unit(const TndCallTree *tree);

/* The name of a function.  Free with g_free. */
char *tnd_call_tree_name(const TndCallTree *tree, gint64 function);
guint64 tnd_call_tree_n_samples(const TndCallTree *tree);

/* All functions (TndCallFunction), those with the largest self first.  Free with g_array_unref. */
GArray *tnd_call_tree_functions(const TndCallTree *tree);

static inline const TndCallNode *tnd_call_tree_node(const TndCallTree *tree, guint index)
{
    return &g_array_index(tree->nodes, TndCallNode, index);
}

void tnd_call_tree_free(TndCallTree *tree);

#endif
