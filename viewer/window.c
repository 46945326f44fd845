/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window has three faces: no trace is open yet, one is being opened, and the trace (views at the left, timeline or
 * histogram, details, status).
 */
#include "viewer/window.h"

#include "viewer/details.h"
#include "viewer/dialogs.h"
#include "viewer/empty_face.h"
#include "viewer/find_bar.h"
#include "viewer/header.h"
#include "viewer/keeping.h"
#include "viewer/long_job.h"
#include "viewer/opening.h"
#include "viewer/preparing.h"
#include "viewer/profile_area.h"
#include "viewer/session_file.h"
#include "viewer/status_line.h"
#include "viewer/table_area.h"
#include "viewer/timeline_area.h"
#include "viewer/view_list.h"
#include "viewer/waiting.h"
#include "viewer/window_input.h"
#include "viewer/window_wants.h"

#include <string.h>

typedef struct {
    TndSession *session;
    GtkWidget *window, *header, *faces, *contents, *pages, *timeline, *table, *profile, *list, *details, *find;
    GtkWidget *opening_face;
    TndLongJob *opening; /* the job that opens a trace; NULL: none runs */
    TndPreparing *preparing;
    const TndArguments *arguments; /* for the first trace only */
    GPtrArray *beside;             /* of char *: configurations and sessions to open when the trace is open */
} Window;

static const char key[] = "tnd-window";

static void start(Window *window, TndOpening *opening); /* takes ownership of it */

static Window *window_of(GtkWidget *widget)
{
    return g_object_get_data(G_OBJECT(widget), key);
}

static void show_face(Window *window)
{
    const char *face = window->opening ? "opening" : tnd_session_trace(window->session) ? "trace" : "empty";
    gtk_stack_set_visible_child_name(GTK_STACK(window->faces), face);
}

/* Gives the focus to the timeline if it is visible, else to no widget: the window handles the keys. */
static void give_focus(Window *window)
{
    if (gtk_widget_get_mapped(window->timeline))
        gtk_widget_grab_focus(window->timeline);
    else
        gtk_window_set_focus(GTK_WINDOW(window->window), NULL);
}

static const char *const page_names[] = {
    [TND_PAGE_TIMELINE] = "timeline", [TND_PAGE_HISTOGRAM] = "histogram", [TND_PAGE_PROFILE] = "profile"};

/* Shows the page of the current view; in place of a histogram, the progress of preparing its view. */
static void show_page(Window *window)
{
    const gboolean is_ready = tnd_preparing_is_ready(window->preparing);
    const TndPage page = tnd_session_page(window->session);
    GtkWidget *shown = !is_ready && page == TND_PAGE_HISTOGRAM ? tnd_preparing_page(window->preparing) : window->pages;
    gtk_stack_set_visible_child(GTK_STACK(window->contents), shown);
    gtk_stack_set_visible_child_name(GTK_STACK(window->pages), page_names[page]);
    gtk_widget_set_visible(window->details, page != TND_PAGE_PROFILE); /* they are about a burst */
    if (is_ready)
        tnd_table_area_refresh(window->table); /* it was told of the view before the view was prepared */
}

static void on_prepared(gpointer data)
{
    Window *window = data;
    tnd_timeline_area_refresh(window->timeline);
    show_page(window);
}

gboolean tnd_window_is_beside(const char *path)
{
    return g_str_has_suffix(path, ".cfg") || g_str_has_suffix(path, TND_SESSION_FILE_SUFFIX);
}

/* A session is applied to the trace that is open; if none is, its own is opened first. */
static void open_session(Window *window, const char *path)
{
    GError *error = NULL;
    TndOpening *opening = tnd_session_trace(window->session) ? NULL : tnd_session_file_opening(path, &error);
    if (error) {
        tnd_dialogs_error(GTK_WINDOW(window->window), "The session cannot be opened", error->message);
        g_error_free(error);
    } else if (opening) {
        start(window, opening);
        g_ptr_array_add(window->beside, g_strdup(path));
    } else {
        tnd_keeping_apply(GTK_WINDOW(window->window), window->session, path);
    }
}

static void open_beside(Window *window, const char *path)
{
    if (window->opening)
        g_ptr_array_add(window->beside, g_strdup(path));
    else if (g_str_has_suffix(path, ".cfg"))
        tnd_keeping_open_cfg(GTK_WINDOW(window->window), window->session, path);
    else
        open_session(window, path);
    give_focus(window);
}

