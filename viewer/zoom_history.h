/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The zooms that were shown, one after another, and which of them is: what undo and redo walk through.
 *
 * What it is not: it does not know what there is to be shown; who adds a zoom has put it inside first.
 */
#ifndef TND_ZOOM_HISTORY_H
#define TND_ZOOM_HISTORY_H

#include "viewer/zoom.h"

typedef struct TndZoomHistory TndZoomHistory;

TndZoomHistory *tnd_zoom_history_new(void); /* empty */
void tnd_zoom_history_free(TndZoomHistory *history);

void tnd_zoom_history_forget(TndZoomHistory *history);
void tnd_zoom_history_begin(TndZoomHistory *history, TndZoom first); /* with nothing before it */
gboolean tnd_zoom_history_is_empty(const TndZoomHistory *history);
TndZoom tnd_zoom_history_shown(const TndZoomHistory *history);

/* Shows another one; those that were undone are forgotten.  Steps that glide (wheel, pan) and follow each other count
 * as one. */
void tnd_zoom_history_add(TndZoomHistory *history, TndZoom zoom, gboolean glides);

/* -1: the one before, 1: the one that was undone last.  FALSE: there is none. */
gboolean tnd_zoom_history_step(TndZoomHistory *history, int step);

#endif
