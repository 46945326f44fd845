/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table says who does what is asked for.
 */
#include "viewer/window_wants.h"

#include "viewer/choosing.h"
#include "viewer/command_finder.h"
#include "viewer/dialogs.h"
#include "viewer/find_bar.h"
#include "viewer/keeping.h"
#include "viewer/note_entry.h"
#include "viewer/range_entry.h"
#include "viewer/saving.h"
#include "viewer/source_window.h"
#include "viewer/window.h"

typedef struct {
    TndSession *session;
    GtkWidget *window, *timelines, *find;
} Wants;

static void open_file(const Wants *wants)
{
    char *path = tnd_dialogs_open(GTK_WINDOW(wants->window));
    if (path)
        tnd_window_open(wants->window, path);
    g_free(path);
}

static void open_beside(const Wants *wants)
{
    const TndTrace *trace = tnd_session_trace(wants->session);
    char *alignment = NULL, *path = trace ? tnd_dialogs_open_beside(GTK_WINDOW(wants->window), &alignment) : NULL;
    if (path)
        tnd_window_open_two(wants->window, tnd_trace_path(trace), path, alignment);
    g_free(alignment);
    g_free(path);
}

static void save_picture(const Wants *wants)
{
    tnd_saving_save(GTK_WINDOW(wants->window), wants->session, wants->timelines, TND_SAVING_PICTURE);
}

static void save_csv(const Wants *wants)
{
    tnd_saving_save(GTK_WINDOW(wants->window), wants->session, wants->timelines, TND_SAVING_CSV);
}

static void save_cfg(const Wants *wants)
{
    tnd_saving_save(GTK_WINDOW(wants->window), wants->session, wants->timelines, TND_SAVING_CFG);
}

static void save_session(const Wants *wants)
{
    tnd_keeping_save(GTK_WINDOW(wants->window), wants->session);
}

static void copy_text(const Wants *wants)
{
    tnd_saving_copy(GTK_WINDOW(wants->window), wants->session);
}

static void copy_picture(const Wants *wants)
{
    tnd_saving_copy_picture(GTK_WINDOW(wants->window), wants->session, wants->timelines);
}

static void add_timeline(const Wants *wants)
{
    GError *error = NULL;
    if (!tnd_session_add_next(wants->session, &error) && error)
        tnd_dialogs_error(GTK_WINDOW(wants->window), "No timeline can be added", error->message);
    g_clear_error(&error);
}

static void choose_rows(const Wants *wants)
{
    if (tnd_session_view(wants->session))
        tnd_choosing_rows(GTK_WINDOW(wants->window), wants->session);
}

static void choose_messages(const Wants *wants)
{
    if (tnd_session_view(wants->session))
        tnd_choosing_messages(GTK_WINDOW(wants->window), wants->session);
}

static void show_source(const Wants *wants)
{
    if (tnd_session_view(wants->session))
        tnd_source_window_show(GTK_WINDOW(wants->window), wants->session);
}

static void find(const Wants *wants)
{
    if (tnd_session_view(wants->session))
        tnd_find_bar_open(wants->find);
}

static void write_note(const Wants *wants)
{
    tnd_note_entry_show(wants->timelines, wants->session);
}

static void type_range(const Wants *wants)
{
    if (tnd_session_view(wants->session))
        tnd_range_entry_show(gtk_window_get_titlebar(GTK_WINDOW(wants->window)), wants->session);
}

static void find_command(const Wants *wants)
{
    tnd_command_finder_show(gtk_window_get_titlebar(GTK_WINDOW(wants->window)), wants->session);
}

static void show_keys(const Wants *wants)
{
    tnd_dialogs_keys(GTK_WINDOW(wants->window));
}

static void quit(const Wants *wants)
{
    gtk_window_close(GTK_WINDOW(wants->window));
}

static void (*const table[TND_WANTS_N])(const Wants *wants) = {[TND_WANTS_OPEN] = open_file,
                                                               [TND_WANTS_BESIDE] = open_beside,
                                                               [TND_WANTS_EXPORT] = save_picture,
                                                               [TND_WANTS_CSV] = save_csv,
                                                               [TND_WANTS_CFG] = save_cfg,
                                                               [TND_WANTS_SESSION] = save_session,
                                                               [TND_WANTS_COPY] = copy_text,
                                                               [TND_WANTS_ADD] = add_timeline,
                                                               [TND_WANTS_ROWS] = choose_rows,
                                                               [TND_WANTS_MESSAGES] = choose_messages,
                                                               [TND_WANTS_SOURCE] = show_source,
                                                               [TND_WANTS_FIND] = find,
                                                               [TND_WANTS_NOTE] = write_note,
                                                               [TND_WANTS_RANGE] = type_range,
                                                               [TND_WANTS_PALETTE] = find_command,
                                                               [TND_WANTS_KEYS] = show_keys,
                                                               [TND_WANTS_QUIT] = quit,
                                                               [TND_WANTS_PICTURE] = copy_picture};

static void on_change(TndSession *session, guint changes, gpointer data)
{
    const Wants wants = *(const Wants *)data; /* what is served may end the window */
    if (changes & TND_CHANGED_WISH)
        table[tnd_session_wish(session)](&wants);
}

static void on_destroy(GtkWidget *widget, gpointer data)
{
    tnd_session_unwatch(((Wants *)data)->session, data);
}

void tnd_window_wants_connect(GtkWidget *window, TndSession *session, GtkWidget *timelines, GtkWidget *find)
{
    Wants *wants = g_new(Wants, 1);
    *wants = (Wants){session, window, timelines, find};
    g_object_set_data_full(G_OBJECT(window), "tnd-window-wants", wants, g_free);
    g_signal_connect(window, "destroy", G_CALLBACK(on_destroy), wants);
    tnd_session_watch(session, on_change, wants);
}
