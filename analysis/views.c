/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rules of the views.  Four kinds of evaluation, as Paraver's functions of the same names do it: State As Is and
 * State Record Dur. (with gaps filled as idle), Last Evt Val, Next Evt Val.  Each is one pass over a thread's records.
 */
#include "analysis/views.h"

#include "analysis/quantity.h"
#include "analysis/task_frames.h"
#include "formats/event_types.h"

#include <math.h>
#include <string.h>

/* Bursts while they are made. */
typedef struct {
    TndBurst *bursts;
    gsize n;
    guint64 end_ns; /* of the trace */
} Making;

static Making start(gsize n_at_most, guint64 end_ns)
{
    return (Making){.bursts = g_new(TndBurst, n_at_most + 1), .end_ns = end_ns};
}

/* From time_ns on, the value is this.  Times do not fall; what begins at the trace's end is not there. */
static inline void begin(Making *making, guint64 time_ns, double value)
{
    if (time_ns >= making->end_ns)
        return;
    if (making->n == 0 && time_ns > 0)
        making->bursts[making->n++] = (TndBurst){0, time_ns, 0.0};
    if (making->n > 0)
        making->bursts[making->n - 1].end_ns = time_ns;
    making->bursts[making->n++] = (TndBurst){time_ns, making->end_ns, value};
}

static TndBurst *finish(Making *making, gsize *n_bursts)
{
    if (making->n == 0 && making->end_ns > 0)
        making->bursts[making->n++] = (TndBurst){0, making->end_ns, 0.0};
    *n_bursts = making->n;
    return g_renew(TndBurst, making->bursts, making->n);
}

static int compare_times(gconstpointer a, gconstpointer b, gpointer unused)
{
    guint64 x = *(const guint64 *)a, y = *(const guint64 *)b;
    return (x > y) - (x < y);
}

/* When states end, in order of time; those of no length are left out. */
static guint64 *sorted_ends(const TndThread *thread, gsize *n_ends)
{
    guint64 *ends = g_new(guint64, thread->n_states + 1);
    gsize n = 0;
    gboolean unsorted = FALSE;
    for (gsize i = 0; i < thread->n_states; i++) {
        if (thread->states[i].end_ns == thread->states[i].begin_ns)
            continue;
        ends[n] = thread->states[i].end_ns;
        unsorted |= n > 0 && ends[n] < ends[n - 1];
        n++;
    }
    if (unsorted && n <= G_MAXINT) /* states overlap: Paraver shows the latest begun, and idle after any end */
        g_qsort_with_data(ends, (gint)n, sizeof *ends, compare_times, NULL);
    *n_ends = n;
    return ends;
}

typedef double (*StateValue)(const TndViewDefinition *definition, const TndState *state);

/* A burst at each state's begin, and one of idle at each end at which no state begins. */
static TndBurst *evaluate_states(const TndViewDefinition *definition, const TndThread *thread, StateValue value_of,
                                 guint64 end_ns, gsize *n_bursts)
{
    gsize n_ends, next_end = 0;
    guint64 *ends = sorted_ends(thread, &n_ends);
    Making making = start(2 * thread->n_states + 1, end_ns);
    for (gsize i = 0; i < thread->n_states; i++) {
        const TndState *state = &thread->states[i];
        for (; next_end < n_ends && ends[next_end] <= state->begin_ns; next_end++)
            if (ends[next_end] < state->begin_ns)
                begin(&making, ends[next_end], 0.0);
        begin(&making, state->begin_ns, value_of(definition, state));
        gboolean alone = i + 1 == thread->n_states || state[1].begin_ns > state->begin_ns;
        if (state->end_ns == state->begin_ns && alone)
            begin(&making, state->end_ns, 0.0);
    }
    for (; next_end < n_ends; next_end++)
        begin(&making, ends[next_end], 0.0);
    g_free(ends);
    return finish(&making, n_bursts);
}

static double state_itself(const TndViewDefinition *definition, const TndState *state)
{
    return state->state;
}

static double state_duration(const TndViewDefinition *definition, const TndState *state)
{
    return state->state == definition->state ? (double)(state->end_ns - state->begin_ns) : 0.0;
}

