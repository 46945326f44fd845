/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The built-in views: a table, and functions that choose the event types of some of them.
 */
#include "analysis/views/views.h"

#include "analysis/causes/wait_states.h"
#include "analysis/views/task_frames.h"
#include "formats/event_types.h"

#include <string.h>

/* In the order of tnd_task_frames_waits. */
static const char *const wait_labels[] = {
    "Barrier", "Join", "Taskwait", "End of taskgroup", "Critical or named lock", "Lock", "Ordered", NULL};

static void choose_sync_types(const TndTrace *trace, GArray *types)
{
    for (const guint32 *type = tnd_task_frames_waits; *type; type++)
        if (tnd_trace_n_events_of(trace, *type))
            g_array_append_val(types, *type);
}

/* The event types of tracing tools are in this range (event_types.tsv); others are the program's own. */
#define TYPE_TOOLS_FIRST 30000000u
#define TYPE_TOOLS_LAST 99999999u

/* Chooses the regions, if the program marked any, else the program's own type that occurs most often. */
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

/* PAPI's preset counters, as Extrae numbers them, followed by native ones. */
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

static void choose_one(const TndTrace *trace, guint32 type, GArray *types)
{
    if (tnd_trace_n_events_of(trace, type))
        g_array_append_val(types, type);
}

/* Chooses the type of the whole node, if it occurs, else all types of its parts. */
static void choose_node_or_parts(const TndTrace *trace, guint32 node, guint32 last, GArray *types)
{
    guint n;
    const TndTraceType *present = tnd_trace_types(trace, &n);
    gboolean is_whole = tnd_trace_n_events_of(trace, node) > 0;
    for (guint i = 0; i < n; i++)
        if (is_whole ? present[i].type == node : present[i].type > node && present[i].type <= last)
            g_array_append_val(types, present[i].type);
}

static void choose_power_types(const TndTrace *trace, GArray *types)
{
    choose_node_or_parts(trace, TND_TYPE_POWER, TND_TYPE_POWER_PART_LAST, types);
}

static void choose_energy_types(const TndTrace *trace, GArray *types)
{
    choose_node_or_parts(trace, TND_TYPE_ENERGY, TND_TYPE_ENERGY_PART_LAST, types);
}

/* Chooses a type of those that threads may wait in. */
static void choose_waited_types(const TndTrace *trace, GArray *types)
{
    static const guint32 waited[] = {TND_TYPE_MPI_P2P, TND_TYPE_MPI_COLLECTIVE, TND_TYPE_OPENMP_PARALLEL,
                                     TND_TYPE_OPENMP_FUNCTION, TND_TYPE_PTHREAD_CALL};
    for (guint i = 0; i < G_N_ELEMENTS(waited) && !types->len; i++)
        choose_one(trace, waited[i], types);
}

static void choose_sampled_function(const TndTrace *trace, GArray *types)
{
    choose_one(trace, TND_TYPE_SAMPLED_FUNCTION, types);
}

static void choose_waiting_function(const TndTrace *trace, GArray *types)
{
    choose_one(trace, TND_TYPE_WAITING_FUNCTION, types);
}

/* Chooses the first type of a range that occurs. */
static void choose_first(const TndTrace *trace, guint32 first, guint32 last, GArray *types)
{
    for (guint32 type = first; type <= last && !types->len; type++)
        choose_one(trace, type, types);
}

static void choose_library_value(const TndTrace *trace, GArray *types)
{
    choose_first(trace, TND_TYPE_LIBRARY_VALUE, TND_TYPE_LIBRARY_VALUE_LAST, types);
}

static void choose_library_result(const TndTrace *trace, GArray *types)
{
    choose_first(trace, TND_TYPE_LIBRARY_RESULT, TND_TYPE_LIBRARY_RESULT_LAST, types);
}

/* A row of the table; the last arguments are further members of the definition. */
#define VIEW(of_palette, view_name, view_title, view_unit, view_help, ...)                                             \
    {                                                                                                                  \
        .rule = {.name = (view_name),                                                                                  \
                 .title = (view_title),                                                                                \
                 .unit = (view_unit),                                                                                  \
                 .help = (view_help),                                                                                  \
                 .palette = (of_palette)},                                                                             \
        __VA_ARGS__                                                                                                    \
    }
