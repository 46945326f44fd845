/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one model of the viewer: the trace, the views that are open, what of them is shown, what is pointed at.  Widgets
 * show it and hand to it what the user does; they keep nothing of their own.
 *
 * What it is not: it knows no window and no toolkit, so that a test can do all that a user can.
 * Cost: nothing per record; a view is evaluated when it is first opened and kept.
 */
#ifndef TND_SESSION_H
#define TND_SESSION_H

#include "viewer/histogram_page.h"
#include "viewer/items.h"
#include "viewer/paint/histogram_table.h"
#include "viewer/paint/timeline.h"

typedef struct TndSession TndSession;

typedef enum { TND_PAGE_TIMELINE, TND_PAGE_HISTOGRAM } TndPage;

typedef struct {
    gboolean is_set;
    guint row;
    guint64 time_ns;
} TndSpot;

/* What changed, or what a command asks of the window. */
typedef enum {
    TND_CHANGED_TRACE = 1 << 0,
    TND_CHANGED_VIEW = 1 << 1, /* which are open, which is current, timeline or histogram */
    TND_CHANGED_ZOOM = 1 << 2,
    TND_CHANGED_OPTIONS = 1 << 3,
    TND_CHANGED_HOVER = 1 << 4,
    TND_CHANGED_SELECTION = 1 << 5,
    TND_CHANGED_MESSAGES_FIT = 1 << 6,
    TND_CHANGED_ITEMS = 1 << 7, /* what there is to open */
    TND_WANTS_OPEN = 1 << 8,
    TND_WANTS_EXPORT = 1 << 9,
    TND_WANTS_CSV = 1 << 10,
    TND_WANTS_KEYS = 1 << 11,
    TND_WANTS_QUIT = 1 << 12,
    TND_WANTS_COPY = 1 << 13,    /* of the stretch of time, as text */
    TND_CHANGED_PLANE = 1 << 14, /* of the histogram */
} TndSessionChange;

typedef void (*TndSessionWatch)(TndSession *session, guint changes, gpointer user_data);

TndSession *tnd_session_new(void);
void tnd_session_free(TndSession *session);
void tnd_session_watch(TndSession *session, TndSessionWatch watch, gpointer user_data);
void tnd_session_unwatch(TndSession *session, gpointer user_data);
void tnd_session_notify(TndSession *session, guint changes);

/* Takes the trace, forgets all that belonged to the one before, opens the first view that the trace has. */
void tnd_session_set_trace(TndSession *session, TndTrace *trace);
const TndTrace *tnd_session_trace(const TndSession *session); /* NULL: none yet */

/* Rules that the trace has something for (const TndViewRule *). */
const GPtrArray *tnd_session_rules(const TndSession *session);

/* All that can be opened: those, and what configurations of Paraver's have (TndItem); until TND_CHANGED_ITEMS. */
const TndItems *tnd_session_items(const TndSession *session);
gboolean tnd_session_open_item(TndSession *session, const TndItem *item, GError **error);
gboolean tnd_session_is_item_open(const TndSession *session, const TndItem *item);
gboolean tnd_session_is_item_current(const TndSession *session, const TndItem *item);

/* Opens or, if it is open already, comes back to it.  "FILE.cfg" or "FILE.cfg:N": a window of a configuration, all of
 * which is there to be opened then.  A window that shows only some time or rows is zoomed to them when it is opened for
 * the first time, which can be undone. */
gboolean tnd_session_open_view(TndSession *session, const char *name, GError **error);

/* Reads a configuration, even if it was read before, and opens its first histogram, if it has any, else its last
 * window, as Paraver does.  FALSE and error: nothing has changed. */
gboolean tnd_session_open_cfg(TndSession *session, const char *path, GError **error);

/* A histogram of a configuration, over what it says or, if the user has zoomed, over what is shown. */
void tnd_session_open_table(TndSession *session, TndCfgFile *file, guint table);
TndView *tnd_session_view(const TndSession *session);  /* the current one; NULL without a trace */
TndLevel tnd_session_level(const TndSession *session); /* whose rows are shown: the current view's */
guint tnd_session_n_open(const TndSession *session);
gboolean tnd_session_is_open(const TndSession *session, const char *name);
gboolean tnd_session_is_current(const TndSession *session, const TndViewRule *rule);
void tnd_session_step_view(TndSession *session, int step); /* to a neighbour in the list of items */

