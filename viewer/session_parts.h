/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The members of a session, for the files that implement it: state (session.c), lanes and zooms (session_lanes.c),
 * items and open views (session_views.c), rows (session_rows.c, session_sort.c), lines of the source
 * (session_source.c), tables (session_histogram.c), the
 * profile (session_profile.c), what is marked (session_marks.c), messages (session_messages.c), configurations that are
 * saved (session_cfg.c).
 */
#ifndef TND_SESSION_PARTS_H
#define TND_SESSION_PARTS_H

#include "viewer/session.h"

#include "viewer/histogram_page.h"
#include "viewer/history.h"
#include "viewer/profile_page.h"

typedef struct {
    TndSessionWatch watch;
    gpointer user_data;
} TndSessionWatcher;

/* The views that tell lines of the source, the first one that does at a spot. */
typedef enum { TND_SESSION_SOURCE_CALLS, TND_SESSION_SOURCE_SAMPLES, TND_SESSION_SOURCES } TndSessionSource;

/* An order whose lines are folded because the rows of a view have the same values. */
typedef struct {
    const TndView *view;
    const TndRowOrder *order, *folded; /* order: the one that was chosen, or NULL */
} TndSessionFold;

struct TndSession {
    TndTrace *trace;
    TndItems *items;
    GPtrArray *open;           /* of TndView *; owns a reference of each */
    GHashTable *scales;        /* TndView to TndPaletteScale, of open views */
    TndView *view;             /* the selected lane's, which is in `open`; NULL: there is none */
    TndPage page, page_before; /* page_before: the one before a table of a configuration was opened */
    TndHistogramPage table;
    TndProfilePage profile;
    TndMessagesShown messages;
    TndMessageChoice *message_choice; /* NULL: all */
    gboolean has_hover_message;
    TndMessage hover_message;
    TndLook look;
    gboolean messages_fit, fits_scale, shows_flags;
    GHashTable *draws; /* name of a view to the TndDraw that the user chose */
    TndHistory *history;
    GPtrArray *orders; /* of TndRowOrder: all that scenes of the history may have */
    GArray *folds;     /* of TndSessionFold, of open views */
    guint last_lane;   /* the id of the lane that was added last */
    TndSpot hover, selection;
    TndFindHits *hits; /* NULL: nothing was searched */
    guint hit;         /* that was gone to last */
    /* Lines of the source; NULL: none was asked for, or the trace has none. */
    TndView *sites[TND_SESSION_SOURCES];
    char *source_folder;  /* where sources are, too; NULL: not known */
    const char *lit_view; /* the name of the view whose bursts are lit; interned; NULL: none are */
    TndLitBursts lit;
    TndMarks marks;
    gboolean is_ruler;
    TndMeasure *measure;      /* NULL: it is not made */
    gboolean tells_selection; /* the selection was made after the pointer was moved */
    GArray *watchers;         /* of TndSessionWatcher */
    TndWish wish;             /* the last one */
    guint unsaid;             /* changes that watchers are told of together with the next ones */
};

const TndScene *tnd_session_parts_scene(const TndSession *session); /* NULL without a trace */
TndView *tnd_session_parts_find_open(const TndSession *session, const char *name);

/* The view of this name, which is opened again if it is not open; NULL: it cannot be. */
TndView *tnd_session_parts_reopen(TndSession *session, const char *name);

/* The order of a lane's rows, in which rows that have the same values are one line.  Changes the places of the zoom to
 * those of that order. */
const TndRowOrder *tnd_session_parts_fold_order(const TndSession *session, guint lane, const TndView *view,
                                                TndZoom *zoom);

/* Opens views of lanes again that were closed because their configuration was read anew.  Lanes whose views are gone
 * are removed. */
void tnd_session_parts_mend_lanes(TndSession *session);

/* The lines of the current view's rows, to be changed between begin and end, which takes them if a change is made. */
typedef struct {
    TndRowOrder *usual; /* which they are of, if no order was chosen; else NULL */
    const TndRowOrder *before;
    GArray *lines; /* of TndRowGroup: rows of the order before */
    guint n_pinned;
} TndSessionLines;

TndSessionLines tnd_session_parts_begin_lines(const TndSession *session);
void tnd_session_parts_end_lines(TndSession *session, TndSessionLines *change, gboolean is_made);

static inline TndRowGroup *tnd_session_parts_line(const TndSessionLines *change, guint i)
{
    return &g_array_index(change->lines, TndRowGroup, i);
}

/* Adds a lane below the selected one and selects it, without telling.  FALSE and error: there are too many. */
gboolean tnd_session_parts_add_lane(TndSession *session, GError **error);

/* The scale of a view's colours, without the look. */
TndPaletteScale tnd_session_parts_scale(const TndSession *session, TndView *view);

GArray *tnd_session_parts_notes_new(void); /* of TndNote; owns their texts */

/* The view is now that of the selected lane.  level: of the view before; changes: what else is to be told. */
void tnd_session_parts_show_view(TndSession *session, TndView *view, TndLevel level, guint changes);

/* Writes the timelines as a configuration of Paraver's. */
gboolean tnd_session_parts_write_cfg(TndSession *session, const char *path, GError **error);

/* Returns from a table of a configuration to the page before, and to the view's own histogram. */
void tnd_session_parts_leave_table(TndSession *session);

#endif
