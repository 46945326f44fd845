/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One drawing area and two scroll bars whose units are rows and columns: what is out of sight costs nothing.
 */
#include "viewer/table_area.h"

#include "viewer/commands.h"

#include <math.h>

typedef struct {
    TndSession *session;
    GtkWidget *canvas, *chooser, *colours;
    GtkAdjustment *rows, *columns;
    gboolean is_following; /* the session changes the buttons, not the user */
} Area;

static void set_reach(GtkAdjustment *adjustment, guint n, guint n_visible)
{
    n_visible = MIN(n_visible, n);
    double value = MIN(gtk_adjustment_get_value(adjustment), n - n_visible);
    gtk_adjustment_configure(adjustment, value, 0, n, 1, n_visible, n_visible);
}

static void draw_message(cairo_t *cr, const char *message)
{
    GArray *texts = tnd_text_list_new();
    tnd_text_add(texts, TND_TEXT_NORMAL, TND_TEXT_LEFT, TND_INK_SOFT, (TndRectangle){20, 20, 2000, 20}, message);
    tnd_text_draw(texts, cr);
    g_array_unref(texts);
}

static gboolean on_draw(GtkWidget *widget, cairo_t *cr, gpointer data)
{
    Area *area = data;
    GError *error = NULL;
    TndHistogramTableSubject subject;
    tnd_text_set_colour(cr, TND_PAPER);
    cairo_paint(cr);
    if (!tnd_session_table(area->session, &subject, &error)) {
        draw_message(cr, error ? error->message : "nothing to show");
        g_clear_error(&error);
        return TRUE;
    }
    subject.first_row = (guint)gtk_adjustment_get_value(area->rows);
    subject.first_column = (guint)gtk_adjustment_get_value(area->columns);
    TndHistogramTable *table = tnd_histogram_table_new(&subject, gtk_widget_get_allocated_width(widget),
                                                       gtk_widget_get_allocated_height(widget));
    tnd_histogram_table_paint(table, cr);
    set_reach(area->rows, subject.histogram->n_rows, tnd_histogram_table_n_rows(table));
    set_reach(area->columns, subject.histogram->n_columns, tnd_histogram_table_n_columns(table));
    tnd_histogram_table_free(table);
    return TRUE;
}

static gboolean on_scroll(GtkWidget *widget, GdkEventScroll *event, gpointer data)
{
    Area *area = data;
    double down = event->direction == GDK_SCROLL_UP ? -3 : event->direction == GDK_SCROLL_DOWN ? 3 : 0;
    double right = event->direction == GDK_SCROLL_LEFT ? -1 : event->direction == GDK_SCROLL_RIGHT ? 1 : 0;
    if (event->direction == GDK_SCROLL_SMOOTH) {
        down = event->delta_y * 3;
        right = event->delta_x;
    }
    if (event->state & GDK_SHIFT_MASK) {
        right = down / 3;
        down = 0;
    }
    gtk_adjustment_set_value(area->rows, gtk_adjustment_get_value(area->rows) + down);
    gtk_adjustment_set_value(area->columns, gtk_adjustment_get_value(area->columns) + right);
    return TRUE;
}

static void follow(Area *area)
{
    area->is_following = TRUE;
    gtk_combo_box_set_active(GTK_COMBO_BOX(area->chooser), (int)tnd_session_statistic(area->session));
    gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(area->colours), tnd_session_is_coloured(area->session));
    area->is_following = FALSE;
}

static void on_change(TndSession *session, guint changes, gpointer data)
{
    Area *area = data;
    if (!(changes & (TND_CHANGED_TRACE | TND_CHANGED_VIEW | TND_CHANGED_ZOOM | TND_CHANGED_OPTIONS)))
        return;
    if (changes & TND_CHANGED_VIEW) {
        gtk_adjustment_set_value(area->rows, 0);
        gtk_adjustment_set_value(area->columns, 0);
    }
    follow(area);
    gtk_widget_queue_draw(area->canvas);
}

