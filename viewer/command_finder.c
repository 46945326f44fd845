/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A popover with an entry and a list box, whose rows are filtered by what is written.
 */
#include "viewer/command_finder.h"

#include "analysis/trace/row_labels.h"
#include "viewer/command_menu.h"
#include "viewer/dialogs.h"
#include "viewer/paint/ruler.h"

#include <string.h>

enum { WIDTH = 520, HEIGHT = 360 };

typedef struct {
    TndSession *session;
    GtkWidget *popover, *entry, *list;
    char **words; /* that a row must have, in lower case */
} Finder;

static const char text_key[] = "tnd-text", command_key[] = "tnd-command", item_key[] = "tnd-item",
                  note_key[] = "tnd-note";

static gboolean is_wanted(GtkListBoxRow *row, gpointer data)
{
    const Finder *finder = data;
    const char *text = g_object_get_data(G_OBJECT(row), text_key);
    gboolean is = TRUE;
    for (guint i = 0; is && finder->words && finder->words[i]; i++)
        is = strstr(text, finder->words[i]) != NULL;
    return is;
}

/* The first row that is not filtered out. */
static GtkListBoxRow *first_row(const Finder *finder)
{
    GtkListBoxRow *row;
    for (int i = 0; (row = gtk_list_box_get_row_at_index(GTK_LIST_BOX(finder->list), i)); i++)
        if (is_wanted(row, (gpointer)finder))
            return row;
    return NULL;
}

static void on_written(GtkEditable *entry, gpointer data)
{
    Finder *finder = data;
    char *text = g_utf8_casefold(gtk_entry_get_text(GTK_ENTRY(entry)), -1);
    g_strfreev(finder->words);
    finder->words = g_strsplit(text, " ", -1);
    gtk_list_box_invalidate_filter(GTK_LIST_BOX(finder->list));
    gtk_list_box_select_row(GTK_LIST_BOX(finder->list), first_row(finder));
    g_free(text);
}

/* What is chosen may open a dialog, so the list is closed first. */
static void run(Finder *finder, GtkListBoxRow *row)
{
    const TndCommand *command = g_object_get_data(G_OBJECT(row), command_key);
    const guint item = GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(row), item_key));
    const guint note = GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(row), note_key));
    TndSession *session = finder->session;
    GtkWidget *window = gtk_widget_get_toplevel(finder->popover);
    GError *error = NULL;
    gtk_popover_popdown(GTK_POPOVER(finder->popover));
    if (command) {
        tnd_commands_do(command, session);
    } else if (note && note <= tnd_session_marks(session)->notes->len) {
        tnd_session_show_note(session, note - 1);
    } else if (item && item <= tnd_session_items(session)->list->len) {
        const TndItem chosen = g_array_index(tnd_session_items(session)->list, TndItem, item - 1);
        tnd_session_open_item(session, &chosen, &error);
    }
    if (error)
        tnd_dialogs_error(GTK_WINDOW(window), "The view cannot be opened", error->message);
    g_clear_error(&error);
}

static void on_activated(GtkListBox *list, GtkListBoxRow *row, gpointer data)
{
    run(data, row);
}

static void on_enter(GtkEntry *entry, gpointer data)
{
    Finder *finder = data;
    GtkListBoxRow *row = gtk_list_box_get_selected_row(GTK_LIST_BOX(finder->list));
    if (row)
        run(finder, row);
}

/* Up and Down move through the list while the entry has the focus. */
static gboolean on_key(GtkWidget *widget, GdkEventKey *event, gpointer data)
{
    const Finder *finder = data;
    const int step = event->keyval == GDK_KEY_Down ? 1 : event->keyval == GDK_KEY_Up ? -1 : 0;
    GtkListBoxRow *row = gtk_list_box_get_selected_row(GTK_LIST_BOX(finder->list));
    if (!step)
        return FALSE;
    for (int i = row ? gtk_list_box_row_get_index(row) + step : 0;
         (row = gtk_list_box_get_row_at_index(GTK_LIST_BOX(finder->list), i)); i += step)
        if (is_wanted(row, data)) {
            gtk_list_box_select_row(GTK_LIST_BOX(finder->list), row);
            gtk_widget_grab_focus(GTK_WIDGET(row)); /* scrolls to it */
            gtk_entry_grab_focus_without_selecting(GTK_ENTRY(finder->entry));
            break;
        }
    return TRUE;
}

