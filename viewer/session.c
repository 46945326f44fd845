/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The state of a session and its invariants: a zoom lies within the trace, and watchers are told of every change.
 */
#include "viewer/session_parts.h"

#include <string.h>

TndSession *tnd_session_new(void)
{
    TndSession *session = g_new0(TndSession, 1);
    session->items = tnd_items_new();
    session->open = g_ptr_array_new_with_free_func((GDestroyNotify)tnd_view_free);
    session->scales = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    session->draws = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    session->zooms = tnd_zoom_history_new();
    session->watchers = g_array_new(FALSE, FALSE, sizeof(TndSessionWatcher));
    session->messages_fit = TRUE;
    session->table.is_coloured = TRUE;
    return session;
}

static void forget_trace(TndSession *session)
{
    tnd_histogram_page_clear(&session->table);
    session->view = NULL;
    g_hash_table_remove_all(session->scales);
    g_ptr_array_set_size(session->open, 0);
    tnd_items_set_trace(session->items, NULL);
    tnd_zoom_history_forget(session->zooms);
    session->hover = session->selection = (TndSpot){0};
    if (session->trace)
        tnd_trace_free(session->trace);
    session->trace = NULL;
}

void tnd_session_free(TndSession *session)
{
    forget_trace(session);
    tnd_items_free(session->items);
    g_ptr_array_unref(session->open);
    g_hash_table_unref(session->scales);
    g_hash_table_unref(session->draws);
    tnd_zoom_history_free(session->zooms);
    g_array_unref(session->watchers);
    g_free(session);
}

void tnd_session_watch(TndSession *session, TndSessionWatch watch, gpointer user_data)
{
    TndSessionWatcher watcher = {watch, user_data};
    g_array_append_val(session->watchers, watcher);
}

void tnd_session_unwatch(TndSession *session, gpointer user_data)
{
    for (guint i = session->watchers->len; i-- > 0;)
        if (g_array_index(session->watchers, TndSessionWatcher, i).user_data == user_data)
            g_array_remove_index(session->watchers, i);
}

void tnd_session_notify(TndSession *session, guint changes)
{
    changes |= session->unsaid;
    session->unsaid = 0;
    if (changes & (TND_CHANGED_TRACE | TND_CHANGED_VIEW | TND_CHANGED_ZOOM | TND_CHANGED_OPTIONS))
        tnd_histogram_page_drop(&session->table);
    for (guint i = 0; i < session->watchers->len; i++) {
        TndSessionWatcher watcher = g_array_index(session->watchers, TndSessionWatcher, i);
        watcher.watch(session, changes, watcher.user_data);
    }
}

void tnd_session_set_trace(TndSession *session, TndTrace *trace)
{
    forget_trace(session);
    session->trace = trace;
    tnd_items_set_trace(session->items, trace);
    tnd_zoom_history_begin(session->zooms, trace);
    session->unsaid = TND_CHANGED_ITEMS;
    if (session->items->list->len)
        tnd_session_open_view(session, g_array_index(session->items->list, TndItem, 0).name, NULL);
    tnd_session_notify(session, TND_CHANGED_TRACE | TND_CHANGED_VIEW | TND_CHANGED_ZOOM | TND_CHANGED_HOVER |
                                    TND_CHANGED_SELECTION);
}

const TndTrace *tnd_session_trace(const TndSession *session)
{
    return session->trace;
}

TndPage tnd_session_page(const TndSession *session)
{
    return session->page;
}

void tnd_session_set_page(TndSession *session, TndPage page)
{
    if (session->page == page)
        return;
    session->page = page;
    tnd_session_notify(session, TND_CHANGED_VIEW);
}

TndLook tnd_session_look(const TndSession *session)
{
    return session->look;
}

void tnd_session_set_look(TndSession *session, TndLook look)
{
    session->look = look;
    tnd_session_notify(session, TND_CHANGED_OPTIONS);
}

TndMessagesShown tnd_session_messages(const TndSession *session)
{
    return session->messages;
}

