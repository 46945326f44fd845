/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text is made at once; Escape closes the window.
 */
#include "viewer/source_window.h"

#include "viewer/dialogs.h"

#include <gio/gio.h>

enum { WIDTH = 760, HEIGHT = 480, MARGIN = 8 };

static void append_line(GString *text, const TndSource *source, guint number)
{
    const guint64 n = source->n_samples[number];
    char *valid = g_utf8_make_valid(source->file->lines[number - 1], -1);
    char *share = n ? g_strdup_printf("%.2f %%", 100 * (double)n / (double)source->n_all) : g_strdup("");
    g_string_append_printf(text, "%s%9s %5u  %s", number > 1 ? "\n" : "", share, number, valid);
    g_free(share);
    g_free(valid);
}

static GtkWidget *text_new(const TndSource *source)
{
    GString *text = g_string_new(NULL);
    for (guint number = 1; number <= source->file->n_lines; number++)
        append_line(text, source, number);
    GtkWidget *view = gtk_text_view_new();
    GtkTextBuffer *buffer = gtk_text_view_get_buffer(GTK_TEXT_VIEW(view));
    gtk_text_buffer_set_text(buffer, text->str, -1);
    gtk_text_buffer_create_tag(buffer, "line", "weight", PANGO_WEIGHT_BOLD, "paragraph-background", "#ffd54f",
                               "foreground", "#000000", NULL);
    GtkTextIter begin, end;
    gtk_text_buffer_get_iter_at_line(buffer, &begin, (int)MAX(MIN(source->line, source->file->n_lines), 1) - 1);
    end = begin;
    gtk_text_iter_forward_line(&end);
    gtk_text_buffer_apply_tag_by_name(buffer, "line", &begin, &end);
    gtk_text_buffer_place_cursor(buffer, &begin);
    gtk_text_view_set_monospace(GTK_TEXT_VIEW(view), TRUE);
    gtk_text_view_set_editable(GTK_TEXT_VIEW(view), FALSE);
    gtk_text_view_set_left_margin(GTK_TEXT_VIEW(view), MARGIN);
    gtk_widget_set_name(view, "source-text");
    g_string_free(text, TRUE);
    return view;
}

static char *about(const TndSource *source)
{
    return g_strdup_printf(
        "%s:%u%s%s", source->file->path, source->line, source->file->is_newer ? ", which is newer than the trace" : "",
        source->n_all ? "; at the left: the share of the samples that are in a line itself, in the time "
                        "that is shown"
                      : "");
}

/* Shows the line, when all lines have got their places. */
static gboolean on_idle(gpointer text)
{
    GtkTextBuffer *buffer = gtk_text_view_get_buffer(GTK_TEXT_VIEW(text));
    GtkAdjustment *reach = gtk_scrollable_get_vadjustment(GTK_SCROLLABLE(text));
    GtkTextIter line;
    int y, height;
    gtk_text_buffer_get_iter_at_mark(buffer, &line, gtk_text_buffer_get_insert(buffer));
    gtk_text_view_get_line_yrange(GTK_TEXT_VIEW(text), &line, &y, &height);
    gtk_adjustment_set_value(reach, y - gtk_adjustment_get_page_size(reach) * 0.4);
    return G_SOURCE_REMOVE;
}

static GtkWidget *label_new(const TndSource *source)
{
    char *line = about(source);
    GtkWidget *label = gtk_label_new(line);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_MIDDLE);
    gtk_label_set_selectable(GTK_LABEL(label), TRUE);
    gtk_widget_set_can_focus(label, FALSE);
    g_free(line);
    return label;
}

static void show(GtkWindow *parent, const TndSource *source)
{
    char *name = g_path_get_basename(source->file->path);
    GtkWidget *dialog = gtk_dialog_new_with_buttons(name, parent, GTK_DIALOG_DESTROY_WITH_PARENT, NULL, NULL);
    GtkWidget *scrolled = gtk_scrolled_window_new(NULL, NULL), *text = text_new(source);
    GtkBox *box = GTK_BOX(gtk_dialog_get_content_area(GTK_DIALOG(dialog)));
    gtk_scrolled_window_set_min_content_width(GTK_SCROLLED_WINDOW(scrolled), WIDTH);
    gtk_scrolled_window_set_min_content_height(GTK_SCROLLED_WINDOW(scrolled), HEIGHT);
    gtk_container_add(GTK_CONTAINER(scrolled), text);
    gtk_container_set_border_width(GTK_CONTAINER(box), MARGIN);
    gtk_box_set_spacing(box, MARGIN);
    gtk_box_pack_start(box, label_new(source), FALSE, FALSE, 0);
    gtk_box_pack_start(box, scrolled, TRUE, TRUE, 0);
    g_signal_connect(dialog, "response", G_CALLBACK(gtk_widget_destroy), NULL);
    gtk_widget_show_all(dialog);
    gtk_widget_grab_focus(text);
    g_idle_add_full(G_PRIORITY_LOW, on_idle, g_object_ref(text), g_object_unref);
    g_free(name);
}

void tnd_source_window_show(GtkWindow *parent, TndSession *session)
{
    GError *error = NULL;
    const TndSpot spot = tnd_session_selection(session);
    TndSource *source = tnd_session_source(session, spot, &error);
    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND)) {
        char *title = g_strdup_printf("%s: in which folder is it?", error->message),
             *folder = tnd_dialogs_folder(parent, title);
        g_clear_error(&error);
        if (folder) {
            tnd_session_set_source_folder(session, folder);
            source = tnd_session_source(session, spot, &error);
        }
        g_free(folder);
        g_free(title);
    }
    if (error)
        tnd_dialogs_error(parent, "The source cannot be shown", error->message);
    g_clear_error(&error);
    if (source)
        show(parent, source);
    tnd_session_free_source(source);
}
