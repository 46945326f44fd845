/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Both lists are filled when the profile was made.  Of the tree, paths that are too short to matter are left out.
 */
#include "viewer/profile_lists.h"

#include "analysis/base/quantity.h"

#define LEAST_SHARE 0.001 /* of a path of the tree */

/* Columns of both lists.  The last three are not shown. */
enum { SELF, TOTAL, TIME, NAME, SELF_NUMBER, TOTAL_NUMBER, FUNCTION, NODE, N_COLUMNS };

typedef struct {
    TndSession *session;
    GtkWidget *functions, *tree;
    GtkListStore *function_store;
    GtkTreeStore *tree_store;
    const TndProfile *shown;
    gboolean is_filling;
} Lists;

static const char key[] = "tnd-profile-lists";

typedef struct {
    char *self, *total, *time, *name;
} Texts;

static Texts texts_of(const TndCallTree *tree, gint64 function, guint64 self, guint64 total)
{
    double all = (double)MAX(tnd_call_tree_node(tree, 0)->total, 1);
    char *name = tnd_call_tree_name(tree, function), *time = tnd_quantity_text((double)self, "ns");
    Texts texts = {g_strdup_printf("%.2f %%", 100 * (double)self / all),
                   g_strdup_printf("%.2f %%", 100 * (double)total / all),
                   tree->is_time ? tnd_quantity_shown(time) : g_strdup_printf("%" G_GUINT64_FORMAT, self),
                   g_utf8_make_valid(name, -1)};
    g_free(time);
    g_free(name);
    return texts;
}

static void clear_texts(Texts *texts)
{
    g_free(texts->self);
    g_free(texts->total);
    g_free(texts->time);
    g_free(texts->name);
}

static void fill_functions(Lists *lists, const TndProfile *profile)
{
    gtk_list_store_clear(lists->function_store);
    for (guint i = 0; i < profile->functions->len; i++) {
        const TndCallFunction *it = &g_array_index(profile->functions, TndCallFunction, i);
        Texts texts = texts_of(profile->tree, it->function, it->self, it->total);
        gtk_list_store_insert_with_values(lists->function_store, NULL, -1, SELF, texts.self, TOTAL, texts.total, TIME,
                                          texts.time, NAME, texts.name, SELF_NUMBER, it->self, TOTAL_NUMBER, it->total,
                                          FUNCTION, it->function, NODE, 0, -1);
        clear_texts(&texts);
    }
}

static void fill_tree(Lists *lists, const TndCallTree *tree, guint parent, GtkTreeIter *above)
{
    guint64 least = (guint64)(LEAST_SHARE * (double)tnd_call_tree_node(tree, 0)->total);
    for (guint at = tnd_call_tree_node(tree, parent)->first_child; at; at = tnd_call_tree_node(tree, at)->sibling) {
        const TndCallNode *node = tnd_call_tree_node(tree, at);
        if (node->total < least)
            return; /* those that follow have less */
        GtkTreeIter row;
        Texts texts = texts_of(tree, node->function, node->self, node->total);
        gtk_tree_store_insert_with_values(lists->tree_store, &row, above, -1, SELF, texts.self, TOTAL, texts.total,
                                          TIME, texts.time, NAME, texts.name, SELF_NUMBER, node->self, TOTAL_NUMBER,
                                          node->total, FUNCTION, node->function, NODE, at, -1);
        clear_texts(&texts);
        fill_tree(lists, tree, at, &row);
    }
}

/* Expands the path of the largest totals, as far as one function has nearly all of its caller's. */
static void expand_trunk(Lists *lists)
{
    GtkTreeModel *model = GTK_TREE_MODEL(lists->tree_store);
    GtkTreeIter row, child;
    gboolean is_there = gtk_tree_model_get_iter_first(model, &row);
    while (is_there) {
        guint64 total = 0, of_child = 0;
        GtkTreePath *path = gtk_tree_model_get_path(model, &row);
        gtk_tree_view_expand_row(GTK_TREE_VIEW(lists->tree), path, FALSE);
        gtk_tree_path_free(path);
        gtk_tree_model_get(model, &row, TOTAL_NUMBER, &total, -1);
        is_there = gtk_tree_model_iter_children(model, &child, &row);
        if (is_there)
            gtk_tree_model_get(model, &child, TOTAL_NUMBER, &of_child, -1);
        is_there = is_there && of_child > total / 10 * 8;
        row = child;
    }
}

static void fill(Lists *lists)
{
    const TndProfile *profile = tnd_session_profile(lists->session);
    if (!profile || profile == lists->shown)
        return;
    lists->shown = profile;
    lists->is_filling = TRUE;
    fill_functions(lists, profile);
    gtk_tree_store_clear(lists->tree_store);
    fill_tree(lists, profile->tree, 0, NULL);
    expand_trunk(lists);
    lists->is_filling = FALSE;
}

static void on_change(TndSession *session, guint changes, gpointer data)
{
    Lists *lists = data;
    if (!tnd_session_profile(session))
        lists->shown = NULL;
    if (changes & TND_CHANGED_PROFILE)
        fill(lists);
}

static void on_selected(GtkTreeSelection *selection, gpointer data)
{
    Lists *lists = data;
    GtkTreeModel *model;
    GtkTreeIter row;
    gint64 function = 0;
    if (lists->is_filling || !lists->shown || !gtk_tree_selection_get_selected(selection, &model, &row))
        return;
    gtk_tree_model_get(model, &row, FUNCTION, &function, -1);
    tnd_session_mark_function(lists->session, function);
}