static GtkWidget *add_row(Finder *finder, const char *group, const char *title, const char *keys)
{
    GtkWidget *row = gtk_list_box_row_new(), *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
    GtkWidget *name = gtk_label_new(title), *of = gtk_label_new(group), *by = gtk_label_new(keys);
    char *text = g_strdup_printf("%s %s", group, title);
    gtk_widget_set_opacity(of, 0.6);
    gtk_widget_set_opacity(by, 0.6);
    gtk_label_set_ellipsize(GTK_LABEL(name), PANGO_ELLIPSIZE_END);
    gtk_box_pack_start(GTK_BOX(box), of, FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(box), name, FALSE, FALSE, 0);
    gtk_box_pack_end(GTK_BOX(box), by, FALSE, FALSE, 0);
    gtk_container_set_border_width(GTK_CONTAINER(box), 4);
    gtk_container_add(GTK_CONTAINER(row), box);
    g_object_set_data_full(G_OBJECT(row), text_key, g_utf8_casefold(text, -1), g_free);
    gtk_list_box_insert(GTK_LIST_BOX(finder->list), row, -1);
    g_free(text);
    return row;
}

static void fill(Finder *finder)
{
    const GArray *items = tnd_session_items(finder->session)->list;
    for (guint i = 0; i < tnd_commands_n; i++) {
        char *keys = tnd_command_menu_key(&tnd_commands[i]);
        GtkWidget *row = add_row(finder, tnd_commands[i].group, tnd_commands[i].title, keys);
        g_object_set_data(G_OBJECT(row), command_key, (gpointer)&tnd_commands[i]);
        g_free(keys);
    }
    for (guint i = 0; i < items->len; i++) {
        const TndItem *item = &g_array_index(items, TndItem, i);
        if (item->kind == TND_ITEM_HEADING)
            continue;
        GtkWidget *row = add_row(finder, "Open", item->title, "");
        g_object_set_data(G_OBJECT(row), item_key, GUINT_TO_POINTER(i + 1));
    }
}

static void add_notes(Finder *finder)
{
    const GArray *notes = tnd_session_marks(finder->session)->notes;
    for (guint i = 0; i < notes->len; i++) {
        const TndNote *note = &g_array_index(notes, TndNote, i);
        char *time = tnd_ruler_time_text(note->time_ns, 0);
        char *where = g_strdup_printf(
            "%s, %s", tnd_row_labels_get(tnd_session_trace(finder->session), note->level, note->row), time);
        GtkWidget *row = add_row(finder, *note->text ? "Note" : "Bookmark", *note->text ? note->text : where,
                                 *note->text ? where : "");
        g_object_set_data(G_OBJECT(row), note_key, GUINT_TO_POINTER(i + 1));
        g_free(where);
        g_free(time);
    }
}

static void on_destroy(GtkWidget *widget, gpointer data)
{
    Finder *finder = data;
    g_strfreev(finder->words);
    finder->words = NULL;
}

static void on_closed(GtkPopover *popover, gpointer data)
{
    gtk_widget_destroy(GTK_WIDGET(popover));
}

void tnd_command_finder_show(GtkWidget *below, TndSession *session)
{
    Finder *finder = g_new0(Finder, 1);
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6), *scrolled = gtk_scrolled_window_new(NULL, NULL);
    finder->session = session;
    finder->popover = gtk_popover_new(below);
    finder->entry = gtk_search_entry_new();
    finder->list = gtk_list_box_new();
    gtk_widget_set_name(finder->list, "command-list");
    gtk_entry_set_placeholder_text(GTK_ENTRY(finder->entry), "A command or a view");
    gtk_list_box_set_filter_func(GTK_LIST_BOX(finder->list), is_wanted, finder, NULL);
    gtk_list_box_set_activate_on_single_click(GTK_LIST_BOX(finder->list), TRUE);
    fill(finder);
    add_notes(finder);
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
    gtk_widget_set_size_request(scrolled, WIDTH, HEIGHT);
    gtk_container_add(GTK_CONTAINER(scrolled), finder->list);
    gtk_box_pack_start(GTK_BOX(box), finder->entry, FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(box), scrolled, TRUE, TRUE, 0);
    gtk_container_set_border_width(GTK_CONTAINER(box), 6);
    gtk_container_add(GTK_CONTAINER(finder->popover), box);
    g_object_set_data_full(G_OBJECT(finder->popover), "tnd-command-finder", finder, g_free);
    g_signal_connect(finder->entry, "changed", G_CALLBACK(on_written), finder);
    g_signal_connect(finder->entry, "activate", G_CALLBACK(on_enter), finder);
    g_signal_connect(finder->entry, "key-press-event", G_CALLBACK(on_key), finder);
    g_signal_connect(finder->list, "row-activated", G_CALLBACK(on_activated), finder);
    g_signal_connect(finder->popover, "destroy", G_CALLBACK(on_destroy), finder);
    g_signal_connect(finder->popover, "closed", G_CALLBACK(on_closed), finder);
    gtk_widget_show_all(box);
    gtk_popover_popup(GTK_POPOVER(finder->popover));
    gtk_widget_grab_focus(finder->entry);
    gtk_list_box_select_row(GTK_LIST_BOX(finder->list), first_row(finder));
}
