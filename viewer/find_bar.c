/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Enter searches, or goes to the next hit if the query is the one of before; Escape closes.
 */
#include "viewer/find_bar.h"

#include "analysis/base/quantity.h"
#include "analysis/trace/row_labels.h"
#include "viewer/long_job.h"
#include "viewer/paint/legend.h"
#include "viewer/paint/ruler.h"

#include <string.h>

enum { ROW, TIME, VALUE, DURATION, N_COLUMNS };
enum { MOST_LISTED = 2000, HEIGHT = 150 };

typedef struct {
    TndSession *session;
    GtkWidget *bar, *entry, *about, *scrolled, *list;
    GtkListStore *store;
    TndLongJob *job; /* NULL: none runs */
    gboolean is_following;
} Bar;

static const char key[] = "tnd-find-bar";

static void tell(Bar *bar, const char *text)
{
    gtk_label_set_text(GTK_LABEL(bar->about), text);
}

static void fill(Bar *bar)
{
    const TndFindHits *found = tnd_session_hits(bar->session);
    const guint n = found ? MIN(found->hits->len, MOST_LISTED) : 0;
    bar->is_following = TRUE; /* the cursor moves as rows go */
    gtk_list_store_clear(bar->store);
    bar->is_following = FALSE;
    for (guint i = 0; i < n; i++) {
        const TndFindHit *hit = &g_array_index(found->hits, TndFindHit, i);
        char *time = tnd_ruler_time_text(hit->begin_ns, 0), *value = tnd_legend_text(found->view, hit->value);
        char *duration = tnd_ruler_time_text(hit->end_ns - hit->begin_ns, 0);
        char *texts[] = {tnd_quantity_shown(time), tnd_quantity_shown(value), tnd_quantity_shown(duration)};
        char *valid = g_utf8_make_valid(texts[1], -1);
        const char *row = tnd_row_labels_get(tnd_view_trace(found->view), tnd_view_level(found->view), hit->row);
        gtk_list_store_insert_with_values(bar->store, NULL, -1, ROW, row, TIME, texts[0], VALUE, valid, DURATION,
                                          texts[2], -1);
        for (guint j = 0; j < G_N_ELEMENTS(texts); j++)
            g_free(texts[j]);
        g_free(valid);
        g_free(duration);
        g_free(value);
        g_free(time);
    }
    gtk_widget_set_visible(bar->scrolled, n > 0);
}

/* "3 of 12", "12 found". */
static void tell_place(Bar *bar)
{
    const TndFindHits *found = tnd_session_hits(bar->session);
    const guint hit = tnd_session_hit(bar->session);
    char *text = NULL;
    if (!found)
        text = g_strdup("");
    else if (!found->n_all)
        text = g_strdup("Nothing found");
    else if (hit < found->hits->len)
        text = g_strdup_printf("%u of %" G_GUINT64_FORMAT, hit + 1, found->n_all);
    else
        text = g_strdup_printf("%" G_GUINT64_FORMAT " found", found->n_all);
    if (found && found->n_all > found->hits->len) {
        char *all = text;
        text = g_strdup_printf("%s, the first %u can be gone to", all, found->hits->len);
        g_free(all);
    }
    tell(bar, text);
    g_free(text);
}

static void mark_hit(Bar *bar)
{
    const guint hit = tnd_session_hit(bar->session);
    if (hit >= MOST_LISTED)
        return;
    GtkTreePath *path = gtk_tree_path_new_from_indices((int)hit, -1);
    bar->is_following = TRUE;
    gtk_tree_view_set_cursor(GTK_TREE_VIEW(bar->list), path, NULL, FALSE);
    bar->is_following = FALSE;
    gtk_tree_path_free(path);
}

static void on_change(TndSession *session, guint changes, gpointer data)
{
    Bar *bar = data;
    if (!(changes & TND_CHANGED_FIND))
        return;
    if (tnd_session_hit(session) == G_MAXUINT || !tnd_session_hits(session))
        fill(bar);
    tell_place(bar);
    mark_hit(bar);
}

