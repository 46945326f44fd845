/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The buttons follow the session; they tell it only what the user does.
 */
#include "viewer/table_tools.h"

#include "viewer/commands.h"
#include "viewer/statistic_chooser.h"

typedef struct {
    TndSession *session;
    GtkWidget *chooser, *cells, *empty, *transposed;
    GtkWidget *views[TND_TABLE_N_VIEWS];
    GtkWidget *planes, *plane_chooser; /* planes: box of label and chooser, visible if there are several planes */
    gboolean is_following;             /* the buttons are being set to the session's state: no action of the user */
} Tools;

static const char key[] = "tnd-table-tools";

/* Lists the planes of the histogram in the chooser.  While a histogram is being made, those of the one before stay. */
static void follow_planes(Tools *tools)
{
    guint shown;
    GtkComboBoxText *chooser = GTK_COMBO_BOX_TEXT(tools->plane_chooser);
    const TndCfgTables *tables = tnd_session_planes(tools->session, &shown);
    if (!tables)
        return;
    gboolean are_several = tables->n_planes > 0 && tables->plane_names[0];
    gtk_combo_box_text_remove_all(chooser);
    for (guint i = 0; are_several && i < tables->n_planes; i++)
        gtk_combo_box_text_append_text(chooser, tables->plane_names[i]);
    gtk_combo_box_set_active(GTK_COMBO_BOX(chooser), are_several ? (int)shown : -1);
    gtk_widget_set_visible(tools->planes, are_several);
}

/* Lists the views of quantities, or those of codes, that the trace has something for. */
static void list_views(Tools *tools)
{
    static const char *const none[TND_TABLE_N_VIEWS] = {"Its own values", "None"};
    const GPtrArray *rules = tnd_session_rules(tools->session);
    tools->is_following = TRUE;
    for (TndTableView which = 0; which < TND_TABLE_N_VIEWS; which++) {
        GtkComboBoxText *chooser = GTK_COMBO_BOX_TEXT(tools->views[which]);
        gtk_combo_box_text_remove_all(chooser);
        gtk_combo_box_text_append(chooser, "", none[which]);
        for (guint i = 0; rules && i < rules->len; i++) {
            const TndViewRule *rule = rules->pdata[i];
            if ((rule->palette == TND_PALETTE_CODE) == (which == TND_TABLE_PLANES))
                gtk_combo_box_text_append(chooser, rule->name, rule->title);
        }
    }
    tools->is_following = FALSE;
}

static void follow_views(Tools *tools)
{
    for (TndTableView which = 0; which < TND_TABLE_N_VIEWS; which++) {
        const char *name = tnd_session_table_view(tools->session, which);
        gtk_combo_box_set_active_id(GTK_COMBO_BOX(tools->views[which]), name ? name : "");
        gtk_widget_set_sensitive(tools->views[which], tnd_session_has_own_table(tools->session));
    }
}

static void on_view_chosen(GtkComboBox *chooser, gpointer data)
{
    Tools *tools = data;
    const TndTableView which = GTK_WIDGET(chooser) == tools->views[TND_TABLE_DATA] ? TND_TABLE_DATA : TND_TABLE_PLANES;
    const char *name = gtk_combo_box_get_active_id(chooser);
    if (!tools->is_following && name)
        tnd_session_set_table_view(tools->session, which, *name ? name : NULL);
}

static void follow(Tools *tools)
{
    tools->is_following = TRUE;
    tnd_statistic_chooser_follow(tools->chooser, tools->session);
    gtk_combo_box_set_active(GTK_COMBO_BOX(tools->cells), (int)tnd_session_cells(tools->session));
    gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(tools->empty), tnd_session_table_order(tools->session).hides_empty);
    gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(tools->transposed), tnd_session_is_transposed(tools->session));
    follow_views(tools);
    follow_planes(tools);
    tools->is_following = FALSE;
}

static void on_plane_chosen(GtkComboBox *chooser, gpointer data)
{
    Tools *tools = data;
    char *name = gtk_combo_box_text_get_active_text(GTK_COMBO_BOX_TEXT(chooser));
    if (!tools->is_following && name)
        tnd_session_set_plane(tools->session, name);
    g_free(name);
}

static void on_cells(GtkComboBox *chooser, gpointer data)
{
    Tools *tools = data;
    if (!tools->is_following)
        tnd_session_set_cells(tools->session, (TndTableCells)gtk_combo_box_get_active(chooser));
}

static void on_empty(GtkToggleButton *button, gpointer data)
{
    if (!((Tools *)data)->is_following)
        tnd_commands_run(((Tools *)data)->session, "empty-rows");
}

static void on_transposed(GtkToggleButton *button, gpointer data)
{
    if (!((Tools *)data)->is_following)
        tnd_commands_run(((Tools *)data)->session, "transpose");
}

static void on_csv(GtkButton *button, gpointer data)
{
    tnd_commands_run(((Tools *)data)->session, "csv");
}

/* However long its texts are, it does not make the window wider. */
static GtkWidget *narrow_chooser_new(const char *name)
{
    GtkWidget *chooser = gtk_combo_box_text_new();
    GList *cells = gtk_cell_layout_get_cells(GTK_CELL_LAYOUT(chooser));
    g_object_set(cells->data, "ellipsize", PANGO_ELLIPSIZE_END, "width-chars", 16, NULL);
    g_list_free(cells);
    gtk_widget_set_name(chooser, name);
    return chooser;
}

