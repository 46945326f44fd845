/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model of the viewer: the trace, the open views, the zoom, and what is pointed at.  Widgets show it and pass the
 * user's actions on to it; they keep no state of their own.
 *
 * What it is not: it does not depend on windows or the toolkit, so that a test can do all that a user can.
 * Cost: nothing per record; a view is evaluated when it is first opened, and kept.
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
    TND_CHANGED_VIEW = 1 << 1, /* the open views, the current one, or the page (timeline or histogram) */
    TND_CHANGED_ZOOM = 1 << 2,
    TND_CHANGED_OPTIONS = 1 << 3,
    TND_CHANGED_HOVER = 1 << 4,
    TND_CHANGED_SELECTION = 1 << 5,
    TND_CHANGED_MESSAGES_FIT = 1 << 6,
    TND_CHANGED_ITEMS = 1 << 7, /* the items that can be opened */
    TND_WANTS_OPEN = 1 << 8,
    TND_WANTS_EXPORT = 1 << 9,
    TND_WANTS_CSV = 1 << 10,
    TND_WANTS_KEYS = 1 << 11,
    TND_WANTS_QUIT = 1 << 12,
    TND_WANTS_COPY = 1 << 13,    /* to copy the shown stretch of time as text */
    TND_CHANGED_PLANE = 1 << 14, /* the plane of the histogram */
} TndSessionChange;

typedef void (*TndSessionWatch)(TndSession *session, guint changes, gpointer user_data);

TndSession *tnd_session_new(void);
void tnd_session_free(TndSession *session);
void tnd_session_watch(TndSession *session, TndSessionWatch watch, gpointer user_data);
void tnd_session_unwatch(TndSession *session, gpointer user_data);
void tnd_session_notify(TndSession *session, guint changes);

/* Takes ownership of the trace, drops all that belonged to the trace before, and opens the first view that has
 * something to show. */
void tnd_session_set_trace(TndSession *session, TndTrace *trace);
const TndTrace *tnd_session_trace(const TndSession *session); /* NULL: none is open yet */

/* The rules of views that have something to show in the trace (const TndViewRule *). */
const GPtrArray *tnd_session_rules(const TndSession *session);

/* All items that can be opened: these views, and the windows and tables of configurations of Paraver's.  They are valid
 * until TND_CHANGED_ITEMS. */
const TndItems *tnd_session_items(const TndSession *session);
gboolean tnd_session_open_item(TndSession *session, const TndItem *item, GError **error);
gboolean tnd_session_is_item_open(const TndSession *session, const TndItem *item);
gboolean tnd_session_is_item_current(const TndSession *session, const TndItem *item);

/* Makes a view current, and opens it if it is not open.  "FILE.cfg" or "FILE.cfg:N" is a window of a configuration; all
 * windows and tables of the file then become items.  If a window sets a stretch of time or rows, the session zooms to
 * them when the window is first opened; this can be undone. */
gboolean tnd_session_open_view(TndSession *session, const char *name, GError **error);

/* Reads a configuration, again if it was read before, and opens its first histogram or, if it has none, its last
 * window, as Paraver does.  FALSE and error: nothing has changed. */
gboolean tnd_session_open_cfg(TndSession *session, const char *path, GError **error);

/* Opens a histogram of a configuration.  It covers the time and rows that the file sets or, if the user has zoomed,
 * those that are shown. */
void tnd_session_open_table(TndSession *session, TndCfgFile *file, guint table);
TndView *tnd_session_view(const TndSession *session);  /* the current one; NULL without a trace */
TndLevel tnd_session_level(const TndSession *session); /* the level of the current view's rows */
guint tnd_session_n_open(const TndSession *session);
gboolean tnd_session_is_open(const TndSession *session, const char *name);
gboolean tnd_session_is_current(const TndSession *session, const TndViewRule *rule);
void tnd_session_step_view(TndSession *session, int step); /* to a neighbour in the list of items */

TndPage tnd_session_page(const TndSession *session);
void tnd_session_set_page(TndSession *session, TndPage page);
/* TND_CFG_FILE_OWN: the one that the configuration names, which is known when the table is made. */
TndStatistic tnd_session_statistic(const TndSession *session);
void tnd_session_set_statistic(TndSession *session, TndStatistic statistic);