void tnd_session_set_messages(TndSession *session, TndMessagesShown messages)
{
    if (session->messages == messages)
        return;
    session->messages = messages;
    tnd_session_notify(session, TND_CHANGED_OPTIONS);
}

gboolean tnd_session_sees_messages(const TndSession *session)
{
    return session->messages == TND_MESSAGES_ALL ||
           (session->messages == TND_MESSAGES_FITTING && session->messages_fit);
}

void tnd_session_note_messages_fit(TndSession *session, gboolean fit)
{
    if (session->messages_fit == fit)
        return;
    session->messages_fit = fit;
    tnd_session_notify(session, TND_CHANGED_MESSAGES_FIT);
}

void tnd_session_toggle_messages(TndSession *session)
{
    TndMessagesShown seen = session->messages_fit ? TND_MESSAGES_FITTING : TND_MESSAGES_ALL;
    tnd_session_set_messages(session, tnd_session_sees_messages(session) ? TND_MESSAGES_NONE : seen);
}

gboolean tnd_session_fits_scale(const TndSession *session)
{
    return session->fits_scale;
}

void tnd_session_set_fits_scale(TndSession *session, gboolean fits)
{
    if (session->fits_scale == fits)
        return;
    session->fits_scale = fits;
    tnd_session_notify(session, TND_CHANGED_OPTIONS);
}

TndDraw tnd_session_draw(const TndSession *session)
{
    const TndViewRule *rule = session->view ? tnd_view_rule(session->view) : NULL;
    gpointer chosen;
    if (!rule || rule->palette == TND_PALETTE_CODE)
        return TND_DRAW_COLOUR;
    return g_hash_table_lookup_extended(session->draws, rule->name, NULL, &chosen) ? GPOINTER_TO_UINT(chosen)
                                                                                   : rule->draw;
}

void tnd_session_set_draw(TndSession *session, TndDraw draw)
{
    TndDraw before = tnd_session_draw(session);
    if (!session->view)
        return;
    g_hash_table_insert(session->draws, g_strdup(tnd_view_rule(session->view)->name), GUINT_TO_POINTER(draw));
    if (tnd_session_draw(session) != before)
        tnd_session_notify(session, TND_CHANGED_OPTIONS);
}

TndZoom tnd_session_whole(const TndSession *session)
{
    return session->trace ? tnd_zoom_whole(session->trace, tnd_session_level(session)) : (TndZoom){0, 1, 0, 0};
}

TndZoom tnd_session_zoom(const TndSession *session)
{
    return tnd_zoom_history_is_empty(session->zooms)
               ? tnd_session_whole(session)
               : tnd_zoom_history_shown(session->zooms, tnd_session_level(session));
}

char *tnd_session_stretch_text(const TndSession *session)
{
    TndZoom zoom = tnd_session_zoom(session);
    return g_strdup_printf("--begin %" G_GUINT64_FORMAT "ns --end %" G_GUINT64_FORMAT "ns", zoom.begin_ns, zoom.end_ns);
}

void tnd_session_set_zoom(TndSession *session, TndZoom zoom, gboolean glides)
{
    if (!session->trace)
        return;
    zoom = tnd_zoom_inside(zoom, tnd_session_whole(session));
    if (tnd_zoom_equals(zoom, tnd_session_zoom(session)))
        return;
    tnd_zoom_history_add(session->zooms, tnd_session_level(session), zoom, glides);
    tnd_session_notify(session, TND_CHANGED_ZOOM);
}

static gboolean step_history(TndSession *session, int step)
{
    if (!tnd_zoom_history_step(session->zooms, tnd_session_level(session), step))
        return FALSE;
    tnd_session_notify(session, TND_CHANGED_ZOOM);
    return TRUE;
}

gboolean tnd_session_undo(TndSession *session)
{
    return step_history(session, -1);
}

gboolean tnd_session_redo(TndSession *session)
{
    return step_history(session, 1);
}

void tnd_session_scale_time(TndSession *session, double factor, guint64 at_ns)
{
    TndZoom zoom = tnd_session_zoom(session), whole = tnd_session_whole(session);
    tnd_session_set_zoom(session, tnd_zoom_scale_time(zoom, whole, factor, at_ns), TRUE);
}