#define CODES(...) VIEW(TND_PALETTE_CODE, __VA_ARGS__)
#define VALUES(...) VIEW(TND_PALETTE_GRADIENT, __VA_ARGS__)

/* Views of the last value of an event type: codes, which have names, or bytes. */
#define LAST_OF(type) .function = "Last Evt Val", .first_type = (type), .last_type = (type)
#define CODES_OF(type, name, title, help) CODES(name, title, "", help, LAST_OF(type), .rule.legend_type = (type))
#define BYTES_OF(type, name, title, help) VALUES(name, title, "B", help, LAST_OF(type))

/* Views of the functions of stacks, of the innermost one if no other is chosen. */
#define MOST_DEPTH 99
#define STACKS_OF(type, name, title, choose, help)                                                                     \
    CODES(name, title, "", help, .function = TND_SEMANTIC_SAMPLES, .first_type = (type),                               \
          .last_type = (type) + MOST_DEPTH, .choose_types = (choose), .takes_types = TRUE, .rule.legend_type = (type))

/* Readings of event types that hold for a process or a node, drawn as lines. */
#define READINGS(of_scope, first, last, several_are)                                                                   \
    .function = TND_SEMANTIC_READINGS, .scope = (of_scope), .first_type = (first), .last_type = (last),                \
    .several = (several_are), .rule.draw = TND_DRAW_LINE

/* Views of values of a process: bytes that it holds from an event on, or what was added since the event before. */
#define OF_PROCESS(first, last, name, title, unit, help, is_added)                                                     \
    VALUES(name, title, unit, help ", on every row of it", READINGS(TND_SCOPE_PROCESS, first, last, TND_SEVERAL_SUM),  \
           .holds_before = (is_added))
#define HELD_BY_PROCESS(type, name, title, help) OF_PROCESS(type, type, name, title, "B", help, FALSE)
#define ADDED_BY_PROCESS(first, last, name, title, unit, help) OF_PROCESS(first, last, name, title, unit, help, TRUE)

/* Views that count threads of a node.  They are for formulas that share the node's power out, so they are available
 * only where power was recorded. */
#define COUNTED_BY_NODE(name, title, help, thread_function, ...)                                                       \
    VALUES(name, title, "", help, .function = thread_function, .group = "Adding", .scope = TND_SCOPE_NODE,             \
           .first_type = TND_TYPE_POWER, .last_type = TND_TYPE_POWER_PART_LAST, __VA_ARGS__)

