/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a view gets its bursts: a window, as Paraver's configurations describe them (cfg.h), with its functions found, or
 * a formula over other views.  Views that are built in have a window, too, which names functions of our own as well.
 *
 * A row is Top1(extra tops(Top2(Compose(F(rows below))))), from the threads' records up, or F of two other views' rows.
 */
#ifndef TND_VIEW_PLAN_H
#define TND_VIEW_PLAN_H

#include "analysis/views/semantic.h"
#include "analysis/views/view.h"
#include "analysis/views/view_types.h"

/* The numbers that a function is given: those of the window, else its defaults.  It stays where it is. */
typedef struct {
    TndNumbers parameters[TND_CALL_PARAMETERS];
    double defaults[TND_CALL_PARAMETERS];
    TndSemanticCall call;
} TndViewCall;

typedef struct {
    const TndSemanticCompose *function;
    TndViewCall call;
} TndViewCompose;

struct TndViewPlan {
    const TndTrace *trace;
    TndCfgWindow window;  /* its level and the numbers of its events are as they are in this trace */
    TndLevel base;        /* where it begins: threads, CPUs, or the finer of the two views that it is made of */
    TndView *operands[2]; /* of a derived window: data and control; NULL: it is none */
    TndView **named;      /* that a formula names, in its order, NULL at the end; NULL: there is no formula */
    const struct TndViewDefinition *definition; /* NULL: it is a window of a configuration */
    TndViewTypes types;
    double *event_numbers[2]; /* of the filters of event types and values: to be freed */
    double unit_ns;
    const TndSemanticThread *thread;                           /* NULL: it does not begin with records */
    const TndSemanticGroup *groups[TND_LEVEL_N], *scope_group; /* that of CPUs, too; what rows of a scope come to */
    const TndSemanticDerived *derived;
    TndViewCall calls[TND_LEVEL_N];       /* of the thread's function and of the groups */
    TndViewCompose composes[TND_LEVEL_N]; /* of each level */
    TndViewCompose *tops;                 /* in the order in which they are done */
    guint n_tops;
    guint *first_rows;              /* of every row: the first one of its scope; NULL: rows have bursts of their own */
    struct TndViewSensors *sensors; /* of nodes, by CPUs; NULL: none are known */
    gboolean asks_messages;         /* whether the window's filters have a say about messages */
    gboolean keeps_labels;          /* values are those of the threads' records */
};

/* Finds functions by the names that the window has.  FALSE and error (window, function) if one is not known. */
gboolean tnd_view_plan_find(TndViewPlan *plan, GError **error);

/* Finds the rows that the window has in this trace, and where it begins.  FALSE and error: there are no such rows. */
gboolean tnd_view_plan_find_level(TndViewPlan *plan, GError **error);

/* The level whose rows make up those of this one. */
static inline TndLevel tnd_view_plan_level_below(TndLevel level)
{
    return (TndLevel)(level + 1);
}

#endif
