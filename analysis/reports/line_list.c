/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Gives each pair of function and place a number, and sums up the nodes that have it.
 */
#include "analysis/reports/line_list.h"

#include "formats/event_types.h"

typedef struct {
    GArray *lines;
    GHashTable *numbers; /* from "function, newline, place" to an index */
    guint *of_node;      /* indices by node */
} Listing;

static void clear_line(gpointer data)
{
    TndLine *line = data;
    g_free(line->function);
    g_free(line->place);
    tnd_source_line_clear(&line->line);
}

static char *place_of(const TndTrace *trace, const TndCallNode *node, const TndSourceLine *line)
{
    if (line->number) {
        char *name = g_path_get_basename(line->file), *place = g_strdup_printf("%s:%u", name, line->number);
        g_free(name);
        return place;
    }
    const char *label =
        node->line ? tnd_pcf_value_label(tnd_trace_pcf(trace), TND_TYPE_SAMPLED_LINE, node->line) : NULL;
    return g_strdup(label ? label : "-");
}

static guint number_of(Listing *listing, const TndCallTree *tree, const TndCallNode *node)
{
    TndLine fresh = {.function = tnd_call_tree_name(tree, node->function),
                     .line = tnd_source_line_of(tree->trace, TND_TYPE_SAMPLED_LINE, node->line)};
    fresh.place = place_of(tree->trace, node, &fresh.line);
    char *key = g_strdup_printf("%s\n%s\n%s", fresh.function, fresh.place, fresh.line.file ? fresh.line.file : "");
    gpointer number;
    if (g_hash_table_lookup_extended(listing->numbers, key, NULL, &number)) {
        g_free(key);
        clear_line(&fresh);
        return GPOINTER_TO_UINT(number);
    }
    g_hash_table_insert(listing->numbers, key, GUINT_TO_POINTER(listing->lines->len));
    g_array_append_val(listing->lines, fresh);
    return listing->lines->len - 1;
}

/* Whether a caller is in the same line. */
static gboolean is_within_itself(const Listing *listing, const TndCallTree *tree, guint at)
{
    for (guint i = tnd_call_tree_node(tree, at)->parent; i; i = tnd_call_tree_node(tree, i)->parent)
        if (listing->of_node[i] == listing->of_node[at])
            return TRUE;
    return FALSE;
}

static gint compare_lines(gconstpointer a, gconstpointer b)
{
    const TndLine *x = a, *y = b;
    if (x->self != y->self)
        return x->self < y->self ? 1 : -1;
    if (x->total != y->total)
        return x->total < y->total ? 1 : -1;
    int order = g_strcmp0(x->place, y->place);
    return order ? order : g_strcmp0(x->function, y->function);
}

GArray *tnd_line_list_new(const TndCallTree *tree)
{
    Listing listing = {g_array_new(FALSE, FALSE, sizeof(TndLine)),
                       g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL), g_new0(guint, tree->nodes->len)};
    g_array_set_clear_func(listing.lines, clear_line);
    for (guint at = 1; at < tree->nodes->len; at++) { /* parents come before children */
        const TndCallNode *node = tnd_call_tree_node(tree, at);
        listing.of_node[at] = number_of(&listing, tree, node);
        TndLine *line = &g_array_index(listing.lines, TndLine, listing.of_node[at]);
        line->n += node->n;
        line->self += node->self;
        if (!is_within_itself(&listing, tree, at))
            line->total += node->total;
    }
    g_array_sort(listing.lines, compare_lines);
    g_hash_table_unref(listing.numbers);
    g_free(listing.of_node);
    return listing.lines;
}