static TndBurst *state_as_is(const TndViewDefinition *definition, const TndThread *thread, const TndViewTypes *types,
                             guint64 end_ns, gsize *n_bursts)
{
    return evaluate_states(definition, thread, state_itself, end_ns, n_bursts);
}

static TndBurst *state_record_duration(const TndViewDefinition *definition, const TndThread *thread,
                                       const TndViewTypes *types, guint64 end_ns, gsize *n_bursts)
{
    return evaluate_states(definition, thread, state_duration, end_ns, n_bursts);
}

/* Index of a type among those of the view; -1: not one of them. */
static inline int find_type(const TndViewTypes *types, guint32 type)
{
    for (guint i = 0; i < types->n_types; i++)
        if (types->types[i] == type)
            return (int)i;
    return -1;
}

static TndBurst *last_event_value(const TndViewDefinition *definition, const TndThread *thread,
                                  const TndViewTypes *types, guint64 end_ns, gsize *n_bursts)
{
    gsize n_matching = 0;
    for (gsize i = 0; i < thread->n_events; i++)
        n_matching += find_type(types, thread->events[i].type) >= 0;
    Making making = start(n_matching + 1, end_ns);
    for (gsize i = 0; i < thread->n_events; i++) {
        int index = find_type(types, thread->events[i].type);
        if (index >= 0)
            begin(&making, thread->events[i].time_ns, (double)thread->events[i].value * types->factors[index]);
    }
    return finish(&making, n_bursts);
}

/* From every event on what the next one says: a counter is read at the end of what it counted. */
static TndBurst *next_event_value(const TndViewDefinition *definition, const TndThread *thread,
                                  const TndViewTypes *types, guint64 end_ns, gsize *n_bursts)
{
    gsize n;
    TndBurst *bursts = last_event_value(definition, thread, types, end_ns, &n);
    double value = 0.0;
    for (gsize i = n; i-- > 0;) {
        double own = bursts[i].value;
        bursts[i].value = value;
        value = own;
    }
    *n_bursts = n;
    return bursts;
}

/* A thread's state begins or ends to be the view's. */
typedef struct {
    guint64 time_ns;
    gint32 change;
} Change;

static int compare_changes(gconstpointer a, gconstpointer b)
{
    guint64 x = ((const Change *)a)->time_ns, y = ((const Change *)b)->time_ns;
    return (x > y) - (x < y);
}

static double state_is(const TndViewDefinition *definition, const TndState *state)
{
    return state->state == definition->state;
}

/* How many threads are in the view's state: a burst each time that one begins or ends. */
static TndBurst *threads_in_state(const TndViewDefinition *definition, const TndTrace *trace, gsize *n_bursts)
{
    guint64 end_ns = tnd_trace_end_ns(trace);
    GArray *changes = g_array_new(FALSE, FALSE, sizeof(Change));
    for (guint row = 0; row < tnd_trace_n_threads(trace); row++) {
        gsize n;
        TndBurst *bursts = evaluate_states(definition, tnd_trace_thread(trace, row), state_is, end_ns, &n);
        for (gsize i = 0; i < n; i++) {
            const Change ends[] = {{bursts[i].begin_ns, 1}, {bursts[i].end_ns, -1}};
            if (bursts[i].value != 0.0)
                g_array_append_vals(changes, ends, 2);
        }
        g_free(bursts);
    }
    g_array_sort(changes, compare_changes);
    Making making = start(changes->len + 1, end_ns);
    gint32 n_threads = 0, n_before = 0;
    for (guint i = 0; i < changes->len; i++) {
        const Change *change = &g_array_index(changes, Change, i);
        n_threads += change->change;
        gboolean is_last = i + 1 == changes->len || change[1].time_ns > change->time_ns;
        if (is_last && n_threads != n_before) {
            begin(&making, change->time_ns, n_threads);
            n_before = n_threads;
        }
    }
    g_array_unref(changes);
    return finish(&making, n_bursts);
}

