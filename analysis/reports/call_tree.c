/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Builds the tree: a stack is a path from the outermost function inwards; a hash table finds a node's child.
 */
#include "analysis/reports/call_tree.h"

/* Of the hash table, which has the index of the node. */
typedef struct {
    gint64 function, line;
    guint parent;
} Key;

static guint hash_key(gconstpointer key)
{
    const Key *it = key;
    guint64 mixed = ((guint64)it->function * 0x9e3779b97f4a7c15u) ^ ((guint64)it->parent * 0xc2b2ae3d27d4eb4fu) ^
                    ((guint64)it->line * 0x165667b19e3779f9u);
    return (guint)(mixed >> 32);
}

static gboolean are_equal(gconstpointer a, gconstpointer b)
{
    const Key *x = a, *y = b;
    return x->function == y->function && x->line == y->line && x->parent == y->parent;
}

guint tnd_call_tree_child(TndCallTree *tree, guint parent, gint64 function, gint64 line)
{
    Key key = {function, line, parent};
    guint child = GPOINTER_TO_UINT(g_hash_table_lookup(tree->children, &key));
    if (child)
        return child;
    child = tree->nodes->len;
    TndCallNode fresh = {.function = function, .line = line, .parent = parent};
    g_array_append_val(tree->nodes, fresh);
    g_hash_table_insert(tree->children, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(child));
    return child;
}

static TndCallNode *node_at(const TndCallTree *tree, guint index)
{
    return &g_array_index(tree->nodes, TndCallNode, index);
}

guint tnd_call_tree_add(TndCallTree *tree, const TndSample *sample, gboolean by_line)
{
    guint at = 0;
    for (guint depth = sample->n_frames; depth-- > 0;)
        at = tnd_call_tree_child(tree, at, sample->frames[depth], by_line ? sample->lines[depth] : 0);
    TndCallNode *node = node_at(tree, at);
    node->n++;
    node->self += tree->is_time ? sample->weight_ns : 1;
    return at;
}

typedef struct {
    TndCallTree *tree;
    const TndCallTreeOptions *options;
} Building;

static void add_sample(gpointer self, const TndSample *sample)
{
    const Building *building = self;
    const TndCallTreeOptions *options = building->options;
    if (sample->time_ns >= options->begin_ns && (!options->until_ns || sample->time_ns < options->until_ns))
        tnd_call_tree_add(building->tree, sample, options->by_line);
}

/* Makes totals, from the innermost functions outwards. */
static void sum_up(TndCallTree *tree)
{
    for (guint i = tree->nodes->len; i-- > 0;) {
        TndCallNode *node = node_at(tree, i);
        node->total += node->self;
        if (i)
            node_at(tree, node->parent)->total += node->total;
    }
}

/* The node with the smaller total first; among equals the younger one. */
static gint compare_totals(gconstpointer a, gconstpointer b, gpointer tree)
{
    guint x = *(const guint *)a, y = *(const guint *)b;
    guint64 total_x = node_at(tree, x)->total, total_y = node_at(tree, y)->total;
    if (total_x != total_y)
        return total_x < total_y ? -1 : 1;
    return x > y ? -1 : x < y;
}

/* Links children to their parents: each becomes the first child, so that the one with the largest total comes last. */
void tnd_call_tree_link(TndCallTree *tree)
{
    guint n = tree->nodes->len, *order = g_new(guint, n);
    for (guint i = 0; i < n; i++)
        order[i] = i;
    g_qsort_with_data(order, (gint)n, sizeof *order, compare_totals, tree);
    for (guint i = 0; i < n; i++) {
        TndCallNode *node = node_at(tree, order[i]), *parent = node_at(tree, node->parent);
        if (order[i] == 0)
            continue;
        node->sibling = parent->first_child;
        parent->first_child = order[i];
    }
    g_free(order);
}

