/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was found, and the way through it, and through the bursts of a value.
 */
#include "viewer/session_parts.h"

#include "analysis/bursts/burst_walk.h"

#include <gio/gio.h>

typedef struct {
    guint64 time_ns;
    gint64 row;
} Place;

TndFind *tnd_session_find(TndSession *session, const char *text, GError **error)
{
    if (session->view)
        return tnd_find_new(session->view, tnd_session_rows(session), text, error);
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "no trace is open");
    return NULL;
}

const TndFindHits *tnd_session_hits(const TndSession *session)
{
    return session->hits;
}

guint tnd_session_hit(const TndSession *session)
{
    return session->hit;
}

void tnd_session_set_hits(TndSession *session, TndFindHits *hits)
{
    tnd_find_free_hits(session->hits);
    session->hits = hits;
    session->hit = G_MAXUINT;
    tnd_session_notify(session, TND_CHANGED_FIND);
}

gboolean tnd_session_show_hit(TndSession *session, guint hit)
{
    const TndFindHits *hits = session->hits;
    if (!hits || hit >= hits->hits->len || tnd_view_level(hits->view) != tnd_session_level(session))
        return FALSE;
    const TndFindHit *it = &g_array_index(hits->hits, TndFindHit, hit);
    session->hit = hit;
    tnd_session_go(session, (TndSpot){TRUE, it->row, it->begin_ns, tnd_session_lane(session)});
    tnd_session_notify(session, TND_CHANGED_FIND);
    return TRUE;
}

/* The first hit that is after the selection, or the last one before it. */
static guint hit_beside(const TndSession *session, int step)
{
    const TndSpot spot = session->selection;
    const GArray *hits = session->hits->hits;
    guint i = 0;
    if (!spot.is_set)
        return step > 0 ? 0 : hits->len - 1;
    while (i < hits->len && g_array_index(hits, TndFindHit, i).begin_ns <= spot.time_ns)
        i++;
    return step > 0 ? i % hits->len : (i + hits->len - 1) % hits->len;
}

void tnd_session_step_hit(TndSession *session, int step)
{
    if (!session->hits || !session->hits->hits->len)
        return;
    const guint n = session->hits->hits->len;
    tnd_session_show_hit(session, session->hit < n ? (session->hit + n + (step > 0 ? 1 : n - 1)) % n
                                                   : hit_beside(session, step));
}

static gboolean is_before(Place a, Place b)
{
    return a.time_ns < b.time_ns || (a.time_ns == b.time_ns && a.row < b.row);
}

/* The first burst of a value after `from`, or the last one before it.  FALSE: there is none. */
static gboolean find_beside(const TndSession *session, double value, int step, Place from, Place *found)
{
    const TndRowOrder *order = tnd_session_rows(session);
    gboolean is_found = FALSE;
    for (guint row = 0; row < tnd_view_n_rows(session->view); row++) {
        if (order && order->position[row] == G_MAXUINT)
            continue;
        TndBurstWalk walk = tnd_burst_walk_start(tnd_view_row(session->view, row), step > 0 ? from.time_ns : 0);
        for (; walk.at; tnd_burst_walk_next(&walk)) {
            const Place at = {walk.at->begin_ns, row};
            if (step > 0 ? is_found && !is_before(at, *found) : !is_before(at, from))
                break;
            if (walk.at->value != value || !(step > 0 ? is_before(from, at) : !is_found || is_before(*found, at)))
                continue;
            *found = at;
            is_found = TRUE;
        }
        tnd_burst_walk_end(&walk);
    }
    return is_found;
}

void tnd_session_step_value(TndSession *session, double value, int step)
{
    const TndSpot spot = session->selection;
    const Place before_all = {0, -1}, after_all = {G_MAXUINT64, 0};
    Place from = step > 0 ? before_all : after_all, found;
    TndBurst burst;
    if (!session->view)
        return;
    if (spot.is_set && spot.lane == tnd_session_lane(session))
        from = (Place){tnd_view_burst_at(session->view, spot.row, spot.time_ns, &burst) ? burst.begin_ns : spot.time_ns,
                       spot.row};
    if (find_beside(session, value, step, from, &found) ||
        find_beside(session, value, step, step > 0 ? before_all : after_all, &found))
        tnd_session_go(session, (TndSpot){TRUE, (guint)found.row, found.time_ns, tnd_session_lane(session)});
}

void tnd_session_step_like(TndSession *session, int step)
{
    const TndSpot spot = session->selection;
    const gboolean is_lit = session->view && session->lit_view == g_intern_string(tnd_view_rule(session->view)->name) &&
                            session->lit.row == G_MAXUINT && session->lit.least == session->lit.largest;
    TndBurst burst;
    if (is_lit)
        tnd_session_step_value(session, session->lit.least, step);
    else if (session->view && spot.is_set && tnd_view_burst_at(session->view, spot.row, spot.time_ns, &burst))
        tnd_session_step_value(session, burst.value, step);
}