/* In the order of tnd_task_frames_waits. */
static const char *const sync_labels[] = {
    "Barrier", "Join", "Taskwait", "End of taskgroup", "Critical or named lock", "Lock", "Ordered", NULL};

static void choose_sync_types(const TndTrace *trace, GArray *types)
{
    for (const guint32 *type = tnd_task_frames_waits; *type; type++)
        if (tnd_trace_n_events_of(trace, *type))
            g_array_append_val(types, *type);
}

/* The innermost wait of a thread, unless it runs a task within. */
static TndBurst *sync_value(const TndViewDefinition *definition, const TndThread *thread, const TndViewTypes *types,
                            guint64 end_ns, gsize *n_bursts)
{
    TndTaskFrames frames = {g_array_new(FALSE, FALSE, sizeof(TndTaskFrame)), 0};
    gsize n_matching = 0;
    for (gsize i = 0; i < thread->n_events; i++)
        n_matching += find_type(types, thread->events[i].type) >= 0 || thread->events[i].type == TND_TYPE_OPENMP_TASK ||
                      thread->events[i].type == TND_TYPE_THREAD_NUMBER;
    Making making = start(n_matching + 1, end_ns);
    for (gsize i = 0; i < thread->n_events; i++) {
        const TndTaskStep step = tnd_task_frames_step(&frames, thread, i);
        if (step.kind == TND_TASK_STEP_NONE)
            continue;
        if (step.kind == TND_TASK_STEP_PUSH)
            g_array_append_val(frames.frames, step.frame);
        else
            g_array_set_size(frames.frames, step.keep);
        const TndTaskFrame *top = tnd_task_frames_top(&frames);
        begin(&making, thread->events[i].time_ns, top ? top->wait : 0);
    }
    g_array_unref(frames.frames);
    return finish(&making, n_bursts);
}

/* Event types of tracing tools lie in this range (event_types.tsv): what is outside is the program's own. */
#define TYPE_TOOLS_FIRST 30000000u
#define TYPE_TOOLS_LAST 99999999u

/* The regions if the program marked any, else the type of its own that occurs most. */
static void choose_user_types(const TndTrace *trace, GArray *types)
{
    guint n;
    const TndTraceType *present = tnd_trace_types(trace, &n);
    guint32 best = 0;
    guint64 n_best = 0;
    for (guint i = 0; i < n; i++) {
        gboolean is_tools = present[i].type >= TYPE_TOOLS_FIRST && present[i].type <= TYPE_TOOLS_LAST;
        if (present[i].type == TND_TYPE_REGION) {
            best = TND_TYPE_REGION;
            break;
        }
        if (is_tools || tnd_event_types_find(present[i].type) || present[i].n_events <= n_best)
            continue;
        best = present[i].type;
        n_best = present[i].n_events;
    }
    if (best)
        g_array_append_val(types, best);
}

/* PAPI's preset counters, as Extrae numbers them, then its native ones: the first that the trace has. */
#define TYPE_COUNTERS_FIRST 42000000u
#define TYPE_COUNTERS_LAST 44999999u

static void choose_counter_type(const TndTrace *trace, GArray *types)
{
    guint n;
    const TndTraceType *present = tnd_trace_types(trace, &n);
    for (guint i = 0; i < n && types->len == 0; i++)
        if (present[i].type >= TYPE_COUNTERS_FIRST && present[i].type <= TYPE_COUNTERS_LAST)
            g_array_append_val(types, present[i].type);
}

/* A view of one event type: of codes that have names, or of quantities. */
#define CODES_OF(view_type, view_name, view_title, view_help)                                                          \
    {                                                                                                                  \
        .rule = {.name = (view_name),                                                                                  \
                 .title = (view_title),                                                                                \
                 .unit = "",                                                                                           \
                 .help = (view_help),                                                                                  \
                 .palette = TND_PALETTE_CODE,                                                                          \
                 .legend_type = (view_type)},                                                                          \
        .evaluate = last_event_value, .first_type = (view_type), .last_type = (view_type)                              \
    }
