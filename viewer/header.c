/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Buttons run commands by their ids; the menu is made from the table of commands.
 */
#include "viewer/header.h"

#include "formats/fact.h"
#include "viewer/command_menu.h"

static const struct {
    const char *command, *icon;
    gboolean is_at_end;
} buttons[] = {
    {"open", "document-open-symbolic", FALSE},    {"undo", "edit-undo-symbolic", FALSE},
    {"redo", "edit-redo-symbolic", FALSE},        {"zoom-in", "zoom-in-symbolic", FALSE},
    {"zoom-out", "zoom-out-symbolic", FALSE},     {"zoom-whole", "zoom-fit-best-symbolic", FALSE},
    {"add-timeline", "list-add-symbolic", FALSE}, {"export", "document-save-symbolic", TRUE},
};

/* Buttons that stay pressed. */
static const struct {
    const char *label, *tip;
    gboolean (*is_on)(const TndSession *session);
    void (*toggle)(TndSession *session);
} toggles[] = {
    {"Messages", "Draw messages as lines (M)", tnd_session_sees_messages, tnd_session_toggle_messages},
    {"Ruler", "Dragging marks and measures, and does not zoom (U)", tnd_session_is_ruler, tnd_session_toggle_ruler},
};

typedef struct {
    TndSession *session;
    GtkWidget *toggles[G_N_ELEMENTS(toggles)];
    gboolean is_following;
} Header;

static GtkWidget *menu_button_new(Header *header)
{
    GtkWidget *button = gtk_menu_button_new();
    gtk_menu_button_set_popup(GTK_MENU_BUTTON(button), tnd_command_menu_new(header->session, NULL));
    gtk_button_set_image(GTK_BUTTON(button), gtk_image_new_from_icon_name("open-menu-symbolic", GTK_ICON_SIZE_BUTTON));
    gtk_widget_set_focus_on_click(button, FALSE);
    return button;
}

static void on_toggled(GtkToggleButton *button, gpointer data)
{
    Header *header = data;
    for (guint i = 0; !header->is_following && i < G_N_ELEMENTS(toggles); i++)
        if (header->toggles[i] == GTK_WIDGET(button))
            toggles[i].toggle(header->session);
}

static void on_change(TndSession *session, guint changes, gpointer data)
{
    Header *header = data;
    header->is_following = TRUE;
    for (guint i = 0; i < G_N_ELEMENTS(toggles); i++)
        gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(header->toggles[i]), toggles[i].is_on(session));
    header->is_following = FALSE;
}

static void on_destroy(GtkWidget *widget, gpointer data)
{
    tnd_session_unwatch(((Header *)data)->session, data);
}

GtkWidget *tnd_header_new(TndSession *session, GtkStack *pages)
{
    Header *header = g_new0(Header, 1);
    header->session = session;
    GtkWidget *bar = gtk_header_bar_new(), *switcher = gtk_stack_switcher_new();
    gtk_header_bar_set_show_close_button(GTK_HEADER_BAR(bar), TRUE);
    gtk_header_bar_pack_end(GTK_HEADER_BAR(bar), menu_button_new(header));
    for (guint i = 0; i < G_N_ELEMENTS(buttons); i++) {
        GtkWidget *button = tnd_command_menu_button(session, buttons[i].command, buttons[i].icon);
        if (buttons[i].is_at_end)
            gtk_header_bar_pack_end(GTK_HEADER_BAR(bar), button);
        else
            gtk_header_bar_pack_start(GTK_HEADER_BAR(bar), button);
    }
    gtk_stack_switcher_set_stack(GTK_STACK_SWITCHER(switcher), pages);
    for (guint i = 0; i < G_N_ELEMENTS(toggles); i++) {
        GtkWidget *button = header->toggles[i] = gtk_toggle_button_new_with_label(toggles[i].label);
        gtk_widget_set_tooltip_text(button, toggles[i].tip);
        gtk_widget_set_focus_on_click(button, FALSE);
        gtk_header_bar_pack_end(GTK_HEADER_BAR(bar), button);
        g_signal_connect(button, "toggled", G_CALLBACK(on_toggled), header);
    }
    gtk_header_bar_pack_end(GTK_HEADER_BAR(bar), switcher);
    g_signal_connect(bar, "destroy", G_CALLBACK(on_destroy), header);
    g_object_set_data_full(G_OBJECT(bar), "tnd-header", header, g_free);
    tnd_session_watch(session, on_change, header);
    on_change(session, TND_CHANGED_OPTIONS, header);
    return bar;
}

/* Appends the trace's notes, a line each; whether one says that programs were not recorded. */
static gboolean append_notes(GString *text, const TndTrace *trace)
{
    gboolean is_part = FALSE;
    for (const char *const *comment = tnd_trace_comments(trace); *comment; comment++) {
        const char *note = tnd_fact_value(*comment, TND_FACT_NOTE);
        if (note)
            g_string_append_printf(text, "\n%s", note);
        is_part |= note && g_str_has_prefix(note, TND_FACT_NOTE_MISSED);
    }
    return is_part;
}

void tnd_header_show_trace(GtkWidget *bar, const TndTrace *trace)
{
    GtkHeaderBar *header = GTK_HEADER_BAR(bar);
    gtk_header_bar_set_title(header, trace ? tnd_trace_name(trace) : "tview");
    if (!trace)
        return;
    GString *about = g_string_new(tnd_trace_path(trace));
    gboolean is_part = append_notes(about, trace);
    guint64 n_faults = tnd_trace_n_faults(trace);
    char *text = n_faults  ? g_strdup_printf("%" G_GUINT64_FORMAT " faulty lines left out", n_faults)
                 : is_part ? g_strdup("not all was recorded")
                           : NULL;
    gtk_header_bar_set_subtitle(header, text); /* short, as a narrow window has little room for it */
    gtk_widget_set_tooltip_text(bar, about->str);
    g_string_free(about, TRUE);
    g_free(text);
}
