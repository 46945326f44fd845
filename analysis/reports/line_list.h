/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lines of the source that samples are in.  A line of a function of Python is the one where the function begins.
 *
 * Cost: one pass over the tree.
 */
#ifndef TND_LINE_LIST_H
#define TND_LINE_LIST_H

#include "analysis/reports/call_tree.h"
#include "analysis/reports/source_line.h"

typedef struct {
    char *function;
    char *place; /* "work.c:12"; or what the trace says where there is no line */
    TndSourceLine line;
    guint64 n;           /* samples in the line itself */
    guint64 self, total; /* total: with what it calls; a stack that has the line more than once counts once */
} TndLine;

/* Of a tree by line: TndLine, those with the largest self first.  Free with g_array_unref. */
GArray *tnd_line_list_new(const TndCallTree *tree);

#endif