#define BYTES_OF(view_type, view_name, view_title, view_help)                                                          \
    {                                                                                                                  \
        .rule = {.name = (view_name),                                                                                  \
                 .title = (view_title),                                                                                \
                 .unit = "B",                                                                                          \
                 .help = (view_help),                                                                                  \
                 .palette = TND_PALETTE_GRADIENT},                                                                     \
        .evaluate = last_event_value, .first_type = (view_type), .last_type = (view_type)                              \
    }

const TndViewDefinition tnd_views_table[] = {
    {.rule = {.name = "state",
              .title = "State",
              .unit = "",
              .help = "What every thread is doing: running, waiting, communicating, idle",
              .palette = TND_PALETTE_CODE},
     .evaluate = state_as_is},
    {.rule = {.name = "useful-duration",
              .title = "Useful duration",
              .unit = "ns",
              .help = "How long each stretch of computation lasts, outside of every runtime",
              .palette = TND_PALETTE_GRADIENT},
     .evaluate = state_record_duration,
     .state = TND_STATE_RUNNING},
    {.rule = {.name = "mpi-calls",
              .title = "MPI calls",
              .unit = "",
              .help = "The MPI call that a thread is in",
              .palette = TND_PALETTE_CODE,
              .legend_type = TND_TYPE_MPI_P2P},
     .evaluate = last_event_value,
     .first_type = TND_TYPE_MPI_P2P,
     .last_type = TND_TYPE_MPI_IO},
    {.rule = {.name = "parallelism",
              .title = "Parallelism",
              .unit = "",
              .help = "How many threads compute at once, in the whole trace: every row shows the same",
              .palette = TND_PALETTE_GRADIENT},
     .evaluate_all = threads_in_state,
     .state = TND_STATE_RUNNING},
    CODES_OF(TND_TYPE_OPENMP_FUNCTION, "openmp-regions", "OpenMP regions",
             "The function of the parallel region that a thread is in"),
    CODES_OF(TND_TYPE_OPENMP_TASK, "openmp-tasks", "OpenMP tasks", "The function of the task that a thread runs"),
    CODES_OF(TND_TYPE_OPENMP_WORKSHARING, "openmp-worksharing", "OpenMP worksharing",
             "The loop, sections or single that a thread takes part in"),
    {.rule = {.name = "openmp-sync",
              .title = "OpenMP synchronization",
              .unit = "",
              .help = "What a thread waits for in OpenMP, while it runs no task meanwhile",
              .palette = TND_PALETTE_CODE,
              .legend_type = TND_TYPE_OPENMP_BARRIER,
              .labels = sync_labels},
     .evaluate = sync_value,
     .choose_types = choose_sync_types},
    CODES_OF(TND_TYPE_PYTHON_FUNCTION, "python-functions", "Python functions",
             "The function of Python's that a thread is in: of those recorded the innermost"),
    CODES_OF(TND_TYPE_PTHREAD_CALL, "pthread", "pthread calls", "The call of pthreads that a thread is in"),
    CODES_OF(TND_TYPE_MPI_P2P, "mpi-p2p", "MPI point to point", "The MPI call that sends, receives or waits for it"),
    CODES_OF(TND_TYPE_MPI_COLLECTIVE, "mpi-collectives", "MPI collectives", "The collective MPI call"),
    CODES_OF(TND_TYPE_MPI_OTHER, "mpi-other", "Other MPI calls", "The MPI call that moves no data"),
    CODES_OF(TND_TYPE_MPI_ONE_SIDED, "mpi-one-sided", "MPI one-sided", "The MPI call on a window"),
    CODES_OF(TND_TYPE_MPI_IO, "mpi-io", "MPI I/O", "The MPI call on a file"),
    BYTES_OF(TND_TYPE_MPI_COLLECTIVE_SENT, "collective-bytes-sent", "Bytes sent in collectives",
             "What a thread gave to the last collective call"),
    BYTES_OF(TND_TYPE_MPI_COLLECTIVE_RECEIVED, "collective-bytes-received", "Bytes received in collectives",
             "What a thread got from the last collective call"),
    CODES_OF(TND_TYPE_MPI_COLLECTIVE_ROOT, "collective-root", "Root of collectives",
             "Who is the root of a collective call: 1 from there on"),
    CODES_OF(TND_TYPE_MPI_COLLECTIVE_COMMUNICATOR, "collective-communicator", "Communicator of collectives",
             "Which communicator the last collective call was on"),
    BYTES_OF(TND_TYPE_MPI_ONE_SIDED_SIZE, "one-sided-bytes", "Bytes moved one-sided",
             "What the last one-sided call put, got or accumulated"),
    CODES_OF(TND_TYPE_MPI_ONE_SIDED_TARGET, "one-sided-target", "Target of one-sided calls",
             "Which rank the last one-sided call was about"),
    BYTES_OF(TND_TYPE_MPI_IO_SIZE, "mpi-io-bytes", "Bytes of MPI I/O",
             "What the last MPI call on a file read or wrote"),
    {.rule = {.name = "counter",
              .title = "Counter",
              .unit = "",
              .help =
                  "What a hardware counter counted until its next event; counter:TYPE is the one of that event type",
              .palette = TND_PALETTE_GRADIENT},
     .evaluate = next_event_value,
     .choose_types = choose_counter_type,
     .takes_types = TRUE},
    CODES_OF(TND_TYPE_CALLER_LEVEL, "callers", "Callers",
             "The function that made the last call whose callers were kept"),
    CODES_OF(TND_TYPE_CALLER_LINE_LEVEL, "call-sites", "Call sites",
             "The line of the last call whose callers were kept"),
    CODES_OF(TND_TYPE_SAMPLED_FUNCTION, "sampled-functions", "Sampled functions",
             "The function that the last sample found the thread in"),
    {.rule = {.name = "user-events",
              .title = "User events",
              .unit = "",
              .help = "The program's own regions, or events of a type that you choose: user-events:TYPE[,TYPE]",
              .palette = TND_PALETTE_CODE},
     .evaluate = last_event_value,
     .choose_types = choose_user_types,
     .takes_types = TRUE},
};

