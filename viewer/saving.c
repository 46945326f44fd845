/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The name of the file that is proposed is made of the trace and of what is shown.
 */
#include "viewer/saving.h"

#include "viewer/dialogs.h"

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
    gboolean is_table = tnd_session_page(session) == TND_PAGE_HISTOGRAM;
    int width = is_table ? 0 : gtk_widget_get_allocated_width(timelines);
    int height = is_table ? 0 : gtk_widget_get_allocated_height(timelines);
    GError *error = NULL;
    if (path && !(what == TND_SAVING_CSV ? tnd_session_write_csv(session, path, &error)
                                         : tnd_session_export(session, path, width, height, &error)))
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
