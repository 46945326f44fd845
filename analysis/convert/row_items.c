/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Walks over a row and sorts its events by the table of types below.
 */
#include "analysis/convert/row_items.h"

#include "analysis/reports/samples.h"
#include "analysis/trace/levels.h"
#include "analysis/trace/walk.h"
#include "formats/event_types.h"

#include <math.h>
#include <string.h>

/* Types, sorted.  A category: their values are calls; NULL: they are counters. */
static const struct kind {
    guint32 first, last;
    const char *category;
} kinds[] = {
    {TND_TYPE_PROCESS_CALL, TND_TYPE_PROCESS_CALL, "Process"},
    {TND_TYPE_HEAP_CALL, TND_TYPE_HEAP_CALL, "Heap"},
    {TND_TYPE_COUNTER_PRESET, TND_TYPE_COUNTER_NATIVE_LAST, NULL},
    {TND_TYPE_MPI_P2P, TND_TYPE_MPI_IO, "MPI"},
    {TND_TYPE_OPENMP_PARALLEL, TND_TYPE_OPENMP_WORKSHARING, "OpenMP"},
    {TND_TYPE_OPENMP_BARRIER, TND_TYPE_OPENMP_UNNAMED_LOCK, "OpenMP"},
    {TND_TYPE_OPENMP_DISPATCH, TND_TYPE_OPENMP_DISPATCH, "OpenMP"},
    {TND_TYPE_OPENMP_JOIN, TND_TYPE_OPENMP_JOIN, "OpenMP"},
    {TND_TYPE_OPENMP_FUNCTION, TND_TYPE_OPENMP_FUNCTION, "OpenMP"},
    {TND_TYPE_USER_FUNCTION, TND_TYPE_USER_FUNCTION, "User"},
    {TND_TYPE_THREAD_FUNCTION, TND_TYPE_THREAD_FUNCTION, "pthread"},
    {TND_TYPE_OPENMP_TASKWAIT, TND_TYPE_OPENMP_TASKGROUP_CALL, "OpenMP"},
    {TND_TYPE_OPENMP_TASKGROUP, TND_TYPE_OPENMP_TASKGROUP, "OpenMP"},
    {TND_TYPE_OPENMP_TASKLOOP, TND_TYPE_OPENMP_GET_THREADS, "OpenMP"},
    {TND_TYPE_OPENMP_ORDERED, TND_TYPE_OPENMP_TASKYIELD, "OpenMP"},
    {TND_TYPE_PYTHON_FUNCTION, TND_TYPE_PYTHON_FUNCTION, "Python"},
    {TND_TYPE_PTHREAD_CALL, TND_TYPE_PTHREAD_CALL, "pthread"},
    {TND_TYPE_REGION, TND_TYPE_REGION, "User"},
    {TND_TYPE_OPENMP_POOL, TND_TYPE_OPENMP_POOL, "OpenMP"},
    {TND_TYPE_PYTHON_LOCK, TND_TYPE_PYTHON_LOCK, "Python"},
    {TND_TYPE_LIBRARY_FUNCTION, TND_TYPE_LIBRARY_FUNCTION, "Library"},
    {TND_TYPE_USER_COUNTER, TND_TYPE_USER_COUNTER_LAST, NULL},
    {TND_TYPE_TEMPERATURE, TND_TYPE_NUMA_OTHER_LAST, NULL},
    {TND_TYPE_HEAP_LIVE, TND_TYPE_PYTHON_OBJECTS, NULL},
    {TND_TYPE_STACK_DEPTH, TND_TYPE_STACK_DEPTH, NULL},
    {TND_TYPE_PROCESS_RESIDENT, TND_TYPE_PROCESS_ON_NODE_LAST, NULL},
};

static const struct kind *find_kind(guint32 type)
{
    guint low = 0, high = G_N_ELEMENTS(kinds);
    while (low < high) {
        guint middle = (low + high) / 2;
        if (kinds[middle].last < type)
            low = middle + 1;
        else
            high = middle;
    }
    return low < G_N_ELEMENTS(kinds) && kinds[low].first <= type ? &kinds[low] : NULL;
}

