/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which rows are shown, and in which order.  Each change makes a new order; those before are kept for undo.
 */
#include "viewer/session_parts.h"

#include "analysis/base/cores.h"
#include "analysis/bursts/burst_walk.h"
#include "analysis/trace/row_choice.h"

#include <gio/gio.h>

const TndRowOrder *tnd_session_rows(const TndSession *session)
{
    const TndScene *scene = tnd_session_parts_scene(session);
    return scene ? tnd_scene_order(scene, scene->selected, tnd_session_level(session)) : NULL;
}

static guint count_rows(const TndSession *session)
{
    return session->trace ? tnd_levels_n_rows(session->trace, tnd_session_level(session)) : 0;
}

static gboolean is_usual(const TndRowOrder *order)
{
    guint i = 0;
    while (i < order->n && order->rows[i] == i)
        i++;
    return i == order->n_all && order->n_pinned == 0;
}

/* Takes the order.  All rows stay in sight if they were. */
static void set_order(TndSession *session, TndRowOrder *order)
{
    const TndLevel level = tnd_session_level(session);
    TndScene scene = *tnd_session_parts_scene(session);
    TndZoom zoom = tnd_session_zoom(session), whole = tnd_session_whole(session);
    const gboolean were_all = zoom.first_row == 0 && zoom.last_row == whole.last_row;
    if (order && is_usual(order))
        g_clear_pointer(&order, tnd_row_order_free);
    if (order)
        g_ptr_array_add(session->orders, order);
    whole.last_row = tnd_row_order_last_place(order, count_rows(session));
    zoom.last_row = were_all ? whole.last_row : zoom.last_row;
    tnd_scene_set_order(&scene, scene.selected, level, order);
    tnd_scene_set_zoom(&scene, scene.selected, level, tnd_zoom_inside(zoom, whole));
    tnd_history_add(session->history, &scene, FALSE);
    tnd_session_notify(session, TND_CHANGED_ZOOM);
}

/* The rows that are shown, to be changed; free with g_array_unref. */
static GArray *copy_rows(const TndSession *session, guint *n_pinned)
{
    const TndRowOrder *order = tnd_session_rows(session);
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(guint));
    *n_pinned = order ? order->n_pinned : 0;
    for (guint i = 0; i < (order ? order->n : count_rows(session)); i++)
        g_array_append_val(rows, *(order ? &order->rows[i] : &i));
    return rows;
}

static void set_rows(TndSession *session, GArray *rows, guint n_pinned)
{
    set_order(session,
              tnd_row_order_new((const guint *)(const void *)rows->data, rows->len, n_pinned, count_rows(session)));
    g_array_unref(rows);
}

static gboolean find_row(const GArray *rows, guint row, guint *at)
{
    for (*at = 0; *at < rows->len; ++*at)
        if (g_array_index(rows, guint, *at) == row)
            return TRUE;
    return FALSE;
}

void tnd_session_hide_row(TndSession *session, guint row)
{
    guint n_pinned, at;
    GArray *rows = copy_rows(session, &n_pinned);
    if (rows->len > 1 && find_row(rows, row, &at)) {
        g_array_remove_index(rows, at);
        set_rows(session, rows, at < n_pinned ? n_pinned - 1 : n_pinned);
    } else {
        g_array_unref(rows);
    }
}

/* A row that is let go goes in front of the first one below with a greater number. */
void tnd_session_pin_row(TndSession *session, guint row)
{
    guint n_pinned, at, to;
    GArray *rows = copy_rows(session, &n_pinned);
    if (!find_row(rows, row, &at)) {
        g_array_unref(rows);
        return;
    }
    gboolean is_pinned = at < n_pinned;
    g_array_remove_index(rows, at);
    n_pinned -= is_pinned;
    to = n_pinned;
    while (is_pinned && to < rows->len && g_array_index(rows, guint, to) < row)
        to++;
    g_array_insert_val(rows, to, row);
    set_rows(session, rows, is_pinned ? n_pinned : n_pinned + 1);
}

void tnd_session_show_all_rows(TndSession *session)
{
    if (tnd_session_rows(session))
        set_order(session, NULL);
}

/* Names are those of threads, also where rows are tasks or nodes that threads belong to. */
static gboolean *find_named(const char *name, gpointer data, GError **error)
{
    const TndSession *session = data;
    const TndLevel level = tnd_session_level(session);
    gboolean *threads = tnd_row_choice_of_trace(session->trace, name, error);
    gboolean *rows = threads ? tnd_levels_lift(session->trace, threads, level) : NULL;
    if (threads && !rows)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "'%s' chooses threads, but the rows are %s: choose them by number", name,
                    tnd_levels_word(level, TRUE));
    g_free(threads);
    return rows;
}

gboolean tnd_session_choose_rows(TndSession *session, const char *text, GError **error)
{
    TndRowOrder *order = tnd_row_order_parse(text, count_rows(session), find_named, session, error);
    if (order)
        set_order(session, order);
    return order != NULL;
}

char *tnd_session_rows_text(const TndSession *session)
{
    return tnd_row_order_text(tnd_session_rows(session), count_rows(session));
}

typedef struct {
    TndView *view;
    guint64 begin_ns, end_ns;
    gboolean has_code; /* the weight of a row is the time of this value: */
    double code;
    double *weights; /* of each row of the view */
} Weighing;

/* Quantities weigh what they are on average, codes how long they last. */
static void weigh(guint row, gpointer data)
{
    const Weighing *weighing = data;
    const gboolean are_codes = tnd_view_rule(weighing->view)->palette == TND_PALETTE_CODE;
    TndBurstWalk walk = tnd_burst_walk_start(tnd_view_row(weighing->view, row), weighing->begin_ns);
    double sum = 0;
    for (; walk.at && walk.at->begin_ns < weighing->end_ns; tnd_burst_walk_next(&walk)) {
        const TndBurst *burst = walk.at;
        double time = (double)(MIN(burst->end_ns, weighing->end_ns) - MAX(burst->begin_ns, weighing->begin_ns));
        if (!are_codes)
            sum += time * burst->value;
        else if (weighing->has_code ? burst->value == weighing->code : burst->value != 0)
            sum += time;
        if (burst->end_ns >= weighing->end_ns)
            break;
    }
    tnd_burst_walk_end(&walk);
    weighing->weights[row] = sum;
}

static gint by_weight(gconstpointer a, gconstpointer b, gpointer data)
{
    const double *weights = data;
    const guint row = *(const guint *)a, other = *(const guint *)b;
    if (weights[row] != weights[other])
        return weights[row] > weights[other] ? -1 : 1;
    return row < other ? -1 : row > other;
}

void tnd_session_sort_rows(TndSession *session)
{
    TndView *view = session->view;
    const TndZoom zoom = tnd_session_zoom(session);
    const TndSpot spot = session->selection;
    TndBurst burst;
    guint n_pinned;
    if (!view)
        return;
    Weighing weighing = {view, zoom.begin_ns, zoom.end_ns};
    weighing.has_code = spot.is_set && tnd_view_burst_at(view, spot.row, spot.time_ns, &burst);
    weighing.code = weighing.has_code ? burst.value : 0;
    weighing.weights = g_new0(double, tnd_view_n_rows(view));
    tnd_cores_run(tnd_view_n_rows(view), weigh, &weighing);
    GArray *rows = copy_rows(session, &n_pinned);
    g_qsort_with_data(&g_array_index(rows, guint, n_pinned), (gint)(rows->len - n_pinned), sizeof(guint), by_weight,
                      weighing.weights);
    set_rows(session, rows, n_pinned);
    g_free(weighing.weights);
}
