/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A configuration of Paraver's (.cfg): windows, single and derived, and histograms of them, as the file says it.
 *
 * What it is not: what a window's values are (windows.h).  What is only about looks (sizes, colours, positions) is
 * passed over; of what is about values nothing is.
 */
#ifndef TND_CFG_H
#define TND_CFG_H

#include "analysis/trace/levels.h"

#include <glib.h>

/* The places of a window where a function stands: one for each level, one for what is done with a level's value, and
 * what is done at the end. */
enum {
    TND_PLACE_COMPOSE = TND_LEVEL_N, /* + level */
    TND_PLACE_TOP_1 = 2 * TND_LEVEL_N,
    TND_PLACE_TOP_2,
    TND_PLACE_DERIVED,
    TND_PLACE_N,
};

/* Numbers that a function or a filter was given. */
typedef struct {
    double *values;
    guint n;
} TndNumbers;

/* At most as many as any function takes. */
#define TND_CALL_PARAMETERS 2

/* A function by its name, with its numbers; those that the file does not give are its defaults. */
typedef struct {
    char *name; /* NULL: the window does not say */
    TndNumbers parameters[TND_CALL_PARAMETERS];
    guint n_parameters;
} TndCall;

/* What a record must be to count. */
typedef enum {
    TND_FILTER_FROM, /* a message's sender, by its row from 0 on */
    TND_FILTER_TO,
    TND_FILTER_TAG,
    TND_FILTER_SIZE,
    TND_FILTER_BANDWIDTH,
    TND_FILTER_TYPE, /* an event's */
    TND_FILTER_VALUE,
    TND_FILTER_N,
} TndFilterKind;

/* The functions of filters.  With several numbers a value must be equal to one of them, different from all, above or
 * below all. */
typedef enum {
    TND_FILTER_ALL, /* also where the file names no function */
    TND_FILTER_NONE,
    TND_FILTER_EQUAL,
    TND_FILTER_DIFFERENT,
    TND_FILTER_ABOVE,
    TND_FILTER_BELOW,
    TND_FILTER_BETWEEN, /* the first two numbers */
} TndFilterFunction;

typedef struct {
    TndFilterFunction function;
    TndNumbers values;
    char **labels; /* of events' types and values: where the trace has them they hold, not the numbers; NULL: none */
} TndCfgFilter;

/* Without numbers nothing passes but where all does. */
gboolean tnd_cfg_filter_holds(const TndCfgFilter *filter, double value);

/* Where a window's time begins or ends. */
typedef enum {
    TND_CFG_LIMIT_NONE,  /* with the trace */
    TND_CFG_LIMIT_SHARE, /* of the trace's time */
    TND_CFG_LIMIT_TIME,  /* in the unit of the trace */
} TndCfgLimitKind;

typedef struct {
    TndCfgLimitKind kind;
    double value;
} TndCfgLimit;

/* Which objects of a level are looked at: those of an application (tasks), of a task of it (threads), of a node (CPUs).
 */
typedef struct {
    TndLevel level;
    guint parents[2];     /* from 0 on */
    GArray *are_selected; /* of gboolean */
} TndCfgSelection;

typedef struct {
    char *name;
    gboolean is_derived;
    guint parents[2]; /* index of windows before it */
    double factors[2];
    int shifts[2];
    TndLevel level;
    guint unit;                /* 0 ns, 1 us, 2 ms, 3 s, 4 min, 5 h, 6 days */
    gboolean is_code, is_line; /* how it is drawn: a colour for each value, a line over an axis, else a gradient */
    TndCall calls[TND_PLACE_N];
    GArray *extra_tops; /* of TndCall, applied between the two tops; NULL: none */
    TndCfgFilter filters[TND_FILTER_N];
    gboolean logical, physical, within_nodes, between_nodes;
    gboolean from_or_to, tag_or_size, type_or_value; /* either is enough */
    TndCfgLimit begin, end;
    gboolean is_zoomed;
    guint zoom[2];      /* the first row and the last one */
    GArray *selections; /* of TndCfgSelection; NULL: all */
} TndCfgWindow;

typedef struct {
    char *name;
    guint control, data, third; /* index of windows; third G_MAXUINT: none */
    char *statistic;
    gboolean hides_empty, is_vertical;
    gboolean is_within_window;                         /* the time of its control window, not all of the trace */
    gboolean is_automatic, has_fixed_delta, fits_zero; /* where columns come from */
    double minimum, maximum, delta;
    guint n_columns;
    gboolean third_is_automatic;
    double third_minimum, third_maximum, third_delta;
    gboolean has_shown;
    double shown; /* a value of the plane that is looked at */
    gboolean is_sorted, is_reversed;
    char *sort_criterion;
    GArray *rows; /* of guint; NULL: all */
} TndCfgHistogram;

typedef struct {
    gint n_owners; /* atomic */
    char *path;
    char *description;
    char **strangers;   /* keys that Paraver does not know either: "12: key" */
    GArray *windows;    /* of TndCfgWindow */
    GArray *histograms; /* of TndCfgHistogram */
} TndCfg;

/* NULL and error (file, line, what is wrong) if it is no configuration or a line of it cannot be understood. */
TndCfg *tnd_cfg_read(const char *path, GError **error);
TndCfg *tnd_cfg_parse(const char *text, const char *path, GError **error); /* path: for messages */
TndCfg *tnd_cfg_share(TndCfg *cfg);                                        /* one owner more */
void tnd_cfg_free(TndCfg *cfg);                                            /* one owner less */
void tnd_cfg_call_clear(TndCall *call);

/* Another statistic than the file's, by Paraver's name or by ours. */
void tnd_cfg_set_statistic(TndCfgHistogram *histogram, const char *name);

static inline TndCfgWindow *tnd_cfg_window(const TndCfg *cfg, guint index)
{
    return &g_array_index(cfg->windows, TndCfgWindow, index);
}

static inline TndCfgHistogram *tnd_cfg_histogram(const TndCfg *cfg, guint index)
{
    return &g_array_index(cfg->histograms, TndCfgHistogram, index);
}

#endif