const TndViewDefinition tnd_views_table[] = {
    CODES("state", "State", "", "What every thread is doing: running, waiting, communicating, idle",
          .function = "State As Is", .rule.are_states = TRUE),
    VALUES("useful-duration", "Useful duration", "ns",
           "How long each stretch of computation lasts, outside of every runtime", .function = "State Record Dur.",
           .given = TND_STATE_RUNNING),
    CODES("mpi-calls", "MPI calls", "", "The MPI call that a thread is in", .function = "Last Evt Val",
          .rule.legend_type = TND_TYPE_MPI_P2P, .first_type = TND_TYPE_MPI_P2P, .last_type = TND_TYPE_MPI_IO),
    VALUES("parallelism", "Parallelism", "",
           "How many threads compute at once, in the whole trace: every row shows the same", .function = "In State",
           .group = "Adding", .scope = TND_SCOPE_TRACE, .given = TND_STATE_RUNNING),
    COUNTED_BY_NODE("node-parallelism", "Parallelism of the node",
                    "How many threads of a node compute at once, on every row of it", "In State",
                    .given = TND_STATE_RUNNING),
    COUNTED_BY_NODE("node-threads", "Threads of the node",
                    "How many threads a node has, on every row of it, for use in formulas", TND_SEMANTIC_ONE),
    CODES_OF(TND_TYPE_OPENMP_FUNCTION, "openmp-regions", "OpenMP regions",
             "The function of the parallel region that a thread is in"),
    CODES_OF(TND_TYPE_OPENMP_TASK, "openmp-tasks", "OpenMP tasks", "The function of the task that a thread runs"),
    CODES_OF(TND_TYPE_OPENMP_WORKSHARING, "openmp-worksharing", "OpenMP worksharing",
             "The loop, sections or single that a thread takes part in"),
    CODES("openmp-sync", "OpenMP synchronization", "",
          "What a thread waits for in OpenMP, while it runs no task meanwhile", .function = TND_SEMANTIC_WAITS,
          .choose_types = choose_sync_types, .rule.legend_type = TND_TYPE_OPENMP_BARRIER, .rule.labels = wait_labels),
    CODES("wait-states", "Wait states", "", "Why a thread waits for another one, until that one has come",
          .function = TND_SEMANTIC_WAIT_STATES, .choose_types = choose_waited_types,
          .rule.labels = tnd_wait_titles + 1),
    CODES("waits-for", "Waits for", "", "Which thread a thread waits for, until that one has come",
          .function = TND_SEMANTIC_WAITED_FOR, .choose_types = choose_waited_types, .rule.are_rows = TRUE),
    CODES_OF(TND_TYPE_PYTHON_FUNCTION, "python-functions", "Python functions",
             "The Python function that a thread is in: the innermost one that is recorded"),
    CODES_OF(TND_TYPE_USER_FUNCTION, "user-functions", "User functions",
             "The function of the program that a thread is in, in traces of Extrae and those that were converted"),
    CODES_OF(TND_TYPE_LIBRARY_FUNCTION, "library-functions", "Functions of libraries",
             "The function of a wrapped library that a thread is in"),
    CODES_OF(TND_TYPE_LIBRARY, "libraries", "Libraries", "The wrapped library that a thread is in"),
    VALUES("library-values", "Arguments of libraries", "",
           "An argument of the call that a thread is in, as chosen by --library-values: library-values:TYPE, or by its "
           "label, \"library-values:read: count\"",
           .function = "Last Evt Val", .first_type = TND_TYPE_LIBRARY_VALUE, .last_type = TND_TYPE_LIBRARY_VALUE_LAST,
           .choose_types = choose_library_value, .takes_types = TRUE),
    VALUES("library-results", "Results of libraries", "",
           "What the call that a thread is in will return, as chosen by --library-values: library-results:TYPE, or by "
           "its label",
           .function = "Next Evt Val", .first_type = TND_TYPE_LIBRARY_RESULT, .last_type = TND_TYPE_LIBRARY_RESULT_LAST,
           .choose_types = choose_library_result, .takes_types = TRUE),
    CODES_OF(TND_TYPE_PTHREAD_CALL, "pthread", "pthread calls", "The call of pthreads that a thread is in"),
    CODES_OF(TND_TYPE_MPI_P2P, "mpi-p2p", "MPI point to point", "The MPI call that sends, receives or waits for it"),
    CODES_OF(TND_TYPE_MPI_COLLECTIVE, "mpi-collectives", "MPI collectives", "The collective MPI call"),
    CODES_OF(TND_TYPE_MPI_OTHER, "mpi-other", "Other MPI calls", "The MPI call that moves no data"),
    CODES_OF(TND_TYPE_MPI_ONE_SIDED, "mpi-one-sided", "MPI one-sided", "The MPI call on a window"),
    CODES_OF(TND_TYPE_MPI_IO, "mpi-io", "MPI I/O", "The MPI call on a file"),
    BYTES_OF(TND_TYPE_MPI_COLLECTIVE_SENT, "collective-bytes-sent", "Bytes sent in collectives",
             "Bytes that a thread sent in the last collective call"),
    BYTES_OF(TND_TYPE_MPI_COLLECTIVE_RECEIVED, "collective-bytes-received", "Bytes received in collectives",
             "Bytes that a thread received in the last collective call"),
    CODES_OF(TND_TYPE_MPI_COLLECTIVE_ROOT, "collective-root", "Root of collectives",
             "1 from a collective call on in which the process is the root"),
    CODES_OF(TND_TYPE_MPI_COLLECTIVE_COMMUNICATOR, "collective-communicator", "Communicator of collectives",
             "Which communicator the last collective call was on"),
    BYTES_OF(TND_TYPE_MPI_ONE_SIDED_SIZE, "one-sided-bytes", "Bytes moved one-sided",
             "Bytes that the last one-sided call put, got or accumulated"),
    CODES_OF(TND_TYPE_MPI_ONE_SIDED_TARGET, "one-sided-target", "Target of one-sided calls",
             "Which rank the last one-sided call was about"),
    BYTES_OF(TND_TYPE_MPI_IO_SIZE, "mpi-io-bytes", "Bytes of MPI I/O",
             "Bytes that the last MPI call on a file read or wrote"),
    VALUES("counter", "Counter", "",
           "What a hardware counter counted until its next event: counter:PAPI_TOT_INS, or counter:TYPE",
           .function = "Next Evt Val", .choose_types = choose_counter_type, .takes_types = TRUE),
    VALUES("temperature", "Temperature", "°C",
           "The hottest sensor of the core, else package, else node that a thread is on; temperature:LABEL or :TYPE is "
           "one of them",
           READINGS(TND_SCOPE_NODE, TND_TYPE_TEMPERATURE, TND_TYPE_TEMPERATURE_CORE_LAST, TND_SEVERAL_MAXIMUM),
           .rule.zero_is_nothing = TRUE, .takes_types = TRUE, .divisor = 1e3, .is_by_cpu = TRUE),
    VALUES("power", "Power", "W", "Power that the node of a thread draws; power:LABEL or :TYPE is a part of it",
           READINGS(TND_SCOPE_NODE, TND_TYPE_POWER, TND_TYPE_POWER_PART_LAST, TND_SEVERAL_SUM),
           .rule.zero_is_nothing = TRUE, .choose_types = choose_power_types, .takes_types = TRUE, .divisor = 1e3,
           .holds_before = TRUE),
    VALUES("energy", "Energy", "J",
           "Energy that the node of a thread used from one reading to the next; energy:LABEL or :TYPE is a part of it",
           READINGS(TND_SCOPE_NODE, TND_TYPE_ENERGY, TND_TYPE_ENERGY_PART_LAST, TND_SEVERAL_SUM),
           .choose_types = choose_energy_types, .takes_types = TRUE, .divisor = 1e6, .holds_before = TRUE),
    HELD_BY_PROCESS(TND_TYPE_PROCESS_RESIDENT, "rss", "Resident memory", "Memory of a process that is resident"),
    VALUES("numa-memory", "Memory on NUMA nodes", "B",
           "Memory of a process on all NUMA nodes, on every row of it; numa-memory:TYPE is that on one node",
           READINGS(TND_SCOPE_PROCESS, TND_TYPE_PROCESS_ON_NODE, TND_TYPE_PROCESS_ON_NODE_LAST, TND_SEVERAL_SUM),
           .takes_types = TRUE),
    VALUES("numa-misses", "NUMA misses", "pages",
           "Pages that came from another NUMA node than was wanted, from one value to the next",
           READINGS(TND_SCOPE_NODE, TND_TYPE_NUMA_MISS, TND_TYPE_NUMA_MISS_LAST, TND_SEVERAL_SUM), .takes_types = TRUE,
           .holds_before = TRUE),
    HELD_BY_PROCESS(TND_TYPE_HEAP_LIVE, "heap", "Heap", "Bytes that a process has allocated and not freed"),
    HELD_BY_PROCESS(TND_TYPE_HEAP_USED, "heap-used", "Heap used on the board",
                    "Bytes of a board's heap that are not free, with what the allocator takes for itself"),
    HELD_BY_PROCESS(TND_TYPE_HEAP_LARGEST, "heap-largest", "Largest free block",
                    "The largest block that could be allocated of a board's heap"),
    HELD_BY_PROCESS(TND_TYPE_HEAP_MAPPED, "mapped", "Mapped memory",
                    "Bytes that a process has mapped and not unmapped"),
    VALUES("python-memory", "Memory of Python", "B",
           "Memory of Python's allocator, on every row of the process; python-memory:TYPE is that of one domain",
           READINGS(TND_SCOPE_PROCESS, TND_TYPE_PYTHON_RAW, TND_TYPE_PYTHON_OBJECTS, TND_SEVERAL_SUM),
           .takes_types = TRUE),
    ADDED_BY_PROCESS(TND_TYPE_HEAP_ALLOCATED, TND_TYPE_HEAP_ALLOCATED, "heap-allocated", "Heap allocated", "B",
                     "Bytes that a process allocated from one value to the next"),
    ADDED_BY_PROCESS(TND_TYPE_HEAP_ALLOCATIONS, TND_TYPE_HEAP_ALLOCATIONS, "heap-allocations", "Allocations", "",
                     "How often a process allocated from one value to the next"),
    ADDED_BY_PROCESS(TND_TYPE_PROCESS_MINOR_FAULTS, TND_TYPE_PROCESS_MAJOR_FAULTS, "page-faults", "Page faults", "",
                     "Page faults of a process from one value to the next"),
    ADDED_BY_PROCESS(TND_TYPE_PROCESS_SWITCHES, TND_TYPE_PROCESS_PREEMPTIONS, "context-switches", "Context switches",
                     "", "Context switches of a process from one value to the next"),
    ADDED_BY_PROCESS(TND_TYPE_PROCESS_READ, TND_TYPE_PROCESS_WRITTEN, "io-bytes", "Bytes of I/O", "B",
                     "Bytes that a process read and wrote from one value to the next"),
    ADDED_BY_PROCESS(TND_TYPE_PROCESS_MIGRATIONS, TND_TYPE_PROCESS_MIGRATIONS, "migrations", "Migrations", "",
                     "How often threads of a process changed their CPU from one value to the next"),
    HELD_BY_PROCESS(TND_TYPE_PROCESS_HUGE, "huge-pages", "Huge pages", "Memory of a process that is in huge pages"),
    VALUES("stack", "Stack", "B", "How deep the stack of a thread is", LAST_OF(TND_TYPE_STACK_DEPTH),
           .rule.draw = TND_DRAW_LINE),
    CODES_OF(TND_TYPE_CPU, "cpu", "CPU", "The CPU that a thread runs on"),
    CODES_OF(TND_TYPE_CALLER_LEVEL, "callers", "Callers",
             "The function that made the last call whose callers were recorded"),
    CODES_OF(TND_TYPE_CALLER_LINE_LEVEL, "call-sites", "Call sites",
             "The line of the last call whose callers were recorded"),
    STACKS_OF(TND_TYPE_SAMPLED_FUNCTION, "sampled-functions", "Sampled functions", choose_sampled_function,
              "The function that each sample found the thread in, for the CPU time that it stands for; "
              "sampled-functions:30000001 is the caller, and so on"),
    STACKS_OF(TND_TYPE_WAITING_FUNCTION, "waiting-functions", "Functions waited in", choose_waiting_function,
              "The function of the C library that a thread waited in, for the time that was waited; "
              "waiting-functions:92030001 is the caller, and so on"),
    CODES("user-events", "User events", "",
          "The program's own regions, or events of a type that you choose: user-events:TYPE[,TYPE]",
          .function = "Last Evt Val", .choose_types = choose_user_types, .takes_types = TRUE),
};

const guint tnd_views_n = G_N_ELEMENTS(tnd_views_table);

void tnd_views_reading(guint32 type, TndViewScope *scope, gboolean *holds_before)
{
    *scope = TND_SCOPE_THREAD;
    *holds_before = type >= TYPE_COUNTERS_FIRST && type <= TYPE_COUNTERS_LAST;
    for (guint i = 0; i < tnd_views_n; i++) {
        const TndViewDefinition *definition = &tnd_views_table[i];
        if (definition->scope == TND_SCOPE_THREAD || type < definition->first_type || type > definition->last_type)
            continue;
        *scope = definition->scope;
        *holds_before = definition->holds_before;
    }
}

gboolean tnd_views_is_called(const TndViewDefinition *definition, const char *name)
{
    gsize length = strcspn(name, ":");
    return strncmp(definition->rule.name, name, length) == 0 && definition->rule.name[length] == '\0' &&
           (!name[length] || definition->takes_types);
}

const TndViewDefinition *tnd_views_find_built_in(const char *name)
{
    for (guint i = 0; i < tnd_views_n; i++)
        if (tnd_views_is_called(&tnd_views_table[i], name))
            return &tnd_views_table[i];
    return NULL;
}
