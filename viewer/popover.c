/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Destroys the popover once GTK has nothing else to do.
 */
#include "viewer/popover.h"

static gboolean destroy(gpointer popover)
{
    gtk_widget_destroy(popover);
    return G_SOURCE_REMOVE;
}

static void on_closed(GtkPopover *popover, gpointer data)
{
    g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, destroy, g_object_ref(popover), g_object_unref);
}

GtkWidget *tnd_popover_new(GtkWidget *at, gpointer data)
{
    GtkWidget *popover = gtk_popover_new(at);
    g_object_set_data_full(G_OBJECT(popover), "tnd-popover", data, g_free);
    g_signal_connect(popover, "closed", G_CALLBACK(on_closed), NULL);
    return popover;
}
