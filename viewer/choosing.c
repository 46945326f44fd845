/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The dialog stays open until the list is right, or the user gives up.
 */
#include "viewer/choosing.h"

#include "analysis/trace/row_labels.h"

static GtkWidget *label_new(char *text)
{
    GtkWidget *label = gtk_label_new(text);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_line_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_max_width_chars(GTK_LABEL(label), 60);
    g_free(text);
    return label;
}

static GtkWidget *dialog_new(GtkWindow *parent, const TndSession *session, GtkWidget **entry, GtkWidget **fault)
{
    GtkWidget *dialog = gtk_dialog_new_with_buttons("Choose rows", parent, GTK_DIALOG_MODAL, "_Cancel",
                                                    GTK_RESPONSE_CANCEL, "_Show", GTK_RESPONSE_OK, NULL);
    GtkBox *box = GTK_BOX(gtk_dialog_get_content_area(GTK_DIALOG(dialog)));
    TndView *view = tnd_session_view(session);
    const TndTrace *trace = tnd_view_trace(view);
    const TndLevel level = tnd_view_level(view);
    const guint n = tnd_view_n_rows(view);
    char *text = tnd_session_rows_text(session);
    *entry = gtk_entry_new();
    *fault = label_new(NULL);
    gtk_entry_set_text(GTK_ENTRY(*entry), text);
    gtk_entry_set_width_chars(GTK_ENTRY(*entry), 50);
    gtk_entry_set_activates_default(GTK_ENTRY(*entry), TRUE);
    gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_OK);
    gtk_container_set_border_width(GTK_CONTAINER(box), 12);
    gtk_box_set_spacing(box, 8);
    GtkWidget *what = label_new(g_strdup_printf(
        "Rows in the order in which they are to be shown: numbers from 1 (%s) to %u (%s), ranges as "
        "8-5, threads as rank:0-3, 1.2.* or a name with * and ?; rows in brackets are one: [1-4], [5-8]",
        tnd_row_labels_get(trace, level, 0), n, tnd_row_labels_get(trace, level, n - 1)));
    gtk_box_pack_start(box, what, FALSE, FALSE, 0);
    gtk_box_pack_start(box, *entry, FALSE, FALSE, 0);
    gtk_box_pack_start(box, *fault, FALSE, FALSE, 0);
    gtk_widget_show_all(dialog);
    g_free(text);
    return dialog;
}

void tnd_choosing_rows(GtkWindow *parent, TndSession *session)
{
    GtkWidget *entry, *fault, *dialog = dialog_new(parent, session, &entry, &fault);
    gboolean is_done = FALSE;
    while (!is_done && gtk_dialog_run(GTK_DIALOG(dialog)) == GTK_RESPONSE_OK) {
        GError *error = NULL;
        is_done = tnd_session_choose_rows(session, gtk_entry_get_text(GTK_ENTRY(entry)), &error);
        gtk_label_set_text(GTK_LABEL(fault), error ? error->message : "");
        g_clear_error(&error);
    }
    gtk_widget_destroy(dialog);
}
