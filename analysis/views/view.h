/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A view: a rule that turns a trace into one value per row and moment.  The rules are a table (views.c), files with
 * formulas (view_files.h), and the windows of Paraver's configurations (cfg.h); a view is a rule applied to a trace,
 * evaluated per row on first use and kept, in a file (large_memory.h) if it is much.
 * Values are what Paraver's functions give (bursts, 0 outside), so that its users' tables agree.
 */
#ifndef TND_VIEW_H
#define TND_VIEW_H

#include "analysis/base/cores.h"
#include "analysis/bursts/row_line.h"
#include "analysis/cfg/cfg.h"

typedef struct TndView TndView;

typedef enum {
    TND_PALETTE_CODE,     /* a colour per value, from the .pcf */
    TND_PALETTE_GRADIENT, /* green to blue over [scale minimum, scale maximum], black for 0 */
} TndPalette;

/* How it is drawn unless the user says otherwise; codes are always colours. */
typedef enum {
    TND_DRAW_COLOUR, /* of the palette */
    TND_DRAW_LINE,   /* over an axis of values */
} TndDraw;

typedef struct {
    const char *name;  /* "useful-duration": the same on the command line, in menus and in documents */
    const char *title; /* "Useful duration" */
    const char *unit;  /* of the values: "ns", "" for codes */
    const char *help;  /* one sentence */
    TndPalette palette;
    guint32 legend_type;       /* event type whose value labels are the legend; 0: the states */
    const char *const *labels; /* of values from 1 on, where they are the view's own; NULL: legend_type's */
    TndDraw draw;
    gboolean zero_is_nothing; /* no value at all (a temperature), not the value 0 (bytes) */
    gboolean are_states;      /* values are states of threads: 0 is one, too (Idle), as long as a thread lives */
    const char *origin;       /* of a view's: where sensors' values come from ("coretemp, fixture"); NULL: not said */
} TndViewRule;

/* All rules, in the order in which they are offered; NULL at the end; until a file is added. */
const TndViewRule *const *tnd_view_rules(void);

/* Whether the trace has anything for it to show. */
gboolean tnd_view_available(const TndTrace *trace, const TndViewRule *rule);

/* By the name of a rule, or by the path of a configuration, "FILE.cfg" or "FILE.cfg:N": its N-th window, or its last
 * one, which a derived window is.  NULL and error (with the names that there are) if no rule has this name; also if the
 * trace has nothing of the types that the name, or the formula of its rule, chooses by label
 * (G_IO_ERROR_NOT_SUPPORTED). */
TndView *tnd_view_new(const TndTrace *trace, const char *name, GError **error);

/* Whether a name is that of a window, "FILE.cfg" or "FILE.cfg:N": its file, to be freed with g_free, and N. */
#define TND_VIEW_LAST_WINDOW (-1)
gboolean tnd_view_names_window(const char *name, char **path, gint64 *number);

/* The windows of a configuration, in its order, NULL at the end.  NULL and error (the window, the function, what there
 * is): a function or a level is not known.  What a window uses that is not known is named, never passed over. */
TndView **tnd_view_new_of_cfg(const TndTrace *trace, TndCfg *cfg, GError **error);

TndView *tnd_view_share(TndView *view); /* one owner more */
void tnd_view_free(TndView *view);      /* one owner less */
void tnd_view_free_all(TndView **views);

/* Rows are those of a level: threads, unless a window says another one. */
TndLevel tnd_view_level(const TndView *view);
guint tnd_view_n_rows(const TndView *view);
const char *tnd_view_row_name(const TndView *view, guint row);

/* What a window shows: from when to when in ns, which Paraver does not round (INFINITY: to the trace's end), and which
 * of its rows (NULL: all; free with g_free).  Other views show all. */
void tnd_view_limits(const TndView *view, double *begin_ns, double *end_ns, gboolean **rows);

/* The configuration that it is a window of; NULL: it is of none. */
const TndCfg *tnd_view_cfg(const TndView *view);

/* Nanoseconds of its unit of time, and how that is called. */
double tnd_view_unit_ns(const TndView *view);
const char *tnd_view_unit_name(const TndView *view);

const TndViewRule *tnd_view_rule(const TndView *view);
const TndTrace *tnd_view_trace(const TndView *view);

/* The bursts of a row, made and kept if they were not.  Several threads may ask at once. */
const TndRowBursts *tnd_view_row(TndView *view, guint row);

/* The same of the rows that are TRUE (NULL: all), on all cores; teller: as for tnd_cores_run_telling, an item a row. */
gboolean tnd_view_make_rows(TndView *view, const gboolean *rows, TndCoresTeller *teller);

/* Makes what it is drawn from for all rows, on all cores; progress, which may be NULL, is called by one thread at a
 * time.  FALSE: progress ended it; what is made is kept. */
gboolean tnd_view_prepare(TndView *view, TndTraceProgress progress, gpointer user_data);
gboolean tnd_view_is_prepared(const TndView *view);

/* All of a row, contiguous from 0 to the trace's end, neighbours of equal value not merged.  They are not kept, but
 * taken from those that are; walks (burst_walk.h) and all functions below keep them. */
void tnd_view_each_burst(TndView *view, guint row, TndBurstTake take, gpointer data);

/* The burst at a moment; FALSE outside the trace. */
gboolean tnd_view_burst_at(TndView *view, guint row, guint64 time_ns, TndBurst *burst);

/* Text for a value: a label of the .pcf or a number with its unit.  Free with g_free. */
char *tnd_view_value_text(const TndView *view, double value);

/* The value of the trace that has this text; FALSE: none has.  Cost: one pass over all bursts. */
gboolean tnd_view_find_text(TndView *view, const char *text, double *value);

/* Those of the trace's texts that are most like this one, at most n; NULL at the end.  Free with g_strfreev. */
char **tnd_view_near_texts(TndView *view, const char *text, guint n);

/* Smallest non-zero and largest value in a stretch of time over all rows: a gradient's scale.  FALSE if none. */
gboolean tnd_view_range(TndView *view, guint64 begin_ns, guint64 end_ns, double *minimum, double *maximum);

/* What to draw for n_columns equal pieces of [begin_ns, end_ns): for every column the value of the largest magnitude
 * that occurs in it (Paraver's draw mode "maximum"); row_grids.h says how exactly. */
void tnd_view_columns(TndView *view, guint row, guint64 begin_ns, guint64 end_ns, guint n_columns, double *values);

/* The same as codes of values (value_codes.h), those of a gradient being of its extremes in all of the trace.  Up to
 * TND_VIEW_CODES_SLACK more may be written behind them.  FALSE: a value of the row has none. */
gboolean tnd_view_codes(TndView *view, guint row, guint64 begin_ns, guint64 end_ns, guint n_columns, guint16 *codes);

#define TND_VIEW_CODES_SLACK 8

/* The same for a line. */
void tnd_view_line(TndView *view, guint row, guint64 begin_ns, guint64 end_ns, guint n_columns, TndLinePoint *points);

#endif
