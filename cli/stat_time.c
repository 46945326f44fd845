/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Prints shares of time and efficiencies, each with what it means.
 */
#include "cli/stat_time.h"

#include "cli/cli.h"
#include "formats/event_types.h"

#include <stdio.h>

#define BAR_WIDTH 30
#define ROWS_SHOWN 24
#define LINES_SHOWN 10
#define NEARLY_ALL 0.9995

static gboolean has_mpi_calls(const TndSyncOps *ops)
{
    for (guint row = 0; row < tnd_trace_n_threads(tnd_sync_ops_trace(ops)); row++)
        for (gsize i = 0; i < tnd_sync_ops_n(ops, row); i++)
            if (tnd_sync_ops_at(ops, row, i)->kind == TND_SYNC_MPI)
                return TRUE;
    return FALSE;
}

TndStatTime *tnd_stat_time_new(const TndTrace *trace, gboolean with_waits)
{
    TndStatTime *time = g_new0(TndStatTime, 1);
    guint64 begin_ns, end_ns;
    time->ops = tnd_sync_ops_new(trace, NULL, NULL, NULL);
    time->has_mpi = has_mpi_calls(time->ops);
    time->ideal = time->has_mpi ? tnd_replay_new(time->ops, &tnd_replay_ideal, NULL, NULL, NULL) : NULL;
    time->states = with_waits ? tnd_wait_states_new(time->ops, NULL, NULL, NULL) : NULL;
    time->whole = tnd_efficiency_of(time->ops, time->ideal, 0, tnd_trace_end_ns(trace), FALSE);
    time->has_run = tnd_sync_ops_run(time->ops, &begin_ns, &end_ns);
    if (time->has_run)
        time->run = tnd_efficiency_of(time->ops, time->ideal, begin_ns, end_ns, TRUE);
    time->has_run = time->run.processes.parallel > 0;
    return time;
}

void tnd_stat_time_free(TndStatTime *time)
{
    tnd_wait_states_free(time->states);
    tnd_replay_free(time->ideal);
    tnd_sync_ops_free(time->ops);
    g_free(time);
}

/* A part of a bar, which is shorter where the table has more columns. */
static int print_part(const char *colour, char sign, guint64 part_ns, guint64 before_ns, double duration_ns, int width)
{
    int begin = (int)((double)before_ns / duration_ns * width + 0.5);
    int end = MIN((int)((double)(before_ns + part_ns) / duration_ns * width + 0.5), width);
    printf("%s", colour);
    for (int i = begin; i < end; i++)
        putchar(sign);
    printf("%s", tnd_stat_text_colours()->end);
    return MAX(begin, end);
}

static void print_bar(const TndShare *share, double duration_ns, int width)
{
    const TndStatColours *colours = tnd_stat_text_colours();
    print_part(colours->useful, '#', share->useful_ns, 0, duration_ns, width);
    print_part(colours->mpi, '=', share->mpi_ns, share->useful_ns, duration_ns, width);
    int end = print_part(colours->warning, '+', share->openmp_ns + share->pool_ns, share->useful_ns + share->mpi_ns,
                         duration_ns, width);
    for (int i = end; i < width; i++)
        putchar('.');
}

static void print_share(const TndShare *share, double duration_ns, gboolean has_mpi, gboolean has_openmp)
{
    printf(" %6.2f %%", 100 * (double)share->useful_ns / duration_ns);
    if (has_mpi)
        printf(" %6.2f %%", 100 * (double)share->mpi_ns / duration_ns);
    if (has_openmp)
        printf(" %6.2f %% %6.2f %%", 100 * (double)share->openmp_ns / duration_ns,
               100 * (double)share->pool_ns / duration_ns);
    printf(" %6.2f %%", 100 * (double)share->other_ns / duration_ns);
}

/* Says what the threads did in the time that is none of the columns. */
static void print_other(const TndTrace *trace, const TndStatistics *statistics)
{
    static const guint states[] = {TND_STATE_BLOCKED, TND_STATE_PREEMPTED,   TND_STATE_PYTHON_LOCK,
                                   TND_STATE_IO,      TND_STATE_NOT_TRACING, TND_STATE_NOT_CREATED};
    double all_ns = (double)tnd_trace_end_ns(trace) * statistics->n_rows;
    guint n = 0;
    for (guint i = 0; i < G_N_ELEMENTS(states); i++) {
        double percent = 100 * (double)statistics->state_ns[states[i]] / all_ns;
        if (percent < 0.05)
            continue;
        const char *label = tnd_pcf_state_label(tnd_trace_pcf(trace), states[i]);
        printf("%s%.1f %% %s", n ? ", " : "  other, of all threads' time: ", percent,
               states[i] == TND_STATE_BLOCKED ? "blocked outside of MPI"
               : label                        ? label
                                              : "?");
        n++;
    }
    if (n)
        putchar('\n');
}