TndCallTree *tnd_call_tree_new_empty(const TndTrace *trace, TndSamplesOf what)
{
    TndCallTree *tree = g_new0(TndCallTree, 1);
    TndCallNode root = {0};
    tree->trace = trace;
    tree->what = what;
    tree->is_time = tnd_samples_are_weighed(trace, what);
    tree->nodes = g_array_new(FALSE, FALSE, sizeof root);
    g_array_append_val(tree->nodes, root);
    tree->children = g_hash_table_new_full(hash_key, are_equal, g_free, NULL);
    return tree;
}

TndCallTree *tnd_call_tree_new(const TndTrace *trace, const TndCallTreeOptions *options)
{
    Building building = {tnd_call_tree_new_empty(trace, options->what), options};
    guint n_rows = tnd_trace_n_threads(trace);
    for (guint row = 0; row < n_rows; row++) {
        if (options->progress && !options->progress((double)row / n_rows, options->user_data)) {
            tnd_call_tree_free(building.tree);
            return NULL;
        }
        if (!options->is_chosen || options->is_chosen[row])
            tnd_samples_each(trace, row, options->what, add_sample, &building);
    }
    sum_up(building.tree);
    tnd_call_tree_link(building.tree);
    return building.tree;
}

const char *tnd_call_tree_unit(const TndCallTree *tree)
{
    return tree->what == TND_SAMPLES_WAITS ? "time waited" : "CPU time";
}

static TndCallFunction *function_of(GArray *functions, GHashTable *places, gint64 function)
{
    guint place = GPOINTER_TO_UINT(g_hash_table_lookup(places, &function));
    if (!place) {
        TndCallFunction fresh = {.function = function};
        g_array_append_val(functions, fresh);
        place = functions->len;
        g_hash_table_insert(places, g_memdup2(&function, sizeof function), GUINT_TO_POINTER(place));
    }
    return &g_array_index(functions, TndCallFunction, place - 1);
}

/* Whether a function of this name is among the callers. */
static gboolean is_recursive(const TndCallTree *tree, const TndCallNode *node)
{
    for (guint at = node->parent; at; at = tnd_call_tree_node(tree, at)->parent)
        if (tnd_call_tree_node(tree, at)->function == node->function)
            return TRUE;
    return FALSE;
}

static gint compare_selves(gconstpointer a, gconstpointer b)
{
    const TndCallFunction *x = a, *y = b;
    if (x->self != y->self)
        return x->self < y->self ? 1 : -1;
    if (x->total != y->total)
        return x->total < y->total ? 1 : -1;
    return x->function < y->function ? -1 : x->function > y->function;
}

GArray *tnd_call_tree_functions(const TndCallTree *tree)
{
    GArray *functions = g_array_new(FALSE, FALSE, sizeof(TndCallFunction));
    GHashTable *places = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    for (guint i = 1; i < tree->nodes->len; i++) {
        const TndCallNode *node = tnd_call_tree_node(tree, i);
        TndCallFunction *function = function_of(functions, places, node->function);
        function->n += node->n;
        function->self += node->self;
        if (!is_recursive(tree, node))
            function->total += node->total;
    }
    g_hash_table_unref(places);
    g_array_sort(functions, compare_selves);
    return functions;
}

char *tnd_call_tree_name(const TndCallTree *tree, gint64 function)
{
    return tree->names ? g_strdup(g_ptr_array_index(tree->names, function))
                       : tnd_samples_function_name(tree->trace, function);
}

guint64 tnd_call_tree_n_samples(const TndCallTree *tree)
{
    guint64 n = 0;
    for (guint i = 0; i < tree->nodes->len; i++)
        n += tnd_call_tree_node(tree, i)->n;
    return n;
}

void tnd_call_tree_free(TndCallTree *tree)
{
    if (!tree)
        return;
    g_array_unref(tree->nodes);
    g_hash_table_unref(tree->children);
    if (tree->names)
        g_ptr_array_unref(tree->names);
    g_free(tree);
}
