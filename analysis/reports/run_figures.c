/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Takes the numbers of a run from its statistics.
 */
#include "analysis/reports/run_figures.h"

#include "analysis/reports/heap_list.h"
#include "analysis/reports/samples.h"
#include "analysis/reports/sensor_sums.h"
#include "analysis/reports/statistics.h"
#include "analysis/trace/row_labels.h"
#include "analysis/trace/walk.h"
#include "formats/event_types.h"
#include "formats/fact.h"

#include <math.h>
#include <string.h>

/* Runs are taken to vary by at least this part: a few that are closer, or alike, were lucky, as a machine that is quiet
 * for a minute is busier in the next. */
#define LEAST_VARIATION 0.005

#define WHOLE "The whole run"
#define EFFICIENCY "Efficiencies"
#define RANKS "Ranks"
#define FUNCTIONS "Functions, by samples outside of MPI and OpenMP: themselves"

const TndFigureInfo tnd_figure_infos[TND_FIGURE_N] = {
    [TND_FIGURE_ELAPSED] = {"elapsed", WHOLE, "ns", TND_FIGURE_LASTING, FALSE},
    [TND_FIGURE_USEFUL] = {"useful", WHOLE, "ns", TND_FIGURE_DIVIDED, FALSE},
    [TND_FIGURE_MPI] = {"mpi-time", WHOLE, "ns", TND_FIGURE_LASTING, TRUE},
    [TND_FIGURE_OPENMP] = {"openmp-time", WHOLE, "ns", TND_FIGURE_LASTING, TRUE},
    [TND_FIGURE_CPU] = {"cpu-time", WHOLE, "ns", TND_FIGURE_LASTING, FALSE},
    [TND_FIGURE_MESSAGES] = {"messages", WHOLE, "", TND_FIGURE_COUNTED, FALSE},
    [TND_FIGURE_MESSAGE_BYTES] = {"message-bytes", WHOLE, "B", TND_FIGURE_COUNTED, FALSE},
    [TND_FIGURE_HEAP_PEAK] = {"heap-peak", WHOLE, "B", TND_FIGURE_COUNTED, FALSE},
    [TND_FIGURE_JOULES] = {"energy", WHOLE, "J", TND_FIGURE_LASTING, FALSE},
    [TND_FIGURE_PARALLEL] = {"parallel-efficiency", EFFICIENCY, "%", TND_FIGURE_DIVIDED, FALSE},
    [TND_FIGURE_BALANCE] = {"load-balance", EFFICIENCY, "%", TND_FIGURE_DIVIDED, FALSE},
    [TND_FIGURE_COMMUNICATION] = {"communication", EFFICIENCY, "%", TND_FIGURE_DIVIDED, FALSE},
    [TND_FIGURE_SERIALISATION] = {"serialisation", EFFICIENCY, "%", TND_FIGURE_DIVIDED, FALSE},
    [TND_FIGURE_TRANSFER] = {"transfer", EFFICIENCY, "%", TND_FIGURE_DIVIDED, FALSE},
    [TND_FIGURE_RANK_ELAPSED] = {"elapsed:", RANKS, "ns", TND_FIGURE_LASTING, FALSE},
    [TND_FIGURE_RANK_USEFUL] = {"useful:", RANKS, "ns", TND_FIGURE_DIVIDED, FALSE},
    [TND_FIGURE_RANK_MPI] = {"mpi-time:", RANKS, "ns", TND_FIGURE_LASTING, FALSE},
    [TND_FIGURE_RANK_CPU] = {"cpu-time:", RANKS, "ns", TND_FIGURE_LASTING, FALSE},
    [TND_FIGURE_RANK_HEAP] = {"heap-peak:", RANKS, "B", TND_FIGURE_COUNTED, FALSE},
    [TND_FIGURE_RANK_JOULES] = {"energy:", RANKS, "J", TND_FIGURE_LASTING, FALSE},
    [TND_FIGURE_FUNCTION] = {"function:", FUNCTIONS, "ns", TND_FIGURE_COMPUTED, TRUE},
    [TND_FIGURE_FUNCTION_SHARE] = {"function-share:", FUNCTIONS, "%", TND_FIGURE_COMPUTED, TRUE},
    [TND_FIGURE_REGION] = {"region:", "Parallel regions of OpenMP", "ns", TND_FIGURE_LASTING, TRUE},
    [TND_FIGURE_MPI_TIME] = {"time:", "MPI calls", "ns", TND_FIGURE_LASTING, TRUE},
    [TND_FIGURE_MPI_CALLS] = {"calls:", "MPI calls: how many", "", TND_FIGURE_COUNTED, FALSE},
    [TND_FIGURE_PYTHON_TIME] = {"python:", "Python functions: themselves", "ns", TND_FIGURE_LASTING, TRUE},
    [TND_FIGURE_PYTHON_CALLS] = {"python-calls:", "Python functions: how many calls", "", TND_FIGURE_COUNTED, FALSE},
    [TND_FIGURE_LIBRARY_TIME] = {"library:", "Functions of libraries: themselves", "ns", TND_FIGURE_LASTING, TRUE},
    [TND_FIGURE_LIBRARY_CALLS] = {"library-calls:", "Functions of libraries: how many calls", "", TND_FIGURE_COUNTED,
                                  FALSE},
};