typedef struct {
    const TndRowItemsTake *take;
    gpointer self;
    TndNesting nesting;
    guint64 begin_ns;     /* of the row */
    GHashTable *readings; /* Reading of each counter so far */
} Pass;

/* How a counter is read, and when it was last. */
typedef struct {
    guint64 time_ns;
    gboolean holds_before;
} Reading;

/* Ends a call and those within it, which then go on. */
static void end_call(gpointer self, guint index, guint64 time_ns)
{
    const Pass *pass = self;
    GArray *calls = pass->nesting.calls;
    for (guint i = calls->len; i-- > index;)
        pass->take->end(pass->self, &g_array_index(calls, TndNestingCall, i), time_ns);
    for (guint i = index + 1; i < calls->len; i++) {
        TndNestingCall *call = &g_array_index(calls, TndNestingCall, i);
        call->begin_ns = time_ns;
        pass->take->begin(pass->self, call);
    }
}

static void count(const Pass *pass, const TndEvent *event)
{
    Reading *reading = g_hash_table_lookup(pass->readings, GUINT_TO_POINTER(event->type));
    if (!reading) {
        TndViewScope scope;
        reading = g_new0(Reading, 1);
        tnd_views_reading(event->type, &scope, &reading->holds_before);
        reading->time_ns = MIN(pass->begin_ns, event->time_ns);
        g_hash_table_insert(pass->readings, GUINT_TO_POINTER(event->type), reading);
    }
    pass->take->counter(pass->self, event->type, reading->holds_before ? reading->time_ns : event->time_ns,
                        event->value);
    reading->time_ns = event->time_ns;
}

static void each_event(Pass *pass, const TndTrace *trace, guint row)
{
    GArray *calls = pass->nesting.calls;
    guint64 last_ns = 0;
    TndWalk walk = tnd_walk_events(trace, row, G_MAXUINT64);
    for (const TndEvent *event; (event = tnd_walk_next_event(&walk));) {
        const struct kind *kind = find_kind(event->type);
        last_ns = event->time_ns;
        if (pass->take->event && !pass->take->event(pass->self, event))
            break;
        if (!kind) {
            if (pass->take->other)
                pass->take->other(pass->self, event);
        } else if (!kind->category)
            count(pass, event);
        else if (tnd_nesting_follow(&pass->nesting, event->time_ns, event->type, event->value))
            pass->take->begin(pass->self, &g_array_index(calls, TndNestingCall, calls->len - 1));
    }
    tnd_walk_end(&walk);
    last_ns = MAX(last_ns, tnd_trace_end_ns(trace));
    for (; calls->len; g_array_set_size(calls, calls->len - 1))
        pass->take->end(pass->self, &g_array_index(calls, TndNestingCall, calls->len - 1), last_ns);
}

static void each_state(const Pass *pass, const TndTrace *trace, guint row)
{
    TndWalk walk = tnd_walk_states(trace, row, G_MAXUINT64);
    for (const TndState *state; (state = tnd_walk_next_state(&walk));)
        if (state->end_ns > state->begin_ns)
            pass->take->state(pass->self, state);
    tnd_walk_end(&walk);
}

void tnd_row_items_each(const TndTrace *trace, guint row, const TndRowItemsTake *take, gpointer self)
{
    Pass pass = {.take = take,
                 .self = self,
                 .begin_ns = tnd_trace_thread(trace, row)->begin_ns,
                 .readings = g_hash_table_new_full(NULL, NULL, NULL, g_free)};
    pass.nesting = (TndNesting){g_array_new(FALSE, FALSE, sizeof(TndNestingCall)), end_call, &pass, {0}};
    if (take->state)
        each_state(&pass, trace, row);
    each_event(&pass, trace, row);
    g_array_unref(pass.nesting.calls);
    g_hash_table_unref(pass.readings);
}

