/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How views get their bursts: what a definition consists of, and the table of those that are built in.  The others are
 * files (view_files.h).
 *
 * To add a view: a file in data/views if a formula says it, else a line in the table of views.c; only a new kind of
 * evaluation needs a function.
 */
#ifndef TND_VIEWS_H
#define TND_VIEWS_H

#include "analysis/base/cores.h"
#include "analysis/bursts/row_bursts.h"
#include "analysis/views/view.h"
#include "analysis/views/view_formula.h"

typedef struct TndViewDefinition TndViewDefinition;

/* Event types that a view looks at, with what divides a value into its unit. */
typedef struct {
    guint n_types;
    guint32 *types;
    double *divisors;
} TndViewTypes;

/* Whose records a row shows: its own, or those of all rows of its process, its node, the trace.  Rows with the same
 * records have the same bursts. */
typedef enum { TND_SCOPE_THREAD, TND_SCOPE_PROCESS, TND_SCOPE_NODE, TND_SCOPE_TRACE } TndViewScope;

/* What is evaluated: a definition in a trace. */
typedef struct {
    const TndViewDefinition *definition;
    const TndTrace *trace;
    TndViewTypes types;
    TndView **operands;             /* the views that a formula names, in its order; NULL at the end */
    guint *first_rows;              /* of every row: the first one of its scope; NULL: rows have bursts of their own */
    struct TndViewSensors *sensors; /* of nodes, by CPUs; NULL: none are known */
} TndViewSubject;

struct TndViewDefinition {
    TndViewRule rule;
    /* Puts the bursts of one row into the stream. */
    void (*evaluate)(const TndViewSubject *subject, guint row, TndBurstStream *stream);
    TndViewScope scope;
    guint32 first_type, last_type;                              /* the event types it looks at: a range, ... */
    void (*choose_types)(const TndTrace *trace, GArray *types); /* ... or chosen by what the trace has */
    gboolean takes_types; /* may be named with types of the user's choice: "name:TYPE[,TYPE]", "name:LABEL" */
    guint32 state;        /* the state it looks at */
    double divisor;       /* of a value of the trace, into the rule's unit; 0: 1 */
    gboolean is_next;     /* of readings: what was read holds for the time before, not from then on */
    enum { TND_SEVERAL_LAST, TND_SEVERAL_MAXIMUM, TND_SEVERAL_SUM } several; /* of readings of several types */
    gboolean is_by_cpu; /* of readings of a node: a row has those of the CPU that it is on, where any are known */
    TndViewFormula *formula;
};

/* In the order in which views are offered. */
extern const TndViewDefinition tnd_views_table[];
extern const guint tnd_views_n;

/* The bursts of a row, made and kept if they were not. */
const TndRowBursts *tnd_views_row(TndView *view, guint row);

/* The same of all rows, on all cores; teller: as for tnd_cores_run_telling, an item a row. */
gboolean tnd_views_make_rows(TndView *view, TndCoresTeller *teller);

/* What a view is evaluated from. */
const TndViewSubject *tnd_views_subject(const TndView *view);

/* How views read an event type: whose its values are, and whether they hold for the time before them. */
void tnd_views_reading(guint32 type, TndViewScope *scope, gboolean *is_next);

/* The definition that a name is of, up to a colon; NULL: none, or it takes nothing after a colon. */
const TndViewDefinition *tnd_views_find(const char *name);
const TndViewDefinition *tnd_views_find_built_in(const char *name);

#endif
