/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The scene of a session: its lanes, their zooms, undo and redo.
 */
#include "viewer/session_parts.h"

#include <gio/gio.h>

const TndScene *tnd_session_parts_scene(const TndSession *session)
{
    return tnd_history_shown(session->history);
}

guint tnd_session_n_lanes(const TndSession *session)
{
    const TndScene *scene = tnd_session_parts_scene(session);
    return scene ? scene->n_lanes : 0;
}

guint tnd_session_lane(const TndSession *session)
{
    const TndScene *scene = tnd_session_parts_scene(session);
    return scene ? scene->selected : 0;
}

TndView *tnd_session_lane_view(const TndSession *session, guint lane)
{
    const TndScene *scene = tnd_session_parts_scene(session);
    const char *name = scene && lane < scene->n_lanes ? scene->lanes[lane].view : NULL;
    return name ? tnd_session_parts_find_open(session, name) : NULL;
}

TndView *tnd_session_lane_over(const TndSession *session, guint lane)
{
    const TndScene *scene = tnd_session_parts_scene(session);
    const char *name = scene && lane < scene->n_lanes ? scene->lanes[lane].over : NULL;
    TndView *view = tnd_session_lane_view(session, lane),
            *over = name ? tnd_session_parts_find_open(session, name) : NULL;
    return over && view && over != view && tnd_view_level(over) == tnd_view_level(view) ? over : NULL;
}

gboolean tnd_session_lane_is_apart(const TndSession *session, guint lane)
{
    const TndScene *scene = tnd_session_parts_scene(session);
    return scene && lane < scene->n_lanes && scene->lanes[lane].is_apart;
}

static TndLevel level_of(const TndSession *session, guint lane)
{
    TndView *view = tnd_session_lane_view(session, lane);
    return view ? tnd_view_level(view) : TND_LEVEL_THREAD;
}

TndZoom tnd_session_lane_zoom(const TndSession *session, guint lane)
{
    const TndScene *scene = tnd_session_parts_scene(session);
    return scene ? tnd_scene_zoom(scene, lane, level_of(session, lane)) : tnd_session_whole(session);
}

TndZoom tnd_session_zoom(const TndSession *session)
{
    const TndScene *scene = tnd_session_parts_scene(session);
    return scene ? tnd_scene_zoom(scene, scene->selected, tnd_session_level(session)) : tnd_session_whole(session);
}

static const TndRowOrder *find_fold(const TndSession *session, const TndView *view, const TndRowOrder *order)
{
    for (guint i = 0; i < session->folds->len; i++) {
        const TndSessionFold *fold = &g_array_index(session->folds, TndSessionFold, i);
        if (fold->view == view && fold->order == order)
            return fold->folded;
    }
    TndRowOrder *folded = tnd_row_order_fold(order, tnd_view_n_rows(view), tnd_view_first_rows(view));
    TndSessionFold fold = {view, order, order};
    if (folded->n < (order ? order->n : tnd_view_n_rows(view))) {
        fold.folded = folded;
        g_ptr_array_add(session->orders, folded);
    } else {
        tnd_row_order_free(folded);
    }
    g_array_append_val(session->folds, fold);
    return fold.folded;
}

const TndRowOrder *tnd_session_parts_fold_order(const TndSession *session, guint lane, const TndView *view,
                                                TndZoom *zoom)
{
    const TndRowOrder *order = tnd_scene_order(tnd_session_parts_scene(session), lane, tnd_view_level(view));
    if (!tnd_view_first_rows(view))
        return order;
    const TndRowOrder *folded = find_fold(session, view, order);
    const guint n_pinned = order ? order->n_pinned : 0;
    if (folded && folded->n > folded->n_pinned && (!order || order->n > n_pinned)) { /* some are not pinned */
        zoom->first_row = tnd_row_order_place(folded, tnd_row_order_row(order, zoom->first_row, n_pinned));
        zoom->last_row = tnd_row_order_place(folded, tnd_row_order_row(order, zoom->last_row, n_pinned));
    }
    return folded;
}

