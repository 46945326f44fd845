/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Semantic functions, by their names in Paraver's configurations.  There are four kinds: thread functions make values
 * of a thread's records (states, events, messages, objects); group functions combine the values of several rows;
 * compose functions change the values of one row; derived functions combine the rows of two views.  Some are tandem's
 * own, under names that Paraver does not know.
 *
 * Each reads and writes a stream of bursts.  view_plan.h finds the functions of a view, and view_rows.h runs them.
 *
 * Cost: functions of states and events look one record ahead and keep nothing; those of messages and objects hold the
 * records of a row in memory (semantic_records.h).
 */
#ifndef TND_SEMANTIC_H
#define TND_SEMANTIC_H

#include "analysis/bursts/burst_walk.h"
#include "analysis/cfg/cfg.h"
#include "analysis/views/semantic_records.h"

/* The arguments of a function. */
typedef struct {
    const TndNumbers *parameters; /* given by the window, or the function's defaults */
    double unit_ns;               /* the view's unit of time */
    guint64 end_ns;               /* of the trace */
} TndSemanticCall;

static inline double tnd_semantic_parameter(const TndSemanticCall *call, guint index)
{
    return call->parameters[index].n ? call->parameters[index].values[0] : 0;
}

/* Whether a value is among the numbers of the first parameter. */
static inline gboolean tnd_semantic_is_given(const TndSemanticCall *call, double value)
{
    for (guint i = 0; i < call->parameters[0].n; i++)
        if (call->parameters[0].values[i] == value)
            return TRUE;
    return FALSE;
}

/* A function's name, and the defaults of its parameters. */
typedef struct {
    const char *name;
    guint n_parameters;
    double defaults[TND_CALL_PARAMETERS];
} TndSemanticName;

/* A row of a thread, for the function that makes its bursts. */
typedef struct {
    const TndViewPlan *plan;
    guint row;
    const TndSemanticCall *call;
    gboolean begins_before; /* set by the function: its first burst begins before the first record */
} TndSemanticRow;

/* What values are. */
typedef enum {
    TND_SEMANTIC_NUMBERS,
    TND_SEMANTIC_STATES,
    TND_SEMANTIC_EVENTS, /* values of the view's events */
    TND_SEMANTIC_TIMES,  /* in the view's unit of time */
} TndSemanticKind;

/* A thread function.  It makes the bursts of a row by `evaluate`, or, where that is NULL, by `value` from record to
 * record. */
typedef struct {
    TndSemanticName name;
    TndSemanticKind kind;
    void (*evaluate)(TndSemanticRow *row, TndBurstStream *stream);
    guint needs;                                              /* kinds of records that it reads: TndRecordKind */
    gboolean (*is_valid)(const TndRecords *records, gsize i); /* whether `value` is called for record i */
    /* The value from record i on; i is -1 before the first record.  `before` is the value until then. */
    double (*value)(const TndRecords *records, gssize i, const TndSemanticCall *call, double before);
} TndSemanticThread;

/* Evaluates a function whose `evaluate` is NULL. */
void tnd_semantic_records_evaluate(const TndSemanticThread *function, TndSemanticRow *row, TndBurstStream *stream);

/* The values of a group's rows, and their sum and maximum, which are kept up to date because a group may have thousands
 * of rows, of which one changes at a time. */
typedef struct {
    double *values;
    guint n, changed; /* changed: the row that changed last */
    double sum;       /* of the values that are whole and so small that their sum is exact in any order */
    guint n_others;   /* values that are not in the sum */
    double most;      /* the maximum of all values and 0 */
    guint n_most;     /* how many values are the maximum; 0: not known any more */
} TndSemanticValues;

TndSemanticValues tnd_semantic_group_start(guint n); /* all values are 0 */
void tnd_semantic_group_change(TndSemanticValues *values, guint row, double value);
void tnd_semantic_group_clear(TndSemanticValues *values);

typedef struct {
    TndSemanticName name;
    gboolean keeps_labels; /* its values are values of the group's rows */
    double (*value)(TndSemanticValues *values, const TndSemanticCall *call);
} TndSemanticGroup;

/* What a compose function remembers along a row; all 0 at first. */
typedef struct {
    double value;
    guint64 since_ns;
    GArray *values; /* double; NULL: none yet */
} TndSemanticMemory;

/* A compose function: `value` is called for each burst, `follow` also has the memory of earlier bursts.  If both are
 * NULL, values stay as they are. */
typedef struct {
    TndSemanticName name;
    gboolean keeps_labels; /* its values are those that it is given, or 0 */
    double (*value)(const TndBurst *burst, const TndSemanticCall *call);
    void (*follow)(TndSemanticMemory *memory, const TndBurst *burst, const TndSemanticCall *call,
                   TndBurstStream *stream);
} TndSemanticCompose;

/* A derived function: `value` combines a value of the data view and one of the control view; `follow`, if it is not
 * NULL, walks along the two rows instead.  Both rows end at the trace's end. */
typedef struct {
    TndSemanticName name;
    double (*value)(double data, double control);
    void (*follow)(TndBurstWalk walks[2], const double factors[2], guint64 end_ns, TndBurstStream *stream);
} TndSemanticDerived;

/* Evaluates a function over two rows (data, control) up to end_ns, whose values are multiplied by the factors.  Ends
 * the walks. */
void tnd_semantic_derived_evaluate(const TndSemanticDerived *function, TndBurstWalk walks[2], const double factors[2],
                                   guint64 end_ns, TndBurstStream *stream);

/* Names of tandem's own functions that views use. */
#define TND_SEMANTIC_JOIN_LASTING "Join Lasting Bursts"
#define TND_SEMANTIC_READINGS "Readings"
#define TND_SEMANTIC_WAITS "Waits"
#define TND_SEMANTIC_SAMPLES "Samples"
#define TND_SEMANTIC_WAIT_STATES "Wait States"
#define TND_SEMANTIC_WAITED_FOR "Waited For"
#define TND_SEMANTIC_ONE "One"

/* Each table ends with a NULL name. */
extern const TndSemanticThread tnd_semantic_states[], tnd_semantic_events[], tnd_semantic_messages[],
    tnd_semantic_objects[], tnd_semantic_own[];
extern const TndSemanticGroup tnd_semantic_groups[], tnd_semantic_cpus[];
extern const TndSemanticCompose tnd_semantic_composes[];
extern const TndSemanticDerived tnd_semantic_deriveds[];

#endif
