/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of a session, for its own files: what is open and how it is zoomed (session.c), what there is to open
 * (session_views.c), tables (session_histogram.c).
 */
#ifndef TND_SESSION_PARTS_H
#define TND_SESSION_PARTS_H

#include "viewer/session.h"

#include "viewer/histogram_page.h"
#include "viewer/zoom_history.h"

typedef struct {
    TndSessionWatch watch;
    gpointer user_data;
} TndSessionWatcher;

struct TndSession {
    TndTrace *trace;
    TndItems *items;
    GPtrArray *open;    /* TndView * */
    GHashTable *scales; /* of open views: TndView to TndPaletteScale */
    TndView *view;
    TndPage page, page_before; /* the latter before a table of a configuration was opened */
    TndHistogramPage table;
    TndMessagesShown messages;
    gboolean messages_fit, fits_scale;
    GHashTable *draws; /* of views that the user chose it for: name to TndDraw */
    TndZoomHistory *zooms;
    TndSpot hover, selection;
    GArray *watchers; /* of TndSessionWatcher */
    guint unsaid;     /* changes that watchers hear of with the next ones */
};

#endif
