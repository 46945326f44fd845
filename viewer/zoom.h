/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A zoom: the stretch of time and the rows that are shown; and functions that make one zoom from another.
 *
 * What it is not: it keeps no state.  The caller passes the current zoom, and that of the whole trace.
 */
#ifndef TND_ZOOM_H
#define TND_ZOOM_H

#include "analysis/views/view.h"

typedef struct {
    guint64 begin_ns, end_ns;
    guint first_row, last_row; /* both are shown */
} TndZoom;

/* The whole trace, with all rows of a level. */
TndZoom tnd_zoom_whole(const TndTrace *trace, TndLevel level);

/* The zoom that a view begins with.  A window of a configuration may set a stretch of time, and rows: then all rows
 * from the first to the last of them are shown. */
TndZoom tnd_zoom_of_view(const TndView *view);

gboolean tnd_zoom_equals(TndZoom zoom, TndZoom other);

/* Moves a zoom inside the whole, keeping its length if possible, and makes it at least a few nanoseconds long. */
TndZoom tnd_zoom_inside(TndZoom zoom, TndZoom whole);

/* factor < 1 zooms in; the time `at_ns` and the row `at_row` stay where they are on the screen. */
TndZoom tnd_zoom_scale_time(TndZoom zoom, TndZoom whole, double factor, guint64 at_ns);
TndZoom tnd_zoom_scale_rows(TndZoom zoom, TndZoom whole, double factor, guint at_row);

/* Moves by fractions of what is shown: time_part 0.25 is a quarter of it to the right. */
TndZoom tnd_zoom_pan(TndZoom zoom, TndZoom whole, double time_part, double row_part);

#endif
