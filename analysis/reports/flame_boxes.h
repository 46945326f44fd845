/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the boxes of a flame graph lie: each function is a box as wide as the numbers of its total, beside the function
 * that called it, whose children begin at its left edge, those with the largest total first.
 *
 * Cost: some 20 ns a box; boxes that are too narrow are left out with all that they called.
 */
#ifndef TND_FLAME_BOXES_H
#define TND_FLAME_BOXES_H

#include "analysis/reports/call_tree.h"

typedef struct {
    guint node;        /* of the tree */
    guint row;         /* 0: the node above all functions */
    double begin, end; /* parts of the whole width, from 0 to 1 */
} TndFlameBox;

/* Boxes (TndFlameBox) that are at least so wide; callers come before what they call.  top: a node that takes the whole
 * width, as do those that it was called from; 0: all functions are there.  Free with g_array_unref. */
GArray *tnd_flame_boxes_new(const TndCallTree *tree, guint top, double least_width);

/* How many rows there are, of which the last one has the innermost functions. */
guint tnd_flame_boxes_n_rows(const GArray *boxes);

/* A colour between red and yellow that goes with a function's name, so that it has the same one everywhere:
 * 0xRRGGBB. */
guint32 tnd_flame_boxes_colour(const char *name);

#endif
