/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The labels at the left of a timeline: a column of rows, and before it columns of the processes and the nodes that
 * they belong to, if there are several.  What neighbouring lines belong to stands once, beside those of them that are
 * on the screen, and can be folded into one line.
 */
#ifndef TND_ROW_TREE_H
#define TND_ROW_TREE_H

#include "analysis/views/view.h"
#include "viewer/paint/row_order.h"
#include "viewer/paint/text.h"

/* The process or node (by level, TND_LEVEL_TASK or TND_LEVEL_NODE) of a row of a level; G_MAXUINT: rows of the level
 * belong to none. */
guint tnd_row_tree_parent(const TndTrace *trace, TndLevel level, guint row, TndLevel above);

/* Lines that belong to the same process or node. */
typedef struct {
    TndLevel level; /* TND_LEVEL_TASK or TND_LEVEL_NODE */
    guint row;      /* of that level */
    guint first, n; /* lines */
    gboolean is_folded;
    TndRectangle area; /* where it can be clicked */
} TndRowTreeParent;

typedef struct {
    const TndTrace *trace;
    TndLevel level;
    const TndRowOrder *order;
    guint first_place, n_lines;
    double node_width, process_width, label_width; /* 0: there is no such column */
    TndRectangle canvas;
    GArray *parents; /* of TndRowTreeParent: those that are high enough to be seen */
} TndRowTree;

/* Finds out which columns there are, and how wide: `most` is the width that labels may take. */
TndRowTree tnd_row_tree_new(const TndView *view, const TndRowOrder *order, guint first_place, guint last_place,
                            double most);
double tnd_row_tree_width(const TndRowTree *tree);
/* Lays out the labels of a canvas from the x `left` on. */
void tnd_row_tree_lay_out(TndRowTree *tree, TndRectangle canvas, double left, GArray *texts);
void tnd_row_tree_paint(const TndRowTree *tree, cairo_t *cr);
const TndRowTreeParent *tnd_row_tree_find(const TndRowTree *tree, double x, double y); /* NULL: there is none */
void tnd_row_tree_clear(TndRowTree *tree);

#endif
