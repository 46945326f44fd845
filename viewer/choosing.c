/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A dialog stays open until what is written is right, or the user gives up.  Both dialogs are one, which a Question
 * describes.
 */
#include "viewer/choosing.h"

#include "analysis/trace/row_labels.h"

typedef struct {
    const char *title, *button, *entry; /* entry: the name of the widget */
    char *what, *text;                  /* owned: what may be written, what is written now */
    gboolean (*apply)(TndSession *session, const char *text, GError **error);
} Question;

static GtkWidget *label_new(const char *text)
{
    GtkWidget *label = gtk_label_new(text);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_line_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_max_width_chars(GTK_LABEL(label), 60);
    return label;
}

static GtkWidget *dialog_new(GtkWindow *parent, const Question *question, GtkWidget **entry, GtkWidget **fault)
{
    GtkWidget *dialog = gtk_dialog_new_with_buttons(question->title, parent, GTK_DIALOG_MODAL, "_Cancel",
                                                    GTK_RESPONSE_CANCEL, question->button, GTK_RESPONSE_OK, NULL);
    GtkBox *box = GTK_BOX(gtk_dialog_get_content_area(GTK_DIALOG(dialog)));
    *entry = gtk_entry_new();
    *fault = label_new(NULL);
    gtk_widget_set_name(*entry, question->entry);
    gtk_entry_set_text(GTK_ENTRY(*entry), question->text);
    gtk_entry_set_width_chars(GTK_ENTRY(*entry), 50);
    gtk_entry_set_activates_default(GTK_ENTRY(*entry), TRUE);
    gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_OK);
    gtk_container_set_border_width(GTK_CONTAINER(box), 12);
    gtk_box_set_spacing(box, 8);
    gtk_box_pack_start(box, label_new(question->what), FALSE, FALSE, 0);
    gtk_box_pack_start(box, *entry, FALSE, FALSE, 0);
    gtk_box_pack_start(box, *fault, FALSE, FALSE, 0);
    gtk_widget_show_all(dialog);
    return dialog;
}

/* Frees the texts of the question. */
static void ask(GtkWindow *parent, TndSession *session, const Question *question)
{
    GtkWidget *entry, *fault, *dialog = dialog_new(parent, question, &entry, &fault);
    gboolean is_done = FALSE;
    while (!is_done && gtk_dialog_run(GTK_DIALOG(dialog)) == GTK_RESPONSE_OK) {
        GError *error = NULL;
        is_done = question->apply(session, gtk_entry_get_text(GTK_ENTRY(entry)), &error);
        gtk_label_set_text(GTK_LABEL(fault), error ? error->message : "");
        g_clear_error(&error);
    }
    gtk_widget_destroy(dialog);
    g_free(question->what);
    g_free(question->text);
}

void tnd_choosing_rows(GtkWindow *parent, TndSession *session)
{
    TndView *view = tnd_session_view(session);
    const TndTrace *trace = tnd_view_trace(view);
    const TndLevel level = tnd_view_level(view);
    const guint n = tnd_view_n_rows(view);
    const Question question = {
        "Choose rows",
        "_Show",
        "rows-entry",
        g_strdup_printf(
            "Rows in the order in which they are to be shown: numbers from 1 (%s) to %u (%s), ranges as "
            "8-5, threads as rank:0-3, 1.2.* or a name with * and ?; rows in brackets are one: [1-4], [5-8]",
            tnd_row_labels_get(trace, level, 0), n, tnd_row_labels_get(trace, level, n - 1)),
        tnd_session_rows_text(session),
        tnd_session_choose_rows};
    ask(parent, session, &question);
}

void tnd_choosing_messages(GtkWindow *parent, TndSession *session)
{
    const TndMessageChoice *choice = tnd_session_message_choice(session);
    const Question question = {
        "Choose messages",
        "_Show",
        "messages-entry",
        g_strdup("Only messages with all of these are shown: " TND_MESSAGE_CHOICE_TAKES "; nothing: all messages"),
        g_strdup(choice ? tnd_message_choice_text(choice) : ""),
        tnd_session_choose_messages};
    ask(parent, session, &question);
}
