/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A user's hands on the window of a test: xdotool moves the mouse and presses keys of the display that the test runs
 * on.  Pictures of the screen are left in the build tree.
 */
#ifndef TND_TEST_HANDS_H
#define TND_TEST_HANDS_H

#include "viewer/window.h"

#include <math.h>
#include <string.h>

enum { PATIENCE_US = 10000000 };

static GtkApplication *application;
static GtkWidget *window;
static TndSession *session;

/* Lives until the condition holds; the test fails after a while. */
#define WAIT_FOR(condition)                                                                                            \
    do {                                                                                                               \
        gint64 began = g_get_monotonic_time();                                                                         \
        while (!(condition)) {                                                                                         \
            g_main_context_iteration(NULL, FALSE);                                                                     \
            if (g_get_monotonic_time() - began > PATIENCE_US)                                                          \
                g_error("%s:%d: waited in vain for %s", __func__, __LINE__, #condition);                               \
            g_usleep(500);                                                                                             \
        }                                                                                                              \
    } while (0)

/* A turn of the main loop counts for a millisecond at most: a window that is kept from the CPU has not lived. */
static inline void live(guint milliseconds)
{
    gint64 left_us = milliseconds * 1000, before_us = g_get_monotonic_time();
    while (left_us > 0) {
        g_main_context_iteration(NULL, FALSE);
        g_usleep(500);
        gint64 now_us = g_get_monotonic_time();
        left_us -= MIN(now_us - before_us, 1000);
        before_us = now_us;
    }
}

static inline void on_exit_of(GPid pid, gint status, gpointer data)
{
    g_assert_cmpint(status, ==, 0);
    *(gboolean *)data = TRUE;
}

G_GNUC_PRINTF(1, 2) static inline void input(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *words = g_strdup_vprintf(format, arguments), *line = g_strdup_printf("xdotool %s", words);
    va_end(arguments);
    char **argv = g_strsplit(line, " ", -1);
    GError *error = NULL;
    GPid pid;
    gboolean has_ended = FALSE;
    gdk_display_sync(gdk_display_get_default()); /* else a window that is gone could still take the key */
    g_spawn_async(NULL, argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, &error);
    g_assert_no_error(error);
    g_child_watch_add(pid, on_exit_of, &has_ended);
    WAIT_FOR(has_ended);
    gdk_display_sync(gdk_display_get_default());
    live(20); /* what it did has come, and is served */
    g_strfreev(argv);
    g_free(line);
    g_free(words);
}

static inline void keep_screen(const char *name)
{
    live(150);
    GdkWindow *root = gdk_get_default_root_window();
    GdkPixbuf *screen = gdk_pixbuf_get_from_window(root, 0, 0, gdk_window_get_width(root), gdk_window_get_height(root));
    char *path = g_strdup_printf("%s/tests/ui/%s.png", g_getenv("TANDEM_BUILD"), name);
    GError *error = NULL;
    gdk_pixbuf_save(screen, path, "png", &error, NULL);
    g_assert_no_error(error);
    g_free(path);
    g_object_unref(screen);
}

/* The colour on the screen at a place in the picture of the timelines. */
static inline guint32 screen_at(double x, double y)
{
    int left, top;
    gdk_window_get_origin(gtk_widget_get_window(tnd_window_timeline(window)), &left, &top);
    GdkPixbuf *dot =
        gdk_pixbuf_get_from_window(gdk_get_default_root_window(), left + (int)floor(x), top + (int)floor(y), 1, 1);
    const guchar *pixel = gdk_pixbuf_read_pixels(dot);
    guint32 colour = (guint32)pixel[0] << 16 | (guint32)pixel[1] << 8 | pixel[2];
    g_object_unref(dot);
    return colour;
}

static inline void press(const char *key)
{
    input("key %s", key);
}

static inline GtkWidget *find_widget(GtkWidget *from, GType type)
{
    if (g_type_is_a(G_OBJECT_TYPE(from), type))
        return from;
    GtkWidget *found = NULL;
    if (GTK_IS_CONTAINER(from)) {
        GList *children = gtk_container_get_children(GTK_CONTAINER(from));
        for (GList *child = children; child && !found; child = child->next)
            found = find_widget(child->data, type);
        g_list_free(children);
    }
    return found;
}

/* The widget of this name. */
static inline GtkWidget *find_named(GtkWidget *from, const char *name)
{
    if (!strcmp(gtk_widget_get_name(from), name))
        return from;
    GtkWidget *found = NULL;
    GList *children = GTK_IS_CONTAINER(from) ? gtk_container_get_children(GTK_CONTAINER(from)) : NULL;
    for (GList *child = children; child && !found; child = child->next)
        found = find_named(child->data, name);
    g_list_free(children);
    return found;
}

/* The visible button with this label. */
static inline GtkWidget *find_labelled(GtkWidget *from, const char *label)
{
    if (GTK_IS_BUTTON(from) && gtk_widget_get_mapped(from) && !g_strcmp0(gtk_button_get_label(GTK_BUTTON(from)), label))
        return from;
    GtkWidget *found = NULL;
    GList *children = GTK_IS_CONTAINER(from) ? gtk_container_get_children(GTK_CONTAINER(from)) : NULL;
    for (GList *child = children; child && !found; child = child->next)
        found = find_labelled(child->data, label);
    g_list_free(children);
    return found;
}

static inline const char *current_view(void)
{
    return tnd_view_rule(tnd_session_view(session))->name;
}

static inline GtkListBox *view_list(void)
{
    return GTK_LIST_BOX(find_widget(window, GTK_TYPE_LIST_BOX));
}

/* Its place in the list. */
static inline guint place_of_view(const char *name)
{
    const GArray *list = tnd_session_items(session)->list;
    guint i = 0;
    while (i < list->len && g_strcmp0(g_array_index(list, TndItem, i).name, name) != 0)
        i++;
    g_assert_cmpuint(i, <, list->len);
    return i;
}

/* Double-clicks a view in the list. */
static inline void choose_view(guint i)
{
    GtkWidget *row = GTK_WIDGET(gtk_list_box_get_row_at_index(view_list(), (int)i));
    int x, y;
    GtkAllocation place; /* within the list's window */
    gtk_widget_get_allocation(row, &place);
    gtk_adjustment_clamp_page(gtk_list_box_get_adjustment(view_list()), place.y, place.y + place.height);
    live(500); /* else these clicks would count on from those before */
    gdk_window_get_origin(gtk_widget_get_window(row), &x, &y);
    input("mousemove %d %d click --repeat 2 --delay 60 1", x + place.x + 20, y + place.y + place.height / 2);
}

static inline GtkWidget *find_dialog(GType type)
{
    GtkWidget *found = NULL;
    GList *windows = gtk_window_list_toplevels();
    for (GList *each = windows; each; each = each->next)
        if (g_type_is_a(G_OBJECT_TYPE(each->data), type) && gtk_widget_get_visible(each->data))
            found = each->data;
    g_list_free(windows);
    return found;
}

/* Gives GTK's file dialog, which has a main loop of its own, a path as soon as it is there, and accepts it.  The dialog
 * takes no answer while it reads a folder, so that it is repeated until the dialog is gone. */
static inline gboolean accept_path(gpointer path)
{
    static const void *given;
    static GtkWidget *to;
    GtkWidget *dialog = find_dialog(GTK_TYPE_FILE_CHOOSER_DIALOG);
    if (given == path && dialog != to) {
        given = NULL;
        return G_SOURCE_REMOVE;
    }
    if (!dialog || !gtk_widget_get_mapped(dialog))
        return G_SOURCE_CONTINUE;
    if (given != path) {
        char *place = g_path_get_dirname(path), *name = g_path_get_basename(path);
        gtk_file_chooser_set_current_folder(GTK_FILE_CHOOSER(dialog), place);
        gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(dialog), name);
        g_free(place);
        g_free(name);
    }
    given = path;
    to = dialog;
    gtk_dialog_response(GTK_DIALOG(dialog), GTK_RESPONSE_ACCEPT);
    return G_SOURCE_CONTINUE;
}

