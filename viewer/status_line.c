/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A label that is cut at its end if the window is narrow.
 */
#include "viewer/status_line.h"

#include "viewer/description.h"
#include "viewer/shown.h"

static const char hint[] = "Drag or turn the wheel to zoom, Home shows the whole trace, ? lists keys and mouse";

static void on_change(TndSession *session, guint changes, gpointer data)
{
    TndDescription description;
    if (!(changes & (TND_CHANGED_TRACE | TND_CHANGED_HOVER | TND_CHANGED_SELECTION | TND_CHANGED_VIEW)))
        return;
    if (!tnd_description_of(session, tnd_session_told(session), FALSE, &description)) {
        gtk_label_set_text(data, hint);
        return;
    }
    char *line = tnd_description_line(&description);
    tnd_shown_set(data, line);
    g_free(line);
    tnd_description_clear(&description);
}

static void on_destroy(GtkWidget *widget, gpointer session)
{
    tnd_session_unwatch(session, widget);
}

GtkWidget *tnd_status_line_new(TndSession *session)
{
    GtkWidget *label = gtk_label_new(hint);
    gtk_widget_set_name(label, "status");
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
    gtk_widget_set_margin_start(label, 10);
    gtk_widget_set_margin_top(label, 4);
    gtk_widget_set_margin_bottom(label, 4);
    g_signal_connect(label, "destroy", G_CALLBACK(on_destroy), session);
    tnd_session_watch(session, on_change, label);
    return label;
}