static gpointer open_trace(gconstpointer opening, TndTraceProgress progress, gpointer data, GError **error)
{
    return tnd_opening_run(opening, progress, data, error);
}

static void take_trace(Window *window, TndTrace *trace)
{
    tnd_preparing_stop(window->preparing);
    tnd_table_area_stop(window->table);
    tnd_profile_area_stop(window->profile);
    tnd_find_bar_stop(window->find);
    tnd_keeping_save_last(window->session);
    tnd_session_set_trace(window->session, trace);
    tnd_keeping_add_recent(tnd_trace_path(trace));
}

static void on_opened(gpointer trace, GError *error, gpointer data)
{
    Window *window = data;
    window->opening = NULL;
    tnd_waiting_show(window->opening_face, "", NULL);
    const TndArguments *arguments = window->arguments;
    window->arguments = NULL;
    if (trace) {
        take_trace(window, trace);
        tnd_keeping_begin(GTK_WINDOW(window->window), window->session, arguments);
    } else if (!g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
        tnd_dialogs_error(GTK_WINDOW(window->window), "The trace cannot be opened", error->message);
    }
    g_clear_error(&error);
    show_face(window);
    for (guint i = 0; trace && i < window->beside->len; i++)
        open_beside(window, window->beside->pdata[i]);
    g_ptr_array_set_size(window->beside, 0);
    give_focus(window);
}

static void start(Window *window, TndOpening *opening)
{
    static const TndLongJobKind kind = {open_trace, (GDestroyNotify)tnd_opening_free, (GDestroyNotify)tnd_trace_free,
                                        on_opened};
    if (window->opening) {
        tnd_opening_free(opening);
        return;
    }
    char *text = tnd_opening_text(opening);
    window->opening = tnd_long_job_start(&kind, opening, window);
    tnd_waiting_show(window->opening_face, text, window->opening);
    g_free(text);
    show_face(window);
}

void tnd_window_open(GtkWidget *widget, const char *path)
{
    if (tnd_window_is_beside(path))
        open_beside(window_of(widget), path);
    else
        start(window_of(widget), tnd_opening_new(path, NULL, NULL));
}

void tnd_window_open_two(GtkWidget *widget, const char *path, const char *beside, const char *alignment)
{
    start(window_of(widget), tnd_opening_new(path, beside, alignment));
}

static void on_change(TndSession *session, guint changes, gpointer data)
{
    Window *window = data;
    if (changes & TND_CHANGED_TRACE)
        tnd_header_show_trace(window->header, tnd_session_trace(window->session));
    if (changes & (TND_CHANGED_VIEW | TND_CHANGED_LANES)) {
        tnd_preparing_follow(window->preparing, !(changes & TND_CHANGED_LANES));
        show_page(window);
    }
}

static void on_page(GtkStack *pages, GParamSpec *spec, gpointer data)
{
    Window *window = data;
    const char *name = gtk_stack_get_visible_child_name(pages);
    if (!name || gtk_widget_in_destruction(GTK_WIDGET(pages)))
        return;
    for (guint page = 0; page < G_N_ELEMENTS(page_names); page++)
        if (strcmp(name, page_names[page]) == 0)
            tnd_session_set_page(window->session, (TndPage)page);
    give_focus(window);
}

static void on_destroy(GtkWidget *widget, gpointer data)
{
    Window *window = data;
    tnd_session_unwatch(window->session, window);
    if (window->opening)
        tnd_long_job_stop(window->opening);
    window->opening = NULL;
    tnd_keeping_save_last(window->session);
    g_clear_pointer(&window->preparing, tnd_preparing_free);
    g_clear_pointer(&window->beside, g_ptr_array_unref);
}

