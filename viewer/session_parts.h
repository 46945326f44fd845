/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The members of a session, for the files that implement it: state and zoom (session.c), items and open views
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
    GPtrArray *open;           /* of TndView *; owns a reference of each */
    GHashTable *scales;        /* TndView to TndPaletteScale, of open views */
    TndView *view;             /* the current one, which is in `open`; NULL: there is none */
    TndPage page, page_before; /* page_before: the one before a table of a configuration was opened */
    TndHistogramPage table;
    TndMessagesShown messages;
    TndLook look;
    gboolean messages_fit, fits_scale;
    GHashTable *draws; /* name of a view to the TndDraw that the user chose */
    TndZoomHistory *zooms;
    TndSpot hover, selection;
    GArray *watchers; /* of TndSessionWatcher */
    guint unsaid;     /* changes that watchers are told of together with the next ones */
};

#endif
