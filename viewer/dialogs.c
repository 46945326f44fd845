/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GTK's own dialogs; the list of keys is made from the table of commands.
 */
#include "viewer/dialogs.h"

#include "analysis/causes/alignment.h"
#include "viewer/commands.h"

#include <string.h>

enum { KEYS_HEIGHT = 520 }; /* pixels of the list of keys, which has room on a small screen */

static const char *const all_files[] = {"*", NULL};

static void add_filter(GtkFileChooser *chooser, const char *name, const char *const *patterns)
{
    GtkFileFilter *filter = gtk_file_filter_new();
    gtk_file_filter_set_name(filter, name);
    for (; *patterns; patterns++)
        gtk_file_filter_add_pattern(filter, *patterns);
    gtk_file_chooser_add_filter(chooser, filter);
}

/* The path that the user chose; NULL: none.  Frees the chooser. */
static char *run(GtkFileChooserNative *chooser)
{
    char *path = NULL;
    if (gtk_native_dialog_run(GTK_NATIVE_DIALOG(chooser)) == GTK_RESPONSE_ACCEPT)
        path = gtk_file_chooser_get_filename(GTK_FILE_CHOOSER(chooser));
    g_object_unref(chooser);
    return path;
}

char *tnd_dialogs_open(GtkWindow *parent)
{
    GtkFileChooserNative *chooser = gtk_file_chooser_native_new("Open a trace, a configuration or a session", parent,
                                                                GTK_FILE_CHOOSER_ACTION_OPEN, "_Open", "_Cancel");
    static const char *const patterns[] = {"*.prv", "*.prv.gz", "*.cfg", "*.tview", NULL};
    add_filter(GTK_FILE_CHOOSER(chooser), "Traces (.prv, .prv.gz), configurations (.cfg), sessions (.tview)", patterns);
    add_filter(GTK_FILE_CHOOSER(chooser), "All files", all_files);
    return run(chooser);
}

char *tnd_dialogs_folder(GtkWindow *parent, const char *title)
{
    return run(gtk_file_chooser_native_new(title, parent, GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, "_Choose", "_Cancel"));
}

/* What two traces are aligned by: one of a list, or typed. */
static GtkWidget *alignment_new(GtkWidget *box)
{
    GtkWidget *combo = gtk_combo_box_text_new_with_entry(), *label = gtk_label_new_with_mnemonic("_Align by");
    GtkWidget *entry = gtk_bin_get_child(GTK_BIN(combo));
    gtk_combo_box_text_append_text(GTK_COMBO_BOX_TEXT(combo), "start");
    gtk_combo_box_text_append_text(GTK_COMBO_BOX_TEXT(combo), "iteration");
    gtk_combo_box_set_active(GTK_COMBO_BOX(combo), 0);
    gtk_widget_set_name(entry, "alignment");
    gtk_entry_set_activates_default(GTK_ENTRY(entry), TRUE);
    gtk_entry_set_width_chars(GTK_ENTRY(entry), 28);
    gtk_widget_set_tooltip_text(combo, TND_ALIGNMENT_TAKES);
    gtk_label_set_mnemonic_widget(GTK_LABEL(label), entry);
    gtk_box_pack_start(GTK_BOX(box), label, FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(box), combo, FALSE, FALSE, 0);
    gtk_widget_show_all(box);
    return entry;
}

/* GTK's own dialog: those of the desktop have no place for the alignment. */
char *tnd_dialogs_open_beside(GtkWindow *parent, char **alignment)
{
    static const char *const patterns[] = {"*.prv", "*.prv.gz", NULL};
    GtkWidget *dialog =
        gtk_file_chooser_dialog_new("Open a second trace beside this one", parent, GTK_FILE_CHOOSER_ACTION_OPEN,
                                    "_Cancel", GTK_RESPONSE_CANCEL, "_Open", GTK_RESPONSE_ACCEPT, NULL);
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6), *entry = alignment_new(box);
    char *path = NULL;
    add_filter(GTK_FILE_CHOOSER(dialog), "Traces (.prv, .prv.gz)", patterns);
    add_filter(GTK_FILE_CHOOSER(dialog), "All files", all_files);
    gtk_file_chooser_set_extra_widget(GTK_FILE_CHOOSER(dialog), box);
    gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_ACCEPT);
    if (gtk_dialog_run(GTK_DIALOG(dialog)) == GTK_RESPONSE_ACCEPT) {
        path = gtk_file_chooser_get_filename(GTK_FILE_CHOOSER(dialog));
        *alignment = g_strdup(gtk_entry_get_text(GTK_ENTRY(entry)));
    }
    gtk_widget_destroy(dialog);
    return path;
}

char *tnd_dialogs_save(GtkWindow *parent, const char *title, const char *name)
{
    GtkFileChooserNative *chooser =
        gtk_file_chooser_native_new(title, parent, GTK_FILE_CHOOSER_ACTION_SAVE, "_Save", "_Cancel");
    gtk_file_chooser_set_do_overwrite_confirmation(GTK_FILE_CHOOSER(chooser), TRUE);
    gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(chooser), name);
    return run(chooser);
}

