/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One drawing area and two scroll bars, whose units are rows and columns; only what is visible is laid out.  The
 * histogram is made by a job.  If another one is wanted meanwhile, the job is cancelled, and the next one starts when
 * it has ended.
 */
#include "viewer/table_area.h"

#include "viewer/table_mouse.h"
#include "viewer/table_tools.h"
#include "viewer/waiting.h"

#include <math.h>

typedef struct {
    TndSession *session;
    GtkWidget *canvas, *tools;
    GtkWidget *pages, *table, *waiting; /* pages: a stack of the table and the job's progress bar */
    GtkAdjustment *rows, *columns;
    TndHistogramTable *picture; /* painted last; its histogram may have been freed */
    TndLongJob *job;            /* that makes the histogram; NULL: none runs */
    gboolean is_stale;          /* the job's histogram is no longer wanted */
    char *fault;                /* why there is no histogram; NULL: none is known */
} Area;

static const char key[] = "tnd-table-area";

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
    TndHistogramTableSubject subject;
    tnd_text_set_theme(cr, tnd_session_look(area->session).theme);
    tnd_text_set_colour(cr, TND_PAPER);
    cairo_paint(cr);
    g_clear_pointer(&area->picture, tnd_histogram_table_free);
    if (!tnd_session_has_histogram(area->session)) {
        draw_message(cr, area->fault                       ? area->fault
                         : tnd_session_view(area->session) ? ""
                                                           : "There is nothing to show.");
        return TRUE;
    }
    GError *error = NULL;
    if (!tnd_session_table(area->session, &subject, &error)) {
        draw_message(cr, error->message);
        g_error_free(error);
        return TRUE;
    }
    subject.first_row = (guint)gtk_adjustment_get_value(area->rows);
    subject.first_column = (guint)gtk_adjustment_get_value(area->columns);
    TndHistogramTable *table = tnd_histogram_table_new(&subject, gtk_widget_get_allocated_width(widget),
                                                       gtk_widget_get_allocated_height(widget));
    tnd_histogram_table_paint(table, cr);
    set_reach(area->rows, tnd_histogram_table_n_all_rows(table), tnd_histogram_table_n_rows(table));
    set_reach(area->columns, subject.histogram->n_columns, tnd_histogram_table_n_columns(table));
    area->picture = table;
    tnd_table_mouse_draw_over(widget, cr);
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

static gpointer sum_up(gconstpointer data, TndTraceProgress progress, gpointer user_data, GError **error)
{
    return tnd_histogram_page_make(data, progress, user_data, error);
}

static void on_summed_up(gpointer tables, GError *error, gpointer data);

static void start_summing(Area *area, TndView *view)
{
    static const TndLongJobKind summing = {sum_up, (GDestroyNotify)tnd_histogram_page_free_source,
                                           (GDestroyNotify)tnd_cfg_histogram_free, on_summed_up};
    char *text = g_strdup_printf("Computing the histogram of \342\200\234%s\342\200\235", tnd_view_rule(view)->title);
    area->job = tnd_long_job_start(&summing, tnd_session_histogram_source(area->session), area);
    area->is_stale = FALSE;
    tnd_waiting_show(area->waiting, text, area->job);
    gboolean is_short = tnd_long_job_wait(area->job, TND_LONG_JOB_SOON_MS);
    gtk_stack_set_visible_child(GTK_STACK(area->pages), is_short ? area->table : area->waiting);
    g_free(text);
}

/* Shows the histogram, or starts to make it.  For a view that is not prepared yet this does nothing: it is called again
 * when the page is mapped or, if the window showed no progress bar, by tnd_table_area_refresh. */
static void refresh(Area *area)
{
    TndView *view = tnd_session_view(area->session);
    if (!gtk_widget_get_mapped(area->pages) || !view || !tnd_view_is_prepared(view))
        return;
    if (tnd_session_has_histogram(area->session) || area->fault) {
        gtk_stack_set_visible_child(GTK_STACK(area->pages), area->table);
        gtk_widget_queue_draw(area->canvas);
    } else if (!area->job) {
        start_summing(area, view);
    }
}

static void forget_job(Area *area)
{
    tnd_waiting_show(area->waiting, "", NULL);
    area->job = NULL;
}