void tnd_stat_time_print_shares(const TndTrace *trace, const TndStatistics *statistics, gboolean all, TndStatPool *pool)
{
    double duration_ns = (double)tnd_trace_end_ns(trace);
    gboolean has_mpi = statistics->n_calls > 0, has_cpu = statistics->sampled_ns > 0;
    gboolean has_openmp = statistics->has_openmp;
    int width = BAR_WIDTH - (has_openmp ? (has_mpi && has_cpu ? 18 : 12) : 0);
    if (duration_ns <= 0)
        return;
    tnd_stat_text_title("Where the time goes, in shares of the duration");
    printf("  %-24s %8s%s%s %8s %s   # useful%s%s\n", "thread", "useful", has_mpi ? "      MPI" : "",
           has_openmp ? "   OpenMP no region" : "", "other", has_cpu ? "  CPU time" : "", has_mpi ? " = MPI" : "",
           has_openmp ? " +" : "  . other");
    guint n_shown = all ? statistics->n_rows : MIN(statistics->n_rows, ROWS_SHOWN);
    for (guint row = 0; row < n_shown; row++) {
        const TndShare *share = &statistics->shares[row];
        printf("  %s", tnd_stat_text_fit(pool, tnd_trace_thread(trace, row)->name, 24));
        print_share(share, duration_ns, has_mpi, has_openmp);
        if (has_cpu)
            printf(" %9s", tnd_stat_text_quantity(pool, (double)share->cpu_ns, "ns"));
        printf("   ");
        print_bar(share, duration_ns, width);
        printf("\n");
    }
    if (n_shown < statistics->n_rows)
        printf("  ... and %s: --all shows them\n",
               tnd_stat_text_count(pool, statistics->n_rows - n_shown, "more thread", "more threads"));
    print_other(trace, statistics);
}

/* Prints a line of efficiencies: of the run, and of the whole trace. */
static void print_efficiency(const TndStatTime *time, const char *name, double of_run, double of_whole,
                             const char *help)
{
    printf("  %-26s", name);
    if (time->has_run)
        printf("%7.1f %%", 100 * of_run);
    printf("%7.1f %%   %s\n", 100 * of_whole, help);
}

static void print_factors(const TndStatTime *time, const TndEfficiencyFactors *run, const TndEfficiencyFactors *whole)
{
    print_efficiency(time, "  load balance", run->load_balance, whole->load_balance,
                     "average / maximum of useful time");
    print_efficiency(time, "  communication efficiency", run->communication, whole->communication,
                     "maximum of useful time / duration");
    if (whole->transfer <= 0)
        return;
    if (MIN(time->has_run ? run->running : 1, whole->running) < NEARLY_ALL)
        print_efficiency(time, "    running", run->running, whole->running,
                         "the same / maximum of time outside of MPI");
    print_efficiency(time, "    serialisation", run->serialisation, whole->serialisation,
                     "outside of MPI / duration on an ideal network");
    print_efficiency(time, "    transfer", run->transfer, whole->transfer, "duration on an ideal network / duration");
}

static void print_losses(const TndStatTime *time, const TndEfficiencyLosses *lost, double parallel)
{
    printf("  lost: %.1f %% load balance, ", 100 * lost->load_balance);
    if (lost->stopped >= 1 - NEARLY_ALL)
        printf("%.1f %% stopped, ", 100 * lost->stopped);
    if (time->ideal)
        printf("%.1f %% serialisation, %.1f %% transfer", 100 * lost->serialisation, 100 * lost->transfer);
    else
        printf("%.1f %% communication", 100 * lost->transfer);
    if (lost->openmp != 0)
        printf(", %.1f %% OpenMP", 100 * lost->openmp);
    printf("; useful: %.1f %%\n", 100 * parallel);
}

