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

#include "analysis/reports/source_file.h"
#include "viewer/find.h"
#include "viewer/histogram_page.h"
#include "viewer/items.h"
#include "viewer/measure.h"
#include "viewer/paint/flame.h"
#include "viewer/paint/histogram_table.h"
#include "viewer/paint/lane_stack.h"
#include "viewer/paint/marks.h"
#include "viewer/profile_page.h"

typedef struct TndSession TndSession;

typedef enum { TND_PAGE_TIMELINE, TND_PAGE_HISTOGRAM, TND_PAGE_PROFILE } TndPage;

typedef struct {
    gboolean is_set;
    guint row;
    guint64 time_ns;
    guint lane; /* number of the timeline, from the top on; the row is one of its view */
} TndSpot;

/* What changed. */
typedef enum {
    TND_CHANGED_TRACE = 1 << 0,
    TND_CHANGED_VIEW = 1 << 1, /* the open views, the current one, or the page (timeline or histogram) */
    TND_CHANGED_ZOOM = 1 << 2,
    TND_CHANGED_OPTIONS = 1 << 3,
    TND_CHANGED_HOVER = 1 << 4,
    TND_CHANGED_SELECTION = 1 << 5,
    TND_CHANGED_MESSAGES_FIT = 1 << 6,
    TND_CHANGED_ITEMS = 1 << 7,    /* the items that can be opened */
    TND_CHANGED_WISH = 1 << 8,     /* a command asks something of the window */
    TND_CHANGED_PLANE = 1 << 9,    /* the plane of the histogram, the order of its rows, or what cells show */
    TND_CHANGED_LANES = 1 << 10,   /* the timelines: how many, their order, their heights, which is selected */
    TND_CHANGED_LIGHT = 1 << 11,   /* the cell of the histogram whose bursts are lit */
    TND_CHANGED_PROFILE = 1 << 12, /* it was made, or another part of it is shown */
    TND_CHANGED_FIND = 1 << 13,    /* what was found, or which part of it was gone to */
    TND_CHANGED_MARK = 1 << 14,    /* the marked stretch of time, or what dragging does */
    TND_CHANGED_MEASURE = 1 << 15, /* what the marked stretch has in it was measured */
    TND_CHANGED_NOTES = 1 << 16,
} TndSessionChange;

/* What commands ask of the window. */
typedef enum {
    TND_WANTS_OPEN,
    TND_WANTS_EXPORT,
    TND_WANTS_CSV,
    TND_WANTS_KEYS,
    TND_WANTS_QUIT,
    TND_WANTS_COPY,     /* to copy the shown stretch of time, or the histogram, as text */
    TND_WANTS_ADD,      /* to add a timeline, which may be one too many */
    TND_WANTS_ROWS,     /* to choose rows */
    TND_WANTS_SESSION,  /* to save the session */
    TND_WANTS_FIND,     /* to write a query */
    TND_WANTS_PALETTE,  /* to choose a command by its name */
    TND_WANTS_RANGE,    /* to type what is shown */
    TND_WANTS_NOTE,     /* to write a note */
    TND_WANTS_BESIDE,   /* to open a second trace */
    TND_WANTS_CFG,      /* to save the timelines as a configuration of Paraver's */
    TND_WANTS_PICTURE,  /* to copy the picture */
    TND_WANTS_MESSAGES, /* to choose messages */
    TND_WANTS_SOURCE,   /* to show the source at the selected burst */
    TND_WANTS_N
} TndWish;

typedef void (*TndSessionWatch)(TndSession *session, guint changes, gpointer user_data);

TndSession *tnd_session_new(void);
void tnd_session_free(TndSession *session);
void tnd_session_watch(TndSession *session, TndSessionWatch watch, gpointer user_data);
void tnd_session_unwatch(TndSession *session, gpointer user_data);
void tnd_session_notify(TndSession *session, guint changes);
void tnd_session_want(TndSession *session, TndWish wish);
TndWish tnd_session_wish(const TndSession *session); /* what TND_CHANGED_WISH tells of */

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
/* Shows only messages that have all these words (message_choice.h) or, if there are none, all; also if none were shown.
 * FALSE and error: it cannot be understood. */
