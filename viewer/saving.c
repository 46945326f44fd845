/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The name of the file that is proposed is made of the trace and of what is shown.
 */
#include "viewer/saving.h"

#include "viewer/dialogs.h"

#include <glib/gstdio.h>

/* In the size in which it is shown; tables have one of their own. */
static gboolean export(TndSession *session, GtkWidget *timelines, const char *path, GError **error)
{
    const gboolean is_table = tnd_session_page(session) == TND_PAGE_HISTOGRAM;
    const int width = is_table ? 0 : gtk_widget_get_allocated_width(timelines);
    const int height = is_table ? 0 : gtk_widget_get_allocated_height(timelines);
    return tnd_session_export(session, path, width, height, error);
}

void tnd_saving_save(GtkWindow *window, TndSession *session, GtkWidget *timelines, TndSaving what)
{
    static const struct {
        const char *ending, *title;
    } files[] = {[TND_SAVING_PICTURE] = {"png", "Save the picture (.png, .svg, .pdf), or timelines for Paraver (.cfg)"},
                 [TND_SAVING_CSV] = {"csv", "Save the histogram as CSV"},
                 [TND_SAVING_CFG] = {"cfg", "Save the timelines as a configuration of Paraver (.cfg)"}};
    if (!tnd_session_view(session))
        return;
    char *shown = tnd_session_file_name(session);
    char *name = g_strdup_printf("%s-%s.%s", tnd_trace_name(tnd_session_trace(session)), shown, files[what].ending);
    char *path = tnd_dialogs_save(window, files[what].title, name);
    if (path && what == TND_SAVING_CFG && !g_str_has_suffix(path, ".cfg")) {
        char *given = path;
        path = g_strconcat(given, ".cfg", NULL);
        g_free(given);
    }
    GError *error = NULL;
    if (path && !(what == TND_SAVING_CSV ? tnd_session_write_csv(session, path, &error)
                                         : export(session, timelines, path, &error)))
        tnd_dialogs_error(window, "The file cannot be written", error->message);
    g_clear_error(&error);
    g_free(path);
    g_free(name);
    g_free(shown);
}

void tnd_saving_copy(GtkWindow *window, TndSession *session)
{
    char *text = tnd_session_page(session) == TND_PAGE_HISTOGRAM ? tnd_session_table_text(session) : NULL;
    if (!text)
        text = tnd_session_stretch_text(session);
    gtk_clipboard_set_text(gtk_widget_get_clipboard(GTK_WIDGET(window), GDK_SELECTION_CLIPBOARD), text, -1);
    g_free(text);
}

void tnd_saving_copy_picture(GtkWindow *window, TndSession *session, GtkWidget *timelines)
{
    GError *error = NULL;
    char *path = NULL;
    const int file = tnd_session_view(session) ? g_file_open_tmp("tview-XXXXXX.png", &path, &error) : -1;
    GdkPixbuf *picture = NULL;
    if (file >= 0 && export(session, timelines, path, &error))
        picture = gdk_pixbuf_new_from_file(path, &error);
    if (file >= 0) {
        g_close(file, NULL);
        g_remove(path);
    }
    if (picture)
        gtk_clipboard_set_image(gtk_widget_get_clipboard(GTK_WIDGET(window), GDK_SELECTION_CLIPBOARD), picture);
    if (error)
        tnd_dialogs_error(window, "The picture cannot be copied", error->message);
    g_clear_error(&error);
    g_clear_object(&picture);
    g_free(path);
}
