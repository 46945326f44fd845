/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The marked stretch of time, and what was measured in it.
 */
#include "viewer/session_parts.h"

gboolean tnd_session_is_ruler(const TndSession *session)
{
    return session->is_ruler;
}

void tnd_session_toggle_ruler(TndSession *session)
{
    session->is_ruler = !session->is_ruler;
    tnd_session_notify(session, TND_CHANGED_MARK);
}

const TndMarks *tnd_session_marks(const TndSession *session)
{
    return &session->marks;
}

gboolean tnd_session_is_marked(const TndSession *session)
{
    return session->marks.begin_ns < session->marks.end_ns;
}

void tnd_session_mark(TndSession *session, guint64 from_ns, guint64 to_ns)
{
    const guint64 end_ns = session->trace ? tnd_trace_end_ns(session->trace) : 0;
    const guint64 begin_ns = MIN(from_ns, to_ns), until_ns = MIN(MAX(from_ns, to_ns), end_ns);
    TndMarks *marks = &session->marks;
    const guint64 before[2] = {marks->begin_ns, marks->end_ns};
    marks->begin_ns = begin_ns < until_ns ? begin_ns : 0;
    marks->end_ns = begin_ns < until_ns ? until_ns : 0;
    if (marks->begin_ns != before[0] || marks->end_ns != before[1])
        tnd_session_notify(session, TND_CHANGED_MARK);
}

void tnd_session_mark_burst(TndSession *session, gboolean extends)
{
    const TndSpot spot = session->selection;
    const TndMarks *marks = &session->marks;
    TndBurst burst;
    if (!session->view || !spot.is_set || !tnd_view_burst_at(session->view, spot.row, spot.time_ns, &burst))
        return;
    if (extends && tnd_session_is_marked(session))
        tnd_session_mark(session, MIN(burst.begin_ns, marks->begin_ns), MAX(burst.end_ns, marks->end_ns));
    else
        tnd_session_mark(session, burst.begin_ns, burst.end_ns);
}

void tnd_session_zoom_to_mark(TndSession *session)
{
    TndZoom zoom = tnd_session_zoom(session);
    if (!tnd_session_is_marked(session))
        return;
    zoom.begin_ns = session->marks.begin_ns;
    zoom.end_ns = session->marks.end_ns;
    tnd_session_set_zoom(session, zoom, FALSE);
}

TndMeasureSource *tnd_session_measure_source(const TndSession *session)
{
    TndZoom zoom = tnd_session_zoom(session);
    if (!session->view || !tnd_session_is_marked(session))
        return NULL;
    const TndRowOrder *order = tnd_session_parts_fold_order(session, tnd_session_lane(session), session->view, &zoom);
    return tnd_measure_source_new(session->view, order, zoom, session->marks.begin_ns, session->marks.end_ns);
}

void tnd_session_set_measure(TndSession *session, TndMeasure *measure)
{
    tnd_measure_free(session->measure);
    session->measure = measure;
    if (measure)
        tnd_session_notify(session, TND_CHANGED_MEASURE);
}

const TndMeasure *tnd_session_measure(const TndSession *session)
{
    return session->measure;
}