/* cfg: of the tests, to be opened with it; NULL: none. */
static inline void open_window(const char *trace, const char *cfg)
{
    char *file = g_strconcat(trace, ".prv", NULL);
    char *path = g_test_build_filename(G_TEST_DIST, "data", "traces", trace, file, NULL);
    char *cfgs[] = {cfg ? g_test_build_filename(G_TEST_DIST, "data", "cfgs", cfg, NULL) : NULL, NULL};
    TndArguments arguments = {.trace = path, .cfgs = cfgs, .is_plain = !cfg};
    application = gtk_application_new("org.tandem.tview.test", G_APPLICATION_NON_UNIQUE);
    GError *error = NULL;
    g_application_register(G_APPLICATION(application), NULL, &error);
    g_assert_no_error(error);
    session = tnd_session_new();
    window = tnd_window_new(application, session, &arguments);
    WAIT_FOR(tnd_session_trace(session) != NULL);
    g_free(cfgs[0]);
    g_free(path);
    g_free(file);
    live(300);
}

/* Before GTK looks at its surroundings.  Nothing is kept for the next time, unless a test sets XDG_STATE_HOME and
 * XDG_DATA_HOME before. */
static inline void begin_tests(int *argc, char ***argv)
{
    g_setenv("XDG_STATE_HOME", "/proc/nothing", FALSE);
    g_setenv("XDG_DATA_HOME", "/proc/nothing", FALSE);
    g_setenv("NO_AT_BRIDGE", "1", TRUE);
    g_setenv("GSETTINGS_BACKEND", "memory", TRUE);
    gtk_disable_setlocale();
    g_test_init(argc, argv, NULL);
    gtk_init(argc, argv);
}

static inline int end_tests(void)
{
    int status = g_test_run();
    tnd_session_free(session);
    g_object_unref(application);
    return status;
}

#endif
