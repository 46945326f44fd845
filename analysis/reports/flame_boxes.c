/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A walk from the outermost functions inwards.
 */
#include "analysis/reports/flame_boxes.h"

typedef struct {
    const TndCallTree *tree;
    GArray *boxes;
    double scale; /* parts of the width for one unit of the tree's numbers */
    double least;
} Laying;

static void put_box(const Laying *laying, guint node, guint row, double begin, double end)
{
    TndFlameBox box = {node, row, begin, end};
    g_array_append_val(laying->boxes, box);
}

static void put_tree(const Laying *laying, guint at, guint row, double begin)
{
    const TndCallNode *node = tnd_call_tree_node(laying->tree, at);
    double end = begin + (double)node->total * laying->scale;
    if (end - begin < laying->least)
        return;
    put_box(laying, at, row, begin, end);
    for (guint child = node->first_child; child; child = tnd_call_tree_node(laying->tree, child)->sibling) {
        put_tree(laying, child, row + 1, begin);
        begin += (double)tnd_call_tree_node(laying->tree, child)->total * laying->scale;
    }
}

/* The callers of a node, each with the whole width.  Returns the node's row. */
static guint put_callers(const Laying *laying, guint node)
{
    if (!node)
        return 0;
    guint caller = tnd_call_tree_node(laying->tree, node)->parent, row = put_callers(laying, caller);
    put_box(laying, caller, row, 0, 1);
    return row + 1;
}

GArray *tnd_flame_boxes_new(const TndCallTree *tree, guint top, double least_width)
{
    guint64 whole = tnd_call_tree_node(tree, top)->total;
    Laying laying = {tree, g_array_new(FALSE, FALSE, sizeof(TndFlameBox)), 1 / (double)MAX(whole, 1), least_width};
    put_tree(&laying, top, put_callers(&laying, top), 0);
    return laying.boxes;
}

guint tnd_flame_boxes_n_rows(const GArray *boxes)
{
    guint n = 0;
    for (guint i = 0; i < boxes->len; i++)
        n = MAX(n, g_array_index(boxes, TndFlameBox, i).row + 1);
    return n;
}

guint32 tnd_flame_boxes_colour(const char *name)
{
    guint hash = g_str_hash(name) * 2654435761u;
    return (215 + (hash >> 27)) << 16 | (110 + (hash >> 8) % 110) << 8 | (60 + (hash >> 16) % 40);
}
