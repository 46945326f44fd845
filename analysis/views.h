/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rules of the views: how each one gets its bursts from a thread's records.  For view.c alone.
 *
 * To add a view: a line in the table of views.c; only a new kind of evaluation needs a function.
 */
#ifndef TND_VIEWS_H
#define TND_VIEWS_H

#include "analysis/view.h"

typedef struct TndViewDefinition TndViewDefinition;

/* Event types that a view looks at, with the factor that a type's PRECISION asks for. */
typedef struct {
    guint n_types;
    guint32 *types;
    double *factors;
} TndViewTypes;

struct TndViewDefinition {
    TndViewRule rule;
    /* Bursts of one thread, contiguous from 0 to end_ns; their number to *n_bursts. */
    TndBurst *(*evaluate)(const TndViewDefinition *definition, const TndThread *thread, const TndViewTypes *types,
                          guint64 end_ns, gsize *n_bursts);
    /* Instead of it: bursts of the whole trace, the same on every row. */
    TndBurst *(*evaluate_all)(const TndViewDefinition *definition, const TndTrace *trace, gsize *n_bursts);
    guint32 first_type, last_type;                              /* the event types it looks at: a range, ... */
    guint32 state;                                              /* the state it looks at */
    void (*choose_types)(const TndTrace *trace, GArray *types); /* ... or chosen by what the trace has */
    gboolean takes_types; /* may be named with types of the user's choice: "name:TYPE[,TYPE]" */
};

/* In the order in which views are offered. */
extern const TndViewDefinition tnd_views_table[];
extern const guint tnd_views_n;

/* Text for a value of the view. */
char *tnd_views_text(const TndViewDefinition *definition, const TndViewTypes *types, const struct tnd_pcf *pcf,
                     double value);

#endif
