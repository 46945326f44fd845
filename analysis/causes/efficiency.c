/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A counter's value counts as far as the time since its value before is useful.
 */
#include "analysis/causes/efficiency.h"

#include "analysis/causes/mpi_class.h"
#include "analysis/trace/walk.h"
#include "formats/event_types.h"

#define COUNTER_INSTRUCTIONS 42000050 /* PAPI_TOT_INS, as Extrae numbers it */
#define COUNTER_CYCLES 42000059       /* PAPI_TOT_CYC */
#define WEAK 0.9 /* of the growth of instructions with the processes: from here on, scaling is weak */

typedef struct {
    const TndSyncOps *ops;
    const TndTrace *trace;
    guint64 begin_ns, end_ns;
    gboolean has_instructions, has_cycles;
    /* Sums over first threads; over all threads. */
    double sum, maximum, sum_all, maximum_all;
    double sum_outside, maximum_outside; /* outside of MPI */
    guint n_processes, n_threads, n_others;
    double instructions, cycles;
} Adding;

static guint64 within(const Adding *adding, guint64 begin_ns, guint64 end_ns)
{
    begin_ns = MAX(begin_ns, adding->begin_ns);
    end_ns = MIN(end_ns, adding->end_ns);
    return begin_ns < end_ns ? end_ns - begin_ns : 0;
}

static double useful_of(const Adding *adding, guint row)
{
    double useful_ns = 0;
    TndWalk walk = tnd_walk_states(adding->trace, row, tnd_blocks_bit(TND_STATE_RUNNING));
    walk.from_ns = adding->begin_ns;
    walk.until_ns = adding->end_ns;
    for (const TndState *state; (state = tnd_walk_next_state(&walk));)
        if (state->state == TND_STATE_RUNNING)
            useful_ns += (double)within(adding, state->begin_ns, state->end_ns);
    tnd_walk_end(&walk);
    return useful_ns;
}

/* The part of a counter's values that was counted while the row was useful. */
static double counted_of(const Adding *adding, guint row, guint32 type)
{
    double counted = 0;
    guint64 before_ns = 0;
    TndWalk events = tnd_walk_events(adding->trace, row, tnd_blocks_bit(type));
    TndWalk states = tnd_walk_states(adding->trace, row, tnd_blocks_bit(TND_STATE_RUNNING));
    const TndState *state = tnd_walk_next_state(&states);
    for (const TndEvent *event; (event = tnd_walk_next_event(&events));) {
        if (event->type != type)
            continue;
        double useful_ns = 0;
        for (; state && state->begin_ns < event->time_ns; state = tnd_walk_next_state(&states)) {
            guint64 from_ns = MAX(state->begin_ns, before_ns), until_ns = MIN(state->end_ns, event->time_ns);
            if (state->state == TND_STATE_RUNNING && from_ns < until_ns)
                useful_ns += (double)within(adding, from_ns, until_ns);
            if (state->end_ns > event->time_ns)
                break;
        }
        if (useful_ns > 0)
            counted += (double)event->value * useful_ns / (double)(event->time_ns - before_ns);
        before_ns = event->time_ns;
    }
    tnd_walk_end(&events);
    tnd_walk_end(&states);
    return counted;
}

static gboolean calls_mpi_init(const TndSyncOps *ops, guint row)
{
    for (gsize i = 0; i < tnd_sync_ops_n(ops, row); i++) {
        const TndSyncCall *call = tnd_sync_ops_call(ops, tnd_sync_ops_at(ops, row, i));
        if (call && call->properties & TND_MPI_INIT)
            return TRUE;
    }
    return FALSE;
}

/* Whether a row that is not the first of its process is a thread of OpenMP. */
static gboolean is_openmp(const TndSyncOps *ops, guint row)
{
    for (gsize i = 0; i < tnd_sync_ops_n(ops, row); i++) {
        guint8 kind = tnd_sync_ops_at(ops, row, i)->kind;
        if (kind == TND_SYNC_POOL || kind == TND_SYNC_REGION_END || kind == TND_SYNC_BARRIER)
            return TRUE;
    }
    return FALSE;
}