TndZoom tnd_session_whole(const TndSession *session)
{
    if (!session->trace)
        return (TndZoom){0, 1, 0, 0};
    TndZoom whole = tnd_zoom_whole(session->trace, tnd_session_level(session));
    whole.last_row = tnd_row_order_last_place(tnd_session_rows(session), whole.last_row + 1);
    return whole;
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
    TndScene scene = *tnd_session_parts_scene(session);
    tnd_scene_set_zoom(&scene, scene.selected, tnd_session_level(session), zoom);
    tnd_history_add(session->history, &scene, glides);
    tnd_session_notify(session, TND_CHANGED_ZOOM);
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

void tnd_session_parts_mend_lanes(TndSession *session)
{
    TndScene scene = *tnd_session_parts_scene(session);
    for (guint i = scene.n_lanes; i-- > 0;)
        if (!tnd_session_parts_reopen(session, scene.lanes[i].view) && scene.n_lanes > 1)
            tnd_scene_remove_lane(&scene, i);
    for (guint i = 0; i < scene.n_lanes; i++)
        if (!tnd_session_parts_reopen(session, scene.lanes[i].over))
            scene.lanes[i].over = NULL;
    if (scene.n_lanes < tnd_session_n_lanes(session))
        session->unsaid |= TND_CHANGED_LANES;
    tnd_history_amend(session->history, &scene);
}

/* To be called when another lane is selected, or the lanes are others: the session's view is that of the selected lane.
 * level: the one before. */
static void follow_scene(TndSession *session, TndLevel level, guint changes)
{
    tnd_session_parts_mend_lanes(session);
    session->hover = (TndSpot){0};
    tnd_session_parts_show_view(session, tnd_session_lane_view(session, tnd_session_lane(session)), level, changes);
}

void tnd_session_select_lane(TndSession *session, guint lane)
{
    const TndScene *shown = tnd_session_parts_scene(session);
    if (!shown || lane >= shown->n_lanes || lane == shown->selected)
        return;
    const TndLevel level = tnd_session_level(session);
    const TndSpot hover = session->hover;
    TndScene scene = *shown;
    scene.selected = lane;
    tnd_history_amend(session->history, &scene);
    tnd_session_parts_leave_table(session);
    follow_scene(session, level, TND_CHANGED_LANES);
    tnd_session_set_hover(session, hover);
}

/* The selected lane stays selected if it is in both scenes. */
static void show_scene(TndSession *session, guint id, TndLevel level, gboolean has_same_lanes)
{
    TndScene scene = *tnd_session_parts_scene(session);
    guint lane = tnd_scene_find_lane(&scene, id);
    scene.selected = lane < scene.n_lanes ? lane : scene.selected;
    tnd_history_amend(session->history, &scene);
    if (has_same_lanes)
        tnd_session_notify(session, TND_CHANGED_ZOOM);
    else
        follow_scene(session, level, TND_CHANGED_LANES | TND_CHANGED_ZOOM);
}

static gboolean look_same(const TndScene *scene, const TndScene *other, gconstpointer data)
{
    gboolean are_same = tnd_scene_has_lanes_of(scene, other);
    for (guint i = 0; are_same && i < scene->n_lanes; i++) {
        const TndLevel level = level_of(data, i); /* lanes that are the same have the same views */
        are_same = tnd_zoom_equals(tnd_scene_zoom(scene, i, level), tnd_scene_zoom(other, i, level)) &&
                   tnd_scene_order(scene, i, level) == tnd_scene_order(other, i, level);
    }
    return are_same;
}

static gboolean step_history(TndSession *session, int step)
{
    const TndLevel level = tnd_session_level(session);
    if (!session->trace)
        return FALSE;
    const TndScene before = *tnd_session_parts_scene(session);
    if (!tnd_history_step(session->history, step, look_same, session))
        return FALSE;
    show_scene(session, before.lanes[before.selected].id, level,
               tnd_scene_has_lanes_of(&before, tnd_session_parts_scene(session)));
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

gboolean tnd_session_parts_add_lane(TndSession *session, GError **error)
{
    if (!session->view) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "no view is open");
        return FALSE;
    }
    TndScene scene = *tnd_session_parts_scene(session);
    if (scene.n_lanes == TND_LANE_STACK_MOST) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NO_SPACE, "there are %d timelines already, which is the most",
                    TND_LANE_STACK_MOST);
        return FALSE;
    }
    tnd_scene_add_lane(&scene, ++session->last_lane);
    tnd_history_add(session->history, &scene, FALSE);
    session->hover = (TndSpot){0};
    session->unsaid |= TND_CHANGED_LANES;
    return TRUE;
}

/* Adds a scene whose lanes are others than those of the one that is shown. */
static void change_lanes(TndSession *session, const TndScene *scene)
{
    const TndLevel level = tnd_session_level(session);
    tnd_history_add(session->history, scene, FALSE);
    follow_scene(session, level, TND_CHANGED_LANES | TND_CHANGED_ZOOM);
}

gboolean tnd_session_close_lane(TndSession *session, guint lane)
{
    const TndScene *shown = tnd_session_parts_scene(session);
    if (!shown || shown->n_lanes < 2 || lane >= shown->n_lanes)
        return FALSE;
    TndScene scene = *shown;
    tnd_scene_remove_lane(&scene, lane);
    change_lanes(session, &scene);
    return TRUE;
}

void tnd_session_move_lane(TndSession *session, int step)
{
    const TndScene *shown = tnd_session_parts_scene(session);
    const gint64 to = shown ? (gint64)shown->selected + step : -1;
    if (to < 0 || to >= shown->n_lanes)
        return;
    TndScene scene = *shown;
    tnd_scene_swap_lanes(&scene, scene.selected, (guint)to);
    scene.selected = (guint)to;
    change_lanes(session, &scene);
}

void tnd_session_set_lane_apart(TndSession *session, gboolean is_apart)
{
    const TndScene *shown = tnd_session_parts_scene(session);
    if (!shown || shown->n_lanes < 2 || shown->lanes[shown->selected].is_apart == is_apart)
        return;
    TndScene scene = *shown;
    scene.lanes[scene.selected].zooms = scene.zooms;
    scene.lanes[scene.selected].is_apart = is_apart;
    change_lanes(session, &scene);
}

void tnd_session_set_lane_height(TndSession *session, guint lane, double height)
{
    const TndScene *shown = tnd_session_parts_scene(session);
    if (!shown || lane >= shown->n_lanes || !(height > 0))
        return;
    TndLane changed = shown->lanes[lane];
    changed.height = height;
    tnd_history_amend_lane(session->history, &changed);
    tnd_session_notify(session, TND_CHANGED_LANES);
}
