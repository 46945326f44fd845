/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list of recent traces is made when the window is.
 */
#include "viewer/empty_face.h"

#include "analysis/views/view_files.h"
#include "viewer/keeping.h"

enum { MOST_RECENT = 8 };

static const char open_key[] = "tnd-open", path_key[] = "tnd-path";

static void on_open(GtkButton *button, gpointer session)
{
    tnd_session_want(session, TND_WANTS_OPEN);
}

static void on_open_path(GtkButton *button, gpointer data)
{
    void (**open)(GtkWidget *, const char *) = data;
    (*open)(gtk_widget_get_toplevel(GTK_WIDGET(button)), g_object_get_data(G_OBJECT(button), path_key));
}

static GtkWidget *label_new(const char *markup)
{
    GtkWidget *label = gtk_label_new(NULL);
    gtk_label_set_markup(GTK_LABEL(label), markup);
    return label;
}

/* A button that opens a trace.  Takes ownership of the path. */
static GtkWidget *opener_new(char *path, gpointer open)
{
    GtkWidget *button = gtk_button_new();
    g_object_set_data_full(G_OBJECT(button), path_key, path, g_free);
    g_signal_connect(button, "clicked", G_CALLBACK(on_open_path), open);
    return button;
}

/* The file's name, and beside it where it is. */
static GtkWidget *recent_new(char *path, gpointer open)
{
    GtkWidget *button = opener_new(path, open), *label = gtk_label_new(NULL);
    char *name = g_filename_display_basename(path), *folder = g_path_get_dirname(path);
    char *shown = g_filename_display_name(folder);
    char *markup = g_markup_printf_escaped("%s  <small>%s</small>", name, shown);
    gtk_label_set_markup(GTK_LABEL(label), markup);
    gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_MIDDLE);
    gtk_label_set_max_width_chars(GTK_LABEL(label), 60);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_button_set_relief(GTK_BUTTON(button), GTK_RELIEF_NONE);
    gtk_container_add(GTK_CONTAINER(button), label);
    g_free(markup);
    g_free(shown);
    g_free(folder);
    g_free(name);
    return button;
}

/* NULL: the example is not installed. */
static GtkWidget *example_new(gpointer open)
{
    char *path = tnd_view_files_beside("demo/halo.prv.gz");
    GtkWidget *button = path ? opener_new(path, open) : NULL;
    if (button) {
        gtk_button_set_label(GTK_BUTTON(button), "Show an example");
        gtk_widget_set_tooltip_text(button, "Heat in a plate, simulated by 4 ranks of MPI, recorded with samples");
        gtk_widget_set_halign(button, GTK_ALIGN_CENTER);
    }
    return button;
}

GtkWidget *tnd_empty_face_new(TndSession *session, void (*open)(GtkWidget *window, const char *path))
{
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8);
    GtkWidget *button = gtk_button_new_with_label("Open a trace…");
    void (**kept)(GtkWidget *, const char *) = g_malloc(sizeof *kept);
    char **recent = tnd_keeping_recent(MOST_RECENT);
    GtkWidget *example = example_new(kept);
    *kept = open;
    g_object_set_data_full(G_OBJECT(box), open_key, kept, g_free);
    gtk_widget_set_halign(box, GTK_ALIGN_CENTER);
    gtk_widget_set_valign(box, GTK_ALIGN_CENTER);
    gtk_widget_set_halign(button, GTK_ALIGN_CENTER);
    g_signal_connect(button, "clicked", G_CALLBACK(on_open), session);
    gtk_box_pack_start(GTK_BOX(box), label_new("<big>No trace is open</big>"), FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(box), button, FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(box), label_new("or drop a .prv file here"), FALSE, FALSE, 0);
    if (example)
        gtk_box_pack_start(GTK_BOX(box), example, FALSE, FALSE, 0);
    if (recent[0])
        gtk_box_pack_start(GTK_BOX(box), label_new("\n<b>Recent traces</b>"), FALSE, FALSE, 0);
    for (guint i = 0; recent[i]; i++)
        gtk_box_pack_start(GTK_BOX(box), recent_new(recent[i], kept), FALSE, FALSE, 0);
    g_free(recent); /* the buttons own the paths */
    gtk_box_pack_start(GTK_BOX(box), label_new("\nTo record one:  <tt>tandem record -- ./program</tt>"), FALSE, FALSE,
                       0);
    return box;
}
