/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A heading with buttons over a list.  The list is measured by a job; while the mark is being dragged, the job of the
 * mark before is cancelled.
 */
#include "viewer/mark_pane.h"

#include "analysis/base/quantity.h"
#include "viewer/command_menu.h"
#include "viewer/long_job.h"
#include "viewer/paint/legend.h"
#include "viewer/paint/ruler.h"
#include "viewer/shown.h"

#include <math.h>

enum { SWATCH, VALUE, TIME, SHARE, BURSTS, N_COLUMNS };
enum { MOST_LISTED = 500, SWATCH_SIZE = 12, WIDTH = 400 };

typedef struct {
    TndSession *session;
    GtkWidget *pane, *heading, *list;
    GtkListStore *store;
    TndLongJob *job;   /* NULL: none runs */
    gboolean is_stale; /* the job measures what is no longer wanted */
} Pane;

static void tell(Pane *pane, const char *more)
{
    const TndMarks *marks = tnd_session_marks(pane->session);
    char *length = tnd_ruler_time_text(marks->end_ns - marks->begin_ns, 0);
    char *begin = tnd_ruler_time_text(marks->begin_ns, 0), *end = tnd_ruler_time_text(marks->end_ns, 0);
    char *text = g_strdup_printf("\316\224t %s  ·  %s – %s%s%s", length, begin, end, *more ? "  ·  " : "", more);
    tnd_shown_set(pane->heading, text);
    gtk_widget_set_tooltip_text(pane->heading, gtk_label_get_text(GTK_LABEL(pane->heading)));
    g_free(text);
    g_free(end);
    g_free(begin);
    g_free(length);
}

static char *text_of(const TndMeasure *measure, const TndMeasureTotal *total)
{
    const TndViewRule *rule = tnd_view_rule(measure->view);
    if (rule->palette == TND_PALETTE_CODE) /* 0 has a name of its own ("Outside MPI"), but for states */
        return tnd_legend_text(measure->view, isnan(total->value) && !rule->are_states ? 0 : total->value);
    return g_strdup(isnan(total->value) ? "0 or none" : "Other than 0");
}

static void add_total(Pane *pane, const TndMeasure *measure, const TndMeasureTotal *total)
{
    char *value = text_of(measure, total), *valid = g_utf8_make_valid(value, -1);
    char *plain = tnd_ruler_time_text(total->time_ns, 0), *time = tnd_quantity_shown(plain);
    char *share = g_strdup_printf("%.2f %%", 100 * tnd_measure_share(measure, total));
    char *bursts = tnd_quantity_text((double)total->n_bursts, "");
    GdkPixbuf *swatch = NULL;
    guint32 colour;
    if (tnd_view_rule(measure->view)->palette == TND_PALETTE_CODE && !isnan(total->value) &&
        tnd_session_colour_of(pane->session, total->value, &colour)) {
        swatch = gdk_pixbuf_new(GDK_COLORSPACE_RGB, FALSE, 8, SWATCH_SIZE, SWATCH_SIZE);
        gdk_pixbuf_fill(swatch, colour << 8 | 0xff);
    }
    gtk_list_store_insert_with_values(pane->store, NULL, -1, SWATCH, swatch, VALUE, valid, TIME, time, SHARE, share,
                                      BURSTS, bursts, -1);
    g_clear_object(&swatch);
    g_free(bursts);
    g_free(share);
    g_free(time);
    g_free(plain);
    g_free(valid);
    g_free(value);
}

/* "MPI call, 16 threads", and what quantities are. */
static char *about(const TndMeasure *measure)
{
    const TndViewRule *rule = tnd_view_rule(measure->view);
    GString *text = g_string_new(NULL);
    g_string_printf(text, "%s, %u %s", rule->title, measure->n_rows,
                    tnd_levels_word(tnd_view_level(measure->view), measure->n_rows != 1));
    if (rule->palette != TND_PALETTE_CODE && measure->least <= measure->most) {
        char *least = tnd_quantity_text(measure->least, rule->unit),
             *most = tnd_quantity_text(measure->most, rule->unit);
        char *average = tnd_quantity_text(measure->average, rule->unit);
        g_string_append_printf(text, "  ·  %s to %s, average over time %s", least, most, average);
        g_free(average);
        g_free(most);
        g_free(least);
    }
    return g_string_free(text, FALSE);
}

static void fill(Pane *pane)
{
    const TndMeasure *measure = tnd_session_measure(pane->session);
    char *more = about(measure);
    gtk_list_store_clear(pane->store);
    for (guint i = 0; i < MIN(measure->totals->len, MOST_LISTED); i++)
        add_total(pane, measure, &g_array_index(measure->totals, TndMeasureTotal, i));
    tell(pane, more);
    g_free(more);
}

static gpointer run(gconstpointer source, TndTraceProgress progress, gpointer data, GError **error)
{
    return tnd_measure_new(source, progress, data);
}

static void on_measured(gpointer measure, GError *error, gpointer data);

