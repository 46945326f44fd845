/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes the string, and phases of its loops.
 */
#include "analysis/causes/phases.h"

#include "analysis/causes/loops.h"
#include "analysis/causes/mpi_class.h"
#include "analysis/causes/phase_functions.h"
#include "analysis/trace/walk.h"
#include "formats/event_types.h"

#define MOST_CALLS ((guint)4 << 20)     /* that are looked at: some 100 bytes of memory each */
#define MOST_FUNCTIONS ((guint)1 << 20) /* whose calls are looked at: some 5 us each where they come by chance */
#define MOST_DEPTH 12                   /* of these */
#define LEAST_ITERATIONS 4
#define LEAST_SHARE 0.03 /* of the run: of a phase */
#define MOST_GROWTH 8.0  /* of the median time of an iteration, from one loop of a phase to another one */
#define MOST_OF_ONE 0.5  /* of the time of a phase: in one iteration */
#define MUCH_MORE 1.1    /* of the time in phases: from one depth of functions to a deeper one */
#define LEAST_CALLS 0.66 /* of the calls of a phase: those in its loops */
#define LEAST_TIME 0.33  /* of its time */

typedef struct {
    guint32 symbol;
    guint64 begin_ns, end_ns;
} Call;

typedef struct {
    const TndSyncOps *ops;
    const TndReplay *ideal;
    TndPhases *found;
    GArray *calls;
    GHashTable *indices; /* of what a call is (a place, or a region), its symbol */
    GPtrArray *names;    /* of symbols */
    TndLoops *loops;
} Finding;

/* Calls such as MPI_Wtime and MPI_Comm_rank, which have to do with nobody, say nothing of what a program does. */
static gboolean is_repeatable(const TndSyncOps *ops, const TndSyncOp *op)
{
    const TndSyncCall *call = tnd_sync_ops_call(ops, op);
    return call ? call->type != TND_TYPE_MPI_OTHER || call->properties & ~(guint)(TND_MPI_KEEPS | TND_MPI_POLLS)
                : op->kind == TND_SYNC_FORK;
}

static gint compare_sizes(gconstpointer a, gconstpointer b)
{
    gsize x = *(const gsize *)a, y = *(const gsize *)b;
    return (x > y) - (x < y);
}

/* The first thread of a process with the median number of calls; the first row if there is none. */
static guint row_with_median(const TndSyncOps *ops)
{
    const TndTrace *trace = tnd_sync_ops_trace(ops);
    GArray *counts = g_array_new(FALSE, FALSE, sizeof(gsize)), *rows = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint row = 0; row < tnd_trace_n_threads(trace); row++) {
        gsize n = 0;
        for (gsize i = 0; i < tnd_sync_ops_n(ops, row); i++)
            n += is_repeatable(ops, tnd_sync_ops_at(ops, row, i));
        if (tnd_trace_thread(trace, row)->thread != 1)
            continue;
        g_array_append_val(counts, n);
        g_array_append_val(rows, row);
    }
    GArray *sorted = g_array_copy(counts);
    g_array_sort(sorted, compare_sizes);
    guint median = 0;
    while (median < rows->len && g_array_index(counts, gsize, median) != g_array_index(sorted, gsize, sorted->len / 2))
        median++;
    guint row = rows->len ? g_array_index(rows, guint, median) : 0;
    g_array_unref(sorted);
    g_array_unref(counts);
    g_array_unref(rows);
    return row;
}

/* Appends a call, if it is within the time.  TRUE: its symbol is new, and needs a name. */
static gboolean add_call(Finding *finding, gint64 key, guint64 begin_ns, guint64 end_ns)
{
    if (begin_ns < finding->found->begin_ns || end_ns > finding->found->end_ns)
        return FALSE;
    guint known = GPOINTER_TO_UINT(g_hash_table_lookup(finding->indices, &key));
    const Call call = {known ? known - 1 : finding->names->len, begin_ns, end_ns};
    g_array_append_val(finding->calls, call);
    if (!known)
        g_hash_table_insert(finding->indices, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(call.symbol + 1));
    return !known;
}

static void add_region(Finding *finding, const TndEvent *event)
{
    const char *label = tnd_pcf_value_label(tnd_trace_pcf(tnd_sync_ops_trace(finding->ops)), event->type, event->value);
    if (add_call(finding, event->value | G_MININT64, event->time_ns, event->time_ns))
        g_ptr_array_add(finding->names, g_strdup(label ? label : "region"));
}

