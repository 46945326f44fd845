/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Walks over the tree of calls with the path to each function as a text.
 */
#include "analysis/convert/collapsed.h"

#include "analysis/reports/call_tree.h"
#include "analysis/reports/samples.h"

static void write_stacks(const TndConversion *conversion, const TndCallTree *tree, guint at, GString *path)
{
    const TndCallNode *node = tnd_call_tree_node(tree, at);
    gsize length = path->len;
    if (at) {
        char *name = tnd_samples_function_name(conversion->trace, node->function);
        g_string_append_printf(path, "%s%s", length ? ";" : "", g_strdelimit(name, ";\n", ':'));
        g_free(name);
    }
    if (node->self)
        fprintf(conversion->file, "%s %" G_GUINT64_FORMAT "\n", path->str, node->self);
    for (guint child = node->first_child; child; child = tnd_call_tree_node(tree, child)->sibling)
        write_stacks(conversion, tree, child, path);
    g_string_truncate(path, length);
}

void tnd_collapsed_write(const TndConversion *conversion)
{
    const TndCallTreeOptions options = {.is_chosen = conversion->is_chosen};
    TndCallTree *tree = tnd_call_tree_new(conversion->trace, &options);
    GString *path = g_string_new(NULL);
    write_stacks(conversion, tree, 0, path);
    g_string_free(path, TRUE);
    tnd_call_tree_free(tree);
}
