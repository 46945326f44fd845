/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The zooms that were shown, one after another, and which of them is: what undo and redo walk through.  All views have
 * one stretch of time; rows are zoomed for each level apart, so that those of threads are still there when one comes
 * back from a view of tasks.
 *
 * What it is not: it does not know what there is to be shown; who adds a zoom has put it inside first.
 */
#ifndef TND_ZOOM_HISTORY_H
#define TND_ZOOM_HISTORY_H

#include "analysis/trace/levels.h"
#include "viewer/zoom.h"

typedef struct TndZoomHistory TndZoomHistory;

TndZoomHistory *tnd_zoom_history_new(void); /* empty */
void tnd_zoom_history_free(TndZoomHistory *history);

void tnd_zoom_history_forget(TndZoomHistory *history);
void tnd_zoom_history_begin(TndZoomHistory *history, const TndTrace *trace); /* with all of it, and nothing before */
gboolean tnd_zoom_history_is_empty(const TndZoomHistory *history);
TndZoom tnd_zoom_history_shown(const TndZoomHistory *history, TndLevel level);

/* Shows another one; those that were undone are forgotten.  Steps that glide (wheel, pan) and follow each other count
 * as one. */
void tnd_zoom_history_add(TndZoomHistory *history, TndLevel level, TndZoom zoom, gboolean glides);

/* -1: to the one before, 1: to the one that was undone last; past those that look the same at this level.  FALSE: there
 * is none. */
gboolean tnd_zoom_history_step(TndZoomHistory *history, TndLevel level, int step);

#endif