void tnd_dialogs_error(GtkWindow *parent, const char *what, const char *cause)
{
    GtkWidget *dialog = gtk_message_dialog_new(parent, GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                                               GTK_MESSAGE_ERROR, GTK_BUTTONS_CLOSE, "%s", what);
    gtk_message_dialog_format_secondary_text(GTK_MESSAGE_DIALOG(dialog), "%s", cause);
    g_signal_connect(dialog, "response", G_CALLBACK(gtk_widget_destroy), NULL);
    gtk_widget_show_all(dialog);
}

static char *keys_text(const char *keys)
{
    GString *text = g_string_new(NULL);
    char **each = g_strsplit(keys, " ", -1);
    for (char **accelerator = each; *accelerator; accelerator++) {
        guint key;
        GdkModifierType modifiers;
        gtk_accelerator_parse(*accelerator, &key, &modifiers);
        char *label = gtk_accelerator_get_label(key, modifiers);
        g_string_append_printf(text, "%s%s", text->len ? "   " : "", label);
        g_free(label);
    }
    g_strfreev(each);
    return g_string_free(text, FALSE);
}

static void add_line(GtkGrid *grid, int *line, const char *left, const char *right)
{
    GtkWidget *what = gtk_label_new(left), *keys = gtk_label_new(NULL);
    char *markup = right ? g_markup_printf_escaped("<tt>%s</tt>", right) : NULL;
    if (markup) {
        gtk_label_set_markup(GTK_LABEL(keys), markup);
    } else {
        char *heading = g_markup_printf_escaped("<b>%s</b>", left);
        gtk_label_set_markup(GTK_LABEL(what), heading);
        gtk_widget_set_margin_top(what, 8);
        g_free(heading);
    }
    gtk_label_set_xalign(GTK_LABEL(what), 0);
    gtk_label_set_xalign(GTK_LABEL(keys), 0);
    gtk_grid_attach(grid, what, 0, *line, 1, 1);
    gtk_grid_attach(grid, keys, 1, (*line)++, 1, 1);
    g_free(markup);
}

static void add_mouse(GtkGrid *grid, int *line)
{
    static const char *const mouse[][2] = {
        {"Zoom into a stretch of time", "drag"},
        {"Zoom into time and rows", "Ctrl + drag"},
        {"Mark and measure a stretch of time", "Ctrl + Shift + drag"},
        {"Move", "Shift + drag, middle drag, Shift + wheel"},
        {"Zoom at the pointer", "wheel"},
        {"Zoom time and rows", "Ctrl + wheel"},
        {"Details of a burst", "click"},
        {"Rows of a process or a node as one, or each", "click on its label"},
        {"Only the bursts of a cell are bright", "click on the cell"},
        {"Only these columns of the histogram", "drag across them"},
        {"Sort rows of the histogram", "click on a column's head"},
        {"Only the bursts of a value are bright", "click in the legend"},
        {"All bursts but those of a value are bright", "Shift + click in the legend"},
        {"Move a row", "drag its label"},
        {"Next, previous burst of a value", "double click in the legend, with Shift"},
        {"Menu", "right click"},
        {"Open a view", "double click, Enter"},
        {"Open a view below the others", "Ctrl + double click, Ctrl + Enter"},
        {"A view as lines over the timeline, or away", "Shift + double click, Shift + Enter"},
        {"To the other end of a message", "double click on it"},
        {"Move through the trace", "drag in the map above"},
        {"Height of timelines", "drag the border between them"},
        {"End a drag; no mark, all columns", "Escape"},
    };
    add_line(grid, line, "Mouse", NULL);
    for (guint i = 0; i < G_N_ELEMENTS(mouse); i++)
        add_line(grid, line, mouse[i][0], mouse[i][1]);
}

static void add_keys(GtkGrid *grid, int *line)
{
    const char *group = "";
    for (guint i = 0; i < tnd_commands_n; i++) {
        if (strcmp(group, tnd_commands[i].group))
            add_line(grid, line, group = tnd_commands[i].group, NULL);
        char *keys = keys_text(tnd_commands[i].keys);
        add_line(grid, line, tnd_commands[i].title, keys);
        g_free(keys);
    }
}

GtkWidget *tnd_dialogs_keys(GtkWindow *parent)
{
    GtkWidget *dialog = gtk_dialog_new_with_buttons("Keys and mouse", parent, GTK_DIALOG_DESTROY_WITH_PARENT, "_Close",
                                                    GTK_RESPONSE_CLOSE, NULL);
    GtkWidget *scrolled = gtk_scrolled_window_new(NULL, NULL), *grid = gtk_grid_new();
    int line = 0;
    add_keys(GTK_GRID(grid), &line);
    add_mouse(GTK_GRID(grid), &line);
    gtk_grid_set_column_spacing(GTK_GRID(grid), 24);
    gtk_container_set_border_width(GTK_CONTAINER(grid), 12);
    gtk_container_add(GTK_CONTAINER(scrolled), grid);
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_min_content_height(GTK_SCROLLED_WINDOW(scrolled), KEYS_HEIGHT);
    gtk_box_pack_start(GTK_BOX(gtk_dialog_get_content_area(GTK_DIALOG(dialog))), scrolled, TRUE, TRUE, 0);
    g_signal_connect(dialog, "response", G_CALLBACK(gtk_widget_destroy), NULL);
    gtk_widget_show_all(dialog);
    gtk_widget_grab_focus(scrolled); /* so that keys scroll it */
    return dialog;
}
