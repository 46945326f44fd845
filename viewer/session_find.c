/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was found, and the way through it.
 */
#include "viewer/session_parts.h"

#include <gio/gio.h>

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

char *tnd_session_source_line(TndSession *session, TndSpot spot)
{
    TndView *view = spot.is_set ? tnd_session_lane_view(session, spot.lane) : NULL;
    TndBurst burst;
    if (!view || tnd_view_level(view) != TND_LEVEL_THREAD)
        return NULL;
    if (!session->sites)
        session->sites = tnd_view_new(session->trace, "call-sites", NULL);
    if (!session->sites || !tnd_view_burst_at(session->sites, spot.row, spot.time_ns, &burst) || burst.value == 0)
        return NULL;
    char *label = tnd_view_value_text(session->sites, burst.value), *line = g_strdup_printf("last call: %s", label);
    g_free(label);
    return line;
}
