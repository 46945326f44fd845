/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A stretch of time keeps its length if it fits; rows are always whole.
 */
#include "viewer/zoom.h"

#include <math.h>

enum { SHORTEST_NS = 10 };

TndZoom tnd_zoom_whole(const TndTrace *trace, TndLevel level)
{
    guint n_rows = tnd_levels_n_rows(trace, level);
    return (TndZoom){0, MAX(tnd_trace_end_ns(trace), 1), 0, n_rows ? n_rows - 1 : 0};
}

TndZoom tnd_zoom_of_view(const TndView *view)
{
    TndZoom whole = tnd_zoom_whole(tnd_view_trace(view), tnd_view_level(view)), zoom = whole;
    double begin_ns, end_ns;
    gboolean *rows;
    tnd_view_limits(view, &begin_ns, &end_ns, &rows);
    if (begin_ns > 0)
        zoom.begin_ns = (guint64)floor(begin_ns);
    if (end_ns < (double)whole.end_ns)
        zoom.end_ns = (guint64)ceil(end_ns);
    while (rows && zoom.first_row < whole.last_row && !rows[zoom.first_row])
        zoom.first_row++;
    while (rows && zoom.last_row > zoom.first_row && !rows[zoom.last_row])
        zoom.last_row--;
    if (rows && !rows[zoom.first_row]) /* the view sets no row that exists */
        zoom.first_row = whole.first_row;
    g_free(rows);
    return tnd_zoom_inside(zoom, whole);
}

gboolean tnd_zoom_equals(TndZoom zoom, TndZoom other)
{
    return zoom.begin_ns == other.begin_ns && zoom.end_ns == other.end_ns && zoom.first_row == other.first_row &&
           zoom.last_row == other.last_row;
}

TndZoom tnd_zoom_inside(TndZoom zoom, TndZoom whole)
{
    guint64 shortest = MIN(SHORTEST_NS, whole.end_ns);
    guint64 span = zoom.end_ns > zoom.begin_ns ? zoom.end_ns - zoom.begin_ns : 0;
    span = CLAMP(span, shortest, whole.end_ns);
    zoom.begin_ns = MIN(zoom.begin_ns, whole.end_ns - span);
    zoom.end_ns = zoom.begin_ns + span;
    zoom.first_row = MIN(zoom.first_row, whole.last_row);
    zoom.last_row = CLAMP(zoom.last_row, zoom.first_row, whole.last_row);
    return zoom;
}

TndZoom tnd_zoom_scale_time(TndZoom zoom, TndZoom whole, double factor, guint64 at_ns)
{
    double span = (double)(zoom.end_ns - zoom.begin_ns), part = ((double)at_ns - (double)zoom.begin_ns) / span;
    span = CLAMP(span * factor, SHORTEST_NS, (double)whole.end_ns);
    zoom.begin_ns = (guint64)llround(MAX((double)at_ns - CLAMP(part, 0, 1) * span, 0));
    zoom.end_ns = zoom.begin_ns + (guint64)llround(span);
    return zoom;
}

TndZoom tnd_zoom_scale_rows(TndZoom zoom, TndZoom whole, double factor, guint at_row)
{
    double n = zoom.last_row - zoom.first_row + 1.0, part = CLAMP((at_row - (double)zoom.first_row) / n, 0, 1);
    double wanted = factor < 1 ? floor(n * factor) : ceil(n * factor);
    guint rows = (guint)CLAMP(wanted, 1, whole.last_row + 1.0);
    double first = CLAMP(round(at_row - part * rows), 0, whole.last_row + 1.0 - rows);
    zoom.first_row = (guint)first;
    zoom.last_row = zoom.first_row + rows - 1;
    return zoom;
}

TndZoom tnd_zoom_pan(TndZoom zoom, TndZoom whole, double time_part, double row_part)
{
    guint64 span = zoom.end_ns - zoom.begin_ns;
    double begin = (double)zoom.begin_ns + time_part * (double)span;
    zoom.begin_ns = (guint64)llround(CLAMP(begin, 0, (double)(whole.end_ns - span)));
    zoom.end_ns = zoom.begin_ns + span;
    guint more = zoom.last_row - zoom.first_row;
    double rows = row_part * (more + 1);
    rows = rows > 0 ? ceil(rows) : floor(rows);
    zoom.first_row = (guint)CLAMP(zoom.first_row + rows, 0, (double)whole.last_row - more);
    zoom.last_row = zoom.first_row + more;
    return zoom;
}