/* Those of ranks: a rank that is not there has no time at all. */
#define OF_RANKS (((1u << (TND_FIGURE_RANK_JOULES + 1)) - 1) & ~((1u << TND_FIGURE_RANK_ELAPSED) - 1))

/* A list that is being made.  Numbers of the same name are one: their sum. */
typedef struct {
    TndRunFigures *run;
    GHashTable *places; /* of names in the list */
} Making;

static void add_measured(Making *making, TndFigureKind kind, const char *of, TndMeasured measured)
{
    TndRunFigures *run = making->run;
    TndFigure figure = {kind, g_strconcat(tnd_figure_infos[kind].name, of, NULL), measured};
    gpointer at;
    run->has |= 1u << kind;
    if (g_hash_table_lookup_extended(making->places, figure.name, NULL, &at)) {
        TndFigure *same = &g_array_index(run->figures, TndFigure, GPOINTER_TO_UINT(at));
        same->measured.value += measured.value;
        same->measured.variance += measured.variance;
        same->measured.grain += measured.grain;
        g_free(figure.name);
        return;
    }
    g_hash_table_insert(making->places, figure.name, GUINT_TO_POINTER(run->figures->len));
    g_array_append_val(run->figures, figure);
}

static void add(Making *making, TndFigureKind kind, const char *of, double value)
{
    add_measured(making, kind, of, (TndMeasured){value, 0, LEAST_VARIATION * value});
}

/* Of the time from begin_ns to end_ns in which threads wanted a CPU, the share in which they had none. */
static double lacked_share(const TndTrace *trace, guint64 begin_ns, guint64 end_ns)
{
    static const guint64 at_rest = 1 << TND_STATE_IDLE | 1 << TND_STATE_NOT_CREATED | 1 << TND_STATE_BLOCKED;
    double wanted_ns = 0, had_ns = 0;
    for (guint row = 0; row < tnd_trace_n_threads(trace); row++) {
        TndWalk states = tnd_walk_within(tnd_walk_states(trace, row, ~at_rest), begin_ns, end_ns);
        for (const TndState *state; (state = tnd_walk_next_state(&states));) {
            guint64 from_ns = MAX(state->begin_ns, begin_ns), until_ns = MIN(state->end_ns, end_ns);
            if (from_ns < until_ns && !(state->state < 64 && at_rest >> state->state & 1))
                wanted_ns += (double)(until_ns - from_ns);
        }
        tnd_walk_end(&states);
        TndWalk weights =
            tnd_walk_within(tnd_walk_events(trace, row, tnd_blocks_bit(TND_TYPE_SAMPLE_WEIGHT)), begin_ns, end_ns);
        for (const TndEvent *event; (event = tnd_walk_next_event(&weights));)
            if (event->type == TND_TYPE_SAMPLE_WEIGHT && event->time_ns > begin_ns && event->time_ns <= end_ns)
                had_ns += (double)event->value;
        tnd_walk_end(&weights);
    }
    return MAX(wanted_ns - had_ns, 0) / MAX(wanted_ns, 1);
}