gboolean tnd_session_choose_messages(TndSession *session, const char *text, GError **error);
const TndMessageChoice *tnd_session_message_choice(const TndSession *session); /* NULL: all */
/* The message under the pointer; NULL: none is.  go_along: to the burst that has sent it, or received it. */
const TndMessage *tnd_session_hover_message(const TndSession *session);
void tnd_session_set_hover_message(TndSession *session, const TndMessage *message);
void tnd_session_go_along_message(TndSession *session, const TndMessage *message, gboolean to_sender);
gboolean tnd_session_fits_scale(const TndSession *session); /* the gradient spans the values that are shown */
void tnd_session_set_fits_scale(TndSession *session, gboolean fits);
gboolean tnd_session_shows_flags(const TndSession *session); /* where events are */
void tnd_session_set_shows_flags(TndSession *session, gboolean shows);
/* How the current view is drawn: as its rule says until the user chooses one that it can have. */
TndDraw tnd_session_draw(const TndSession *session);
void tnd_session_set_draw(TndSession *session, TndDraw draw);
/* How the histogram is shown.  sort_table: by a column, the largest first, then the smallest first, then not at all.
 * transposed: rows and columns are exchanged. */
TndTableCells tnd_session_cells(const TndSession *session);
void tnd_session_set_cells(TndSession *session, TndTableCells cells);
TndTableOrder tnd_session_table_order(const TndSession *session);
void tnd_session_set_table_order(TndSession *session, TndTableOrder order);
void tnd_session_sort_table(TndSession *session, guint column);
/* The other views of a view's own table, which gives the columns itself: DATA: the one whose values the statistic is
 * of; PLANES: one of codes, each of whose values has a plane.  NULL: itself; none. */
typedef enum { TND_TABLE_DATA, TND_TABLE_PLANES, TND_TABLE_N_VIEWS } TndTableView;
gboolean tnd_session_has_own_table(const TndSession *session); /* FALSE: it is one of a configuration */
const char *tnd_session_table_view(const TndSession *session, TndTableView which);
void tnd_session_set_table_view(TndSession *session, TndTableView which, const char *name);
gboolean tnd_session_is_transposed(const TndSession *session);
void tnd_session_set_transposed(TndSession *session, gboolean is_transposed);

/* What is shown as it is typed: times with a unit ("1.5ms"; the end also as "+20us", from the begin on), limits of the
 * colours of quantities as numbers, times, sizes or percentiles.  Empty: from the begin, to the end, the smallest, the
 * largest value.  FALSE and error, which says what is wrong: nothing has changed. */
typedef struct {
    const char *begin, *end, *least, *most;
} TndTyped;
gboolean tnd_session_type(TndSession *session, const TndTyped *typed, GError **error);

/* The lanes: timelines over one another, numbered from the top on.  One of them is selected: its view, level and zoom
 * are the session's.  Lanes are linked: they have the same stretch of time and, on each level, the same rows, unless
 * one is set apart. */
guint tnd_session_n_lanes(const TndSession *session); /* 0 without a trace, else at least 1 */
guint tnd_session_lane(const TndSession *session);    /* the selected one */
void tnd_session_select_lane(TndSession *session, guint lane);
TndView *tnd_session_lane_view(const TndSession *session, guint lane); /* NULL: it is empty */
/* The view whose values are lines over the timeline; NULL: none is, or its rows are of another level. */
TndView *tnd_session_lane_over(const TndSession *session, guint lane);
TndZoom tnd_session_lane_zoom(const TndSession *session, guint lane);
gboolean tnd_session_lane_is_apart(const TndSession *session, guint lane);
void tnd_session_set_lane_apart(TndSession *session, gboolean is_apart); /* the selected one */
/* Opens a view in a lane that is added below the selected one, which undo removes.  FALSE and error: the view cannot be
 * opened, or there are TND_LANE_STACK_MOST lanes. */
