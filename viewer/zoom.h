/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A zoom: which stretch of time and which rows are shown; and how one is made of another.
 *
 * What it is not: it does not know what is shown; that, and all that there is, are zooms like others.
 */
#ifndef TND_ZOOM_H
#define TND_ZOOM_H

#include "analysis/views/view.h"

typedef struct {
    guint64 begin_ns, end_ns;
    guint first_row, last_row; /* both are shown */
} TndZoom;

/* All of a trace, at a level. */
TndZoom tnd_zoom_whole(const TndTrace *trace, TndLevel level);

/* What a view shows by itself: a window of a configuration may say from when to when, and which rows; those between the
 * first and the last one of them are shown, too. */
TndZoom tnd_zoom_of_view(const TndView *view);

gboolean tnd_zoom_equals(TndZoom zoom, TndZoom other);

/* Into the whole, at least a few nanoseconds long, its length kept where that is possible. */
TndZoom tnd_zoom_inside(TndZoom zoom, TndZoom whole);

/* factor < 1 comes nearer; time `at_ns` and row `at_row` stay where they are on the screen. */
TndZoom tnd_zoom_scale_time(TndZoom zoom, TndZoom whole, double factor, guint64 at_ns);
TndZoom tnd_zoom_scale_rows(TndZoom zoom, TndZoom whole, double factor, guint at_row);

/* By parts of what is shown; 0.25 is a quarter to the right. */
TndZoom tnd_zoom_pan(TndZoom zoom, TndZoom whole, double time_part, double row_part);

#endif