static GtkWidget *planes_new(Tools *tools)
{
    GtkWidget *planes = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
    tools->plane_chooser = narrow_chooser_new("plane-chooser");
    gtk_box_pack_start(GTK_BOX(planes), gtk_label_new("Plane:"), FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(planes), tools->plane_chooser, FALSE, FALSE, 0);
    gtk_widget_show_all(planes);
    gtk_widget_set_visible(planes, FALSE);
    gtk_widget_set_no_show_all(planes, TRUE);
    g_signal_connect(tools->plane_chooser, "changed", G_CALLBACK(on_plane_chosen), tools);
    return planes;
}

static void add_views(Tools *tools, GtkBox *row)
{
    static const struct {
        const char *name, *label, *help;
    } views[TND_TABLE_N_VIEWS] = {
        {"data-chooser", "of:", "The view whose values the statistic is of; the view that is shown gives the columns"},
        {"third-chooser", "Planes:", "A table for each value of this view, of the time in which a row has it"}};
    for (TndTableView which = 0; which < TND_TABLE_N_VIEWS; which++) {
        tools->views[which] = narrow_chooser_new(views[which].name);
        gtk_widget_set_tooltip_text(tools->views[which], views[which].help);
        gtk_box_pack_start(row, gtk_label_new(views[which].label), FALSE, FALSE, 0);
        gtk_box_pack_start(row, tools->views[which], FALSE, FALSE, 0);
        g_signal_connect(tools->views[which], "changed", G_CALLBACK(on_view_chosen), tools);
    }
    list_views(tools);
}

static void on_change(TndSession *session, guint changes, gpointer data)
{
    if (changes & (TND_CHANGED_TRACE | TND_CHANGED_ITEMS))
        list_views(data);
    if (changes & (TND_CHANGED_TRACE | TND_CHANGED_VIEW | TND_CHANGED_ZOOM | TND_CHANGED_OPTIONS | TND_CHANGED_PLANE |
                   TND_CHANGED_ITEMS))
        follow(data);
}

static void on_destroy(GtkWidget *widget, gpointer data)
{
    tnd_session_unwatch(((Tools *)data)->session, data);
}

/* What does not change the table but how it is shown. */
static void add_showing(Tools *tools, GtkBox *row)
{
    static const char *const cells[TND_CELLS_N] = {"Numbers only", "Colours", "Bars"};
    tools->cells = gtk_combo_box_text_new();
    for (guint i = 0; i < TND_CELLS_N; i++)
        gtk_combo_box_text_append_text(GTK_COMBO_BOX_TEXT(tools->cells), cells[i]);
    gtk_widget_set_name(tools->cells, "cells-chooser");
    gtk_widget_set_tooltip_text(tools->cells, "What cells show; a click on a column's head sorts the rows (Shift+Z)");
    tools->empty = gtk_check_button_new_with_label("Hide empty rows");
    tools->transposed = gtk_check_button_new_with_label("Transposed");
    gtk_box_pack_start(row, tools->cells, FALSE, FALSE, 0);
    gtk_box_pack_start(row, tools->empty, FALSE, FALSE, 0);
    gtk_box_pack_start(row, tools->transposed, FALSE, FALSE, 0);
    g_signal_connect(tools->cells, "changed", G_CALLBACK(on_cells), tools);
    g_signal_connect(tools->empty, "toggled", G_CALLBACK(on_empty), tools);
    g_signal_connect(tools->transposed, "toggled", G_CALLBACK(on_transposed), tools);
}

GtkWidget *tnd_table_tools_new(TndSession *session)
{
    Tools *tools = g_new0(Tools, 1);
    tools->session = session;
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6), *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
    GtkWidget *below = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
    gtk_container_set_border_width(GTK_CONTAINER(box), 6);
    gtk_box_pack_start(GTK_BOX(box), row, FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(box), below, FALSE, FALSE, 0);
    tools->chooser = tnd_statistic_chooser_new(session);
    GtkWidget *csv = gtk_button_new_with_label("Save CSV…");
    gtk_box_pack_start(GTK_BOX(row), gtk_label_new("Statistic:"), FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(row), tools->chooser, FALSE, FALSE, 0);
    add_views(tools, GTK_BOX(row));
    tools->planes = planes_new(tools);
    gtk_box_pack_start(GTK_BOX(row), tools->planes, FALSE, FALSE, 0);
    add_showing(tools, GTK_BOX(below));
    gtk_box_pack_end(GTK_BOX(below), csv, FALSE, FALSE, 0);
    g_signal_connect(csv, "clicked", G_CALLBACK(on_csv), tools);
    g_object_set_data_full(G_OBJECT(box), key, tools, g_free);
    g_signal_connect(box, "destroy", G_CALLBACK(on_destroy), tools);
    tnd_session_watch(session, on_change, tools);
    follow(tools);
    return box;
}

void tnd_table_tools_follow(GtkWidget *widget)
{
    follow(g_object_get_data(G_OBJECT(widget), key));
}
