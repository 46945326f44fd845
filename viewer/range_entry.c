/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A popover with an entry for each end; what is wrong stands below them.
 */
#include "viewer/range_entry.h"

#include "viewer/paint/ruler.h"
#include "viewer/popover.h"

#include <string.h>

enum { BEGIN, END, LEAST, MOST, N_FIELDS };

typedef struct {
    TndSession *session;
    GtkWidget *popover, *entries[N_FIELDS], *fault;
} Range;

static void apply(Range *range)
{
    const char *texts[N_FIELDS];
    GError *error = NULL;
    for (guint i = 0; i < N_FIELDS; i++)
        texts[i] = gtk_entry_get_text(GTK_ENTRY(range->entries[i]));
    const TndTyped typed = {texts[BEGIN], texts[END], texts[LEAST], texts[MOST]};
    if (tnd_session_type(range->session, &typed, &error)) {
        gtk_popover_popdown(GTK_POPOVER(range->popover));
        return;
    }
    gtk_label_set_text(GTK_LABEL(range->fault), error->message);
    g_error_free(error);
}

static char *limit_text(const TndSession *session, double limit)
{
    const TndLook look = tnd_session_look(session);
    const gboolean is_time = !strcmp(tnd_view_rule(tnd_session_view(session))->unit, "ns");
    if (!look.has_limits)
        return g_strdup("");
    if (is_time && !look.are_percentiles && limit == (double)(guint64)limit)
        return tnd_ruler_time_text((guint64)limit, 0);
    return g_strdup_printf("%.15g%s", limit, look.are_percentiles ? "%" : "");
}

/* What is shown now. */
static char *text_of(const TndSession *session, guint field)
{
    const TndZoom zoom = tnd_session_zoom(session);
    const TndLook look = tnd_session_look(session);
    switch (field) {
    case BEGIN:
        return tnd_ruler_time_text(zoom.begin_ns, 0);
    case END:
        return tnd_ruler_time_text(zoom.end_ns, 0);
    default:
        return limit_text(session, field == LEAST ? look.least : look.most);
    }
}

static void add_field(Range *range, GtkGrid *grid, guint field)
{
    static const struct {
        const char *name, *title, *hint;
    } about[N_FIELDS] = {{"range-begin", "Time from", "begin of the trace"},
                         {"range-end", "to", "end of the trace; +20us: so long"},
                         {"range-least", "Colours from", "smallest value; 1%: percentile"},
                         {"range-most", "to", "largest value; 99%: percentile"}};
    char *text = text_of(range->session, field);
    GtkWidget *title = gtk_label_new_with_mnemonic(about[field].title), *entry = gtk_entry_new();
    range->entries[field] = entry;
    gtk_widget_set_name(entry, about[field].name);
    gtk_label_set_xalign(GTK_LABEL(title), 1);
    gtk_label_set_mnemonic_widget(GTK_LABEL(title), entry);
    gtk_entry_set_text(GTK_ENTRY(entry), text);
    gtk_entry_set_placeholder_text(GTK_ENTRY(entry), about[field].hint);
    gtk_entry_set_width_chars(GTK_ENTRY(entry), 28);
    gtk_grid_attach(grid, title, field % 2 * 2, (int)field / 2, 1, 1);
    gtk_grid_attach(grid, entry, field % 2 * 2 + 1, (int)field / 2, 1, 1);
    g_signal_connect_swapped(entry, "activate", G_CALLBACK(apply), range);
    g_free(text);
}

static GtkWidget *contents_new(Range *range)
{
    GtkGrid *grid = GTK_GRID(gtk_grid_new());
    GtkWidget *button = gtk_button_new_with_label("Show");
    gtk_grid_set_column_spacing(grid, 6);
    gtk_grid_set_row_spacing(grid, 6);
    gtk_container_set_border_width(GTK_CONTAINER(grid), 8);
    for (guint field = 0; field < N_FIELDS; field++)
        add_field(range, grid, field);
    range->fault = gtk_label_new("");
    gtk_widget_set_name(range->fault, "range-fault");
    gtk_label_set_xalign(GTK_LABEL(range->fault), 0);
    gtk_label_set_line_wrap(GTK_LABEL(range->fault), TRUE);
    gtk_grid_attach(grid, range->fault, 0, 2, 3, 1);
    gtk_grid_attach(grid, button, 3, 2, 1, 1);
    gtk_widget_set_halign(button, GTK_ALIGN_END);
    g_signal_connect_swapped(button, "clicked", G_CALLBACK(apply), range);
    return GTK_WIDGET(grid);
}

void tnd_range_entry_show(GtkWidget *below, TndSession *session)
{
    Range *range = g_new0(Range, 1);
    range->session = session;
    range->popover = tnd_popover_new(below, range);
    GtkWidget *contents = contents_new(range);
    gtk_container_add(GTK_CONTAINER(range->popover), contents);
    gtk_widget_show_all(contents);
    gtk_popover_popup(GTK_POPOVER(range->popover));
    gtk_widget_grab_focus(range->entries[BEGIN]);
}