gboolean tnd_session_add_view(TndSession *session, const char *name, GError **error);
gboolean tnd_session_add_item(TndSession *session, const TndItem *item, GError **error); /* opens tables as usual */
/* Lays a view of quantities over the selected lane or, if it is there already, takes it away; NULL: takes away what is
 * there.  FALSE and error: it cannot be opened, its values are codes, or its rows are of another level. */
gboolean tnd_session_lay_over(TndSession *session, const char *name, GError **error);
gboolean tnd_session_add_next(TndSession *session, GError **error); /* the next one in the list that no lane shows */
gboolean tnd_session_close_lane(TndSession *session, guint lane);   /* FALSE: it is the only one */
void tnd_session_move_lane(TndSession *session, int step);          /* the selected one, down (1) or up (-1) */
/* In relation to the heights of the others, and without undo. */
void tnd_session_set_lane_height(TndSession *session, guint lane, double height);

/* The zoom of the selected lane, its rows being those of the current view's level.  A zoom is first clamped to the
 * trace. Consecutive gliding steps (wheel, pan) count as one for undo. */
TndZoom tnd_session_zoom(const TndSession *session);
void tnd_session_set_zoom(TndSession *session, TndZoom zoom, gboolean glides);
TndZoom tnd_session_whole(const TndSession *session);
char *tnd_session_stretch_text(const TndSession *session); /* as --begin and --end of tview; free with g_free */
gboolean tnd_session_undo(TndSession *session);
gboolean tnd_session_redo(TndSession *session);

/* The rows of the current view's level that are shown in all linked lanes, which undo covers.  Zooms are about places
 * of this order; spots, and the functions here, about rows. */
const TndRowOrder *tnd_session_rows(const TndSession *session); /* NULL: all rows in the trace's order */
void tnd_session_hide_row(TndSession *session, guint row);      /* the last one stays */
void tnd_session_pin_row(TndSession *session, guint row);       /* a pinned one is let go */
/* move: the line of a row takes the place of the line of another one; also that among the pinned ones, or those that
 * are not.  step: it takes the place below (1) or above (-1). */
void tnd_session_move_row(TndSession *session, guint row, guint to);
void tnd_session_step_row(TndSession *session, guint row, int step);
void tnd_session_show_all_rows(TndSession *session);
/* Folds the rows of a row's process or node (TND_LEVEL_TASK, TND_LEVEL_NODE) into one line or, if they are one, gives
 * each a line again; the same for those of all processes or nodes that are not pinned.  Rows that have none stay. */
void tnd_session_fold(TndSession *session, TndLevel above, guint row);
void tnd_session_fold_all(TndSession *session, TndLevel above);
/* Shows these rows in this order: numbers from 1 on and ranges ("3, 8-5, [1-2]": in brackets, rows that are folded), or
 * threads as row_choice.h has them ("rank:0-3, 1.2.*").  FALSE and error: it is no such list. */
gboolean tnd_session_choose_rows(TndSession *session, const char *text, GError **error);
char *tnd_session_rows_text(const TndSession *session); /* such a list; free with g_free */
/* Sorts rows that are not pinned by what they are in the stretch of time that is shown, the largest first: by their
 * average or, if values are codes, by the time of the selected value, or of all that are not 0. */
void tnd_session_sort_rows(TndSession *session);
/* Sorts them so that those stand together that spend as much time in the same values: whose rows of the histogram of
 * time are alike. */
void tnd_session_sort_alike(TndSession *session);

/* factor < 1 zooms in; the time `at_ns` and the place `at_row` stay where they are on the screen. */
void tnd_session_scale_time(TndSession *session, double factor, guint64 at_ns);
void tnd_session_scale_rows(TndSession *session, double factor, guint at_row);
/* Moves by fractions of what is shown: time_part 0.25 is a quarter of it to the right. */
void tnd_session_pan(TndSession *session, double time_part, double row_part);

