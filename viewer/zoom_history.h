/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The zooms that were shown, one after another, and which of them is shown now: undo and redo move through them.  All
 * views share the stretch of time.  Rows are kept for each level, so that those of threads are restored when the user
 * returns from a view of tasks.
 *
 * What it is not: it does not know the size of the trace; callers clamp a zoom before they add it.
 */
#ifndef TND_ZOOM_HISTORY_H
#define TND_ZOOM_HISTORY_H

#include "analysis/trace/levels.h"
#include "viewer/zoom.h"

typedef struct TndZoomHistory TndZoomHistory;

TndZoomHistory *tnd_zoom_history_new(void); /* empty */
void tnd_zoom_history_free(TndZoomHistory *history);

void tnd_zoom_history_forget(TndZoomHistory *history);                       /* makes it empty */
void tnd_zoom_history_begin(TndZoomHistory *history, const TndTrace *trace); /* makes the whole trace its only zoom */
gboolean tnd_zoom_history_is_empty(const TndZoomHistory *history);
TndZoom tnd_zoom_history_shown(const TndZoomHistory *history, TndLevel level);

/* Adds a zoom and shows it; those that were undone are dropped.  Gliding steps (wheel, pan) in a row count as one. */
void tnd_zoom_history_add(TndZoomHistory *history, TndLevel level, TndZoom zoom, gboolean glides);

/* step -1 goes to the zoom before, 1 to the one that was undone last; zooms that look the same at this level are
 * skipped. FALSE: there is none. */
gboolean tnd_zoom_history_step(TndZoomHistory *history, TndLevel level, int step);

#endif
