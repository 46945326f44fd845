/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keys are looked up in the table of commands.
 */
#include "viewer/window_input.h"

#include "viewer/commands.h"
#include "viewer/window.h"

typedef struct {
    TndSession *session;
    GtkWidget *list;
} Input;

static gboolean matches(const char *accelerator, const GdkEventKey *event)
{
    guint wanted, got = gdk_keyval_to_lower(event->keyval);
    GdkModifierType modifiers, down = event->state & gtk_accelerator_get_default_mod_mask();
    gtk_accelerator_parse(accelerator, &wanted, &modifiers);
    const gunichar letter = gdk_keyval_to_unicode(got);
    if (letter && !g_unichar_isalpha(letter) && !(modifiers & GDK_SHIFT_MASK))
        down &= ~(guint)GDK_SHIFT_MASK; /* some keyboards need Shift to type the key */
    return got == wanted && down == modifiers;
}

static gboolean on_key(GtkWidget *widget, GdkEventKey *event, gpointer data)
{
    const Input *input = data;
    GtkWidget *focus = gtk_window_get_focus(GTK_WINDOW(widget));
    gboolean is_listing = focus && (gtk_widget_is_ancestor(focus, input->list) || GTK_IS_TREE_VIEW(focus));
    gboolean is_across = event->keyval == GDK_KEY_Left || event->keyval == GDK_KEY_Right;
    if (is_listing && (event->keyval == GDK_KEY_Up || event->keyval == GDK_KEY_Down))
        return FALSE;
    if (is_across && GTK_IS_TREE_VIEW(focus))
        return FALSE;
    if (GTK_IS_ENTRY(focus)) { /* what is written is no command, unless the entry does not know it */
        const gboolean is_text =
            !(event->state & GDK_CONTROL_MASK) && g_unichar_isprint(gdk_keyval_to_unicode(event->keyval));
        if (gtk_window_propagate_key_event(GTK_WINDOW(widget), event) || is_text)
            return TRUE;
    }
    if (event->keyval == GDK_KEY_Escape && tnd_session_page(input->session) == TND_PAGE_HISTOGRAM) {
        tnd_session_all_columns(input->session);
        return TRUE;
    }
    for (guint i = 0; i < tnd_commands_n; i++) {
        char **each = g_strsplit(tnd_commands[i].keys, " ", -1);
        gboolean is_meant = FALSE;
        for (char **accelerator = each; *accelerator && !is_meant; accelerator++)
            is_meant = matches(*accelerator, event);
        g_strfreev(each);
        if (is_meant) {
            tnd_commands_do(&tnd_commands[i], input->session);
            return TRUE;
        }
    }
    return FALSE;
}

static void on_dropped(GtkWidget *widget, GdkDragContext *context, gint x, gint y, GtkSelectionData *selection,
                       guint info, guint time, gpointer data)
{
    char **uris = gtk_selection_data_get_uris(selection);
    gboolean is_taken = FALSE;
    for (guint i = 0; uris && uris[i]; i++) {
        char *path = g_filename_from_uri(uris[i], NULL, NULL);
        if (path && (i == 0 || tnd_window_is_beside(path))) /* one trace, any number of configurations */
            tnd_window_open(widget, path);
        is_taken |= path != NULL;
        g_free(path);
    }
    gtk_drag_finish(context, is_taken, FALSE, time);
    g_strfreev(uris);
}

void tnd_window_input_connect(GtkWidget *window, TndSession *session, GtkWidget *list)
{
    Input *input = g_new0(Input, 1);
    input->session = session;
    input->list = list;
    g_object_set_data_full(G_OBJECT(window), "tnd-window-input", input, g_free);
    g_signal_connect(window, "key-press-event", G_CALLBACK(on_key), input);
    g_signal_connect(window, "drag-data-received", G_CALLBACK(on_dropped), NULL);
    gtk_drag_dest_set(window, GTK_DEST_DEFAULT_ALL, NULL, 0, GDK_ACTION_COPY);
    gtk_drag_dest_add_uri_targets(window);
}
