/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A timer reads the job's progress several times a second.
 */
#include "viewer/waiting.h"

enum { INTERVAL_MS = 100 };

typedef struct {
    GtkWidget *label, *bar;
    TndLongJob *job;
    guint poll;
} Waiting;

static const char key[] = "tnd-waiting";

static gboolean on_poll(gpointer data)
{
    Waiting *waiting = data;
    gtk_progress_bar_set_fraction(GTK_PROGRESS_BAR(waiting->bar), tnd_long_job_fraction(waiting->job));
    return G_SOURCE_CONTINUE;
}

static void on_cancel(GtkButton *button, gpointer data)
{
    const Waiting *waiting = data;
    if (waiting->job)
        tnd_long_job_cancel(waiting->job);
}

static void show_job(Waiting *waiting, TndLongJob *job)
{
    if (waiting->poll)
        g_source_remove(waiting->poll);
    waiting->job = job;
    waiting->poll = job ? g_timeout_add(INTERVAL_MS, on_poll, waiting) : 0;
}

static void on_destroy(GtkWidget *widget, gpointer data)
{
    show_job(data, NULL);
}

GtkWidget *tnd_waiting_new(gboolean can_cancel, gboolean is_line)
{
    Waiting *waiting = g_new0(Waiting, 1);
    GtkWidget *box = gtk_box_new(is_line ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL, 12);
    waiting->label = gtk_label_new(NULL);
    waiting->bar = gtk_progress_bar_new();
    gtk_widget_set_size_request(waiting->bar, is_line ? 200 : 320, -1);
    gtk_widget_set_valign(waiting->bar, GTK_ALIGN_CENTER);
    gtk_widget_set_halign(box, GTK_ALIGN_CENTER);
    gtk_widget_set_valign(box, GTK_ALIGN_CENTER);
    gtk_box_pack_start(GTK_BOX(box), waiting->label, FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(box), waiting->bar, FALSE, FALSE, 0);
    if (can_cancel) {
        GtkWidget *cancel = gtk_button_new_with_label("Cancel");
        gtk_widget_set_halign(cancel, GTK_ALIGN_CENTER);
        gtk_box_pack_start(GTK_BOX(box), cancel, FALSE, FALSE, 0);
        g_signal_connect(cancel, "clicked", G_CALLBACK(on_cancel), waiting);
    }
    g_signal_connect(box, "destroy", G_CALLBACK(on_destroy), waiting);
    g_object_set_data_full(G_OBJECT(box), key, waiting, g_free);
    return box;
}

void tnd_waiting_show(GtkWidget *widget, const char *text, TndLongJob *job)
{
    Waiting *waiting = g_object_get_data(G_OBJECT(widget), key);
    gtk_label_set_text(GTK_LABEL(waiting->label), text);
    gtk_progress_bar_set_fraction(GTK_PROGRESS_BAR(waiting->bar), 0);
    show_job(waiting, job);
}
