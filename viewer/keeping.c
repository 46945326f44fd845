/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sessions are written and read by session_file.c; recent files are GTK's.
 */
#include "viewer/keeping.h"

#include "viewer/batch.h"
#include "viewer/dialogs.h"
#include "viewer/session_file.h"

enum { MOST_TOLD = 8 };

static char application[] = "tview", command[] = "tview %f", type[] = "application/x-paraver-trace";

void tnd_keeping_save_last(const TndSession *session)
{
    if (!tnd_session_view(session))
        return;
    char *path = tnd_session_file_last(tnd_session_trace(session)), *folder = g_path_get_dirname(path);
    if (g_mkdir_with_parents(folder, 0700) == 0)
        tnd_session_file_write(session, path, NULL);
    g_free(folder);
    g_free(path);
}

static void restore_last(TndSession *session)
{
    char *path = tnd_session_file_last(tnd_session_trace(session));
    if (tnd_session_view(session))
        tnd_session_file_apply(session, path, NULL, NULL);
    g_free(path);
}

/* FALSE: there is no place for the list, of which GTK would complain. */
static gboolean has_recent(void)
{
    return g_mkdir_with_parents(g_get_user_data_dir(), 0700) == 0;
}

void tnd_keeping_add_recent(const char *path)
{
    char *absolute = g_canonicalize_filename(path, NULL), *uri = g_filename_to_uri(absolute, NULL, NULL);
    GtkRecentData data = {.mime_type = type, .app_name = application, .app_exec = command};
    if (uri && has_recent())
        gtk_recent_manager_add_full(gtk_recent_manager_get_default(), uri, &data);
    g_free(uri);
    g_free(absolute);
}

static gint by_visit(gconstpointer a, gconstpointer b)
{
    const time_t visit = gtk_recent_info_get_modified((GtkRecentInfo *)a);
    const time_t other = gtk_recent_info_get_modified((GtkRecentInfo *)b);
    return visit > other ? -1 : visit < other;
}

char **tnd_keeping_recent(guint most)
{
    GPtrArray *paths = g_ptr_array_new();
    GList *items = has_recent() ? gtk_recent_manager_get_items(gtk_recent_manager_get_default()) : NULL;
    items = g_list_sort(items, by_visit);
    for (GList *item = items; item; item = item->next) {
        char *path = g_filename_from_uri(gtk_recent_info_get_uri(item->data), NULL, NULL);
        if (path && paths->len < most && gtk_recent_info_has_application(item->data, application) &&
            g_file_test(path, G_FILE_TEST_IS_REGULAR))
            g_ptr_array_add(paths, path);
        else
            g_free(path);
    }
    g_list_free_full(items, (GDestroyNotify)gtk_recent_info_unref);
    g_ptr_array_add(paths, NULL);
    return (char **)g_ptr_array_free(paths, FALSE);
}

void tnd_keeping_save(GtkWindow *window, TndSession *session)
{
    GError *error = NULL;
    if (!tnd_session_view(session))
        return;
    char *name = g_strconcat(tnd_trace_name(tnd_session_trace(session)), TND_SESSION_FILE_SUFFIX, NULL);
    char *path = tnd_dialogs_save(window, "Save the session (timelines, rows, time)", name);
    if (path && !tnd_session_file_write(session, path, &error))
        tnd_dialogs_error(window, "The session cannot be written", error->message);
    g_clear_error(&error);
    g_free(path);
    g_free(name);
}

/* Tells what a trace does not have (char *); nothing if it has all. */
static void tell(GtkWindow *window, const GPtrArray *left_out)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < MIN(left_out->len, MOST_TOLD); i++)
        g_string_append_printf(text, "%s%s", i ? "\n" : "", (const char *)left_out->pdata[i]);
    if (left_out->len > MOST_TOLD)
        g_string_append_printf(text, "\nand %u more", left_out->len - MOST_TOLD);
    if (left_out->len)
        tnd_dialogs_error(window, "Some of the session does not fit this trace", text->str);
    g_string_free(text, TRUE);
}

void tnd_keeping_apply(GtkWindow *window, TndSession *session, const char *path)
{
    GError *error = NULL;
    GPtrArray *left_out = g_ptr_array_new_with_free_func(g_free);
    if (tnd_session_file_apply(session, path, left_out, &error))
        tell(window, left_out);
    else
        tnd_dialogs_error(window, "The session cannot be opened", error->message);
    g_clear_error(&error);
    g_ptr_array_unref(left_out);
}

void tnd_keeping_open_cfg(GtkWindow *window, TndSession *session, const char *path)
{
    GError *error = NULL;
    if (!tnd_session_trace(session))
        g_set_error(&error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                    "%s is a configuration, which needs a trace, and none is open yet: open the trace first", path);
    else
        tnd_session_open_cfg(session, path, &error);
    if (error)
        tnd_dialogs_error(window, "The configuration cannot be opened", error->message);
    g_clear_error(&error);
}

void tnd_keeping_begin(GtkWindow *window, TndSession *session, const TndArguments *arguments)
{
    GError *error = NULL;
    GPtrArray *left_out = g_ptr_array_new_with_free_func(g_free);
    if (!arguments || (arguments->is_plain && !arguments->is_fresh))
        restore_last(session);
    else if (!tnd_batch_apply(session, arguments, left_out, &error))
        tnd_dialogs_error(window, "The options of the command line cannot be applied", error->message);
    tell(window, left_out);
    g_clear_error(&error);
    g_ptr_array_unref(left_out);
}