/* What is under the pointer: it was moved (set), or what is shown has moved under it (follow). */
TndSpot tnd_session_hover(const TndSession *session);
void tnd_session_set_hover(TndSession *session, TndSpot spot);
void tnd_session_follow_hover(TndSession *session, TndSpot spot);
TndSpot tnd_session_selection(const TndSession *session);
void tnd_session_set_selection(TndSession *session, TndSpot spot); /* also selects its lane */
/* What is to be described in a line: the selection or, after the pointer was moved, what is under it. */
TndSpot tnd_session_told(const TndSession *session);
/* Selects the burst after (step 1) or before (-1) the selected one, and makes it visible. */
void tnd_session_step_burst(TndSession *session, int step);

/* The marked stretch of time, which all timelines show, and which stays until another one is marked.  mark: between two
 * moments in any order; if they are equal, nothing is marked any more.  mark_burst: the selected burst or, if extends,
 * all from the mark to it. */
const TndMarks *tnd_session_marks(const TndSession *session);
gboolean tnd_session_is_marked(const TndSession *session);
void tnd_session_mark(TndSession *session, guint64 from_ns, guint64 to_ns);
void tnd_session_mark_burst(TndSession *session, gboolean extends);
void tnd_session_zoom_to_mark(TndSession *session);
gboolean tnd_session_is_ruler(const TndSession *session); /* dragging marks, and does not zoom */
void tnd_session_toggle_ruler(TndSession *session);

/* What the shown rows of the selected timeline are in the marked stretch.  It is measured from its source, because that
 * may take long in another thread, and kept until the mark, the view or the rows change. */
TndMeasureSource *tnd_session_measure_source(const TndSession *session); /* NULL: nothing is marked */
void tnd_session_set_measure(TndSession *session, TndMeasure *measure);  /* takes ownership */
const TndMeasure *tnd_session_measure(const TndSession *session);        /* NULL: it is not made yet */

/* Notes are among the marks.  set_note: adds a copy of it, in place of one that is there already (of the same time,
 * level and row); without a text (NULL) it removes that.  note_at: the number of the note at a spot of the picture; of
 * several the nearest; G_MAXUINT: there is none.  show_note: brings it into sight, and selects its place in a timeline
 * that has its row, if there is one. step_note: to the next or previous one in time, from the selection. */
void tnd_session_set_note(TndSession *session, const TndNote *note);
guint tnd_session_note_at(const TndSession *session, TndSpot spot);
void tnd_session_show_note(TndSession *session, guint number);
void tnd_session_step_note(TndSession *session, int step);

/* Selects what is at a spot, and brings it into sight. */
void tnd_session_go(TndSession *session, TndSpot spot);

/* A search in the selected view and the rows that are shown; the caller runs it, maybe in another thread, and hands
 * over what it found (NULL: forgets what was found before). */
TndFind *tnd_session_find(TndSession *session, const char *text, GError **error);
void tnd_session_set_hits(TndSession *session, TndFindHits *hits);
const TndFindHits *tnd_session_hits(const TndSession *session); /* NULL: nothing was searched */
guint tnd_session_hit(const TndSession *session);               /* that was gone to last; G_MAXUINT: none */
/* Goes to a hit, or to the next (1) or the previous one (-1), counted from the selection if none was gone to.  FALSE:
 * the rows of the selected view are others. */
gboolean tnd_session_show_hit(TndSession *session, guint hit);
void tnd_session_step_hit(TndSession *session, int step);
/* Goes to the next (1) or the previous (-1) burst of a value in the rows that are shown, from the selection on and
 * around the end of the trace.  step_like: of the value that is lit, else of the selected burst.  Cost: 4 ns for each
 * burst on the way. */
void tnd_session_step_value(TndSession *session, double value, int step);
void tnd_session_step_like(TndSession *session, int step);