static void print_hybrid(const TndStatTime *time, TndStatPool *pool)
{
    const TndEfficiency *run = &time->run, *whole = &time->whole;
    char *title = g_strdup_printf("Efficiency of %s (POP, %sOpenMP)",
                                  tnd_stat_text_count(pool, whole->n_threads, "thread", "threads"),
                                  time->has_mpi ? "MPI and " : "");
    tnd_stat_text_title(title);
    g_free(title);
    print_efficiency(time, "parallel efficiency", run->hybrid.parallel, whole->hybrid.parallel,
                     "useful time / (threads x duration)");
    if (!time->has_mpi) {
        print_efficiency(time, "  load balance", run->hybrid.load_balance, whole->hybrid.load_balance,
                         "average / maximum of useful time");
        print_efficiency(time, "  communication", run->hybrid.communication, whole->hybrid.communication,
                         "maximum of useful time / duration");
        return;
    }
    print_efficiency(time, "  of MPI", run->mpi.parallel, whole->mpi.parallel,
                     "of the first threads' time outside of MPI");
    print_efficiency(time, "    load balance", run->mpi.load_balance, whole->mpi.load_balance,
                     "average / maximum of that");
    print_efficiency(time, "    communication", run->mpi.communication, whole->mpi.communication,
                     "maximum of that / duration");
    print_efficiency(time, "  of OpenMP", run->openmp.parallel, whole->openmp.parallel, "the rest; may exceed 100 %");
    print_efficiency(time, "    load balance", run->openmp.load_balance, whole->openmp.load_balance,
                     "of all threads / of MPI");
    print_efficiency(time, "    communication", run->openmp.communication, whole->openmp.communication,
                     "of all threads / of MPI");
    const TndEfficiency *shown = time->has_run ? run : whole;
    print_losses(time, &shown->hybrid_lost, shown->hybrid.parallel);
}

void tnd_stat_time_print_efficiencies(const TndStatTime *time, TndStatPool *pool)
{
    const TndEfficiency *run = &time->run, *whole = &time->whole, *shown = time->has_run ? run : whole;
    if (time->has_mpi && whole->processes.parallel > 0) {
        tnd_stat_text_title("Efficiency (POP; the first thread of every process)");
        if (time->has_run)
            printf("  %-26s%9s%9s   the run is from MPI_Init to MPI_Finalize, %s\n", "", "run", "all",
                   tnd_stat_text_quantity(pool, (double)(run->end_ns - run->begin_ns), "ns"));
        print_efficiency(time, "parallel efficiency", run->processes.parallel, whole->processes.parallel,
                         "useful time / (processes x duration)");
        print_factors(time, &run->processes, &whole->processes);
        print_losses(time, &shown->lost, shown->processes.parallel);
    }
    if (whole->has_openmp)
        print_hybrid(time, pool);
    if (shown->instructions > 0 && shown->cycles > 0)
        printf("  %-26s%9.5f   %s instructions and %s cycles while useful\n", "IPC",
               shown->instructions / shown->cycles, tnd_stat_text_quantity(pool, shown->instructions, ""),
               tnd_stat_text_quantity(pool, shown->cycles, ""));
}

/* Time lost in waits of a kind in operations of a region. */
static double lost_in(const TndStatTime *time, gint64 function, TndWaitKind kind)
{
    double lost_ns = 0;
    guint n = 0;
    const TndWaiter *waiters = time->states ? tnd_wait_states_waiters(time->states, &n) : NULL;
    for (guint i = 0; i < n; i++) {
        TndSyncPath path = tnd_sync_ops_path(time->ops, tnd_sync_ops_place_path(waiters[i].place));
        if (waiters[i].kind == kind && path.n_frames && path.frames[0].function == function &&
            path.frames[0].function_type == TND_TYPE_OPENMP_FUNCTION)
            lost_ns += waiters[i].sum.lost_ns;
    }
    return lost_ns;
}

void tnd_stat_time_print_regions(const TndStatTime *time, const TndStatistics *statistics, TndStatPool *pool)
{
    if (!statistics->regions->len)
        return;
    tnd_stat_text_title("Parallel regions of OpenMP, over all threads that run their parts");
    printf("  %-42s %10s %12s %12s %12s\n", "function", "parts", "time", "at barriers", "at the end");
    for (guint i = 0; i < MIN(statistics->regions->len, LINES_SHOWN); i++) {
        const TndUser *region = &g_array_index(statistics->regions, TndUser, i);
        printf("  %s %10s %12s %12s %12s\n", tnd_stat_text_fit(pool, region->name, 42),
               tnd_stat_text_quantity(pool, (double)region->n, ""), tnd_stat_text_quantity(pool, region->time_ns, "ns"),
               tnd_stat_text_quantity(pool, lost_in(time, region->value, TND_WAIT_BARRIER), "ns"),
               tnd_stat_text_quantity(pool, lost_in(time, region->value, TND_WAIT_REGION_END), "ns"));
    }
    if (statistics->regions->len > LINES_SHOWN)
        printf("  ... and %s\n",
               tnd_stat_text_count(pool, statistics->regions->len - LINES_SHOWN, "more region", "more regions"));
}