TndPage tnd_session_page(const TndSession *session);
void tnd_session_set_page(TndSession *session, TndPage page);
/* TND_CFG_FILE_OWN: that of the configuration, which is known when the table is made. */
TndStatistic tnd_session_statistic(const TndSession *session);
void tnd_session_set_statistic(TndSession *session, TndStatistic statistic);

TndMessagesShown tnd_session_messages(const TndSession *session);
void tnd_session_set_messages(TndSession *session, TndMessagesShown messages);
/* Whether they are seen: of the fitting ones only who draws them knows, and notes it. */
gboolean tnd_session_sees_messages(const TndSession *session);
void tnd_session_note_messages_fit(TndSession *session, gboolean fit);
/* Those that are seen go; those that are not come, even if they do not fit. */
void tnd_session_toggle_messages(TndSession *session);
gboolean tnd_session_fits_scale(const TndSession *session); /* the gradient, to what is shown */
void tnd_session_set_fits_scale(TndSession *session, gboolean fits);
/* How the current view is drawn: as its rule says until the user chooses; codes always by colours. */
TndDraw tnd_session_draw(const TndSession *session);
void tnd_session_set_draw(TndSession *session, TndDraw draw);
gboolean tnd_session_is_coloured(const TndSession *session);
void tnd_session_set_coloured(TndSession *session, gboolean coloured);

/* One zoom for all views; but rows are those of the current view's level, for each of which they are kept.  A zoom is
 * put inside the trace first.  Steps that glide (wheel, pan) and follow each other count as one for undo. */
TndZoom tnd_session_zoom(const TndSession *session);
void tnd_session_set_zoom(TndSession *session, TndZoom zoom, gboolean glides);
TndZoom tnd_session_whole(const TndSession *session);
char *tnd_session_stretch_text(const TndSession *session); /* as options of the command line; free with g_free */
gboolean tnd_session_undo(TndSession *session);
gboolean tnd_session_redo(TndSession *session);

/* factor < 1 comes nearer; time `at_ns` and row `at_row` stay where they are on the screen. */
void tnd_session_scale_time(TndSession *session, double factor, guint64 at_ns);
void tnd_session_scale_rows(TndSession *session, double factor, guint at_row);
/* By parts of what is shown; 0.25 is a quarter to the right. */
void tnd_session_pan(TndSession *session, double time_part, double row_part);

TndSpot tnd_session_hover(const TndSession *session);
void tnd_session_set_hover(TndSession *session, TndSpot spot);
TndSpot tnd_session_selection(const TndSession *session);
void tnd_session_set_selection(TndSession *session, TndSpot spot);
/* To the burst after (step 1) or before (-1) the selected one, brought into sight. */
void tnd_session_step_burst(TndSession *session, int step);

/* What to paint; FALSE without a trace. */
gboolean tnd_session_timeline(const TndSession *session, TndTimelineSubject *subject);
gboolean tnd_session_table(TndSession *session, TndHistogramTableSubject *subject, GError **error);
/* The current view's histogram over the time and the rows that are shown, or the plane of a configuration's that is
 * looked at; kept until any of it changes. */
const TndHistogram *tnd_session_histogram(TndSession *session, GError **error);
/* For who makes it elsewhere, because that may take long: whether it is kept; what to make; and take it. */
gboolean tnd_session_has_histogram(const TndSession *session);
TndHistogramSource *tnd_session_histogram_source(const TndSession *session);
void tnd_session_set_histogram(TndSession *session, TndCfgTables *tables);

/* All planes of the histogram, and which is looked at; NULL: it is not made yet. */
const TndCfgTables *tnd_session_planes(const TndSession *session, guint *shown);
gboolean tnd_session_set_plane(TndSession *session, const char *name); /* FALSE: none is called so */
void tnd_session_step_plane(TndSession *session, int step);

/* What the user asked to be saved: the page that is shown, at a size; the histogram's table, all planes of it; and how
 * a file of it may be called, without an ending (g_free). */
char *tnd_session_file_name(const TndSession *session);
gboolean tnd_session_export(TndSession *session, const char *path, int width, int height, GError **error);
gboolean tnd_session_write_csv(TndSession *session, const char *path, GError **error); /* "-": standard output */

#endif