/* The colour of what is at a spot, or of a value.  FALSE: it has none, or one that depends on what else is shown. */
gboolean tnd_session_colour_at(const TndSession *session, TndSpot spot, guint32 *colour);
gboolean tnd_session_colour_of(const TndSession *session, double value, guint32 *colour); /* of the current view */
/* The line of the source that the last recorded call before a spot was made from; NULL: none is known.  Free with
 * g_free. */
char *tnd_session_source_line(TndSession *session, TndSpot spot);

/* The file of the line at a spot: of the last recorded call, or of the innermost function of the last sample whose file
 * is found; and how many samples are in each line itself, in the stretch of time that is shown and in all rows.  NULL
 * and error: no line is known (G_IO_ERROR_NOT_SUPPORTED), or the file is not found (G_IO_ERROR_NOT_FOUND), or cannot be
 * read.  set_source_folder: where it is looked for, too. */
typedef struct {
    TndSourceFile *file;
    guint line;         /* from 1 on */
    guint64 *n_samples; /* [line] */
    guint64 n_all;      /* samples in any line, of other files, too */
} TndSource;
TndSource *tnd_session_source(TndSession *session, TndSpot spot, GError **error);
void tnd_session_free_source(TndSource *source); /* NULL is allowed */
void tnd_session_set_source_folder(TndSession *session, const char *folder);

/* What to paint; FALSE: there is nothing.  waits: views that are not prepared are, now; else a note is painted in their
 * place. */
gboolean tnd_session_stack(const TndSession *session, gboolean waits, TndLaneStackSubject *subject);
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
/* Lights the bursts of a value, or all others, in the timelines of the selected view or, if they are lit, no longer. */
void tnd_session_light_value(TndSession *session, double value, gboolean are_others);
/* The same for those of a cell of the histogram.  FALSE: the cell is about no bursts. */
gboolean tnd_session_light_cell(TndSession *session, guint row, guint column);
/* Lights the bursts of the columns from one to another one in all rows.  If it is the view's own histogram, these
 * ranges of values become those of all its columns, as many as before.  FALSE: columns are about no values.
 * all_columns: takes limits and lights away. */
gboolean tnd_session_choose_columns(TndSession *session, guint from, guint to);
void tnd_session_all_columns(TndSession *session);
char *tnd_session_table_text(TndSession *session); /* with tabs, as it is shown; NULL: there is none; g_free */
gboolean tnd_session_set_plane(TndSession *session, const char *name); /* FALSE: no plane has this name */
void tnd_session_step_plane(TndSession *session, int step);

/* The profile: the samples of the threads and of the stretch of time that are shown.  It is made from its source,
 * because that takes long in another thread, and kept until these or the kind of samples change. */
gboolean tnd_session_has_samples(const TndSession *session);
TndSamplesOf tnd_session_profile_of(const TndSession *session);
void tnd_session_set_profile_of(TndSession *session, TndSamplesOf what);
TndProfileSource *tnd_session_profile_source(const TndSession *session); /* there is a trace */
void tnd_session_set_profile(TndSession *session, TndProfile *profile);  /* takes ownership */
const TndProfile *tnd_session_profile(const TndSession *session);        /* NULL: it is not made yet */
guint tnd_session_profile_top(const TndSession *session); /* the node of its tree that takes the whole width */
void tnd_session_set_profile_top(TndSession *session, guint node);
gint64 tnd_session_marked_function(const TndSession *session); /* 0: none is marked */
void tnd_session_mark_function(TndSession *session, gint64 function);
gboolean tnd_session_flame(const TndSession *session, TndFlameSubject *subject); /* FALSE: it is not made yet */
gboolean tnd_session_export_profile(TndSession *session, const char *path, int width, GError **error);

/* To save the page that is shown, as a picture of this size, or all planes of the histogram, as CSV.  file_name
 * proposes a name for such a file, without its ending; free with g_free. */
char *tnd_session_file_name(const TndSession *session);
gboolean tnd_session_export(TndSession *session, const char *path, int width, int height, GError **error);
gboolean tnd_session_write_csv(TndSession *session, const char *path, GError **error); /* "-": standard output */

#endif