static void add_whole(Making *making, const TndTrace *trace, const TndStatistics *statistics,
                      const TndEfficiency *efficiency)
{
    TndRunFigures *run = making->run;
    guint64 useful_ns = 0, openmp_ns = 0, cpu_ns = 0;
    for (guint row = 0; row < statistics->n_rows; row++) {
        const TndThread *thread = tnd_trace_thread(trace, row);
        useful_ns += statistics->shares[row].useful_ns;
        openmp_ns += statistics->shares[row].openmp_ns;
        cpu_ns += statistics->shares[row].cpu_ns;
        run->threads_ns += (double)(thread->end_ns - thread->begin_ns);
    }
    add(making, TND_FIGURE_ELAPSED, "", (double)tnd_trace_end_ns(trace));
    add(making, TND_FIGURE_USEFUL, "", (double)useful_ns);
    if (statistics->n_calls)
        add(making, TND_FIGURE_MPI, "", (double)statistics->mpi_ns);
    if (statistics->has_openmp)
        add(making, TND_FIGURE_OPENMP, "", (double)openmp_ns);
    if (statistics->n_messages || statistics->n_calls) {
        add(making, TND_FIGURE_MESSAGES, "", (double)statistics->n_messages);
        add(making, TND_FIGURE_MESSAGE_BYTES, "", statistics->message_bytes);
    }
    if (!cpu_ns)
        return;
    add(making, TND_FIGURE_CPU, "", (double)cpu_ns);
    guint64 preempted_ns = statistics->state_ns[TND_STATE_PREEMPTED];
    run->preempted = (double)preempted_ns / (double)MAX(useful_ns + preempted_ns, 1);
    double wanted_ns = (double)(useful_ns + statistics->mpi_ns + openmp_ns + preempted_ns);
    run->lacked_ns = MAX(wanted_ns - (double)cpu_ns, 0);
    run->lacked = lacked_share(trace, efficiency->begin_ns, efficiency->end_ns);
}

static void add_efficiency(Making *making, const TndEfficiency *efficiency)
{
    const TndEfficiencyFactors *factors = efficiency->has_openmp ? &efficiency->hybrid : &efficiency->processes;
    const struct {
        TndFigureKind kind;
        double factor;
    } all[] = {
        {TND_FIGURE_PARALLEL, factors->parallel},           {TND_FIGURE_BALANCE, factors->load_balance},
        {TND_FIGURE_COMMUNICATION, factors->communication}, {TND_FIGURE_SERIALISATION, factors->serialisation},
        {TND_FIGURE_TRANSFER, factors->transfer},
    };
    for (guint i = 0; i < G_N_ELEMENTS(all) && efficiency->n_threads > 1; i++)
        if (all[i].factor > 0)
            add(making, all[i].kind, "", 100 * all[i].factor);
}

static void add_ranks(Making *making, const TndTrace *trace, const TndStatistics *statistics)
{
    guint n_ranks = tnd_levels_n_rows(trace, TND_LEVEL_TASK);
    for (guint rank = 0; rank < n_ranks && n_ranks > 1; rank++) {
        const char *label = tnd_row_labels_get(trace, TND_LEVEL_TASK, rank);
        guint first, n = tnd_levels_rows_below(trace, TND_LEVEL_TASK, rank, &first);
        guint64 begin_ns = G_MAXUINT64, end_ns = 0;
        TndShare sum = {0};
        for (guint row = first; row < first + n; row++) {
            begin_ns = MIN(begin_ns, tnd_trace_thread(trace, row)->begin_ns);
            end_ns = MAX(end_ns, tnd_trace_thread(trace, row)->end_ns);
            sum.useful_ns += statistics->shares[row].useful_ns;
            sum.mpi_ns += statistics->shares[row].mpi_ns;
            sum.cpu_ns += statistics->shares[row].cpu_ns;
        }
        add(making, TND_FIGURE_RANK_ELAPSED, label, (double)(end_ns - MIN(begin_ns, end_ns)));
        add(making, TND_FIGURE_RANK_USEFUL, label, (double)sum.useful_ns);
        if (statistics->n_calls)
            add(making, TND_FIGURE_RANK_MPI, label, (double)sum.mpi_ns);
        if (statistics->sampled_ns > 0)
            add(making, TND_FIGURE_RANK_CPU, label, (double)sum.cpu_ns);
    }
}

static void add_heap(Making *making, const TndTrace *trace)
{
    TndHeapList *list = tnd_heap_list_new(trace);
    double largest = 0;
    for (guint i = 0; i < list->processes->len; i++) {
        const TndHeapProcess *process = &g_array_index(list->processes, TndHeapProcess, i);
        guint row = tnd_trace_row(trace, process->application, process->task, 1);
        largest = MAX(largest, (double)process->peak);
        if (row != G_MAXUINT && list->processes->len > 1)
            add(making, TND_FIGURE_RANK_HEAP,
                tnd_row_labels_get(trace, TND_LEVEL_TASK,
                                   tnd_levels_row_above(trace, TND_LEVEL_THREAD, row, TND_LEVEL_TASK)),
                (double)process->peak);
    }
    if (list->processes->len)
        add(making, TND_FIGURE_HEAP_PEAK, "", largest);
    tnd_heap_list_free(list);
}