static void add_op(Finding *finding, const TndSyncOp *op)
{
    if (!add_call(finding, (gint64)tnd_sync_ops_place(op, FALSE), op->begin_ns, op->end_ns))
        return;
    char *path = tnd_sync_ops_path_text(finding->ops, op->path, 1);
    const char *name = tnd_sync_ops_name(finding->ops, op);
    g_ptr_array_add(finding->names,
                    op->kind == TND_SYNC_FORK && *path ? g_strdup_printf("%s %s", name, path) : g_strdup(name));
    g_free(path);
}

/* Calls and begins of regions, in the order of time. */
static void read_calls(Finding *finding)
{
    guint row = finding->found->row;
    TndWalk events = tnd_walk_events(tnd_sync_ops_trace(finding->ops), row, tnd_blocks_bit(TND_TYPE_REGION));
    const TndEvent *event = tnd_walk_next_event(&events);
    for (gsize i = 0; i <= tnd_sync_ops_n(finding->ops, row) && finding->calls->len < MOST_CALLS; i++) {
        const TndSyncOp *op = i < tnd_sync_ops_n(finding->ops, row) ? tnd_sync_ops_at(finding->ops, row, i) : NULL;
        for (; event && (!op || event->time_ns <= op->begin_ns); event = tnd_walk_next_event(&events))
            if (event->type == TND_TYPE_REGION && event->value)
                add_region(finding, event);
        if (op && is_repeatable(finding->ops, op))
            add_op(finding, op);
    }
    tnd_walk_end(&events);
    finding->found->n_calls = finding->calls->len;
    finding->found->is_cut = finding->calls->len >= MOST_CALLS;
    if (finding->found->is_cut)
        finding->found->end_ns = g_array_index(finding->calls, Call, finding->calls->len - 1).end_ns;
}

static const Call *call_at(const Finding *finding, gsize index)
{
    return &g_array_index(finding->calls, Call, index);
}

/* When the program begins what leads to a call.  It may be what the call before, a function, has called. */
static guint64 code_begin(const Finding *finding, gsize index)
{
    return index ? MIN(call_at(finding, index - 1)->end_ns, call_at(finding, index)->begin_ns)
                 : finding->found->begin_ns;
}

static gint compare_doubles(gconstpointer a, gconstpointer b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(const GArray *values)
{
    GArray *sorted = g_array_copy((GArray *)values);
    g_array_sort(sorted, compare_doubles);
    double median = sorted->len ? g_array_index(sorted, double, sorted->len / 2) : 0;
    g_array_unref(sorted);
    return median;
}

/* When a loop begins.  What the program does before the first call counts as far as it takes no longer than what it
 * does at the median before that call in the other iterations. */
static guint64 loop_begin(const Finding *finding, const TndLoop *loop)
{
    GArray *before = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint32 i = 1; i < loop->n; i++) {
        double ns = (double)(call_at(finding, loop->starts[i])->begin_ns - code_begin(finding, loop->starts[i]));
        g_array_append_val(before, ns);
    }
    guint64 begin_ns = call_at(finding, loop->begin)->begin_ns, code_ns = begin_ns - code_begin(finding, loop->begin);
    guint64 usual_ns = (guint64)median_of(before);
    g_array_unref(before);
    return begin_ns - MIN(code_ns, usual_ns);
}

static guint64 loop_end(const Finding *finding, const TndLoop *loop)
{
    return call_at(finding, loop->end - 1)->end_ns;
}

static double duration_of(const Finding *finding, const TndLoop *loop)
{
    return (double)(loop_end(finding, loop) - loop_begin(finding, loop));
}

static void add_iterations(const Finding *finding, GArray *iterations_ns, const TndLoop *loop)
{
    for (guint32 i = 0; i < loop->n; i++) {
        guint64 from_ns = i ? code_begin(finding, loop->starts[i]) : loop_begin(finding, loop);
        guint64 until_ns = i + 1 < loop->n ? code_begin(finding, loop->starts[i + 1]) : loop_end(finding, loop);
        double ns = (double)(until_ns - from_ns);
        g_array_append_val(iterations_ns, ns);
    }
}

static double usual_ns(const Finding *finding, const TndLoop *loop)
{
    GArray *iterations_ns = g_array_new(FALSE, FALSE, sizeof(double));
    add_iterations(finding, iterations_ns, loop);
    double median_ns = median_of(iterations_ns);
    g_array_unref(iterations_ns);
    return median_ns;
}

/* A phase that grows. */
typedef struct {
    const TndLoop *first, *last, *longest;
    guint n_loops;
    gsize n_calls; /* in loops */
    double in_loops_ns, usual_ns;
} Growing;

