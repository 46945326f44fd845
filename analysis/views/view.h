/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A view: a rule applied to a trace, which gives one value per row and moment.  Rules come from a table (views.c), from
 * files with formulas (view_files.h) and from the windows of Paraver's configurations (cfg.h).  A row is evaluated on
 * first use and kept, in a file if views get large (large_memory.h).  Values are those of Paraver's functions (bursts,
 * 0 outside), so that tables agree with Paraver's.
 */
#ifndef TND_VIEW_H
#define TND_VIEW_H

#include "analysis/base/cores.h"
#include "analysis/bursts/row_line.h"
#include "analysis/cfg/cfg.h"
#include "analysis/views/draw_mode.h"

typedef struct TndView TndView;

typedef enum {
    TND_PALETTE_CODE,     /* values are codes, each with its colour in the .pcf */
    TND_PALETTE_GRADIENT, /* values are quantities: green to blue from the scale's minimum to its maximum, black for 0
                           */
} TndPalette;

/* How a view is drawn; by default codes are colours. */
typedef enum {
    TND_DRAW_COLOUR, /* colours of the palette */
    TND_DRAW_LINE,   /* a line over an axis of values; only quantities */
    TND_DRAW_STACK,  /* how many rows have each value; only codes */
    TND_DRAW_POINTS, /* points over an axis, each where a value begins; only quantities */
    TND_DRAW_N,
} TndDraw;

/* Their names: "colour", "line", "stack", "points". */
extern const char *const tnd_draw_names[TND_DRAW_N];
gboolean tnd_view_draw_suits(TndDraw draw, TndPalette palette);

typedef struct {
    const char *name;  /* "useful-duration": the same on the command line, in menus and in documents */
    const char *title; /* "Useful duration" */
    const char *unit;  /* of the values: "ns", "" for codes */
    const char *help;  /* one sentence */
    TndPalette palette;
    guint32 legend_type;       /* event type whose value labels are the legend; 0: the states */
    const char *const *labels; /* the view's own labels of the values from 1 on; NULL: those of legend_type */
    TndDraw draw;
    gboolean zero_is_nothing; /* 0 means that there is no value (a temperature), not the value 0 (bytes) */
    gboolean are_states;      /* values are states of threads; 0 is a state, too (Idle), as long as a thread lives */
    gboolean are_rows;        /* values are numbers of threads' rows, from 1 */
    const char *origin;       /* of an open view: where values of sensors come from ("coretemp, fixture"), or NULL */
} TndViewRule;

/* All rules in the order of lists and menus; NULL at the end.  Valid until a file is added. */
const TndViewRule *const *tnd_view_rules(void);

/* Whether the trace has any records that the rule is about. */
gboolean tnd_view_available(const TndTrace *trace, const TndViewRule *rule);

/* Opens a view by the name of a rule, or by a formula (view_formula.h), or a window of a configuration: "FILE.cfg:N" is
 * its N-th window, "FILE.cfg" its last one, which a derived window is.  NULL and error if no rule has this name (the
 * message lists them), or if the trace has no event of the types that the name, or a formula, chooses by label
 * (G_IO_ERROR_NOT_SUPPORTED). */
TndView *tnd_view_new(const TndTrace *trace, const char *name, GError **error);

/* Whether a name is that of a window, "FILE.cfg" or "FILE.cfg:N".  *path: its file, to be freed with g_free; *number:
 * N, or TND_VIEW_LAST_WINDOW. */
#define TND_VIEW_LAST_WINDOW (-1)
gboolean tnd_view_names_window(const char *name, char **path, gint64 *number);

/* Opens the windows of a configuration in its order; NULL at the end.  NULL and error (naming the window and the
 * function): a function or a level is not known.  Nothing that a window uses is silently ignored. */
TndView **tnd_view_new_of_cfg(const TndTrace *trace, TndCfg *cfg, GError **error);

TndView *tnd_view_share(TndView *view); /* adds an owner */
void tnd_view_free(TndView *view);      /* removes an owner; the last one frees the view */
void tnd_view_free_all(TndView **views);

/* The level of the rows: threads, unless a window says otherwise. */
TndLevel tnd_view_level(const TndView *view);
guint tnd_view_n_rows(const TndView *view);
const char *tnd_view_row_name(const TndView *view, guint row);
/* For each row the first one of those that have the same values, because these are values of a process, a node or the
 * trace; NULL: each row has values of its own. */