static void add_energy(Making *making, const TndTrace *trace)
{
    TndSensorSums *sums = tnd_sensor_sums_new(trace);
    guint n_ranks = tnd_levels_n_rows(trace, TND_LEVEL_TASK);
    if (sums->joules)
        add(making, TND_FIGURE_JOULES, "", sums->all_joules);
    for (guint row = 0; sums->joules && n_ranks > 1 && row < tnd_trace_n_threads(trace); row++)
        add(making, TND_FIGURE_RANK_JOULES,
            tnd_row_labels_get(trace, TND_LEVEL_TASK,
                               tnd_levels_row_above(trace, TND_LEVEL_THREAD, row, TND_LEVEL_TASK)),
            sums->joules[row]);
    tnd_sensor_sums_free(sums);
}

/* The samples of a function. */
typedef struct {
    guint64 n;
    double ns;
} Samples;

/* A walk over the samples of a row, and over its states beside it. */
typedef struct {
    GHashTable *functions; /* Samples by function, of those outside of runtimes */
    Samples all;
    TndWalk states;
    TndState state; /* that of the sample; before the first one, none */
    gboolean has_next;
    TndState next;
} Sampling;

/* Whether a thread in this state is in a runtime: what it uses there depends on how long it waits. */
static gboolean is_of_runtime(guint32 state)
{
    static const guint64 runtimes =
        1ull << TND_STATE_RECEIVE | 1ull << TND_STATE_SEND | 1ull << TND_STATE_SYNCHRONIZATION |
        1ull << TND_STATE_PROBE | 1ull << TND_STATE_SCHEDULING | 1ull << TND_STATE_WAIT | 1ull << TND_STATE_ISEND |
        1ull << TND_STATE_IRECEIVE | 1ull << TND_STATE_IO | 1ull << TND_STATE_GROUP | 1ull << TND_STATE_OTHERS |
        1ull << TND_STATE_SENDRECV | 1ull << TND_STATE_REMOTE_MEMORY | 1ull << TND_STATE_ATOMIC_MEMORY |
        1ull << TND_STATE_MEMORY_ORDERING | 1ull << TND_STATE_LOCKING | 1ull << TND_STATE_ONE_SIDED;
    return state < 64 && (runtimes >> state & 1);
}

static void read_next(Sampling *sampling)
{
    const TndState *next = tnd_walk_next_state(&sampling->states);
    sampling->has_next = next != NULL;
    if (next)
        sampling->next = *next;
}

static void take_sample(gpointer self, const TndSample *sample)
{
    Sampling *sampling = self;
    while (sampling->has_next && sampling->next.begin_ns <= sample->time_ns) {
        sampling->state = sampling->next;
        read_next(sampling);
    }
    sampling->all.n += !sample->is_rest;
    sampling->all.ns += (double)sample->weight_ns;
    if (!sample->n_frames || (is_of_runtime(sampling->state.state) && sample->time_ns < sampling->state.end_ns))
        return;
    Samples *samples = g_hash_table_lookup(sampling->functions, &sample->frames[0]);
    if (!samples) {
        samples = g_new0(Samples, 1);
        g_hash_table_insert(sampling->functions, g_memdup2(&sample->frames[0], sizeof sample->frames[0]), samples);
    }
    samples->n += !sample->is_rest;
    samples->ns += (double)sample->weight_ns;
}

/* The variance of how many of the samples hit a function; a function that none hit may have been missed. */
static double variance_of_hits(double n, double all)
{
    return n * (1 - n / MAX(all, 1)) + 1;
}

static void add_functions(Making *making, const TndTrace *trace)
{
    TndRunFigures *run = making->run;
    Sampling sampling = {.functions = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free)};
    gboolean are_weighed = tnd_samples_are_weighed(trace, TND_SAMPLES_CPU);
    for (guint row = 0; row < tnd_trace_n_threads(trace); row++) {
        sampling.states = tnd_walk_states(trace, row, G_MAXUINT64);
        sampling.state = (TndState){0};
        read_next(&sampling);
        tnd_samples_each_recorded(trace, row, TND_SAMPLES_CPU, take_sample, &sampling);
        tnd_walk_end(&sampling.states);
    }
    double n = (double)(run->n_samples = sampling.all.n);
    double each = are_weighed ? sampling.all.ns / MAX(n, 1) : 100 / MAX(n, 1);
    run->sample_ns = are_weighed ? each : 0;
    GHashTableIter iter;
    gpointer function, samples;
    g_hash_table_iter_init(&iter, sampling.functions);
    while (n > 0 && g_hash_table_iter_next(&iter, &function, &samples)) {
        const Samples *own = samples;
        char *name = tnd_samples_function_name(trace, *(gint64 *)function);
        add_measured(making, are_weighed ? TND_FIGURE_FUNCTION : TND_FIGURE_FUNCTION_SHARE, name,
                     (TndMeasured){are_weighed ? own->ns : (double)own->n * each,
                                   variance_of_hits((double)own->n, n) * each * each,
                                   MAX(each, LEAST_VARIATION * own->ns)});
        g_free(name);
    }
    g_hash_table_unref(sampling.functions);
}