void tnd_session_scale_rows(TndSession *session, double factor, guint at_row)
{
    TndZoom zoom = tnd_session_zoom(session), whole = tnd_session_whole(session);
    tnd_session_set_zoom(session, tnd_zoom_scale_rows(zoom, whole, factor, at_row), TRUE);
}

void tnd_session_pan(TndSession *session, double time_part, double row_part)
{
    TndZoom zoom = tnd_session_zoom(session), whole = tnd_session_whole(session);
    tnd_session_set_zoom(session, tnd_zoom_pan(zoom, whole, time_part, row_part), TRUE);
}

static gboolean equal_spots(TndSpot a, TndSpot b)
{
    return a.is_set == b.is_set && (!a.is_set || (a.row == b.row && a.time_ns == b.time_ns));
}

TndSpot tnd_session_hover(const TndSession *session)
{
    return session->hover;
}

void tnd_session_set_hover(TndSession *session, TndSpot spot)
{
    if (equal_spots(session->hover, spot))
        return;
    session->hover = spot;
    tnd_session_notify(session, TND_CHANGED_HOVER);
}

TndSpot tnd_session_selection(const TndSession *session)
{
    return session->selection;
}

void tnd_session_set_selection(TndSession *session, TndSpot spot)
{
    if (equal_spots(session->selection, spot))
        return;
    session->selection = spot;
    tnd_session_notify(session, TND_CHANGED_SELECTION);
}

static void bring_into_sight(TndSession *session, TndSpot spot)
{
    TndZoom zoom = tnd_session_zoom(session);
    guint64 span = zoom.end_ns - zoom.begin_ns;
    if (spot.time_ns < zoom.begin_ns || spot.time_ns >= zoom.end_ns) {
        zoom.begin_ns = spot.time_ns > span / 2 ? spot.time_ns - span / 2 : 0;
        zoom.end_ns = zoom.begin_ns + span;
        tnd_session_set_zoom(session, zoom, TRUE);
    }
}

void tnd_session_step_burst(TndSession *session, int step)
{
    if (!session->view)
        return;
    TndZoom zoom = tnd_session_zoom(session);
    TndSpot spot = session->selection;
    if (!spot.is_set)
        spot = (TndSpot){TRUE, zoom.first_row, zoom.begin_ns};
    TndBurst burst;
    gboolean is_there = tnd_view_burst_at(session->view, spot.row, spot.time_ns, &burst);
    for (; is_there && step > 0; step--)
        is_there = tnd_view_burst_at(session->view, spot.row, burst.end_ns, &burst);
    for (; is_there && step < 0; step++)
        is_there = burst.begin_ns > 0 && tnd_view_burst_at(session->view, spot.row, burst.begin_ns - 1, &burst);
    if (!is_there)
        return;
    spot.time_ns = burst.begin_ns;
    bring_into_sight(session, spot);
    tnd_session_set_selection(session, spot);
}

static const TndPaletteScale *get_scale(const TndSession *session)
{
    TndPaletteScale *scale = g_hash_table_lookup(session->scales, session->view);
    if (!scale) {
        scale = g_new(TndPaletteScale, 1);
        *scale = tnd_palette_scale(session->view);
        g_hash_table_insert(session->scales, session->view, scale);
    }
    return scale;
}

gboolean tnd_session_timeline(const TndSession *session, TndTimelineSubject *subject)
{
    if (!session->view || !tnd_view_n_rows(session->view))
        return FALSE;
    TndZoom zoom = tnd_session_zoom(session);
    *subject = (TndTimelineSubject){.view = session->view,
                                    .begin_ns = zoom.begin_ns,
                                    .end_ns = zoom.end_ns,
                                    .first_row = zoom.first_row,
                                    .last_row = zoom.last_row,
                                    .messages = session->messages,
                                    .fits_scale = session->fits_scale,
                                    .look = session->look,
                                    .draw = tnd_session_draw(session),
                                    .scale = get_scale(session)};
    return TRUE;
}
