/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The state of a session and its invariants: a zoom lies within the trace, and watchers are told of every change.
 */
#include "viewer/session_parts.h"

#include <string.h>

static void free_scale(gpointer scale)
{
    tnd_quantiles_free((TndQuantiles *)((TndPaletteScale *)scale)->quantiles);
    g_free(scale);
}

TndSession *tnd_session_new(void)
{
    TndSession *session = g_new0(TndSession, 1);
    session->items = tnd_items_new();
    session->open = g_ptr_array_new_with_free_func((GDestroyNotify)tnd_view_free);
    session->scales = g_hash_table_new_full(NULL, NULL, NULL, free_scale);
    session->draws = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    session->history = tnd_history_new();
    session->folds = g_array_new(FALSE, FALSE, sizeof(TndSessionFold));
    session->orders = g_ptr_array_new_with_free_func((GDestroyNotify)tnd_row_order_free);
    session->watchers = g_array_new(FALSE, FALSE, sizeof(TndSessionWatcher));
    session->marks.notes = tnd_session_parts_notes_new();
    session->messages_fit = TRUE;
    session->table.cells = TND_CELLS_COLOURS;
    return session;
}

static void forget_trace(TndSession *session)
{
    tnd_histogram_page_clear(&session->table);
    tnd_profile_page_drop(&session->profile);
    session->profile.marked = 0;
    session->view = NULL;
    g_hash_table_remove_all(session->scales);
    g_ptr_array_set_size(session->open, 0);
    tnd_items_set_trace(session->items, NULL);
    tnd_history_forget(session->history);
    g_array_set_size(session->folds, 0);
    g_ptr_array_set_size(session->orders, 0);
    session->hover = session->selection = (TndSpot){0};
    session->lit_view = session->table.limited = NULL;
    session->marks.begin_ns = session->marks.end_ns = 0;
    g_array_set_size(session->marks.notes, 0);
    g_clear_pointer(&session->measure, tnd_measure_free);
    g_clear_pointer(&session->hits, tnd_find_free_hits);
    g_clear_pointer(&session->message_choice, tnd_message_choice_free);
    session->has_hover_message = FALSE;
    for (TndSessionSource which = 0; which < TND_SESSION_SOURCES; which++)
        g_clear_pointer(&session->sites[which], tnd_view_free);
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
    tnd_history_free(session->history);
    g_array_unref(session->folds);
    g_array_unref(session->marks.notes);
    g_ptr_array_unref(session->orders);
    g_array_unref(session->watchers);
    g_free(session->source_folder);
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
    if (changes & (TND_CHANGED_TRACE | TND_CHANGED_ZOOM | TND_CHANGED_LANES))
        tnd_profile_page_drop(&session->profile);
    if (changes & (TND_CHANGED_TRACE | TND_CHANGED_VIEW | TND_CHANGED_ZOOM | TND_CHANGED_LANES | TND_CHANGED_MARK))
        g_clear_pointer(&session->measure, tnd_measure_free);
    for (guint i = 0; i < session->watchers->len; i++) {
        TndSessionWatcher watcher = g_array_index(session->watchers, TndSessionWatcher, i);
        watcher.watch(session, changes, watcher.user_data);
    }
}

void tnd_session_want(TndSession *session, TndWish wish)
{
    session->wish = wish;
    tnd_session_notify(session, TND_CHANGED_WISH);
}

TndWish tnd_session_wish(const TndSession *session)
{
    return session->wish;
}

