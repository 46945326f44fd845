/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A grid of names and values at the left, the messages and records beside it, what is marked at the right.
 */
#include "viewer/details.h"

#include "viewer/description.h"
#include "viewer/mark_pane.h"
#include "viewer/shown.h"

enum { FIELDS = 5 };
static const char *const names[FIELDS] = {"Thread", /* replaced by the name of the view's level */
                                          "Time", "Value", "Duration", "From – to"};

typedef struct {
    TndSession *session;
    GtkWidget *fields[FIELDS], *records, *row;
} Details;

static void append_messages(GString *text, const TndDescription *description)
{
    const guint n = description->messages->len;
    if (!description->n_messages)
        g_string_append(text, "No messages in this burst.");
    for (guint i = 0; i < n; i++)
        g_string_append_printf(text, "%s%s", i ? "\n" : "", (char *)description->messages->pdata[i]);
    if (description->n_messages > n)
        g_string_append_printf(text, "\n… and %" G_GUINT64_FORMAT " more", description->n_messages - n);
}

/* The records, the last one before the click with a mark. */
static void append_records(GString *text, const TndBurstRecords *records)
{
    if (records->lines->len)
        g_string_append(text, "\n\nRecords of this burst:");
    if (records->n_before)
        g_string_append_printf(text, "\n… %" G_GUINT64_FORMAT " before", records->n_before);
    for (guint i = 0; i < records->lines->len; i++)
        g_string_append_printf(text, "\n%s%s", i == records->here ? "▸ " : "", (char *)records->lines->pdata[i]);
    if (records->n_after)
        g_string_append_printf(text, "\n… and %" G_GUINT64_FORMAT " after", records->n_after);
}

static void show_records(Details *details, const TndDescription *description, gboolean is_set)
{
    GString *text = g_string_new(NULL);
    if (!is_set)
        g_string_append(text, "Click on the timeline to see its values, messages and records here.");
    else if (!description->may_have_messages)
        g_string_append(text, "Records are those of threads: only views of threads, tasks and applications show them.");
    else
        append_messages(text, description);
    if (is_set && description->records.lines)
        append_records(text, &description->records);
    tnd_shown_set(details->records, text->str);
    g_string_free(text, TRUE);
}

static void on_change(TndSession *session, guint changes, gpointer data)
{
    Details *details = data;
    if (!(changes & (TND_CHANGED_TRACE | TND_CHANGED_VIEW | TND_CHANGED_SELECTION)))
        return;
    TndDescription description;
    gboolean is_set = tnd_description_of(session, tnd_session_selection(session), TRUE, &description);
    const char *values[FIELDS] = {description.row, description.time, description.value, description.duration,
                                  description.stretch};
    for (guint i = 0; i < FIELDS; i++)
        tnd_shown_set(details->fields[i], is_set && values[i] ? values[i] : "–");
    show_records(details, &description, is_set);
    char *row = tnd_levels_title(tnd_session_level(session));
    gtk_label_set_text(GTK_LABEL(details->row), row);
    g_free(row);
    tnd_description_clear(&description);
}

static void on_destroy(GtkWidget *widget, gpointer data)
{
    tnd_session_unwatch(((Details *)data)->session, data);
}

static GtkWidget *fields_grid(Details *details)
{
    GtkWidget *grid = gtk_grid_new();
    gtk_grid_set_column_spacing(GTK_GRID(grid), 12);
    gtk_grid_set_row_spacing(GTK_GRID(grid), 2);
    gtk_container_set_border_width(GTK_CONTAINER(grid), 8);
    for (int i = 0; i < FIELDS; i++) {
        GtkWidget *name = gtk_label_new(names[i]);
        details->row = i ? details->row : name;
        gtk_widget_set_opacity(name, 0.7);
        gtk_label_set_xalign(GTK_LABEL(name), 1);
        details->fields[i] = gtk_label_new("–");
        gtk_label_set_xalign(GTK_LABEL(details->fields[i]), 0);
        gtk_label_set_selectable(GTK_LABEL(details->fields[i]), TRUE);
        gtk_widget_set_can_focus(details->fields[i], FALSE);
        gtk_label_set_ellipsize(GTK_LABEL(details->fields[i]), PANGO_ELLIPSIZE_MIDDLE);
        gtk_label_set_width_chars(GTK_LABEL(details->fields[i]), 34);
        gtk_grid_attach(GTK_GRID(grid), name, 0, i, 1, 1);
        gtk_grid_attach(GTK_GRID(grid), details->fields[i], 1, i, 1, 1);
    }
    return grid;
}

GtkWidget *tnd_details_new(TndSession *session)
{
    Details *details = g_new0(Details, 1);
    details->session = session;
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
    GtkWidget *scrolled = gtk_scrolled_window_new(NULL, NULL);
    details->records = gtk_label_new(NULL);
    gtk_label_set_xalign(GTK_LABEL(details->records), 0);
    gtk_label_set_yalign(GTK_LABEL(details->records), 0);
    gtk_label_set_line_wrap(GTK_LABEL(details->records), TRUE);
    gtk_label_set_selectable(GTK_LABEL(details->records), TRUE);
    gtk_widget_set_can_focus(details->records, FALSE);
    gtk_widget_set_name(details->records, "records");
    gtk_widget_set_margin_top(details->records, 8);
    gtk_container_add(GTK_CONTAINER(scrolled), details->records);
    gtk_box_pack_start(GTK_BOX(box), fields_grid(details), FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(box), gtk_separator_new(GTK_ORIENTATION_VERTICAL), FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(box), scrolled, TRUE, TRUE, 0);
    gtk_box_pack_start(GTK_BOX(box), tnd_mark_pane_new(session), TRUE, TRUE, 0);
    g_object_set_data_full(G_OBJECT(box), "tnd-details", details, g_free);
    g_signal_connect(box, "destroy", G_CALLBACK(on_destroy), details);
    tnd_session_watch(session, on_change, details);
    on_change(session, TND_CHANGED_SELECTION, details);
    return box;
}
