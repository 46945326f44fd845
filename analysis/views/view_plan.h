/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the bursts of a view are made: by a window, as Paraver's configurations describe them (cfg.h), whose functions
 * have been looked up, or by a formula over other views.  Built-in views are windows, too, which may use tandem's own
 * functions.
 *
 * A row is Top1(extra tops(Top2(Compose(F(rows of the level below))))), beginning with the threads' records, or with a
 * derived function F of the rows of two other views.
 */
#ifndef TND_VIEW_PLAN_H
#define TND_VIEW_PLAN_H

#include "analysis/views/semantic.h"
#include "analysis/views/view.h"
#include "analysis/views/view_types.h"

/* The parameters of a function: those of the window, else its defaults.  It must not be moved: `call` points into it.
 */
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
    TndCfgWindow window; /* its level and its numbers of events are those of this trace */
    TndLevel base;       /* where evaluation begins: threads, CPUs, or the finer level of a derived window's operands */
    TndView *operands[2]; /* of a derived window: data and control; NULL: it is not derived */
    TndView **named;      /* the views in a formula, in its order, NULL at the end; NULL: there is no formula */
    const struct TndViewDefinition *definition; /* NULL: a window of a configuration */
    TndViewTypes types;
    double *event_numbers[2];                    /* numbers of the filters of event types and values; owned */
    const TndSemanticThread *thread;             /* NULL: the view does not begin with records */
    const TndSemanticGroup *groups[TND_LEVEL_N]; /* of each level, that of CPUs included */
    const TndSemanticGroup *scope_group;         /* combines the rows of a scope; NULL: nothing does */
    const TndSemanticDerived *derived;           /* NULL: the window is not derived */
    TndViewCall calls[TND_LEVEL_N];              /* arguments of the thread function and the groups, by level */
    TndViewCompose composes[TND_LEVEL_N];        /* of each level */
    TndViewCompose *tops;                        /* in the order in which they are applied */
    guint n_tops;
    guint *first_rows;              /* for every row the first row of its scope; NULL: each row has its own bursts */
    struct TndViewSensors *sensors; /* which CPUs sensors of nodes are about; NULL: not known of any */
    gboolean filters_messages;      /* the window has filters of messages */
    gboolean keeps_labels;          /* values are values of the threads' records: labels of the .pcf apply */
};

/* The units of time that a window may have, by its `unit`. */
extern const struct TndViewUnit {
    const char *name;
    double ns;
} tnd_view_plan_units[];

static inline const struct TndViewUnit *tnd_view_plan_unit(const TndViewPlan *plan)
{
    return &tnd_view_plan_units[plan->window.unit];
}

/* Frees what the plan owns. */
void tnd_view_plan_clear(TndViewPlan *plan);

/* Looks up the functions that the window names, and the one that combines rows of the definition's scope.  FALSE and
 * error (window, function): one is not known. */
gboolean tnd_view_plan_find(TndViewPlan *plan, GError **error);

/* Finds the window's level in this trace, and the base.  FALSE and error: the trace has no such rows. */
gboolean tnd_view_plan_find_level(TndViewPlan *plan, GError **error);

/* The level whose rows make up the rows of this one. */
static inline TndLevel tnd_view_plan_level_below(TndLevel level)
{
    return (TndLevel)(level + 1);
}

#endif
