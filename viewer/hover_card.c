/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * It is a tooltip of GTK's, which knows when the pointer rests and where there is room.
 */
#include "viewer/hover_card.h"

#include "analysis/base/quantity.h"
#include "viewer/description.h"
#include "viewer/paint/legend.h"

enum { SWATCH = 16 };

/* Puts a line above the text. */
static void add_above(char **text, const char *line)
{
    char *below = *text;
    *text = below ? g_strdup_printf("%s\n%s", line, below) : g_strdup(line);
    g_free(below);
}

/* The value there of the view that lies over the timeline. */
static void add_over(const TndSession *session, TndSpot spot, char **text)
{
    TndView *over = tnd_session_lane_over(session, spot.lane);
    TndBurst burst;
    if (!*text || !over || !tnd_view_is_prepared(over) || !tnd_view_burst_at(over, spot.row, spot.time_ns, &burst))
        return;
    char *value = tnd_legend_text(over, burst.value), *before = *text;
    *text = g_strdup_printf("%s\n%s: %s", before, tnd_view_rule(over)->title, value);
    g_free(before);
    g_free(value);
}

char *tnd_hover_card_text(TndSession *session)
{
    const TndMessage *message = tnd_session_hover_message(session);
    TndDescription description;
    const TndSpot spot = tnd_session_hover(session);
    char *text = NULL;
    if (tnd_description_of(session, spot, FALSE, &description) && description.value) {
        char *line = tnd_session_source_line(session, spot);
        text = g_strdup_printf("%s\n%s, at %s\nlasts %s, %.2g %% of what is shown%s%s", description.value,
                               description.row, description.time, description.duration, 100 * description.share,
                               line ? "\n" : "", line ? line : "");
        g_free(line);
    }
    add_over(session, spot, &text);
    const guint note = tnd_session_note_at(session, spot);
    const GArray *notes = tnd_session_marks(session)->notes;
    if (text && note < notes->len && *g_array_index(notes, TndNote, note).text)
        add_above(&text, g_array_index(notes, TndNote, note).text);
    if (message) {
        char *line = tnd_description_message(tnd_session_trace(session), message);
        add_above(&text, line);
        g_free(line);
    }
    tnd_description_clear(&description);
    return text;
}

static gboolean on_query(GtkWidget *widget, gint x, gint y, gboolean is_keyboard, GtkTooltip *tooltip, gpointer data)
{
    TndSession *session = data;
    guint32 colour;
    char *text = tnd_hover_card_text(session);
    if (!text)
        return FALSE;
    char *shown = tnd_quantity_shown(text), *valid = g_utf8_make_valid(shown, -1);
    gtk_tooltip_set_text(tooltip, valid);
    if (tnd_session_colour_at(session, tnd_session_hover(session), &colour)) {
        GdkPixbuf *swatch = gdk_pixbuf_new(GDK_COLORSPACE_RGB, FALSE, 8, SWATCH, SWATCH);
        gdk_pixbuf_fill(swatch, colour << 8 | 0xff);
        gtk_tooltip_set_icon(tooltip, swatch);
        g_object_unref(swatch);
    }
    g_free(valid);
    g_free(shown);
    g_free(text);
    return TRUE;
}

void tnd_hover_card_connect(GtkWidget *widget, TndSession *session)
{
    gtk_widget_set_has_tooltip(widget, TRUE);
    g_signal_connect(widget, "query-tooltip", G_CALLBACK(on_query), session);
}