/* The time that the thread lives, and is outside of MPI. */
static double outside_mpi(const Adding *adding, guint row)
{
    const TndThread *thread = tnd_trace_thread(adding->trace, row);
    double inside_ns = 0;
    for (gsize i = 0; i < tnd_sync_ops_n(adding->ops, row); i++) {
        const TndSyncOp *op = tnd_sync_ops_at(adding->ops, row, i);
        if (op->kind == TND_SYNC_MPI)
            inside_ns += (double)within(adding, op->begin_ns, op->end_ns);
    }
    return MAX((double)within(adding, thread->begin_ns, thread->end_ns) - inside_ns, 0);
}

static void add_row(Adding *adding, guint row, gboolean is_first)
{
    double useful_ns = useful_of(adding, row);
    adding->n_threads++;
    adding->sum_all += useful_ns;
    adding->maximum_all = MAX(adding->maximum_all, useful_ns);
    adding->instructions += adding->has_instructions ? counted_of(adding, row, COUNTER_INSTRUCTIONS) : 0;
    adding->cycles += adding->has_cycles ? counted_of(adding, row, COUNTER_CYCLES) : 0;
    if (!is_first) {
        adding->n_others++;
        return;
    }
    double outside_ns = outside_mpi(adding, row);
    adding->n_processes++;
    adding->sum += useful_ns;
    adding->maximum = MAX(adding->maximum, useful_ns);
    adding->sum_outside += outside_ns;
    adding->maximum_outside = MAX(adding->maximum_outside, outside_ns);
}

static void add_rows(Adding *adding, gboolean is_mpi)
{
    gboolean is_chosen = TRUE;
    for (guint row = 0; row < tnd_trace_n_threads(adding->trace); row++) {
        gboolean is_first = tnd_trace_thread(adding->trace, row)->thread == 1;
        if (is_first)
            is_chosen = !is_mpi || calls_mpi_init(adding->ops, row);
        if (is_chosen && (is_first || is_openmp(adding->ops, row)))
            add_row(adding, row, is_first);
    }
}

/* How long the stretch of time takes in the replay: until all rows are where they were at its end. */
static double ideal_duration(const Adding *adding, const TndReplay *ideal)
{
    guint64 begin_ns = 0, end_ns = 0;
    for (guint row = 0; row < tnd_trace_n_threads(adding->trace); row++) {
        const TndThread *thread = tnd_trace_thread(adding->trace, row);
        if (thread->thread != 1)
            continue;
        begin_ns = MAX(begin_ns, tnd_replay_time(ideal, row, adding->begin_ns));
        end_ns = MAX(end_ns, tnd_replay_time(ideal, row, MIN(adding->end_ns, MAX(thread->end_ns, adding->begin_ns))));
    }
    return (double)(end_ns - MIN(begin_ns, end_ns));
}

/* outside: the maximum of time outside of MPI. */
static TndEfficiencyFactors factors_of(double average, double maximum, double outside, double duration, double ideal)
{
    TndEfficiencyFactors factors = {.parallel = average / duration,
                                    .load_balance = maximum > 0 ? average / maximum : 0,
                                    .communication = maximum / duration};
    if (ideal > 0) {
        factors.transfer = ideal / duration;
        factors.running = maximum / outside;
        factors.serialisation = outside / ideal;
    }
    return factors;
}

static TndEfficiencyLosses losses_of(double average, double maximum, double outside, double duration, double ideal)
{
    TndEfficiencyLosses lost = {.load_balance = (maximum - average) / duration};
    if (ideal > 0) {
        lost.stopped = (outside - maximum) / duration;
        lost.serialisation = (ideal - outside) / duration;
    }
    lost.transfer = (duration - (ideal > 0 ? ideal : maximum)) / duration;
    return lost;
}