static void on_chosen(GtkComboBox *chooser, gpointer data)
{
    Area *area = data;
    if (!area->is_following)
        tnd_session_set_statistic(area->session, (TndStatistic)gtk_combo_box_get_active(chooser));
}

static void on_colours(GtkToggleButton *button, gpointer data)
{
    Area *area = data;
    if (!area->is_following)
        tnd_session_set_coloured(area->session, gtk_toggle_button_get_active(button));
}

static void on_csv(GtkButton *button, gpointer data)
{
    tnd_commands_run(((Area *)data)->session, "csv");
}

static void on_destroy(GtkWidget *widget, gpointer data)
{
    tnd_session_unwatch(((Area *)data)->session, data);
}

static GtkWidget *tool_row(Area *area)
{
    GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
    gtk_container_set_border_width(GTK_CONTAINER(row), 6);
    area->chooser = gtk_combo_box_text_new();
    for (TndStatistic s = 0; s < TND_STATISTIC_N; s++)
        gtk_combo_box_text_append_text(GTK_COMBO_BOX_TEXT(area->chooser), tnd_histogram_statistic_name(s));
    area->colours = gtk_check_button_new_with_label("Colours");
    GtkWidget *csv = gtk_button_new_with_label("Save CSV…");
    gtk_box_pack_start(GTK_BOX(row), gtk_label_new("Statistic:"), FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(row), area->chooser, FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(row), area->colours, FALSE, FALSE, 0);
    gtk_box_pack_end(GTK_BOX(row), csv, FALSE, FALSE, 0);
    g_signal_connect(area->chooser, "changed", G_CALLBACK(on_chosen), area);
    g_signal_connect(area->colours, "toggled", G_CALLBACK(on_colours), area);
    g_signal_connect(csv, "clicked", G_CALLBACK(on_csv), area);
    return row;
}

GtkWidget *tnd_table_area_new(TndSession *session)
{
    Area *area = g_new0(Area, 1);
    area->session = session;
    area->rows = gtk_adjustment_new(0, 0, 1, 1, 1, 1);
    area->columns = gtk_adjustment_new(0, 0, 1, 1, 1, 1);
    area->canvas = gtk_drawing_area_new();
    gtk_widget_set_hexpand(area->canvas, TRUE);
    gtk_widget_set_vexpand(area->canvas, TRUE);
    gtk_widget_add_events(area->canvas, GDK_SCROLL_MASK | GDK_SMOOTH_SCROLL_MASK);
    GtkWidget *grid = gtk_grid_new();
    gtk_grid_attach(GTK_GRID(grid), tool_row(area), 0, 0, 2, 1);
    gtk_grid_attach(GTK_GRID(grid), area->canvas, 0, 1, 1, 1);
    gtk_grid_attach(GTK_GRID(grid), gtk_scrollbar_new(GTK_ORIENTATION_VERTICAL, area->rows), 1, 1, 1, 1);
    gtk_grid_attach(GTK_GRID(grid), gtk_scrollbar_new(GTK_ORIENTATION_HORIZONTAL, area->columns), 0, 2, 1, 1);
    g_object_set_data_full(G_OBJECT(grid), "tnd-table-area", area, g_free);
    g_signal_connect(area->canvas, "draw", G_CALLBACK(on_draw), area);
    g_signal_connect(area->canvas, "scroll-event", G_CALLBACK(on_scroll), area);
    g_signal_connect_swapped(area->rows, "value-changed", G_CALLBACK(gtk_widget_queue_draw), area->canvas);
    g_signal_connect_swapped(area->columns, "value-changed", G_CALLBACK(gtk_widget_queue_draw), area->canvas);
    g_signal_connect(grid, "destroy", G_CALLBACK(on_destroy), area);
    tnd_session_watch(session, on_change, area);
    follow(area);
    return grid;
}
