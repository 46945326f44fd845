/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Definitions of views, the table of the built-in ones, and the inside of a view.  Other definitions come from files
 * (view_files.h).
 *
 * To add a view, write a file in data/views if it is a formula; else add a line to the table of views.c that names a
 * function (semantic.h).
 */
#ifndef TND_VIEWS_H
#define TND_VIEWS_H

#include "analysis/bursts/row_grids.h"
#include "analysis/views/view_formula.h"
#include "analysis/views/view_plan.h"

/* Whose records a row shows: its own, or those of all rows of its process, its node or the trace.  All rows of a scope
 * have the same bursts. */
typedef enum { TND_SCOPE_THREAD, TND_SCOPE_PROCESS, TND_SCOPE_NODE, TND_SCOPE_TRACE } TndViewScope;

struct TndViewDefinition {
    TndViewRule rule;
    const char *function; /* name of the thread function */
    double given;         /* the function's parameter, such as a state; 0: none */
    TndViewScope scope;
    const char *group;                                          /* name of the function that combines a scope's rows */
    guint32 first_type, last_type;                              /* the event types that it reads: a range, ... */
    void (*choose_types)(const TndTrace *trace, GArray *types); /* ... or chosen by what the trace has */
    gboolean takes_types;  /* the user may choose types: "name:TYPE[,TYPE]", "name:LABEL" */
    double divisor;        /* of values in the trace, which makes the rule's unit of them; 0: 1 */
    gboolean holds_before; /* of readings: they hold for the time before them, not for the time after */
    enum { TND_SEVERAL_LAST, TND_SEVERAL_MAXIMUM, TND_SEVERAL_SUM } several; /* how readings of several types combine */
    gboolean is_by_cpu;      /* of readings of a node: a row has those of its CPU, where the trace tells them apart */
    TndViewFormula *formula; /* NULL: there is none */
};

struct TndView {
    gint n_owners; /* atomic */
    TndViewPlan plan;
    TndViewRule rule;                  /* the definition's, with the name and title of the types that were chosen */
    char *name, *title, *origin;       /* strings of the rule that the view owns; NULL: not owned */
    TndCfg *cfg;                       /* the configuration of a window; NULL: it is none */
    TndViewDefinition *own_definition; /* of a view that is a formula, not a name; NULL: others own it */
    guint n_rows;
    char **row_names; /* NULL: those of the threads */
    TndLargeMemory *memory;
    /* By row; an element is NULL until it is made. */
    TndRowBursts **rows;
    TndRowGrids **grids[TND_GRIDS_N_KINDS];      /* of values */
    TndRowGrids **code_grids[TND_GRIDS_N_KINDS]; /* of codes */
    TndRowLine **lines;
    TndValueCodes codes;
    gsize codes_once; /* of g_once_init_enter */
    gint is_prepared; /* atomic */
};

/* The built-in views, in the order of lists and menus. */
extern const TndViewDefinition tnd_views_table[];
extern const guint tnd_views_n;

/* How the built-in views read an event type: the scope of its values, and whether they hold for the time before them.
 */
void tnd_views_reading(guint32 type, TndViewScope *scope, gboolean *holds_before);

/* Whether a name is that of a definition; if it takes types, a colon and types may follow. */
gboolean tnd_views_is_called(const TndViewDefinition *definition, const char *name);

/* The built-in definition of this name; NULL: there is none. */
const TndViewDefinition *tnd_views_find_built_in(const char *name);

#endif