static void set_hybrid(TndEfficiency *efficiency, const Adding *adding, double duration, double ideal)
{
    double average = adding->sum_all / adding->n_threads, outside = adding->sum_outside / adding->n_processes,
           maximum = adding->maximum_outside;
    efficiency->has_openmp = adding->n_others > 0 && adding->maximum_outside > 0;
    if (!efficiency->has_openmp)
        return;
    efficiency->hybrid = factors_of(average, adding->maximum_all, maximum, duration, 0);
    efficiency->mpi = factors_of(outside, maximum, maximum, duration, ideal);
    efficiency->openmp =
        (TndEfficiencyFactors){.parallel = efficiency->hybrid.parallel / efficiency->mpi.parallel,
                               .load_balance = efficiency->hybrid.load_balance / efficiency->mpi.load_balance,
                               .communication = efficiency->hybrid.communication / efficiency->mpi.communication};
    efficiency->hybrid_lost = losses_of(outside, maximum, maximum, duration, ideal);
    efficiency->hybrid_lost.openmp = (outside - average) / duration;
}

TndEfficiency tnd_efficiency_of(const TndSyncOps *ops, const TndReplay *ideal, guint64 begin_ns, guint64 end_ns,
                                gboolean is_mpi)
{
    const TndTrace *trace = tnd_sync_ops_trace(ops);
    TndEfficiency efficiency = {.begin_ns = begin_ns, .end_ns = end_ns};
    Adding adding = {.ops = ops,
                     .trace = trace,
                     .begin_ns = begin_ns,
                     .end_ns = end_ns,
                     .has_instructions = tnd_trace_n_events_of(trace, COUNTER_INSTRUCTIONS) > 0,
                     .has_cycles = tnd_trace_n_events_of(trace, COUNTER_CYCLES) > 0};
    double duration = (double)(end_ns - begin_ns);
    add_rows(&adding, is_mpi);
    efficiency.n_processes = adding.n_processes;
    efficiency.n_threads = adding.n_threads;
    efficiency.useful_ns = adding.sum_all;
    efficiency.instructions = adding.instructions;
    efficiency.cycles = adding.cycles;
    if (adding.maximum <= 0 || duration <= 0)
        return efficiency;
    double outside = MAX(adding.maximum_outside, adding.maximum),
           ideal_ns = ideal ? MAX(ideal_duration(&adding, ideal), outside) : 0,
           average = adding.sum / adding.n_processes;
    efficiency.processes = factors_of(average, adding.maximum, outside, duration, ideal_ns);
    efficiency.lost = losses_of(average, adding.maximum, outside, duration, ideal_ns);
    set_hybrid(&efficiency, &adding, duration, ideal_ns);
    return efficiency;
}

static double duration_of(const TndEfficiency *run)
{
    return (double)(run->end_ns - run->begin_ns);
}

static double quotient(double a, double b)
{
    return a > 0 && b > 0 ? a / b : 0;
}

/* Whether the instructions grow with the processes, on average over the runs. */
static gboolean is_weak(const TndEfficiency *runs, guint n)
{
    double sum = 0;
    for (guint i = 1; i < n; i++)
        sum += quotient(runs[i].instructions, runs[0].instructions) /
               ((double)runs[i].n_threads / (double)runs[0].n_threads);
    return n > 1 && sum / (n - 1) > WEAK;
}

void tnd_efficiency_scale(const TndEfficiency *runs, guint n, TndScaling *scalings)
{
    const TndEfficiency *first = &runs[0];
    gboolean weak = first->n_threads && is_weak(runs, n);
    for (guint i = 0; i < n; i++) {
        const TndEfficiency *run = &runs[i];
        double growth = weak ? (double)run->n_threads / (double)first->n_threads : 1;
        double parallel = run->has_openmp ? run->hybrid.parallel : run->processes.parallel;
        TndScaling *scaling = &scalings[i];
        *scaling = (TndScaling){
            .is_weak = weak,
            .computation = growth * quotient(first->useful_ns, run->useful_ns),
            .instructions = growth * quotient(first->instructions, run->instructions),
            .ipc = quotient(quotient(run->instructions, run->cycles), quotient(first->instructions, first->cycles)),
            .frequency = quotient(quotient(run->cycles, run->useful_ns), quotient(first->cycles, first->useful_ns)),
            .speedup = growth * quotient(duration_of(first), duration_of(run))};
        scaling->global = parallel * scaling->computation;
    }
}
