/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The marked stretch of time, and what was measured in it; notes.
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

static void clear_note(gpointer note)
{
    g_free(((TndNote *)note)->text);
}

GArray *tnd_session_parts_notes_new(void)
{
    GArray *notes = g_array_new(FALSE, FALSE, sizeof(TndNote));
    g_array_set_clear_func(notes, clear_note);
    return notes;
}

void tnd_session_set_note(TndSession *session, const TndNote *note)
{
    GArray *notes = session->marks.notes;
    TndNote added = *note;
    guint i = 0, at = 0;
    added.text = g_strdup(note->text); /* the text may be that of the note that is replaced */
    while (i < notes->len) {
        const TndNote *other = &g_array_index(notes, TndNote, i);
        if (other->time_ns == note->time_ns && other->level == note->level && other->row == note->row) {
            g_array_remove_index(notes, i);
            continue;
        }
        i++;
        at = other->time_ns <= note->time_ns ? i : at;
    }
    if (added.text)
        g_array_insert_val(notes, at, added);
    tnd_session_notify(session, TND_CHANGED_NOTES);
}

guint tnd_session_note_at(const TndSession *session, TndSpot spot)
{
    enum { NEAR = 100 }; /* of the shown time: about as far as a flag is wide */
    const GArray *notes = session->marks.notes;
    const TndView *view = tnd_session_lane_view(session, spot.lane);
    const TndZoom zoom = tnd_session_lane_zoom(session, spot.lane);
    guint64 nearest_ns = (zoom.end_ns - zoom.begin_ns) / NEAR;
    guint found = G_MAXUINT;
    for (guint i = 0; spot.is_set && view && i < notes->len; i++) {
        const TndNote *note = &g_array_index(notes, TndNote, i);
        const guint64 away_ns = MAX(note->time_ns, spot.time_ns) - MIN(note->time_ns, spot.time_ns);
        guint row;
        if (away_ns > nearest_ns || !tnd_marks_find_row(note, view, &row) || row != spot.row)
            continue;
        nearest_ns = away_ns;
        found = i;
    }
    return found;
}

void tnd_session_show_note(TndSession *session, guint number)
{
    const TndNote note = g_array_index(session->marks.notes, TndNote, number);
    const guint selected = tnd_session_lane(session), n = tnd_session_n_lanes(session);
    for (guint i = 0; i < n; i++) {
        const guint lane = (selected + i) % n;
        const TndView *view = tnd_session_lane_view(session, lane);
        TndSpot spot = {TRUE, 0, note.time_ns, lane};
        if (!view || !tnd_marks_find_row(&note, view, &spot.row))
            continue;
        tnd_session_go(session, spot);
        return;
    }
    TndSpot spot = {TRUE, tnd_row_order_row(tnd_session_rows(session), tnd_session_zoom(session).first_row, 0),
                    note.time_ns, selected};
    tnd_session_go(session, spot);
}

void tnd_session_step_note(TndSession *session, int step)
{
    const GArray *notes = session->marks.notes;
    const TndSpot spot = session->selection;
    guint at = 0;
    if (!notes->len || !session->view)
        return;
    while (spot.is_set && at < notes->len &&
           (step > 0 ? g_array_index(notes, TndNote, at).time_ns <= spot.time_ns
                     : g_array_index(notes, TndNote, at).time_ns < spot.time_ns))
        at++;
    tnd_session_show_note(session, step > 0 ? at % notes->len : (at + notes->len - 1) % notes->len);
}