const guint *tnd_view_first_rows(const TndView *view);

/* What a window shows: a stretch of time in ns, which Paraver does not round (end INFINITY: the trace's end), and which
 * of its rows (NULL: all of them; free with g_free).  Other views show everything. */
void tnd_view_limits(const TndView *view, double *begin_ns, double *end_ns, gboolean **rows);

/* The configuration that the view is a window of; NULL: it is none. */
const TndCfg *tnd_view_cfg(const TndView *view);

/* The view's unit of time, in ns, and its name. */
double tnd_view_unit_ns(const TndView *view);
const char *tnd_view_unit_name(const TndView *view);

const TndViewRule *tnd_view_rule(const TndView *view);
const TndTrace *tnd_view_trace(const TndView *view);

/* The bursts of a row, which are made on first use and kept.  May be called by several threads at once. */
const TndRowBursts *tnd_view_row(TndView *view, guint row);

/* Makes the bursts of the rows that are TRUE (NULL: of all rows), on all cores.  Progress counts one item for each row
 * of the view, and may be NULL.  FALSE: it was cancelled. */
gboolean tnd_view_make_rows(TndView *view, const gboolean *rows, TndCoresProgress *progress);

/* Prepares all rows for drawing, on all cores.  Progress may be NULL, and is called by one thread at a time.  FALSE: it
 * cancelled the work; what is done by then is kept. */
gboolean tnd_view_prepare(TndView *view, TndTraceProgress progress, gpointer user_data);
gboolean tnd_view_is_prepared(const TndView *view);

/* Calls take with all bursts of a row, contiguous from 0 to the trace's end; neighbours of equal value are not merged.
 * A row that is not kept yet is not kept by this, unlike by walks (burst_walk.h) and by the functions below. */
void tnd_view_each_burst(TndView *view, guint row, TndBurstTake take, gpointer data);

/* The burst at a moment; FALSE outside the trace. */
gboolean tnd_view_burst_at(TndView *view, guint row, guint64 time_ns, TndBurst *burst);

/* Whether a row has a value at a time.  In views of threads' states it has none before the thread's first state and
 * after its last one, although the burst there is 0.  The burst of this time is shortened to the stretch that has a
 * value, or that has none. */
gboolean tnd_view_has_value(const TndView *view, guint row, guint64 time_ns, TndBurst *burst);

/* The text of a value: a label of the .pcf, or a number with its unit.  Free with g_free. */
char *tnd_view_value_text(const TndView *view, double value);

/* Finds the value that occurs in the view and has this text; FALSE: there is none.  Cost: one pass over all bursts. */
gboolean tnd_view_find_text(TndView *view, const char *text, double *value);

/* At most n texts of values that occur in the view and are similar to this one, the most similar first; NULL at the
 * end. Free with g_strfreev. */
char **tnd_view_near_texts(TndView *view, const char *text, guint n);

/* The smallest non-zero and the largest value of all rows in a stretch of time: the scale of a gradient.  FALSE: all
 * values are 0. */
gboolean tnd_view_range(TndView *view, guint64 begin_ns, guint64 end_ns, double *minimum, double *maximum);

/* Values to draw in n_columns equal columns of [begin_ns, end_ns): for each column the value that the mode chooses, as
 * exactly as row_grids.h says.  Average and majority are those of 16 values of the column, or one value if the column
 * is shorter than 16 ns. */
void tnd_view_columns(TndView *view, guint row, guint64 begin_ns, guint64 end_ns, guint n_columns, TndDrawMode mode,
                      double *values);

/* The same as codes of values (value_codes.h); a gradient goes from the smallest to the largest value of the whole
 * trace. Up to TND_VIEW_CODES_SLACK more codes may be written behind the last one.  FALSE: a value of the row has no
 * code, or the mode is TND_MODE_AVERAGE.  turn: only these columns are wanted (row_grids.h); NULL: all are. */
gboolean tnd_view_codes(TndView *view, guint row, guint64 begin_ns, guint64 end_ns, guint n_columns, TndDrawMode mode,
                        const TndTurn *turn, guint16 *codes);

/* The value of a code, as exactly as codes are; 0 for the code 0. */
double tnd_view_code_value(TndView *view, guint16 code);

#define TND_VIEW_CODES_SLACK 8

/* The same for drawing a line. */
void tnd_view_line(TndView *view, guint row, guint64 begin_ns, guint64 end_ns, guint n_columns, TndLinePoint *points);

#endif
