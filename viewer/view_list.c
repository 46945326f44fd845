/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A list box with headings that is filled anew for each trace and each configuration.  The current item is bold, open
 * ones are black, the rest is grey.
 */
#include "viewer/view_list.h"

#include "viewer/dialogs.h"

enum { EDGE = 10, INDENT = 12 };

typedef struct {
    TndSession *session;
    GtkWidget *list, *scrolled, *menu;
    gboolean wants_sight; /* scroll to the selected row as soon as it has its place */
} List;

/* Rows are in the order of the items. */
static const TndItem *item_of(const List *list, GtkListBoxRow *row)
{
    return &g_array_index(tnd_session_items(list->session)->list, TndItem, gtk_list_box_row_get_index(row));
}

static GtkLabel *label_of(GtkListBoxRow *row)
{
    return GTK_LABEL(gtk_bin_get_child(GTK_BIN(row)));
}

static void mark(List *list)
{
    GtkListBoxRow *row;
    gtk_list_box_unselect_all(GTK_LIST_BOX(list->list)); /* the current view may not be in the list */
    for (int i = 0; (row = gtk_list_box_get_row_at_index(GTK_LIST_BOX(list->list), i)); i++) {
        const TndItem *item = item_of(list, row);
        gboolean is_current = tnd_session_is_item_current(list->session, item);
        gboolean is_heading = item->kind == TND_ITEM_HEADING;
        char *markup = g_markup_printf_escaped(is_current   ? "<b>%s</b>"
                                               : is_heading ? "<small>%s</small>"
                                                            : "%s",
                                               item->title);
        gtk_label_set_markup(label_of(row), markup);
        g_free(markup);
        gboolean is_open = tnd_session_is_item_open(list->session, item);
        gtk_widget_set_opacity(GTK_WIDGET(label_of(row)), is_open ? 1 : 0.65);
        if (is_current)
            gtk_list_box_select_row(GTK_LIST_BOX(list->list), row);
        list->wants_sight |= is_current;
    }
    gtk_widget_queue_resize(list->list);
}

static GtkWidget *row_new(const TndItems *items, const TndItem *item)
{
    GtkWidget *row = gtk_list_box_row_new(), *label = gtk_label_new(item->title);
    gboolean is_heading = item->kind == TND_ITEM_HEADING;
    char *help = tnd_items_help(items, item);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    if (item->file) /* titles of views are short enough for the list to be as wide */
        gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_MIDDLE);
    gtk_widget_set_margin_start(label, is_heading ? EDGE : EDGE + INDENT);
    gtk_widget_set_margin_end(label, EDGE);
    gtk_widget_set_margin_top(label, is_heading ? EDGE : EDGE / 2);
    gtk_widget_set_margin_bottom(label, is_heading ? 0 : EDGE / 2);
    gtk_widget_set_tooltip_text(row, help);
    gtk_container_add(GTK_CONTAINER(row), label);
    gtk_list_box_row_set_selectable(GTK_LIST_BOX_ROW(row), !is_heading);
    gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), !is_heading);
    g_free(help);
    return row;
}

static void fill(List *list)
{
    const TndItems *items = tnd_session_items(list->session);
    GList *old = gtk_container_get_children(GTK_CONTAINER(list->list));
    g_list_free_full(old, (GDestroyNotify)gtk_widget_destroy);
    for (guint i = 0; i < items->list->len; i++)
        gtk_list_box_insert(GTK_LIST_BOX(list->list), row_new(items, &g_array_index(items->list, TndItem, i)), -1);
    gtk_widget_show_all(list->list);
}

static gboolean lay_over(TndSession *session, const TndItem *item, GError **error)
{
    return item->name && tnd_session_lay_over(session, item->name, error);
}

/* What is done with an item: it is opened, added below the selected timeline, or laid over it. */
typedef gboolean (*Deed)(TndSession *session, const TndItem *item, GError **error);

static void open_row(List *list, GtkListBoxRow *row, Deed deed)
{
    GError *error = NULL;
    TndItem item = *item_of(list, row);
    if (deed(list->session, &item, &error))
        return;
    if (error)
        tnd_dialogs_error(GTK_WINDOW(gtk_widget_get_toplevel(list->list)), "The view cannot be opened", error->message);
    g_clear_error(&error);
}

static void on_activated(GtkListBox *box, GtkListBoxRow *row, gpointer data)
{
    GdkModifierType state = 0;
    gtk_get_current_event_state(&state);
    open_row(data, row,
             state & GDK_CONTROL_MASK ? tnd_session_add_item
             : state & GDK_SHIFT_MASK ? lay_over
                                      : tnd_session_open_item);
}

