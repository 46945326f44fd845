/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the definition of a view consists of, the table of those that are built in, and the inside of a view.  Other
 * definitions are files (view_files.h).
 *
 * To add a view: a file in data/views if a formula says it, else a line in the table of views.c, which names a function
 * of Paraver's or of our own (semantic.h).
 */
#ifndef TND_VIEWS_H
#define TND_VIEWS_H

#include "analysis/bursts/row_grids.h"
#include "analysis/views/view_formula.h"
#include "analysis/views/view_plan.h"

/* Whose records a row shows: its own, or those of all rows of its process, its node, the trace.  Rows with the same
 * records have the same bursts. */
typedef enum { TND_SCOPE_THREAD, TND_SCOPE_PROCESS, TND_SCOPE_NODE, TND_SCOPE_TRACE } TndViewScope;

struct TndViewDefinition {
    TndViewRule rule;
    const char *function; /* what a thread's records mean, by its name */
    double given;         /* the number that the function is given: a state; 0: none */
    TndViewScope scope;
    const char *group;                                          /* what the values of a scope's rows come to */
    guint32 first_type, last_type;                              /* the event types it looks at: a range, ... */
    void (*choose_types)(const TndTrace *trace, GArray *types); /* ... or chosen by what the trace has */
    gboolean takes_types;  /* may be named with types of the user's choice: "name:TYPE[,TYPE]", "name:LABEL" */
    double divisor;        /* of a value of the trace, into the rule's unit; 0: 1 */
    gboolean holds_before; /* of readings: what was read holds for the time before, not from then on */
    enum { TND_SEVERAL_LAST, TND_SEVERAL_MAXIMUM, TND_SEVERAL_SUM } several; /* of readings of several types */
    gboolean is_by_cpu; /* of readings of a node: a row has those of the CPU that it is on, where any are known */
    TndViewFormula *formula;
};

/* The inside of a view. */
struct TndView {
    gint n_owners; /* atomic */
    TndViewPlan plan;
    TndViewRule rule; /* the definition's, or with the names of a choice */
    char *name, *title, *origin;
    TndCfg *cfg; /* that the window is of; NULL: it is of none */
    guint n_rows;
    char **row_names; /* NULL: those of the threads */
    TndLargeMemory *memory;
    TndRowBursts **rows;      /* NULL: not made yet */
    TndRowGrids **grids;      /* likewise, of values ... */
    TndRowGrids **code_grids; /* ... and of codes */
    TndRowLine **lines;       /* likewise */
    TndValueCodes codes;
    gsize knows_codes; /* of g_once_init_enter */
    gint is_prepared;  /* atomic */
};

/* In the order in which views are offered. */
extern const TndViewDefinition tnd_views_table[];
extern const guint tnd_views_n;

/* How views read an event type: whose its values are, and whether they hold for the time before them. */
void tnd_views_reading(guint32 type, TndViewScope *scope, gboolean *holds_before);

/* Whether a name is that of a definition, up to a colon, after which some take types. */
gboolean tnd_views_is_called(const TndViewDefinition *definition, const char *name);

/* The definition of this name; NULL: none is built in. */
const TndViewDefinition *tnd_views_find_built_in(const char *name);

#endif
