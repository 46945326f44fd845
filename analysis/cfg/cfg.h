/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A configuration of Paraver's (.cfg), as it is in the file: windows, single and derived, and histograms of them.
 * Settings of the appearance only (sizes, colours, positions) are ignored; all that affect values are read.
 *
 * What the values of a window are is the business of views (view_plan.h).
 */
#ifndef TND_CFG_H
#define TND_CFG_H

#include "analysis/trace/levels.h"

#include <glib.h>

/* The places of a window that have a function: one for each level, one for the compose function of each level, and
 * those that are applied last. */
enum {
    TND_PLACE_COMPOSE = TND_LEVEL_N, /* + level */
    TND_PLACE_TOP_1 = 2 * TND_LEVEL_N,
    TND_PLACE_TOP_2,
    TND_PLACE_DERIVED,
    TND_PLACE_N,
};

/* The numbers of a function or a filter. */
typedef struct {
    double *values;
    guint n;
} TndNumbers;

/* The largest number of parameters that any function takes. */
#define TND_CALL_PARAMETERS 2

/* A function by its name, with its parameters.  Those that the file does not give have the function's defaults. */
typedef struct {
    char *name; /* NULL: not given */
    TndNumbers parameters[TND_CALL_PARAMETERS];
    guint n_parameters;
} TndCall;

/* The properties of records that a window can filter by. */
typedef enum {
    TND_FILTER_FROM, /* a message's sender, by its row, from 0 on */
    TND_FILTER_TO,
    TND_FILTER_TAG,
    TND_FILTER_SIZE,
    TND_FILTER_BANDWIDTH,
    TND_FILTER_TYPE, /* an event's type */
    TND_FILTER_VALUE,
    TND_FILTER_N,
} TndFilterKind;

/* The functions of filters.  With several numbers a value must be equal to one of them, different from all of them,
 * above all or below all. */
typedef enum {
    TND_FILTER_ALL, /* the default */
    TND_FILTER_NONE,
    TND_FILTER_EQUAL,
    TND_FILTER_DIFFERENT,
    TND_FILTER_ABOVE,
    TND_FILTER_BELOW,
    TND_FILTER_BETWEEN, /* from the first number to the second */
} TndFilterFunction;

typedef struct {
    TndFilterFunction function;
    TndNumbers values;
    char **labels; /* of event types or values, which replace the numbers if the trace has them; NULL: none */
} TndCfgFilter;

/* Whether a value passes.  A filter without numbers passes nothing, unless it is TND_FILTER_ALL. */
gboolean tnd_cfg_filter_holds(const TndCfgFilter *filter, double value);

/* Where the time of a window begins or ends. */
typedef enum {
    TND_CFG_LIMIT_NONE,  /* where the trace does */
    TND_CFG_LIMIT_SHARE, /* a part of the trace's duration */
    TND_CFG_LIMIT_TIME,  /* a time, in the unit of the trace */
} TndCfgLimitKind;

typedef struct {
    TndCfgLimitKind kind;
    double value;
} TndCfgLimit;

/* Which objects of a level are selected, of the tasks of an application, the threads of a task, the CPUs of a node. */
typedef struct {
    TndLevel level;
    guint parents[2];     /* application and task, or node, from 0 on */
    GArray *are_selected; /* gboolean */
} TndCfgSelection;

typedef struct {
    char *name;
    gboolean is_derived;
    guint parents[2]; /* of a derived window: indices of windows before it */
    double factors[2];
    int shifts[2];
    TndLevel level;
    guint unit; /* 0 ns, 1 us, 2 ms, 3 s, 4 min, 5 h, 6 days */
    /* Drawn with a colour for each value, as a line, or as points; else as a gradient. */
    gboolean is_code, is_line, are_points;
    gboolean has_flags, hides_messages; /* where events are; lines of messages */
    TndCall calls[TND_PLACE_N];
    GArray *extra_tops; /* TndCall, applied between the two tops; NULL: none */
    TndCfgFilter filters[TND_FILTER_N];
    gboolean logical, physical, within_nodes, between_nodes;
    gboolean from_or_to, tag_or_size, type_or_value; /* passing one of the two filters is enough */
    TndCfgLimit begin, end;
    gboolean is_zoomed;
    guint zoom[2];      /* the first row and the last one */
    GArray *selections; /* TndCfgSelection; NULL: everything is selected */
} TndCfgWindow;

typedef struct {
    char *name;
    guint control, data, third; /* indices of windows; third G_MAXUINT: none */
    char *statistic;
    gboolean hides_empty, is_vertical;
    gboolean is_within_window;                         /* only of the control window's time, not of the whole trace */
    gboolean is_automatic, has_fixed_delta, fits_zero; /* how columns are chosen */
    double minimum, maximum, delta;
    guint n_columns;
    gboolean third_is_automatic;
    double third_minimum, third_maximum, third_delta;
    gboolean has_shown;
    double shown; /* a value of the plane that Paraver shows */
    gboolean is_sorted, is_reversed;
    char *sort_criterion;
    GArray *rows; /* guint, from 0 on; NULL: all */
} TndCfgHistogram;

/* What is said of an unknown key. */
#define TND_CFG_UNKNOWN_KEY "is not a key of Paraver's; ignored, as in Paraver"

typedef struct {
    gint n_owners; /* atomic */
    char *path;
    char *description;
    char **unknown_keys; /* with their lines: "12: key"; NULL at the end */
    GArray *windows;     /* TndCfgWindow */
    GArray *histograms;  /* TndCfgHistogram */
} TndCfg;

/* NULL and error (file, line, what is wrong): it is not a configuration, or a line of it is faulty. */
TndCfg *tnd_cfg_read(const char *path, GError **error);
TndCfg *tnd_cfg_parse(const char *text, const char *path, GError **error); /* path: for messages */
TndCfg *tnd_cfg_share(TndCfg *cfg);                                        /* adds an owner */
void tnd_cfg_free(TndCfg *cfg);                                            /* removes an owner; the last one frees it */
void tnd_cfg_call_clear(TndCall *call);

/* What the gradient or the axis of a window spans; without limits, its values. */
typedef struct {
    gboolean has_limits;
    double least, most;
} TndCfgScale;

/* A configuration with these windows, as Paraver saves them: what tnd_cfg_parse reads again.  Free with g_free. */
char *tnd_cfg_text(const TndCfgWindow *windows, const TndCfgScale *scales, guint n);

/* Replaces the statistic, by Paraver's name or by tandem's. */
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