/* Whether another loop with the same body belongs to the phase, so that it is from `first` to `last`. */
static gboolean belongs(const Finding *finding, const Growing *growing, const TndLoop *loop, const TndLoop *first,
                        const TndLoop *last)
{
    double all_ns = (double)(loop_end(finding, last) - loop_begin(finding, first));
    gsize n_calls = loop->end - loop->begin, n_longest = growing->longest->end - growing->longest->begin;
    double usual = usual_ns(finding, loop);
    gsize n_between = loop == last ? loop->begin - growing->last->end : growing->first->begin - loop->end;
    return n_between <= n_longest && usual <= MOST_GROWTH * growing->usual_ns &&
           growing->usual_ns <= MOST_GROWTH * usual &&
           (double)(growing->n_calls + n_calls) >= LEAST_CALLS * (double)(last->end - first->begin) &&
           growing->in_loops_ns + duration_of(finding, loop) >= LEAST_TIME * all_ns;
}

static void take(const Finding *finding, Growing *growing, const TndLoop *loop)
{
    growing->n_calls += loop->end - loop->begin;
    growing->in_loops_ns += duration_of(finding, loop);
    growing->n_loops++;
}

/* Grows from the longest loop, in both directions, over loops of other bodies. */
static void grow(const Finding *finding, Growing *growing, const TndLoop *loops, guint n, guint at)
{
    growing->first = growing->last = growing->longest = &loops[at];
    growing->usual_ns = usual_ns(finding, growing->longest);
    take(finding, growing, growing->longest);
    for (guint i = at + 1; i < n; i++)
        if (loops[i].id == growing->longest->id) {
            if (!belongs(finding, growing, &loops[i], growing->first, &loops[i]))
                break;
            take(finding, growing, growing->last = &loops[i]);
        }
    for (guint i = at; i-- > 0;)
        if (loops[i].id == growing->longest->id) {
            if (!belongs(finding, growing, &loops[i], &loops[i], growing->last))
                break;
            take(finding, growing, growing->first = &loops[i]);
        }
}

static const char *say(guint32 symbol, gpointer user_data)
{
    return g_ptr_array_index(((Finding *)user_data)->names, symbol);
}

/* Sets how long iterations take; FALSE: one of them makes up the phase. */
static gboolean set_times(const Finding *finding, const Growing *growing, TndPhase *phase)
{
    double all_ns = 0;
    phase->iterations_ns = g_array_new(FALSE, FALSE, sizeof(double));
    for (const TndLoop *loop = growing->first; loop <= growing->last; loop++)
        if (loop->id == growing->longest->id)
            add_iterations(finding, phase->iterations_ns, loop);
    phase->shortest_ns = phase->longest_ns = phase->median_ns = median_of(phase->iterations_ns);
    for (guint i = 0; i < phase->iterations_ns->len; i++) {
        double ns = g_array_index(phase->iterations_ns, double, i);
        phase->shortest_ns = MIN(phase->shortest_ns, ns);
        phase->longest_ns = MAX(phase->longest_ns, ns);
        all_ns += ns;
    }
    return phase->longest_ns <= MOST_OF_ONE * all_ns;
}

/* Keeps the phase, if it is long enough. */
static void keep(Finding *finding, const Growing *growing)
{
    TndPhases *found = finding->found;
    TndPhase phase = {.begin_ns = loop_begin(finding, growing->first),
                      .end_ns = loop_end(finding, growing->last),
                      .n_loops = growing->n_loops};
    double run_ns = (double)(found->end_ns - found->begin_ns);
    if (!set_times(finding, growing, &phase) || (double)(phase.end_ns - phase.begin_ns) < LEAST_SHARE * run_ns) {
        g_array_unref(phase.iterations_ns);
        return;
    }
    phase.body = tnd_loops_text(finding->loops, growing->longest, say, finding);
    phase.efficiency = tnd_efficiency_of(finding->ops, finding->ideal, phase.begin_ns, phase.end_ns, found->is_run);
    g_array_append_val(found->phases, phase);
}