const guint tnd_views_n = G_N_ELEMENTS(tnd_views_table);

/* The .pcf's label, or that of our table where the .pcf has none or is missing. */
static const char *find_label(const TndViewTypes *types, const struct tnd_pcf *pcf, gint64 value, gboolean *has_labels)
{
    *has_labels = FALSE;
    for (guint i = 0; i < types->n_types; i++) {
        const struct tnd_pcf_type *type = tnd_pcf_type(pcf, types->types[i]);
        const char *label = tnd_pcf_value_label(pcf, types->types[i], value);
        *has_labels |= type && type->n_values > 0;
        if (label)
            return label;
    }
    for (guint i = 0; i < types->n_types; i++) {
        const struct tnd_event_type *ours = tnd_event_types_find(types->types[i]);
        const struct tnd_event_value *known = tnd_event_types_value(types->types[i], value);
        *has_labels |= ours && ours->n_values > 0;
        if (known)
            return known->label;
    }
    return NULL;
}

char *tnd_views_text(const TndViewDefinition *definition, const TndViewTypes *types, const struct tnd_pcf *pcf,
                     double value)
{
    const TndViewRule *rule = &definition->rule;
    if (rule->palette != TND_PALETTE_CODE || value != floor(value) || fabs(value) > 9e18)
        return tnd_quantity_text(value, rule->unit);
    if (rule->labels && value >= 0 && value <= g_strv_length((char **)rule->labels))
        return g_strdup(value == 0 ? "Outside" : rule->labels[(guint)value - 1]);
    gboolean is_state = definition->evaluate == state_as_is, has_labels;
    const char *label =
        is_state ? tnd_pcf_state_label(pcf, (gint64)value) : find_label(types, pcf, (gint64)value, &has_labels);
    if (label)
        return g_strdup(label);
    char *number = tnd_quantity_text(value, "");
    char *text;
    if (is_state)
        text = g_strdup_printf("State %s", number);
    else if (value == 0.0 && has_labels)
        text = g_strdup("Outside");
    else
        text = has_labels ? g_strdup_printf("Value %s", number) : g_strdup(number);
    g_free(number);
    return text;
}
