/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The main function of tview: opens a window or, for exports, writes files without needing a display.
 */
#include "viewer/batch.h"
#include "viewer/window.h"

#include <locale.h>
#include <stdio.h>

typedef struct {
    TndSession *session;
    const TndArguments *arguments;
} Start;

static void on_activate(GtkApplication *application, gpointer data)
{
    const Start *start = data;
    tnd_window_new(application, start->session, start->arguments);
}

static int run_window(const TndArguments *arguments)
{
    gtk_disable_setlocale(); /* the decimal separator is a point in every locale */
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
    } else if (!tnd_batch_find_trace(&arguments, &error)) {
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
