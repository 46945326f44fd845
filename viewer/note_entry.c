/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A popover with an entry: Enter keeps what is written, Escape keeps what was.
 */
#include "viewer/note_entry.h"

#include "viewer/popover.h"
#include "viewer/timeline_area.h"

#include <math.h>

enum { CHARACTERS = 36 };

typedef struct {
    TndSession *session;
    GtkWidget *popover, *entry;
    TndNote place; /* its text is that of before, which the session owns; NULL: there was none */
} Asking;

static void close_popover(Asking *asking)
{
    gtk_popover_popdown(GTK_POPOVER(asking->popover));
}

static void on_enter(GtkEntry *entry, gpointer data)
{
    Asking *asking = data;
    TndNote note = asking->place;
    char *text = g_strstrip(g_strdup(gtk_entry_get_text(entry)));
    note.text = text;
    tnd_session_set_note(asking->session, &note);
    g_free(text);
    close_popover(asking);
}

static void on_remove(GtkButton *button, gpointer data)
{
    Asking *asking = data;
    TndNote note = asking->place;
    note.text = NULL;
    tnd_session_set_note(asking->session, &note);
    close_popover(asking);
}

/* Where the popover points to. */
static GdkRectangle place_of(GtkWidget *timelines, TndSpot spot)
{
    const TndLaneStack *stack = tnd_timeline_area_stack(timelines);
    GdkRectangle place = {gtk_widget_get_allocated_width(timelines) / 2, 0, 1, 1};
    double top, bottom;
    if (!stack || spot.lane >= tnd_lane_stack_n(stack))
        return place;
    const TndTimeline *timeline = tnd_lane_stack_timeline(stack, spot.lane);
    const TndRectangle canvas = tnd_timeline_canvas(timeline);
    tnd_timeline_row_span(timeline, spot.row, &top, &bottom);
    const double x = tnd_timeline_x(timeline, spot.time_ns), y = (top + bottom) / 2;
    place.x = (int)floor(CLAMP(x, canvas.x, canvas.x + canvas.width - 1));
    place.y = (int)floor(CLAMP(y, canvas.y, canvas.y + canvas.height - 1));
    return place;
}

static GtkWidget *contents_new(Asking *asking)
{
    GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
    asking->entry = gtk_entry_new();
    gtk_widget_set_name(asking->entry, "note-entry");
    gtk_entry_set_placeholder_text(GTK_ENTRY(asking->entry), "A note; without text it is a bookmark");
    gtk_entry_set_width_chars(GTK_ENTRY(asking->entry), CHARACTERS);
    gtk_entry_set_text(GTK_ENTRY(asking->entry), asking->place.text ? asking->place.text : "");
    g_signal_connect(asking->entry, "activate", G_CALLBACK(on_enter), asking);
    gtk_container_set_border_width(GTK_CONTAINER(line), 6);
    gtk_box_pack_start(GTK_BOX(line), asking->entry, TRUE, TRUE, 0);
    if (asking->place.text) {
        GtkWidget *button = gtk_button_new_with_label("Remove");
        g_signal_connect(button, "clicked", G_CALLBACK(on_remove), asking);
        gtk_box_pack_start(GTK_BOX(line), button, FALSE, FALSE, 0);
    }
    return line;
}

void tnd_note_entry_show(GtkWidget *timelines, TndSession *session)
{
    const TndSpot hover = tnd_session_hover(session), spot = hover.is_set ? hover : tnd_session_selection(session);
    TndView *view = tnd_session_lane_view(session, spot.lane);
    if (!spot.is_set || !view)
        return;
    Asking *asking = g_new0(Asking, 1);
    const guint before = tnd_session_note_at(session, spot);
    const GArray *notes = tnd_session_marks(session)->notes;
    asking->session = session;
    asking->place = before < notes->len ? g_array_index(notes, TndNote, before)
                                        : (TndNote){spot.time_ns, tnd_view_level(view), spot.row, NULL};
    asking->popover = tnd_popover_new(timelines, asking);
    const GdkRectangle place = place_of(timelines, spot);
    gtk_popover_set_pointing_to(GTK_POPOVER(asking->popover), &place);
    GtkWidget *contents = contents_new(asking);
    gtk_container_add(GTK_CONTAINER(asking->popover), contents);
    gtk_widget_show_all(contents);
    gtk_popover_popup(GTK_POPOVER(asking->popover));
    gtk_widget_grab_focus(asking->entry);
}