static void start(Pane *pane)
{
    static const TndLongJobKind kind = {.work = run,
                                        .free_subject = (GDestroyNotify)tnd_measure_source_free,
                                        .free_result = (GDestroyNotify)tnd_measure_free,
                                        .done = on_measured};
    TndMeasureSource *source = tnd_session_measure_source(pane->session);
    if (!source)
        return;
    pane->is_stale = FALSE;
    pane->job = tnd_long_job_start(&kind, source, pane);
}

static void on_measured(gpointer measure, GError *error, gpointer data)
{
    Pane *pane = data;
    pane->job = NULL;
    g_clear_error(&error);
    if (pane->is_stale) {
        tnd_measure_free(measure);
        start(pane);
    } else {
        tnd_session_set_measure(pane->session, measure);
    }
}

static void follow(Pane *pane)
{
    const gboolean is_marked = tnd_session_is_marked(pane->session);
    gtk_widget_set_visible(pane->pane, is_marked);
    if (!is_marked)
        return;
    if (tnd_session_measure(pane->session)) {
        fill(pane);
        return;
    }
    tell(pane, "measuring…");
    if (pane->job) {
        pane->is_stale = TRUE;
        tnd_long_job_cancel(pane->job);
    } else {
        start(pane);
    }
}

static void on_change(TndSession *session, guint changes, gpointer data)
{
    if (changes & (TND_CHANGED_TRACE | TND_CHANGED_VIEW | TND_CHANGED_ZOOM | TND_CHANGED_LANES | TND_CHANGED_OPTIONS |
                   TND_CHANGED_MARK | TND_CHANGED_MEASURE))
        follow(data);
}

static void on_destroy(GtkWidget *widget, gpointer data)
{
    Pane *pane = data;
    tnd_session_unwatch(pane->session, pane);
    if (pane->job)
        tnd_long_job_stop(pane->job);
    pane->job = NULL;
}

static GtkWidget *list_new(Pane *pane)
{
    static const char *const titles[N_COLUMNS] = {NULL, "Value", "Time", "Share", "Bursts"};
    GtkWidget *scrolled = gtk_scrolled_window_new(NULL, NULL);
    pane->store =
        gtk_list_store_new(N_COLUMNS, GDK_TYPE_PIXBUF, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING);
    pane->list = gtk_tree_view_new_with_model(GTK_TREE_MODEL(pane->store));
    g_object_unref(pane->store);
    for (int i = VALUE; i < N_COLUMNS; i++) {
        GtkTreeViewColumn *column = gtk_tree_view_column_new();
        GtkCellRenderer *cell = gtk_cell_renderer_text_new();
        gtk_tree_view_column_set_expand(column, i == VALUE);
        if (i == VALUE) {
            GtkCellRenderer *swatch = gtk_cell_renderer_pixbuf_new();
            gtk_tree_view_column_pack_start(column, swatch, FALSE);
            gtk_tree_view_column_add_attribute(column, swatch, "pixbuf", SWATCH);
        }
        gtk_tree_view_column_set_title(column, titles[i]);
        gtk_tree_view_column_pack_start(column, cell, TRUE);
        gtk_tree_view_column_add_attribute(column, cell, "text", i);
        gtk_tree_view_column_set_resizable(column, TRUE);
        g_object_set(cell, "xalign", i == VALUE ? 0.0 : 1.0, NULL);
        gtk_tree_view_append_column(GTK_TREE_VIEW(pane->list), column);
    }
    gtk_tree_view_set_enable_search(GTK_TREE_VIEW(pane->list), FALSE);
    gtk_widget_set_name(pane->list, "mark-list");
    gtk_container_add(GTK_CONTAINER(scrolled), pane->list);
    return scrolled;
}

GtkWidget *tnd_mark_pane_new(TndSession *session)
{
    Pane *pane = g_new0(Pane, 1);
    GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 2);
    pane->session = session;
    pane->pane = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    pane->heading = gtk_label_new("");
    gtk_widget_set_name(pane->heading, "mark-heading");
    gtk_label_set_xalign(GTK_LABEL(pane->heading), 0);
    gtk_label_set_ellipsize(GTK_LABEL(pane->heading), PANGO_ELLIPSIZE_END);
    gtk_box_pack_start(GTK_BOX(line), pane->heading, TRUE, TRUE, 6);
    gtk_box_pack_end(GTK_BOX(line), tnd_command_menu_button(session, "unmark", "window-close-symbolic"), FALSE, FALSE,
                     0);
    gtk_box_pack_end(GTK_BOX(line), tnd_command_menu_button(session, "zoom-mark", "zoom-in-symbolic"), FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(pane->pane), line, FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(pane->pane), list_new(pane), TRUE, TRUE, 0);
    gtk_widget_set_size_request(pane->pane, WIDTH, -1);
    gtk_widget_show_all(pane->pane);
    gtk_widget_set_no_show_all(pane->pane, TRUE);
    gtk_widget_hide(pane->pane);
    g_object_set_data_full(G_OBJECT(pane->pane), "tnd-mark-pane", pane, g_free);
    g_signal_connect(pane->pane, "destroy", G_CALLBACK(on_destroy), pane);
    tnd_session_watch(session, on_change, pane);
    return pane->pane;
}
