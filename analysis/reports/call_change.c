/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes the nodes of both trees in one, with numbers for names in place of functions, then puts in the times of each.
 */
#include "analysis/reports/call_change.h"

/* The number of a name, from 0 on. */
static guint number_of(GPtrArray *names, GHashTable *numbers, char *name)
{
    gpointer number;
    if (g_hash_table_lookup_extended(numbers, name, NULL, &number)) {
        g_free(name);
        return GPOINTER_TO_UINT(number);
    }
    g_hash_table_insert(numbers, name, GUINT_TO_POINTER(names->len));
    g_ptr_array_add(names, name);
    return names->len - 1;
}

/* Makes the nodes of a tree in `to`; returns their indices there. */
static guint *lay_nodes(TndCallTree *to, const TndCallTree *from, GHashTable *numbers)
{
    guint *places = g_new0(guint, from->nodes->len);
    for (guint i = 1; i < from->nodes->len; i++) {
        const TndCallNode *node = tnd_call_tree_node(from, i);
        guint number = number_of(to->names, numbers, tnd_call_tree_name(from, node->function));
        places[i] = tnd_call_tree_child(to, places[node->parent], number, 0);
    }
    return places;
}

static void put_numbers(TndCallTree *to, const TndCallTree *from, guint *places)
{
    for (guint i = 0; i < from->nodes->len; i++) {
        const TndCallNode *node = tnd_call_tree_node(from, i);
        TndCallNode *place = &g_array_index(to->nodes, TndCallNode, places[i]);
        place->n += node->n;
        place->self += node->self;
        place->total += node->total;
    }
    g_free(places);
}

TndCallChange *tnd_call_change_new(const TndCallTree *now, const TndCallTree *before)
{
    TndCallChange *change = g_new0(TndCallChange, 1);
    change->now = tnd_call_tree_new_empty(now->trace, now->what);
    change->before = tnd_call_tree_new_empty(before->trace, before->what);
    change->now->names = g_ptr_array_new_with_free_func(g_free);
    change->before->names = g_ptr_array_ref(change->now->names);
    GHashTable *numbers = g_hash_table_new(g_str_hash, g_str_equal);
    guint *of_now = lay_nodes(change->now, now, numbers), *of_before = lay_nodes(change->now, before, numbers);
    g_array_set_size(change->before->nodes, 0);
    g_array_append_vals(change->before->nodes, change->now->nodes->data, change->now->nodes->len);
    put_numbers(change->now, now, of_now);
    put_numbers(change->before, before, of_before);
    change->n_now = tnd_call_tree_n_samples(change->now);
    change->n_before = tnd_call_tree_n_samples(change->before);
    tnd_call_tree_link(change->now);
    g_hash_table_unref(numbers);
    return change;
}

void tnd_call_change_free(TndCallChange *change)
{
    if (!change)
        return;
    tnd_call_tree_free(change->now);
    tnd_call_tree_free(change->before);
    g_free(change);
}

static TndProportion change_of(const TndCallChange *change, guint64 now, guint64 before)
{
    const TndCallNode *all_now = tnd_call_tree_node(change->now, 0),
                      *all_before = tnd_call_tree_node(change->before, 0);
    return tnd_proportion_change(tnd_proportion_of(now, all_now->total, change->n_now),
                                 tnd_proportion_of(before, all_before->total, change->n_before));
}

TndProportion tnd_call_change_of_node(const TndCallChange *change, guint at)
{
    return change_of(change, tnd_call_tree_node(change->now, at)->total, tnd_call_tree_node(change->before, at)->total);
}

TndProportion tnd_call_change_of_selves(const TndCallChange *change, guint64 now, guint64 before)
{
    return change_of(change, now, before);
}

static gint compare_totals(gconstpointer a, gconstpointer b)
{
    const TndCallFunction *x = a, *y = b;
    if (x->total != y->total)
        return x->total < y->total ? 1 : -1;
    return x->function < y->function ? -1 : x->function > y->function;
}

char *tnd_call_change_gone(const TndCallChange *change, guint most)
{
    GArray *now = tnd_call_tree_functions(change->now), *before = tnd_call_tree_functions(change->before);
    guint64 all = tnd_call_tree_node(change->before, 0)->total;
    GHashTable *is_now = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < now->len; i++) {
        const TndCallFunction *function = &g_array_index(now, TndCallFunction, i);
        if (function->total)
            g_hash_table_add(is_now, GSIZE_TO_POINTER((gsize)function->function + 1));
    }
    g_array_sort(before, compare_totals);
    GString *text = g_string_new(NULL);
    guint n = 0;
    for (guint i = 0; i < before->len; i++) {
        const TndCallFunction *function = &g_array_index(before, TndCallFunction, i);
        if (!function->total || g_hash_table_contains(is_now, GSIZE_TO_POINTER((gsize)function->function + 1)))
            continue;
        char *name = tnd_call_tree_name(change->before, function->function);
        if (n++ < most)
            g_string_append_printf(text, "%s%s %.2f %%", text->len ? ", " : "", name,
                                   tnd_proportion_of(function->total, all, 1).percent);
        g_free(name);
    }
    if (n > most)
        g_string_append_printf(text, " and %u more", n - most);
    g_hash_table_unref(is_now);
    g_array_unref(now);
    g_array_unref(before);
    return g_string_free(text, n == 0);
}