static gint compare_phases(gconstpointer a, gconstpointer b)
{
    const TndPhase *x = a, *y = b;
    return (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
}

/* The longest of some loops; n: there is none. */
static guint longest_of(const TndLoop *loops, guint n)
{
    guint longest = 0;
    for (guint i = 1; i < n; i++)
        if (loops[i].end - loops[i].begin > loops[longest].end - loops[longest].begin)
            longest = i;
    return longest;
}

/* Finds the phase of the longest of n loops that follow each other, and those before and after it. */
static void find_phases(Finding *finding, const TndLoop *loops, guint n)
{
    while (n) {
        Growing growing = {0};
        grow(finding, &growing, loops, n, longest_of(loops, n));
        keep(finding, &growing);
        find_phases(finding, loops, (guint)(growing.first - loops));
        n -= (guint)(growing.last + 1 - loops);
        loops = growing.last + 1;
    }
}

static void clear_phase(gpointer phase)
{
    g_array_unref(((TndPhase *)phase)->iterations_ns);
    g_free(((TndPhase *)phase)->body);
}

static GArray *new_phases(void)
{
    GArray *phases = g_array_new(FALSE, FALSE, sizeof(TndPhase));
    g_array_set_clear_func(phases, clear_phase);
    return phases;
}

/* Finds the phases of the string of calls. */
static void find_in_calls(Finding *finding)
{
    guint n;
    guint32 *symbols = g_new(guint32, finding->calls->len + 1);
    for (gsize i = 0; i < finding->calls->len; i++)
        symbols[i] = call_at(finding, i)->symbol;
    finding->loops = tnd_loops_new(symbols, finding->calls->len, LEAST_ITERATIONS);
    const TndLoop *loops = tnd_loops_outermost(finding->loops, &n);
    find_phases(finding, loops, n);
    g_array_sort(finding->found->phases, compare_phases);
    g_free(symbols);
    tnd_loops_free(finding->loops);
}

static void add_function(Finding *finding, guint32 type, const TndPhaseFunction *call)
{
    const char *label = tnd_pcf_value_label(tnd_trace_pcf(tnd_sync_ops_trace(finding->ops)), type, call->function);
    if (add_call(finding, call->function, call->begin_ns, call->end_ns))
        g_ptr_array_add(finding->names, g_strdup(label ? label : "function"));
}

static guint64 covered_ns(const GArray *phases)
{
    guint64 ns = 0;
    for (guint i = 0; i < phases->len; i++)
        ns += g_array_index(phases, TndPhase, i).end_ns - g_array_index(phases, TndPhase, i).begin_ns;
    return ns;
}

/* Functions down to a depth are the string.  That depth is taken whose phases have most of the time; of those that have
 * about as much, the least: what they call may depend on data. */
static void find_in_functions(Finding *finding)
{
    TndPhases *found = finding->found;
    const TndTrace *trace = tnd_sync_ops_trace(finding->ops);
    guint32 type = tnd_phase_functions_type(trace);
    GArray *all = type ? tnd_phase_functions_new(trace, type, MOST_FUNCTIONS, &found->row) : NULL;
    guint64 best_ns = 0;
    found->is_cut = all && all->len >= MOST_FUNCTIONS;
    if (found->is_cut)
        found->end_ns = g_array_index(all, TndPhaseFunction, all->len - 1).end_ns;
    for (guint depth = 1, n_before = 0; all && all->len && depth <= MOST_DEPTH; depth++) {
        GArray *best = found->phases;
        g_array_set_size(finding->calls, 0);
        for (guint i = 0; i < all->len; i++)
            if (g_array_index(all, TndPhaseFunction, i).depth <= depth)
                add_function(finding, type, &g_array_index(all, TndPhaseFunction, i));
        if (finding->calls->len == n_before)
            break;
        n_before = finding->calls->len;
        found->phases = new_phases();
        find_in_calls(finding);
        guint64 ns = covered_ns(found->phases);
        gboolean is_better = (double)ns > MUCH_MORE * (double)best_ns;
        best_ns = is_better ? ns : best_ns;
        found->n_calls = is_better ? finding->calls->len : found->n_calls;
        g_array_unref(is_better ? best : found->phases);
        found->phases = is_better ? found->phases : best;
    }
    found->is_of_functions = all && all->len;
    if (found->is_of_functions && !best_ns)
        found->n_calls = all->len;
    if (all)
        g_array_unref(all);
}

TndPhases *tnd_phases_new(const TndSyncOps *ops, const TndReplay *ideal)
{
    TndPhases *found = g_new0(TndPhases, 1);
    Finding finding = {.ops = ops,
                       .ideal = ideal,
                       .found = found,
                       .calls = g_array_new(FALSE, FALSE, sizeof(Call)),
                       .indices = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL),
                       .names = g_ptr_array_new_with_free_func(g_free)};
    found->is_run = tnd_sync_ops_run(ops, &found->begin_ns, &found->end_ns);
    if (!found->is_run) {
        found->begin_ns = 0;
        found->end_ns = tnd_trace_end_ns(tnd_sync_ops_trace(ops));
    }
    found->row = row_with_median(ops);
    found->phases = new_phases();
    if (tnd_trace_n_threads(tnd_sync_ops_trace(ops)))
        read_calls(&finding);
    if (found->n_calls)
        find_in_calls(&finding);
    else
        find_in_functions(&finding);
    g_array_unref(finding.calls);
    g_hash_table_unref(finding.indices);
    g_ptr_array_unref(finding.names);
    return found;
}

void tnd_phases_free(TndPhases *phases)
{
    if (!phases)
        return;
    g_array_unref(phases->phases);
    g_free(phases);
}