gboolean tnd_row_items_exist(const TndTrace *trace)
{
    guint n_types;
    const TndTraceType *types = tnd_trace_types(trace, &n_types);
    gboolean any = tnd_samples_exist(trace);
    for (guint i = 0; i < n_types && !any; i++)
        any = find_kind(types[i].type) != NULL;
    for (guint row = 0; row < tnd_trace_n_threads(trace) && !any; row++)
        any = tnd_trace_thread(trace, row)->n_states > 0;
    return any;
}

const char *tnd_row_items_category(guint32 type)
{
    const struct kind *kind = find_kind(type);
    return kind ? kind->category : NULL;
}

char *tnd_row_items_type_name(const TndTrace *trace, guint32 type)
{
    const struct tnd_pcf_type *known = tnd_pcf_type(tnd_trace_pcf(trace), type);
    return known && known->label ? g_strdup(known->label) : g_strdup_printf("%u", type);
}

char *tnd_row_items_call_name(const TndTrace *trace, guint32 type, gint64 value)
{
    const char *label = tnd_pcf_value_label(tnd_trace_pcf(trace), type, value);
    if (label && strcmp(label, "Begin") == 0)
        return tnd_row_items_type_name(trace, type);
    if (label)
        return g_strdup(label);
    char *of = tnd_row_items_type_name(trace, type), *name = g_strdup_printf("%s: %" G_GINT64_FORMAT, of, value);
    g_free(of);
    return name;
}

char *tnd_row_items_state_name(const TndTrace *trace, guint32 state)
{
    const char *label = tnd_pcf_state_label(tnd_trace_pcf(trace), state);
    return label ? g_strdup(label) : g_strdup_printf("State %u", state);
}

char *tnd_row_items_counter_name(const TndTrace *trace, guint row, guint32 type, TndViewScope *scope)
{
    gboolean holds_before;
    const TndThread *thread = tnd_trace_thread(trace, row);
    tnd_views_reading(type, scope, &holds_before);
    const char *whose = *scope == TND_SCOPE_THREAD                 ? thread->name
                        : *scope == TND_SCOPE_NODE && thread->node ? tnd_trace_node_name(trace, thread->node)
                                                                   : NULL;
    char *of = tnd_row_items_type_name(trace, type), *name = whose ? g_strconcat(of, ": ", whose, NULL) : g_strdup(of);
    g_free(of);
    return name;
}

double tnd_row_items_divisor(const TndTrace *trace, guint32 type)
{
    const struct tnd_pcf_type *known = tnd_pcf_type(tnd_trace_pcf(trace), type);
    return known ? pow(10, known->precision) : 1;
}

guint tnd_row_items_process(const TndTrace *trace, guint row)
{
    guint first, task = tnd_levels_row_above(trace, TND_LEVEL_THREAD, row, TND_LEVEL_TASK);
    tnd_levels_rows_below(trace, TND_LEVEL_TASK, task, &first);
    return first + 1;
}

char *tnd_row_items_process_name(const TndTrace *trace, guint row)
{
    guint task = tnd_levels_row_above(trace, TND_LEVEL_THREAD, row, TND_LEVEL_TASK);
    char *name = tnd_levels_row_name(trace, TND_LEVEL_TASK, task);
    const char *image = NULL;
    TndWalk walk = tnd_walk_events(trace, tnd_row_items_process(trace, row) - 1, tnd_blocks_bit(TND_TYPE_IMAGE));
    for (const TndEvent *event; !image && (event = tnd_walk_next_event(&walk));)
        if (event->type == TND_TYPE_IMAGE)
            image = tnd_pcf_value_label(tnd_trace_pcf(trace), event->type, event->value);
    tnd_walk_end(&walk);
    char *both = image ? g_strconcat(name, " ", image, NULL) : g_strdup(name);
    g_free(name);
    return both;
}