static gpointer run(gconstpointer find, TndTraceProgress progress, gpointer data, GError **error)
{
    return tnd_find_run(find, progress, data);
}

static void on_found(gpointer hits, GError *error, gpointer data)
{
    Bar *bar = data;
    bar->job = NULL;
    g_clear_error(&error);
    tnd_session_set_hits(bar->session, hits);
    tnd_session_step_hit(bar->session, 1);
}

static void search(Bar *bar)
{
    static const TndLongJobKind kind = {.work = run,
                                        .free_subject = (GDestroyNotify)tnd_find_free,
                                        .free_result = (GDestroyNotify)tnd_find_free_hits,
                                        .done = on_found};
    GError *error = NULL;
    if (bar->job)
        tnd_long_job_stop(bar->job);
    bar->job = NULL;
    TndFind *find = tnd_session_find(bar->session, gtk_entry_get_text(GTK_ENTRY(bar->entry)), &error);
    if (!find) {
        tnd_session_set_hits(bar->session, NULL);
        tell(bar, error->message);
        g_error_free(error);
        return;
    }
    tell(bar, "Searching…");
    bar->job = tnd_long_job_start(&kind, find, bar);
}

static void on_enter(GtkEntry *entry, gpointer data)
{
    Bar *bar = data;
    const TndFindHits *found = tnd_session_hits(bar->session);
    char *text = g_strstrip(g_strdup(gtk_entry_get_text(entry)));
    if (found && !strcmp(found->text, text))
        tnd_session_step_hit(bar->session, 1);
    else
        search(bar);
    g_free(text);
}

static void close_bar(Bar *bar)
{
    gtk_widget_hide(bar->bar);
    gtk_window_set_focus(GTK_WINDOW(gtk_widget_get_toplevel(bar->bar)), NULL);
}

static gboolean on_key(GtkWidget *widget, GdkEventKey *event, gpointer data)
{
    if (event->keyval != GDK_KEY_Escape)
        return FALSE;
    close_bar(data);
    return TRUE;
}

static void on_cursor(GtkTreeView *list, gpointer data)
{
    Bar *bar = data;
    GtkTreePath *path;
    gtk_tree_view_get_cursor(list, &path, NULL);
    if (path && !bar->is_following)
        tnd_session_show_hit(bar->session, (guint)gtk_tree_path_get_indices(path)[0]);
    gtk_tree_path_free(path);
}

static void on_previous(GtkButton *button, gpointer data)
{
    tnd_session_step_hit(((Bar *)data)->session, -1);
}

static void on_next(GtkButton *button, gpointer data)
{
    tnd_session_step_hit(((Bar *)data)->session, 1);
}

static void on_close(GtkButton *button, gpointer data)
{
    close_bar(data);
}

static void on_destroy(GtkWidget *widget, gpointer data)
{
    tnd_find_bar_stop(widget);
    tnd_session_unwatch(((Bar *)data)->session, data);
}

static GtkWidget *button_new(Bar *bar, const char *icon, const char *tip, GCallback clicked)
{
    GtkWidget *button = gtk_button_new_from_icon_name(icon, GTK_ICON_SIZE_BUTTON);
    gtk_widget_set_tooltip_text(button, tip);
    gtk_widget_set_focus_on_click(button, FALSE);
    g_signal_connect(button, "clicked", clicked, bar);
    return button;
}

