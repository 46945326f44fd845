/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A drag ends with the button, or when the histogram is another one.
 */
#include "viewer/table_mouse.h"

typedef struct {
    TndSession *session;
    GtkWidget *canvas;
    TndHistogramTable *const *picture;
    gboolean is_down, is_head; /* pressed in a cell, or in the head of the column `from` */
    guint row, from, to;       /* the cell that was pressed, and the column under the pointer */
    double y;                  /* of the press */
} Mouse;

static const char key[] = "tnd-table-mouse";

static gboolean find(const Mouse *mouse, double x, double y, guint *row, guint *column)
{
    return *mouse->picture && tnd_session_has_histogram(mouse->session) &&
           tnd_histogram_table_find(*mouse->picture, x, y, row, column);
}

static gboolean on_press(GtkWidget *widget, GdkEventButton *event, gpointer data)
{
    Mouse *mouse = data;
    if (event->type != GDK_BUTTON_PRESS || event->button != 1)
        return FALSE;
    mouse->is_head = *mouse->picture && tnd_session_has_histogram(mouse->session) &&
                     tnd_histogram_table_find_head(*mouse->picture, event->x, event->y, &mouse->from);
    if (!mouse->is_head && !find(mouse, event->x, event->y, &mouse->row, &mouse->from))
        return FALSE;
    mouse->to = mouse->from;
    mouse->y = event->y;
    mouse->is_down = TRUE;
    return TRUE;
}

static gboolean on_motion(GtkWidget *widget, GdkEventMotion *event, gpointer data)
{
    Mouse *mouse = data;
    guint row;
    if (mouse->is_down && !mouse->is_head && find(mouse, event->x, mouse->y, &row, &mouse->to))
        gtk_widget_queue_draw(widget);
    return FALSE;
}

static gboolean on_release(GtkWidget *widget, GdkEventButton *event, gpointer data)
{
    Mouse *mouse = data;
    if (event->button != 1 || !mouse->is_down)
        return FALSE;
    mouse->is_down = FALSE;
    if (mouse->is_head)
        tnd_session_sort_table(mouse->session, mouse->from);
    else if (mouse->from == mouse->to)
        tnd_session_light_cell(mouse->session, mouse->row, mouse->from);
    else
        tnd_session_choose_columns(mouse->session, mouse->from, mouse->to);
    gtk_widget_queue_draw(widget);
    return TRUE;
}

static void on_change(TndSession *session, guint changes, gpointer data)
{
    if (changes & (TND_CHANGED_TRACE | TND_CHANGED_VIEW | TND_CHANGED_ZOOM | TND_CHANGED_OPTIONS | TND_CHANGED_LIGHT))
        ((Mouse *)data)->is_down = FALSE;
}

static void on_destroy(GtkWidget *widget, gpointer data)
{
    tnd_session_unwatch(((Mouse *)data)->session, data);
}

void tnd_table_mouse_connect(GtkWidget *canvas, TndSession *session, TndHistogramTable *const *picture)
{
    Mouse *mouse = g_new(Mouse, 1);
    *mouse = (Mouse){.session = session, .canvas = canvas, .picture = picture};
    g_object_set_data_full(G_OBJECT(canvas), key, mouse, g_free);
    gtk_widget_add_events(canvas, GDK_BUTTON_PRESS_MASK | GDK_BUTTON_RELEASE_MASK | GDK_BUTTON1_MOTION_MASK);
    g_signal_connect(canvas, "button-press-event", G_CALLBACK(on_press), mouse);
    g_signal_connect(canvas, "motion-notify-event", G_CALLBACK(on_motion), mouse);
    g_signal_connect(canvas, "button-release-event", G_CALLBACK(on_release), mouse);
    g_signal_connect(canvas, "destroy", G_CALLBACK(on_destroy), mouse);
    tnd_session_watch(session, on_change, mouse);
}

void tnd_table_mouse_draw_over(GtkWidget *canvas, cairo_t *cr)
{
    const Mouse *mouse = g_object_get_data(G_OBJECT(canvas), key);
    if (!mouse->is_down || mouse->from == mouse->to || !*mouse->picture)
        return;
    const TndRectangle columns =
        tnd_histogram_table_columns(*mouse->picture, MIN(mouse->from, mouse->to), MAX(mouse->from, mouse->to));
    GdkRGBA blue = {0.2, 0.5, 0.9, 0.25};
    gdk_cairo_set_source_rgba(cr, &blue);
    cairo_rectangle(cr, columns.x, columns.y, columns.width, columns.height);
    cairo_fill(cr);
}