void tnd_session_set_trace(TndSession *session, TndTrace *trace)
{
    forget_trace(session);
    session->trace = trace;
    tnd_items_set_trace(session->items, trace);
    session->unsaid |= TND_CHANGED_FIND;
    const TndScene scene = tnd_scene_new(trace);
    tnd_history_begin(session->history, &scene);
    session->last_lane = scene.lanes[0].id;
    session->unsaid |= TND_CHANGED_ITEMS | TND_CHANGED_LANES;
    if (session->items->rules->len)
        tnd_session_open_view(session, ((const TndViewRule *)session->items->rules->pdata[0])->name, NULL);
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

gboolean tnd_session_shows_flags(const TndSession *session)
{
    return session->shows_flags;
}

void tnd_session_set_shows_flags(TndSession *session, gboolean shows)
{
    if (session->shows_flags == shows)
        return;
    session->shows_flags = shows;
    tnd_session_notify(session, TND_CHANGED_OPTIONS);
}

static TndDraw draw_of(const TndSession *session, const TndView *view)
{
    const TndViewRule *rule = view ? tnd_view_rule(view) : NULL;
    gpointer chosen;
    if (!rule)
        return TND_DRAW_COLOUR;
    if (g_hash_table_lookup_extended(session->draws, rule->name, NULL, &chosen) &&
        tnd_view_draw_suits(GPOINTER_TO_UINT(chosen), rule->palette))
        return GPOINTER_TO_UINT(chosen);
    return tnd_view_draw_suits(rule->draw, rule->palette) ? rule->draw : TND_DRAW_COLOUR;
}

TndDraw tnd_session_draw(const TndSession *session)
{
    return draw_of(session, session->view);
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

static gboolean equal_spots(TndSpot a, TndSpot b)
{
    return a.is_set == b.is_set && (!a.is_set || (a.lane == b.lane && a.row == b.row && a.time_ns == b.time_ns));
}

TndSpot tnd_session_hover(const TndSession *session)
{
    return session->hover;
}

void tnd_session_follow_hover(TndSession *session, TndSpot spot)
{
    if (equal_spots(session->hover, spot))
        return;
    session->hover = spot;
    tnd_session_notify(session, TND_CHANGED_HOVER);
}

void tnd_session_set_hover(TndSession *session, TndSpot spot)
{
    session->tells_selection &= !spot.is_set;
    tnd_session_follow_hover(session, spot);
}

TndSpot tnd_session_told(const TndSession *session)
{
    return session->tells_selection ? session->selection : session->hover;
}

TndSpot tnd_session_selection(const TndSession *session)
{
    return session->selection;
}

void tnd_session_set_selection(TndSession *session, TndSpot spot)
{
    if (spot.is_set)
        tnd_session_select_lane(session, spot.lane);
    session->tells_selection = spot.is_set;
    if (equal_spots(session->selection, spot))
        return;
    session->selection = spot;
    tnd_session_notify(session, TND_CHANGED_SELECTION);
}

static void bring_into_sight(TndSession *session, TndSpot spot)
{
    const TndRowOrder *order = tnd_session_rows(session);
    TndZoom zoom = tnd_session_zoom(session);
    const guint64 span = zoom.end_ns - zoom.begin_ns;
    const guint n_rows = zoom.last_row - zoom.first_row + 1, place = tnd_row_order_place(order, spot.row);
    const gboolean is_pinned = order && order->position[spot.row] < order->n_pinned;
    if (spot.time_ns < zoom.begin_ns || spot.time_ns >= zoom.end_ns) {
        zoom.begin_ns = spot.time_ns > span / 2 ? spot.time_ns - span / 2 : 0;
        zoom.end_ns = zoom.begin_ns + span;
    }
    if (!is_pinned && (place < zoom.first_row || place > zoom.last_row)) {
        zoom.first_row = place > n_rows / 2 ? place - n_rows / 2 : 0;
        zoom.last_row = zoom.first_row + n_rows - 1;
    }
    tnd_session_set_zoom(session, zoom, TRUE);
}

void tnd_session_go(TndSession *session, TndSpot spot)
{
    tnd_session_select_lane(session, spot.lane);
    bring_into_sight(session, spot);
    tnd_session_set_selection(session, spot);
}

void tnd_session_step_burst(TndSession *session, int step)
{
    if (!session->view)
        return;
    TndZoom zoom = tnd_session_zoom(session);
    TndSpot spot = session->selection;
    if (!spot.is_set)
        spot = (TndSpot){TRUE, tnd_row_order_row(tnd_session_rows(session), zoom.first_row, 0), zoom.begin_ns,
                         tnd_session_lane(session)};
    TndBurst burst;
    gboolean is_there = tnd_view_burst_at(session->view, spot.row, spot.time_ns, &burst);
    for (; is_there && step > 0; step--)
        is_there = tnd_view_burst_at(session->view, spot.row, burst.end_ns, &burst);
    for (; is_there && step < 0; step++)
        is_there = burst.begin_ns > 0 && tnd_view_burst_at(session->view, spot.row, burst.begin_ns - 1, &burst);
    if (!is_there)
        return;
    spot.time_ns = burst.begin_ns;
    tnd_session_go(session, spot);
}

static const TndPaletteScale *get_scale(const TndSession *session, TndView *view)
{
    TndPaletteScale *scale = g_hash_table_lookup(session->scales, view);
    if (!scale) {
        scale = g_new(TndPaletteScale, 1);
        *scale = tnd_palette_scale(view);
        g_hash_table_insert(session->scales, view, scale);
    }
    if (session->look.has_limits && session->look.are_percentiles && !scale->quantiles &&
        scale->kind == TND_PALETTE_GRADIENT && scale->least < scale->most)
        scale->quantiles = tnd_quantiles_new(view, scale->least, scale->most);
    return scale;
}

TndPaletteScale tnd_session_parts_scale(const TndSession *session, TndView *view)
{
    return *get_scale(session, view);
}

static gboolean colour_of(const TndSession *session, TndView *view, double value, guint32 *colour)
{
    TndPaletteScale scale = *get_scale(session, view);
    tnd_palette_set_look(&scale, &session->look);
    if (scale.kind == TND_PALETTE_GRADIENT && (session->fits_scale || draw_of(session, view) != TND_DRAW_COLOUR))
        return FALSE;
    *colour = tnd_palette_colour(&scale, value);
    return TRUE;
}

gboolean tnd_session_colour_at(const TndSession *session, TndSpot spot, guint32 *colour)
{
    TndView *view = spot.is_set ? tnd_session_lane_view(session, spot.lane) : NULL;
    TndBurst burst;
    if (!view || !tnd_view_is_prepared(view) || !tnd_view_burst_at(view, spot.row, spot.time_ns, &burst) ||
        !tnd_view_has_value(view, spot.row, spot.time_ns, &burst))
        return FALSE;
    return colour_of(session, view, burst.value, colour);
}

gboolean tnd_session_colour_of(const TndSession *session, double value, guint32 *colour)
{
    return session->view && tnd_view_is_prepared(session->view) && colour_of(session, session->view, value, colour);
}

static TndLaneStackPart part_of(const TndSession *session, guint lane, TndView *view, gboolean waits)
{
    const gboolean is_read = waits || tnd_view_is_prepared(view);
    const TndLane *at = &tnd_session_parts_scene(session)->lanes[lane];
    TndZoom zoom = tnd_session_lane_zoom(session, lane);
    const TndRowOrder *order = tnd_session_parts_fold_order(session, lane, view, &zoom);
    TndView *over = tnd_session_lane_over(session, lane);
    const gboolean has_over = over && is_read && (waits || tnd_view_is_prepared(over));
    return (TndLaneStackPart){.timeline = {.view = view,
                                           .begin_ns = zoom.begin_ns,
                                           .end_ns = zoom.end_ns,
                                           .first_row = zoom.first_row,
                                           .last_row = zoom.last_row,
                                           .order = order,
                                           .lit = at->view && session->lit_view == at->view ? &session->lit : NULL,
                                           .messages = session->messages,
                                           .message_choice = session->message_choice,
                                           .shows_flags = session->shows_flags,
                                           .fits_scale = session->fits_scale,
                                           .look = session->look,
                                           .draw = draw_of(session, view),
                                           .scale = is_read ? get_scale(session, view) : NULL,
                                           .over = has_over ? over : NULL,
                                           .over_scale = has_over ? get_scale(session, over) : NULL,
                                           .is_apart = at->is_apart,
                                           .note = is_read ? NULL : "This view is not ready"},
                              .height = at->height};
}

/* Lanes that are apart have a ruler, and the last one of the others. */
static void give_rulers(TndLaneStackSubject *subject)
{
    gboolean has_last = FALSE;
    for (guint i = subject->n_parts; i-- > 0;) {
        TndLaneStackPart *part = &subject->parts[i];
        part->timeline.without_ruler = !part->timeline.is_apart && has_last;
        has_last |= !part->timeline.is_apart;
    }
}

gboolean tnd_session_stack(const TndSession *session, gboolean waits, TndLaneStackSubject *subject)
{
    *subject = (TndLaneStackSubject){.selected = tnd_session_lane(session)};
    for (guint lane = 0; lane < tnd_session_n_lanes(session); lane++) {
        TndView *view = tnd_session_lane_view(session, lane);
        if (!view || !tnd_view_n_rows(view))
            return FALSE;
        subject->parts[lane] = part_of(session, lane, view, waits);
        subject->n_parts++;
    }
    subject->whole_ns = session->trace ? tnd_trace_end_ns(session->trace) : 0;
    give_rulers(subject);
    return subject->n_parts > 0;
}