static GtkWidget *list_new(Bar *bar)
{
    static const char *const titles[N_COLUMNS] = {"Row", "From", "Value", "Duration"};
    bar->store = gtk_list_store_new(N_COLUMNS, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING);
    bar->list = gtk_tree_view_new_with_model(GTK_TREE_MODEL(bar->store));
    g_object_unref(bar->store);
    for (int i = 0; i < N_COLUMNS; i++) {
        GtkCellRenderer *cell = gtk_cell_renderer_text_new();
        gtk_tree_view_insert_column_with_attributes(GTK_TREE_VIEW(bar->list), -1, titles[i], cell, "text", i, NULL);
        gtk_tree_view_column_set_resizable(gtk_tree_view_get_column(GTK_TREE_VIEW(bar->list), i), TRUE);
    }
    gtk_tree_view_set_enable_search(GTK_TREE_VIEW(bar->list), FALSE);
    gtk_widget_set_name(bar->list, "find-list");
    bar->scrolled = gtk_scrolled_window_new(NULL, NULL);
    gtk_widget_set_size_request(bar->scrolled, -1, HEIGHT);
    gtk_container_add(GTK_CONTAINER(bar->scrolled), bar->list);
    g_signal_connect(bar->list, "cursor-changed", G_CALLBACK(on_cursor), bar);
    return bar->scrolled;
}

GtkWidget *tnd_find_bar_new(TndSession *session)
{
    Bar *bar = g_new0(Bar, 1);
    bar->session = session;
    bar->bar = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
    bar->entry = gtk_search_entry_new();
    gtk_widget_set_name(bar->entry, "find-entry");
    gtk_entry_set_placeholder_text(GTK_ENTRY(bar->entry), TND_FIND_TAKES);
    gtk_widget_set_tooltip_text(bar->entry, TND_FIND_TAKES);
    bar->about = gtk_label_new("");
    gtk_widget_set_name(bar->about, "find-about");
    gtk_label_set_ellipsize(GTK_LABEL(bar->about), PANGO_ELLIPSIZE_END);
    gtk_label_set_xalign(GTK_LABEL(bar->about), 0);
    gtk_container_set_border_width(GTK_CONTAINER(line), 4);
    gtk_box_pack_start(GTK_BOX(line), bar->entry, TRUE, TRUE, 0);
    gtk_box_pack_start(GTK_BOX(line), bar->about, TRUE, TRUE, 0);
    gtk_box_pack_end(GTK_BOX(line), button_new(bar, "window-close-symbolic", "Close (Escape)", G_CALLBACK(on_close)),
                     FALSE, FALSE, 0);
    gtk_box_pack_end(GTK_BOX(line), button_new(bar, "go-down-symbolic", "Next (F3)", G_CALLBACK(on_next)), FALSE, FALSE,
                     0);
    gtk_box_pack_end(GTK_BOX(line), button_new(bar, "go-up-symbolic", "Previous (Shift+F3)", G_CALLBACK(on_previous)),
                     FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(bar->bar), line, FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(bar->bar), list_new(bar), FALSE, FALSE, 0);
    gtk_widget_show_all(bar->bar);
    gtk_widget_hide(bar->scrolled);
    gtk_widget_set_no_show_all(bar->bar, TRUE);
    gtk_widget_hide(bar->bar);
    g_object_set_data_full(G_OBJECT(bar->bar), key, bar, g_free);
    g_signal_connect(bar->entry, "activate", G_CALLBACK(on_enter), bar);
    g_signal_connect(bar->entry, "key-press-event", G_CALLBACK(on_key), bar);
    g_signal_connect(bar->list, "key-press-event", G_CALLBACK(on_key), bar);
    g_signal_connect(bar->bar, "destroy", G_CALLBACK(on_destroy), bar);
    tnd_session_watch(session, on_change, bar);
    return bar->bar;
}

void tnd_find_bar_open(GtkWidget *widget)
{
    Bar *bar = g_object_get_data(G_OBJECT(widget), key);
    gtk_widget_show(widget);
    gtk_widget_grab_focus(bar->entry);
}

void tnd_find_bar_stop(GtkWidget *widget)
{
    Bar *bar = g_object_get_data(G_OBJECT(widget), key);
    if (bar->job)
        tnd_long_job_stop(bar->job);
    bar->job = NULL;
}
