/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two tables of phases, in at most 100 columns.
 */
#include "cli/phases_text.h"

#include "analysis/base/quantity.h"
#include "cli/cli.h"
#include "cli/progress.h"

#include <math.h>
#include <stdio.h>

#define BODY_WIDTH 88

char *tnd_phases_text_time(const TndPhase *phase)
{
    char begin[G_ASCII_DTOSTR_BUF_SIZE], end[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(begin, sizeof begin, "%.3f", (double)phase->begin_ns / 1e6);
    g_ascii_formatd(end, sizeof end, "%.3f", (double)phase->end_ns / 1e6);
    return g_strdup_printf("%sms:%sms", begin, end);
}

/* "24,000 calls and regions". */
static char *calls_text(const TndPhases *phases)
{
    char *n_calls = tnd_quantity_text((double)phases->n_calls, "");
    char *text = g_strdup_printf("%s%s calls %s", phases->is_cut ? "first " : "", n_calls,
                                 phases->is_of_functions ? "of functions" : "and regions");
    g_free(n_calls);
    return text;
}

char *tnd_phases_text_none(const TndTrace *trace, const TndPhases *phases)
{
    const char *row = tnd_trace_n_threads(trace) ? tnd_trace_thread(trace, phases->row)->name : "no thread";
    char *n_calls = calls_text(phases), *text;
    if (phases->n_calls)
        text = g_strdup_printf("Nothing repeats, as far as the %s of %s say.", n_calls, row);
    else
        text = g_strdup("There is nothing to find phases by: no MPI call, parallel region of OpenMP, region of the "
                        "user or call of a function was recorded.");
    g_free(n_calls);
    return text;
}

static void print_time(double ns)
{
    char *text = tnd_quantity_text(floor(ns + 0.5), "ns");
    printf(" %11s", text);
    g_free(text);
}

static void print_phase(const TndPhase *phase, guint number, double run_ns, gboolean all)
{
    char *n = tnd_quantity_text(phase->iterations_ns->len, ""), *time = tnd_phases_text_time(phase);
    char *body = all ? g_strdup(phase->body) : tnd_cli_cut(phase->body, BODY_WIDTH);
    printf("  %5u", number);
    print_time((double)phase->begin_ns);
    print_time((double)(phase->end_ns - phase->begin_ns));
    printf(" %6.1f %% %10s", 100 * (double)(phase->end_ns - phase->begin_ns) / run_ns, n);
    print_time(phase->shortest_ns);
    print_time(phase->median_ns);
    print_time(phase->longest_ns);
    printf("\n        each: %s\n", body);
    if (phase->n_loops > 1)
        printf("        in %u stretches; what is between them is not counted\n", phase->n_loops);
    printf("        --time %s\n", time);
    g_free(body);
    g_free(time);
    g_free(n);
}

/* A factor that is 0 is not known. */
static void print_factor(double factor)
{
    if (factor > 0)
        printf(" %9.1f %%", 100 * factor);
    else
        printf(" %11s", "-");
}

static void print_factors(const char *name, const TndEfficiency *efficiency)
{
    const TndEfficiencyFactors *of = efficiency->has_openmp ? &efficiency->hybrid : &efficiency->processes;
    printf("  %5s", name);
    print_factor(of->parallel);
    print_factor(of->load_balance);
    print_factor(of->communication);
    if (!efficiency->has_openmp)
        print_factor(of->running);
    print_factor(efficiency->has_openmp ? efficiency->mpi.serialisation : of->serialisation);
    print_factor(efficiency->has_openmp ? efficiency->mpi.transfer : of->transfer);
    if (efficiency->has_openmp) {
        print_factor(efficiency->mpi.parallel);
        print_factor(efficiency->openmp.parallel);
    }
    putchar('\n');
}

static void print_tables(const TndTrace *trace, const TndPhases *phases, const TndEfficiency *run, gboolean all)
{
    double run_ns = (double)(phases->end_ns - phases->begin_ns);
    char *n_calls = calls_text(phases), *duration = tnd_quantity_text(run_ns, "ns");
    printf("%s\n\nPhases in which the run of %s iterates, by the %s of %s\n", tnd_trace_shown(trace), duration, n_calls,
           tnd_trace_thread(trace, phases->row)->name);
    printf("  %5s %11s %11s %8s %10s %11s %11s %11s\n", "phase", "begin", "duration", "of run", "iterations",
           "shortest", "median", "longest");
    for (guint i = 0; i < phases->phases->len; i++)
        print_phase(&g_array_index(phases->phases, TndPhase, i), i + 1, run_ns, all);
    printf("\nEfficiency (POP; of %s)\n  %5s %11s %11s %11s%s %11s %11s%s\n",
           run->has_openmp ? "all threads" : "the first thread of every process", "phase", "parallel", "balance",
           "communic.", run->has_openmp ? "" : "     running", "serialis.", "transfer",
           run->has_openmp ? "      of MPI   of OpenMP" : "");
    for (guint i = 0; i < phases->phases->len; i++) {
        char *number = g_strdup_printf("%u", i + 1);
        print_factors(number, &g_array_index(phases->phases, TndPhase, i).efficiency);
        g_free(number);
    }
    print_factors("run", run);
    g_free(duration);
    g_free(n_calls);
}

int tnd_phases_text_print(const TndTrace *trace, gboolean all)
{
    TndProgress progress;
    GError *error = NULL;
    tnd_progress_begin(&progress, "looking for phases");
    TndSyncOps *ops = tnd_sync_ops_new(trace, tnd_progress_show, &progress, &error);
    TndReplay *ideal = ops ? tnd_replay_new(ops, &tnd_replay_ideal, tnd_progress_show, &progress, NULL) : NULL;
    TndPhases *phases = ops ? tnd_phases_new(ops, ideal) : NULL;
    tnd_progress_end(&progress);
    if (phases && phases->phases->len) {
        TndEfficiency run = tnd_efficiency_of(ops, ideal, phases->begin_ns, phases->end_ns, phases->is_run);
        print_tables(trace, phases, &run, all);
    } else if (phases) {
        char *none = tnd_phases_text_none(trace, phases);
        printf("%s\n\n%s\n", tnd_trace_shown(trace), none);
        g_free(none);
    }
    tnd_phases_free(phases);
    tnd_replay_free(ideal);
    tnd_sync_ops_free(ops);
    int status = error ? TND_EXIT_INPUT : TND_EXIT_FINE;
    if (error)
        tnd_cli_complain_error(&error);
    return status;
}