static void add_users(Making *making, const GArray *users, TndFigureKind time, TndFigureKind calls)
{
    for (guint i = 0; i < users->len; i++) {
        const TndUser *user = &g_array_index(users, TndUser, i);
        add(making, time, user->name, user->time_ns);
        if (calls != TND_FIGURE_N)
            add(making, calls, user->name, (double)user->n);
    }
}

static void add_uses(Making *making, const TndFunctionUses *uses, TndFigureKind time, TndFigureKind calls)
{
    if (uses->most->len < uses->n)
        making->run->lacks |= 1u << time | 1u << calls;
    for (guint i = 0; i < uses->most->len; i++) {
        const TndFunctionUse *use = &g_array_index(uses->most, TndFunctionUse, i);
        add(making, time, use->name, (double)use->self_ns);
        add(making, calls, use->name, (double)use->n_calls);
    }
}

static gboolean drops_calls(const TndTrace *trace)
{
    for (const char *const *comment = tnd_trace_comments(trace); *comment; comment++) {
        const char *note = tnd_fact_value(*comment, TND_FACT_NOTE);
        if (note && strstr(note, TND_FACT_NOTE_NO_FURTHER))
            return TRUE;
    }
    return FALSE;
}

static void clear_figure(gpointer figure)
{
    g_free(((TndFigure *)figure)->name);
}

TndRunFigures *tnd_run_figures_new(const TndTrace *trace, const TndEfficiency *efficiency)
{
    TndRunFigures *run = g_new0(TndRunFigures, 1);
    TndStatistics *statistics = tnd_statistics_new(trace);
    Making making = {run, g_hash_table_new(g_str_hash, g_str_equal)};
    const char *period = tnd_statistics_comment(trace, TND_FACT_SAMPLING_PERIOD_NS);
    run->path = g_strdup(tnd_trace_path(trace));
    run->figures = g_array_new(FALSE, FALSE, sizeof(TndFigure));
    run->n_ranks = tnd_levels_n_rows(trace, TND_LEVEL_TASK);
    run->n_threads = statistics->n_rows;
    run->lacks = OF_RANKS;
    run->drops_calls = drops_calls(trace);
    run->period_ns = period ? g_ascii_strtod(period, NULL) : 0;
    g_array_set_clear_func(run->figures, clear_figure);
    add_whole(&making, trace, statistics, efficiency);
    add_efficiency(&making, efficiency);
    add_ranks(&making, trace, statistics);
    add_heap(&making, trace);
    add_energy(&making, trace);
    add_functions(&making, trace);
    add_users(&making, statistics->regions, TND_FIGURE_REGION, TND_FIGURE_N);
    add_users(&making, statistics->calls, TND_FIGURE_MPI_TIME, TND_FIGURE_MPI_CALLS);
    add_uses(&making, &statistics->python, TND_FIGURE_PYTHON_TIME, TND_FIGURE_PYTHON_CALLS);
    add_uses(&making, &statistics->library, TND_FIGURE_LIBRARY_TIME, TND_FIGURE_LIBRARY_CALLS);
    g_hash_table_unref(making.places);
    tnd_statistics_free(statistics);
    return run;
}

void tnd_run_figures_free(TndRunFigures *run)
{
    if (!run)
        return;
    g_array_unref(run->figures);
    g_free(run->path);
    g_free(run);
}

TndMeasured tnd_run_figures_none(const TndRunFigures *run, TndFigureKind kind)
{
    double each = kind == TND_FIGURE_FUNCTION         ? run->sample_ns
                  : kind == TND_FIGURE_FUNCTION_SHARE ? 100 / (double)MAX(run->n_samples, 1)
                                                      : 0;
    gboolean is_known = (run->has & ~run->lacks) >> kind & 1;
    return (TndMeasured){is_known ? 0 : NAN, variance_of_hits(0, 0) * each * each, each};
}
