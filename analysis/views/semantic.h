/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions that make values of records and of other values, by their names in Paraver's configurations: what a
 * thread's records mean (states, events, messages, objects), what a group of rows comes to, what is done with a value,
 * and what two views make together.  Some are our own; Paraver's configurations have none of these names.
 *
 * Each takes and gives bursts as a stream.  A view's functions are found in view_plan.h, and run in view_rows.h.
 *
 * Cost: functions of states and events look one record ahead, and keep nothing; those of messages and objects have the
 * records of a row in memory (semantic_records.h).
 */
#ifndef TND_SEMANTIC_H
#define TND_SEMANTIC_H

#include "analysis/bursts/burst_walk.h"
#include "analysis/cfg/cfg.h"
#include "analysis/views/semantic_records.h"

/* What functions know of where they are: numbers given to them (or their defaults), factor from ns to the view's unit
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

/* A row of threads, for the function that makes its bursts. */
typedef struct {
    const TndViewPlan *plan;
    guint row;
    const TndSemanticCall *call;
    gboolean begins_before; /* the function says: what it begins with is before its first record */
} TndSemanticRow;

/* What values are. */
typedef enum {
    TND_SEMANTIC_NUMBERS,
    TND_SEMANTIC_STATES,
    TND_SEMANTIC_EVENTS, /* values of the events that the view looks at */
    TND_SEMANTIC_TIMES,  /* in the view's unit of time */
} TndSemanticKind;

/* Of a thread's records: what holds from a record on. */
typedef struct {
    TndSemanticName name;
    TndSemanticKind kind;
    void (*evaluate)(TndSemanticRow *row, TndBurstStream *stream); /* NULL: it looks at records by these: */
    guint needs;                                                   /* kinds that it looks at: TndRecordKind */
    gboolean (*is_valid)(const TndRecords *records, gsize i);      /* it is called for this one */
    /* At record i; -1: before the first.  `before`: what it said last. */
    double (*value)(const TndRecords *records, gssize i, const TndSemanticCall *call, double before);
} TndSemanticThread;

/* Evaluates a function that looks at records. */
void tnd_semantic_records_evaluate(const TndSemanticThread *function, TndSemanticRow *row, TndBurstStream *stream);

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
    gboolean keeps_labels; /* its values are values of the group's rows */
    double (*value)(TndSemanticValues *values, const TndSemanticCall *call);
} TndSemanticGroup;

/* What a function remembers along a row; all 0 at first. */
typedef struct {
    double value;
    guint64 since_ns;
    GArray *values; /* of double; NULL: none yet */
} TndSemanticMemory;

/* Of a value: burst by burst, or with what it remembers of those before.  Neither: the value itself. */
typedef struct {
    TndSemanticName name;
    gboolean keeps_labels; /* its values are those that it is given, or 0 */
    double (*value)(const TndBurst *burst, const TndSemanticCall *call);
    void (*follow)(TndSemanticMemory *memory, const TndBurst *burst, const TndSemanticCall *call,
                   TndBurstStream *stream);
} TndSemanticCompose;

/* Of two views' rows, both of which end where the trace does: of the data's value and the control's, or along the
 * rows. */
typedef struct {
    TndSemanticName name;
    double (*value)(double data, double control);
    void (*follow)(TndBurstWalk walks[2], const double factors[2], guint64 end_ns, TndBurstStream *stream);
} TndSemanticDerived;

/* Bursts of both up to end_ns, times the factors.  The walks end with it. */
void tnd_semantic_derived_evaluate(const TndSemanticDerived *function, TndBurstWalk walks[2], const double factors[2],
                                   guint64 end_ns, TndBurstStream *stream);

/* Functions of our own that views name. */
#define TND_SEMANTIC_JOIN_LASTING "Join Lasting Bursts"
#define TND_SEMANTIC_READINGS "Readings"
#define TND_SEMANTIC_WAITS "Waits"
#define TND_SEMANTIC_ONE "One"

/* Each table ends with a NULL name. */
extern const TndSemanticThread tnd_semantic_states[], tnd_semantic_events[], tnd_semantic_messages[],
    tnd_semantic_objects[], tnd_semantic_own[];
extern const TndSemanticGroup tnd_semantic_groups[], tnd_semantic_cpus[];
extern const TndSemanticCompose tnd_semantic_composes[];
extern const TndSemanticDerived tnd_semantic_deriveds[];

#endif
