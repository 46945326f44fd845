/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions of Paraver's that make values of records and of other values, by their names in its configurations:
 * what a thread's records mean (states, events, messages, objects), what a group of rows comes to, what is done with a
 * value, and what two windows make together.
 *
 * Each works on whole rows: bursts of all of the trace go in, and others come out.  For windows.c alone.
 */
#ifndef TND_SEMANTIC_H
#define TND_SEMANTIC_H

#include "analysis/cfg/cfg.h"
#include "analysis/views/semantic_records.h"
#include "analysis/views/view.h"

/* A row's bursts, contiguous from 0 to the trace's end; those of no length count. */
typedef struct {
    TndBurst *bursts;
    gsize n;
} TndSignal;

/* What functions know of where they are: numbers given to them (or their defaults), factor from ns to the window's unit
 * of time. */
typedef struct {
    const TndNumbers *parameters;
    double unit_ns;
    guint64 end_ns;
} TndSemanticCall;

static inline double tnd_semantic_parameter(const TndSemanticCall *call, guint index)
{
    return call->parameters[index].n ? call->parameters[index].values[0] : 0;
}

/* Whether a value is among the numbers given. */
static inline gboolean tnd_semantic_is_given(const TndSemanticCall *call, double value)
{
    for (guint i = 0; i < call->parameters[0].n; i++)
        if (call->parameters[0].values[i] == value)
            return TRUE;
    return FALSE;
}

/* A function's name and the numbers that it takes where it is given none. */
typedef struct {
    const char *name;
    guint n_parameters;
    double defaults[TND_CALL_PARAMETERS];
} TndSemanticName;

/* Of a thread's records: what holds from a record on. */
typedef struct {
    TndSemanticName name;
    guint needs;                                              /* kinds of records that it looks at: TndRecordKind */
    gboolean (*is_valid)(const TndRecords *records, gsize i); /* it is called for this one */
    /* At record i; -1: before the first.  `before`: what it said last. */
    double (*value)(const TndRecords *records, gssize i, const TndSemanticCall *call, double before);
} TndSemanticThread;

/* The values of a group's rows, one of which has just changed; and what is kept of all of them, because a group may
 * have thousands of rows, of which one changes at a time. */
typedef struct {
    double *values;
    guint n, changed;
    double sum; /* of those that are whole and so small that no order of adding them loses anything */
    guint n_others;
    double most;  /* of all and 0 */
    guint n_most; /* how many are that; 0: not known any more */
} TndSemanticValues;

TndSemanticValues tnd_semantic_group_start(guint n); /* all are 0 */
void tnd_semantic_group_change(TndSemanticValues *values, guint row, double value);
void tnd_semantic_group_clear(TndSemanticValues *values);

typedef struct {
    TndSemanticName name;
    double (*value)(TndSemanticValues *values, const TndSemanticCall *call);
} TndSemanticGroup;

/* Of a value: burst by burst, or (the two that change where bursts begin) as a whole. */
typedef struct {
    TndSemanticName name;
    double (*value)(const TndBurst *burst, const TndSemanticCall *call);
    void (*whole)(TndSignal *signal, const TndSemanticCall *call);
} TndSemanticCompose;

/* Of two windows' rows: of the data's value and the control's, or along the rows. */
typedef struct {
    TndSemanticName name;
    double (*value)(double data, double control);
    void (*whole)(TndSignal *signal, const TndSignal *data, const TndSignal *control, const double factors[2]);
} TndSemanticDerived;

/* Bursts of both up to end_ns, shifted and times the factors; free with g_free. */
TndSignal tnd_semantic_derived_signal(const TndSemanticDerived *function, const TndSignal *data,
                                      const TndSignal *control, const double factors[2], guint64 end_ns);

/* Each table ends with a NULL name. */
extern const TndSemanticThread tnd_semantic_states[], tnd_semantic_events[], tnd_semantic_messages[],
    tnd_semantic_objects[];
extern const TndSemanticGroup tnd_semantic_groups[], tnd_semantic_cpus[];
extern const TndSemanticCompose tnd_semantic_composes[];
extern const TndSemanticDerived tnd_semantic_deriveds[];

#endif