static GtkWidget *trace_face(Window *window)
{
    GtkWidget *across = gtk_paned_new(GTK_ORIENTATION_HORIZONTAL), *down = gtk_paned_new(GTK_ORIENTATION_VERTICAL);
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *timelines = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    GtkWidget *upper = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    window->timeline = tnd_timeline_area_new(window->session);
    window->preparing = tnd_preparing_new(window->session, on_prepared, window);
    gtk_box_pack_start(GTK_BOX(timelines), window->timeline, TRUE, TRUE, 0);
    gtk_box_pack_start(GTK_BOX(timelines), tnd_preparing_line(window->preparing), FALSE, FALSE, 4);
    window->table = tnd_table_area_new(window->session);
    window->list = tnd_view_list_new(window->session);
    gtk_stack_add_titled(GTK_STACK(window->pages), timelines, "timeline", "Timeline");
    window->profile = tnd_profile_area_new(window->session);
    gtk_stack_add_titled(GTK_STACK(window->pages), window->table, "histogram", "Histogram");
    gtk_stack_add_titled(GTK_STACK(window->pages), window->profile, "profile", "Profile");
    window->details = tnd_details_new(window->session);
    window->contents = gtk_stack_new();
    gtk_container_add(GTK_CONTAINER(window->contents), window->pages);
    gtk_container_add(GTK_CONTAINER(window->contents), tnd_preparing_page(window->preparing));
    window->find = tnd_find_bar_new(window->session);
    gtk_box_pack_start(GTK_BOX(upper), window->contents, TRUE, TRUE, 0);
    gtk_box_pack_start(GTK_BOX(upper), window->find, FALSE, FALSE, 0);
    gtk_paned_pack1(GTK_PANED(down), upper, TRUE, FALSE);
    gtk_paned_pack2(GTK_PANED(down), window->details, FALSE, FALSE);
    gtk_paned_pack1(GTK_PANED(across), window->list, FALSE, FALSE);
    gtk_paned_pack2(GTK_PANED(across), down, TRUE, FALSE);
    gtk_box_pack_start(GTK_BOX(box), across, TRUE, TRUE, 0);
    gtk_box_pack_start(GTK_BOX(box), gtk_separator_new(GTK_ORIENTATION_HORIZONTAL), FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(box), tnd_status_line_new(window->session), FALSE, FALSE, 0);
    return box;
}

static void connect_window(Window *window)
{
    g_signal_connect(window->pages, "notify::visible-child", G_CALLBACK(on_page), window);
    g_signal_connect(window->window, "destroy", G_CALLBACK(on_destroy), window);
    tnd_window_wants_connect(window->window, window->session, window->timeline, window->find);
    tnd_window_input_connect(window->window, window->session, window->list);
    tnd_session_watch(window->session, on_change, window);
}

GtkWidget *tnd_window_new(GtkApplication *application, TndSession *session, const TndArguments *arguments)
{
    Window *window = g_new0(Window, 1);
    window->session = session;
    window->arguments = arguments;
    window->beside = g_ptr_array_new_with_free_func(g_free);
    window->window = gtk_application_window_new(application);
    g_object_set_data_full(G_OBJECT(window->window), key, window, g_free);
    gtk_window_set_default_size(GTK_WINDOW(window->window), 1280, 700);
    gtk_window_set_icon_name(GTK_WINDOW(window->window), "org.tandem.tview");
    window->pages = gtk_stack_new();
    window->faces = gtk_stack_new();
    window->header = tnd_header_new(session, GTK_STACK(window->pages));
    gtk_window_set_titlebar(GTK_WINDOW(window->window), window->header);
    gtk_stack_add_named(GTK_STACK(window->faces), tnd_empty_face_new(session, tnd_window_open), "empty");
    window->opening_face = tnd_waiting_new(TRUE, FALSE);
    gtk_stack_add_named(GTK_STACK(window->faces), window->opening_face, "opening");
    gtk_stack_add_named(GTK_STACK(window->faces), trace_face(window), "trace");
    gtk_container_add(GTK_CONTAINER(window->window), window->faces);
    connect_window(window);
    gtk_widget_show_all(window->window);
    tnd_header_show_trace(window->header, tnd_session_trace(window->session));
    show_face(window);
    if (arguments && arguments->trace)
        start(window, tnd_opening_new(arguments->trace, arguments->beside, arguments->alignment));
    return window->window;
}

GtkWidget *tnd_window_timeline(GtkWidget *window)
{
    return window_of(window)->timeline;
}

GtkWidget *tnd_window_profile(GtkWidget *window)
{
    return window_of(window)->profile;
}

GtkWidget *tnd_window_table(GtkWidget *window)
{
    return window_of(window)->table;
}