/* The menu is about the row that the mouse selected. */
static void do_with_selected(List *list, Deed deed)
{
    GtkListBoxRow *row = gtk_list_box_get_selected_row(GTK_LIST_BOX(list->list));
    if (row)
        open_row(list, row, deed);
}

static void on_menu_open(GtkMenuItem *item, gpointer data)
{
    do_with_selected(data, tnd_session_open_item);
}

static void on_menu_add(GtkMenuItem *item, gpointer data)
{
    do_with_selected(data, tnd_session_add_item);
}

static void on_menu_over(GtkMenuItem *item, gpointer data)
{
    do_with_selected(data, lay_over);
}

static gboolean on_press(GtkWidget *widget, GdkEventButton *event, gpointer data)
{
    const List *list = data;
    GtkListBoxRow *row = gtk_list_box_get_row_at_y(GTK_LIST_BOX(list->list), (int)event->y);
    if (!gdk_event_triggers_context_menu((GdkEvent *)event) || !row || !gtk_list_box_row_get_selectable(row))
        return FALSE;
    gtk_list_box_select_row(GTK_LIST_BOX(list->list), row);
    gtk_menu_popup_at_pointer(GTK_MENU(list->menu), (GdkEvent *)event);
    return TRUE;
}

static GtkWidget *menu_new(List *list)
{
    static const struct {
        const char *label;
        void (*run)(GtkMenuItem *item, gpointer list);
    } entries[] = {{"Open", on_menu_open}, {"Add below", on_menu_add}, {"Lay over, or take away", on_menu_over}};
    GtkWidget *menu = gtk_menu_new();
    for (guint i = 0; i < G_N_ELEMENTS(entries); i++) {
        GtkWidget *entry = gtk_menu_item_new_with_label(entries[i].label);
        gtk_menu_shell_append(GTK_MENU_SHELL(menu), entry);
        g_signal_connect(entry, "activate", G_CALLBACK(entries[i].run), list);
    }
    gtk_menu_attach_to_widget(GTK_MENU(menu), list->list, NULL);
    gtk_widget_show_all(menu);
    return menu;
}

static void on_change(TndSession *session, guint changes, gpointer data)
{
    if (changes & (TND_CHANGED_TRACE | TND_CHANGED_ITEMS))
        fill(data);
    if (changes & (TND_CHANGED_TRACE | TND_CHANGED_ITEMS | TND_CHANGED_VIEW | TND_CHANGED_LANES))
        mark(data);
}

static void on_placed(GtkWidget *widget, GdkRectangle *allocation, gpointer data)
{
    List *list = data;
    GtkListBoxRow *row = gtk_list_box_get_selected_row(GTK_LIST_BOX(list->list));
    GtkAdjustment *reach = gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(list->scrolled));
    GtkAllocation place;
    if (!list->wants_sight || !row)
        return;
    list->wants_sight = FALSE;
    gtk_widget_get_allocation(GTK_WIDGET(row), &place);
    gtk_adjustment_clamp_page(reach, place.y, place.y + place.height);
}

static void on_destroy(GtkWidget *widget, gpointer data)
{
    tnd_session_unwatch(((List *)data)->session, data);
}

GtkWidget *tnd_view_list_new(TndSession *session)
{
    List *list = g_new0(List, 1);
    list->session = session;
    list->list = gtk_list_box_new();
    gtk_list_box_set_activate_on_single_click(GTK_LIST_BOX(list->list), FALSE);
    gtk_widget_set_name(list->list, "view-list");
    GtkWidget *scrolled = gtk_scrolled_window_new(NULL, NULL);
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
    gtk_widget_set_size_request(scrolled, 170, -1);
    gtk_container_add(GTK_CONTAINER(scrolled), list->list);
    g_object_set_data_full(G_OBJECT(scrolled), "tnd-view-list", list, g_free);
    list->scrolled = scrolled;
    g_signal_connect_after(list->list, "size-allocate", G_CALLBACK(on_placed), list);
    list->menu = menu_new(list);
    g_signal_connect(list->list, "button-press-event", G_CALLBACK(on_press), list);
    g_signal_connect(list->list, "row-activated", G_CALLBACK(on_activated), list);
    g_signal_connect(scrolled, "destroy", G_CALLBACK(on_destroy), list);
    tnd_session_watch(session, on_change, list);
    return scrolled;
}