static void on_activated(GtkTreeView *view, GtkTreePath *path, GtkTreeViewColumn *column, gpointer data)
{
    Lists *lists = data;
    GtkTreeIter row;
    guint node = 0;
    if (!gtk_tree_model_get_iter(gtk_tree_view_get_model(view), &row, path))
        return;
    gtk_tree_model_get(gtk_tree_view_get_model(view), &row, NODE, &node, -1);
    tnd_session_set_profile_top(lists->session, node);
}

static gint compare_numbers(GtkTreeModel *model, GtkTreeIter *a, GtkTreeIter *b, gpointer column)
{
    guint64 x, y;
    gtk_tree_model_get(model, a, GPOINTER_TO_INT(column), &x, -1);
    gtk_tree_model_get(model, b, GPOINTER_TO_INT(column), &y, -1);
    return x < y ? -1 : x > y;
}

static void add_column(GtkTreeView *view, const char *title, const char *help, int column, int sorts_by)
{
    GtkCellRenderer *cell = gtk_cell_renderer_text_new();
    GtkTreeViewColumn *shown = gtk_tree_view_column_new_with_attributes(title, cell, "text", column, NULL);
    GtkWidget *label = gtk_label_new(title);
    gtk_widget_set_tooltip_text(label, help);
    gtk_widget_show(label);
    gtk_tree_view_column_set_widget(shown, label);
    if (column != NAME)
        g_object_set(cell, "xalign", 1.0, NULL);
    gtk_tree_view_column_set_alignment(shown, column == NAME ? 0 : 1);
    gtk_tree_view_column_set_resizable(shown, TRUE);
    gtk_tree_view_column_set_sort_column_id(shown, sorts_by);
    gtk_tree_view_append_column(view, shown);
    if (column == NAME)
        gtk_tree_view_set_expander_column(view, shown);
}

static GtkWidget *list_new(Lists *lists, GtkTreeModel *model, const char *name)
{
    GtkWidget *view = gtk_tree_view_new_with_model(model), *scrolled = gtk_scrolled_window_new(NULL, NULL);
    GtkTreeSortable *order = GTK_TREE_SORTABLE(model);
    const int numbers[] = {SELF_NUMBER, TOTAL_NUMBER};
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
        gtk_tree_sortable_set_sort_func(order, numbers[i], compare_numbers, GINT_TO_POINTER(numbers[i]), NULL);
    gtk_widget_set_name(view, name);
    gtk_tree_view_set_enable_search(GTK_TREE_VIEW(view), FALSE); /* letters are commands of the window */
    add_column(GTK_TREE_VIEW(view), "Self", "In the function itself", SELF, SELF_NUMBER);
    add_column(GTK_TREE_VIEW(view), "Total", "In the function and in what it called", TOTAL, TOTAL_NUMBER);
    add_column(GTK_TREE_VIEW(view), "Time", "In the function itself", TIME, SELF_NUMBER);
    add_column(GTK_TREE_VIEW(view), "Function", "A click marks it in the flame graph", NAME, NAME);
    g_signal_connect(gtk_tree_view_get_selection(GTK_TREE_VIEW(view)), "changed", G_CALLBACK(on_selected), lists);
    g_signal_connect(view, "row-activated", G_CALLBACK(on_activated), lists);
    gtk_container_add(GTK_CONTAINER(scrolled), view);
    return scrolled;
}

static void on_destroy(GtkWidget *widget, gpointer data)
{
    Lists *lists = data;
    tnd_session_unwatch(lists->session, lists);
    g_clear_object(&lists->function_store);
    g_clear_object(&lists->tree_store);
}

GtkWidget *tnd_profile_lists_new(TndSession *session)
{
    Lists *lists = g_new0(Lists, 1);
    GType types[N_COLUMNS] = {G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING,
                              G_TYPE_UINT64, G_TYPE_UINT64, G_TYPE_INT64,  G_TYPE_UINT};
    lists->session = session;
    lists->function_store = gtk_list_store_newv(N_COLUMNS, types);
    lists->tree_store = gtk_tree_store_newv(N_COLUMNS, types);
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *stack = gtk_stack_new();
    GtkWidget *switcher = gtk_stack_switcher_new();
    lists->functions = list_new(lists, GTK_TREE_MODEL(lists->function_store), "profile-functions");
    GtkWidget *tree = list_new(lists, GTK_TREE_MODEL(lists->tree_store), "profile-tree");
    lists->tree = gtk_bin_get_child(GTK_BIN(tree));
    gtk_stack_add_titled(GTK_STACK(stack), lists->functions, "functions", "Functions");
    gtk_stack_add_titled(GTK_STACK(stack), tree, "tree", "Who calls whom");
    gtk_stack_switcher_set_stack(GTK_STACK_SWITCHER(switcher), GTK_STACK(stack));
    gtk_widget_set_halign(switcher, GTK_ALIGN_CENTER);
    gtk_box_pack_start(GTK_BOX(box), switcher, FALSE, FALSE, 6);
    gtk_box_pack_start(GTK_BOX(box), stack, TRUE, TRUE, 0);
    g_object_set_data_full(G_OBJECT(box), key, lists, g_free);
    g_signal_connect(box, "destroy", G_CALLBACK(on_destroy), lists);
    tnd_session_watch(session, on_change, lists);
    return box;
}

char **tnd_profile_lists_functions(GtkWidget *widget)
{
    const Lists *lists = g_object_get_data(G_OBJECT(widget), key);
    GtkTreeModel *model = GTK_TREE_MODEL(lists->function_store);
    GPtrArray *names = g_ptr_array_new();
    GtkTreeIter row;
    for (gboolean is_there = gtk_tree_model_get_iter_first(model, &row); is_there;
         is_there = gtk_tree_model_iter_next(model, &row)) {
        char *name;
        gtk_tree_model_get(model, &row, NAME, &name, -1);
        g_ptr_array_add(names, name);
    }
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(names, FALSE);
}
