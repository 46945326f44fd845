/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The main function of tview: opens a window or, for exports, writes files without needing a display.
 */
#include "viewer/batch.h"
#include "viewer/window.h"

#include <errno.h>
#include <gio/gio.h>
#include <locale.h>
#include <stdio.h>
#include <unistd.h>

typedef struct {
    TndSession *session;
    const TndArguments *arguments;
} Start;

static void on_activate(GtkApplication *application, gpointer data)
{
    const Start *start = data;
    tnd_window_new(application, start->session, start->arguments);
}

static gboolean can_read(const char *path, GError **error)
{
    if (!path || access(path, R_OK) == 0)
        return TRUE;
    g_set_error(error, G_IO_ERROR, (gint)g_io_error_from_errno(errno), "%s: %s", path, g_strerror(errno));
    return FALSE;
}

/* Whether there is a window to be had, and what to show in it. */
static gboolean can_open(const TndArguments *arguments, GError **error)
{
    if (!can_read(arguments->trace, error) || !can_read(arguments->beside, error))
        return FALSE;
    for (guint i = 0; arguments->cfgs && arguments->cfgs[i]; i++)
        if (!can_read(arguments->cfgs[i], error))
            return FALSE;
    gtk_disable_setlocale(); /* the decimal separator is a point in every locale */
    if (gtk_init_check(NULL, NULL))
        return TRUE;
    const char *display = g_getenv("DISPLAY");
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_CONNECTED,
                "no window can be opened: %s%s; --export out.png makes a picture without one",
                display ? "there is no display " : "DISPLAY is not set (ssh -X sets it)", display ? display : "");
    return FALSE;
}

static int run_window(const TndArguments *arguments)
{
    Start start = {tnd_session_new(), arguments};
    GtkApplication *application = gtk_application_new("org.tandem.tview", G_APPLICATION_NON_UNIQUE);
    g_signal_connect(application, "activate", G_CALLBACK(on_activate), &start);
    int status = g_application_run(G_APPLICATION(application), 0, NULL);
    g_object_unref(application);
    tnd_session_free(start.session);
    return status;
}

int main(int argc, char **argv)
{
    setlocale(LC_ALL, "");
    setlocale(LC_NUMERIC, "C");
    g_set_prgname("tview");
    TndArguments arguments;
    GError *error = NULL;
    int status;
    if (!tnd_arguments_parse(&arguments, argc, argv, &error) || !tnd_batch_add_view_files(&arguments, &error)) {
        fprintf(stderr, "tview: %s\n", error->message);
        g_error_free(error);
        status = 2;
    } else if (arguments.shows_version) {
        printf("tview %s\n", TND_VERSION);
        status = 0;
    } else if (!tnd_batch_find_trace(&arguments, &error) ||
               (!tnd_batch_is_wanted(&arguments) && !can_open(&arguments, &error))) {
        fprintf(stderr, "tview: %s\n", error->message);
        g_error_free(error);
        status = 1;
    } else if (tnd_batch_is_wanted(&arguments)) {
        status = tnd_batch_run(&arguments);
    } else {
        status = run_window(&arguments);
    }
    tnd_arguments_clear(&arguments);
    return status;
}