static void on_summed_up(gpointer tables, GError *error, gpointer data)
{
    Area *area = data;
    forget_job(area);
    if (area->is_stale || tnd_session_has_histogram(area->session)) {
        tnd_cfg_histogram_free(tables);
    } else if (tables) {
        tnd_session_set_histogram(area->session, tables);
        tnd_table_tools_follow(area->tools);
    } else {
        area->fault = g_strdup(error->message);
    }
    g_clear_error(&error);
    refresh(area);
}

/* The histogram that was made, or is being made, is no longer wanted. */
static void drop(Area *area)
{
    g_clear_pointer(&area->fault, g_free);
    area->is_stale = TRUE;
    if (area->job)
        tnd_long_job_cancel(area->job);
}

void tnd_table_area_stop(GtkWidget *widget)
{
    Area *area = g_object_get_data(G_OBJECT(widget), key);
    if (area->job)
        tnd_long_job_stop(area->job);
    forget_job(area);
}

static void on_change(TndSession *session, guint changes, gpointer data)
{
    Area *area = data;
    if (changes & (TND_CHANGED_PLANE | TND_CHANGED_LIGHT | TND_CHANGED_SELECTION))
        gtk_widget_queue_draw(area->canvas);
    if (!(changes & (TND_CHANGED_TRACE | TND_CHANGED_VIEW | TND_CHANGED_ZOOM | TND_CHANGED_OPTIONS)))
        return;
    if (changes & TND_CHANGED_VIEW) {
        gtk_adjustment_set_value(area->rows, 0);
        gtk_adjustment_set_value(area->columns, 0);
    }
    drop(area);
    refresh(area);
}

static void on_destroy(GtkWidget *widget, gpointer data)
{
    Area *area = data;
    tnd_session_unwatch(area->session, area);
    if (area->job)
        tnd_long_job_stop(area->job);
    area->job = NULL;
    g_clear_pointer(&area->fault, g_free);
    g_clear_pointer(&area->picture, tnd_histogram_table_free);
}

/* A stack of two pages: the table with its scroll bars, and the job's progress bar. */
static GtkWidget *make_pages(Area *area)
{
    area->table = gtk_grid_new();
    area->waiting = tnd_waiting_new(FALSE, FALSE);
    area->pages = gtk_stack_new();
    gtk_grid_attach(GTK_GRID(area->table), area->canvas, 0, 0, 1, 1);
    gtk_grid_attach(GTK_GRID(area->table), gtk_scrollbar_new(GTK_ORIENTATION_VERTICAL, area->rows), 1, 0, 1, 1);
    gtk_grid_attach(GTK_GRID(area->table), gtk_scrollbar_new(GTK_ORIENTATION_HORIZONTAL, area->columns), 0, 1, 1, 1);
    gtk_container_add(GTK_CONTAINER(area->pages), area->table);
    gtk_container_add(GTK_CONTAINER(area->pages), area->waiting);
    g_signal_connect_swapped(area->pages, "map", G_CALLBACK(refresh), area);
    return area->pages;
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
    tnd_table_mouse_connect(area->canvas, session, &area->picture);
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    area->tools = tnd_table_tools_new(session);
    gtk_box_pack_start(GTK_BOX(box), area->tools, FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(box), make_pages(area), TRUE, TRUE, 0);
    g_object_set_data_full(G_OBJECT(box), key, area, g_free);
    g_signal_connect(area->canvas, "draw", G_CALLBACK(on_draw), area);
    g_signal_connect(area->canvas, "scroll-event", G_CALLBACK(on_scroll), area);
    g_signal_connect_swapped(area->rows, "value-changed", G_CALLBACK(gtk_widget_queue_draw), area->canvas);
    g_signal_connect_swapped(area->columns, "value-changed", G_CALLBACK(gtk_widget_queue_draw), area->canvas);
    g_signal_connect(box, "destroy", G_CALLBACK(on_destroy), area);
    tnd_session_watch(session, on_change, area);
    return box;
}

void tnd_table_area_refresh(GtkWidget *widget)
{
    refresh(g_object_get_data(G_OBJECT(widget), key));
}

const TndHistogramTable *tnd_table_area_picture(GtkWidget *widget)
{
    return ((Area *)g_object_get_data(G_OBJECT(widget), key))->picture;
}