TndLook tnd_session_look(const TndSession *session);
void tnd_session_set_look(TndSession *session, TndLook look);

TndMessagesShown tnd_session_messages(const TndSession *session);
void tnd_session_set_messages(TndSession *session, TndMessagesShown messages);
/* Whether messages are visible.  With TND_MESSAGES_FITTING that depends on the picture: whoever lays it out notes
 * whether they fit. */
gboolean tnd_session_sees_messages(const TndSession *session);
void tnd_session_note_messages_fit(TndSession *session, gboolean fit);
/* Hides messages that are visible; shows those that are not, even if they do not fit. */
void tnd_session_toggle_messages(TndSession *session);
gboolean tnd_session_fits_scale(const TndSession *session); /* the gradient spans the values that are shown */
void tnd_session_set_fits_scale(TndSession *session, gboolean fits);
/* How the current view is drawn: as its rule says until the user chooses; codes are always drawn as colours. */
TndDraw tnd_session_draw(const TndSession *session);
void tnd_session_set_draw(TndSession *session, TndDraw draw);
gboolean tnd_session_is_coloured(const TndSession *session);
void tnd_session_set_coloured(TndSession *session, gboolean coloured);

/* All views share the stretch of time; rows are kept for each level, and those returned are of the current view's
 * level. A zoom is first clamped to the trace.  Consecutive gliding steps (wheel, pan) count as one for undo. */
TndZoom tnd_session_zoom(const TndSession *session);
void tnd_session_set_zoom(TndSession *session, TndZoom zoom, gboolean glides);
TndZoom tnd_session_whole(const TndSession *session);
char *tnd_session_stretch_text(const TndSession *session); /* as --begin and --end of tview; free with g_free */
gboolean tnd_session_undo(TndSession *session);
gboolean tnd_session_redo(TndSession *session);

/* factor < 1 zooms in; the time `at_ns` and the row `at_row` stay where they are on the screen. */
void tnd_session_scale_time(TndSession *session, double factor, guint64 at_ns);
void tnd_session_scale_rows(TndSession *session, double factor, guint at_row);
/* Moves by fractions of what is shown: time_part 0.25 is a quarter of it to the right. */
void tnd_session_pan(TndSession *session, double time_part, double row_part);

TndSpot tnd_session_hover(const TndSession *session);
void tnd_session_set_hover(TndSession *session, TndSpot spot);
TndSpot tnd_session_selection(const TndSession *session);
void tnd_session_set_selection(TndSession *session, TndSpot spot);
/* Selects the burst after (step 1) or before (-1) the selected one, and makes it visible. */
void tnd_session_step_burst(TndSession *session, int step);

/* What to paint; FALSE without a trace. */
gboolean tnd_session_timeline(const TndSession *session, TndTimelineSubject *subject);
gboolean tnd_session_table(TndSession *session, TndHistogramTableSubject *subject, GError **error);
/* The current view's histogram over the time and the rows that are shown, or the shown plane of a configuration's.  It
 * is made if needed, and kept by the session until any of these changes. */
const TndHistogram *tnd_session_histogram(TndSession *session, GError **error);
/* For callers that make the histogram in another thread, because it may take long: whether it is made already; what to
 * make it from; and to hand it over to the session, which takes ownership. */
gboolean tnd_session_has_histogram(const TndSession *session);
TndHistogramSource *tnd_session_histogram_source(const TndSession *session);
void tnd_session_set_histogram(TndSession *session, TndCfgTables *tables);

/* All planes of the histogram, and the number of the one that is shown; NULL: the histogram is not made yet. */
const TndCfgTables *tnd_session_planes(const TndSession *session, guint *shown);
gboolean tnd_session_set_plane(TndSession *session, const char *name); /* FALSE: no plane has this name */
void tnd_session_step_plane(TndSession *session, int step);

/* To save the page that is shown, as a picture of this size, or all planes of the histogram, as CSV.  file_name
 * proposes a name for such a file, without its ending; free with g_free. */
char *tnd_session_file_name(const TndSession *session);
gboolean tnd_session_export(TndSession *session, const char *path, int width, int height, GError **error);
gboolean tnd_session_write_csv(TndSession *session, const char *path, GError **error); /* "-": standard output */

#endif
