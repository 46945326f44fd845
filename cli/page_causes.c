/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sections of the page that say why a run takes so long: efficiencies, phases, waits, the critical path.
 */
#include "cli/page_parts.h"

#include "analysis/base/quantity.h"
#include "analysis/reports/critical_path.h"
#include "analysis/reports/culprit_functions.h"
#include "analysis/trace/row_labels.h"
#include "cli/cli.h"
#include "cli/page_text.h"
#include "cli/phases_text.h"

#include <math.h>

enum { LINES_SHOWN = 12, GAINS_SHOWN = 6, PATH_FRAMES = 3, BODY_WIDTH = 200 }; /* each gain needs a replay */

static char *time_text(double ns)
{
    return tnd_quantity_text(floor(ns + 0.5), "ns");
}

/* A row of the table of efficiencies, with what a format says of two times. */
static void put_factor(const TndPage *page, const char *name, double factor, const char *format, double one_ns,
                       double other_ns)
{
    char *one = time_text(one_ns), *other = time_text(other_ns);
    char **sides = g_strsplit(format, "%s", 3);
    g_assert(g_strv_length(sides) == 3);
    char *meaning = g_strconcat(sides[0], one, sides[1], other, sides[2], NULL);
    tnd_page_text_row(page->html, "tnt", g_strdup(name), tnd_page_text_percent(factor), meaning);
    g_strfreev(sides);
    g_free(one);
    g_free(other);
}

static void put_factors(const TndPage *page, const TndEfficiency *efficiency)
{
    const TndEfficiencyFactors *factors = &efficiency->processes;
    double run_ns = (double)(efficiency->end_ns - efficiency->begin_ns), mean_ns = factors->parallel * run_ns;
    double most_ns = factors->communication * run_ns;
    tnd_page_text_table(page->html, "efficiency|#value|what it means here");
    put_factor(page, "parallel efficiency", factors->parallel, "A process computes %s on average, in a run of %s.",
               mean_ns, run_ns);
    put_factor(page, "load balance", factors->load_balance,
               "A process computes %s on average; the one that computes longest, %s.", mean_ns, most_ns);
    put_factor(page, "communication efficiency", factors->communication,
               "The process that computes longest does so for %s of %s; the rest it spends in MPI, or is stopped.",
               most_ns, run_ns);
    if (factors->transfer > 0) {
        double ideal_ns = factors->transfer * run_ns, outside_ns = factors->serialisation * ideal_ns;
        put_factor(
            page, "running", factors->running,
            "A process computes at most %s, and is outside of MPI at most %s: for the rest, it is stopped there, "
            "or in another runtime.",
            most_ns, outside_ns);
        put_factor(page, "serialisation", factors->serialisation,
                   "If messages took no time, a process would be outside of MPI for at most %s of %s: for the rest, "
                   "processes wait for each other in turn.",
                   outside_ns, ideal_ns);
        put_factor(page, "transfer", factors->transfer,
                   "If messages took no time, the run would take %s instead of %s.", ideal_ns, run_ns);
    }
    tnd_page_text_table_end(page->html, 0);
}

static void put_hybrid(const TndPage *page, const TndEfficiency *efficiency)
{
    double run_ns = (double)(efficiency->end_ns - efficiency->begin_ns);
    tnd_page_text_table(page->html, "efficiency of all threads|#value|what it means here");
    put_factor(page, "parallel efficiency", efficiency->hybrid.parallel,
               "A thread computes %s on average, in a run of %s.", efficiency->hybrid.parallel * run_ns, run_ns);
    if (page->time->has_mpi) {
        put_factor(page, "of MPI", efficiency->mpi.parallel,
                   "The first thread of a process is outside of MPI for %s of %s on average.",
                   efficiency->mpi.parallel * run_ns, run_ns);
        put_factor(page, "of OpenMP", efficiency->openmp.parallel,
                   "A thread computes %s on average, while the first threads are outside of MPI for %s.",
                   efficiency->hybrid.parallel * run_ns, efficiency->mpi.parallel * run_ns);
    }
    put_factor(page, "load balance", efficiency->hybrid.load_balance,
               "A thread computes %s on average; the one that computes longest, %s.",
               efficiency->hybrid.parallel * run_ns, efficiency->hybrid.communication * run_ns);
    put_factor(page, "communication", efficiency->hybrid.communication,
               "The thread that computes longest does so for %s of %s.", efficiency->hybrid.communication * run_ns,
               run_ns);
    tnd_page_text_table_end(page->html, 0);
}

void tnd_page_parts_efficiency(const TndPage *page)
{
    const TndStatTime *time = page->time;
    const TndEfficiency *shown = time->has_run ? &time->run : &time->whole;
    gboolean has_processes = time->has_mpi && shown->processes.parallel > 0;
    if (!has_processes && !shown->has_openmp)
        return;
    tnd_page_text_section(page->html, "Efficiency",
                          time->has_run
                              ? "As the POP project defines it, of the time between MPI_Init and MPI_Finalize."
                              : "As the POP project defines it, of the whole trace.");
    if (has_processes)
        put_factors(page, shown);
    if (shown->has_openmp)
        put_hybrid(page, shown);
    tnd_page_text_section_end(page->html);
}

/* A factor of 0 is not known. */
static char *factor_text(double factor)
{
    return factor > 0 ? tnd_page_text_percent(factor) : g_strdup("-");
}

static void put_phase(const TndPage *page, const TndPhases *phases, const TndPhase *phase)
{
    double duration_ns = (double)(phase->end_ns - phase->begin_ns);
    char *n = tnd_quantity_text(phase->iterations_ns->len, "");
    tnd_page_text_row(page->html, "nnnnnnntt", time_text((double)phase->begin_ns), time_text(duration_ns),
                      tnd_page_text_percent(duration_ns / (double)(phases->end_ns - phases->begin_ns)),
                      phase->n_loops > 1 ? g_strdup_printf("%s in %u stretches", n, phase->n_loops) : g_strdup(n),
                      time_text(phase->shortest_ns), time_text(phase->median_ns), time_text(phase->longest_ns),
                      tnd_phases_text_time(phase), tnd_cli_cut(phase->body, BODY_WIDTH));
    g_free(n);
}

static void put_phase_factors(const TndPage *page, const TndPhase *phase, gboolean has_openmp)
{
    const TndEfficiency *efficiency = &phase->efficiency;
    const TndEfficiencyFactors *of = efficiency->has_openmp ? &efficiency->hybrid : &efficiency->processes;
    const TndEfficiencyFactors *ideal = efficiency->has_openmp ? &efficiency->mpi : of;
    char *begin = time_text((double)phase->begin_ns), *parallel = factor_text(of->parallel),
         *balance = factor_text(of->load_balance), *communication = factor_text(of->communication),
         *serialisation = factor_text(ideal->serialisation), *transfer = factor_text(ideal->transfer);
    if (has_openmp)
        tnd_page_text_row(page->html, "nnnnnnnn", begin, parallel, balance, communication, serialisation, transfer,
                          factor_text(efficiency->mpi.parallel), factor_text(efficiency->openmp.parallel));
    else
        tnd_page_text_row(page->html, "nnnnnnn", begin, parallel, balance, communication, factor_text(of->running),
                          serialisation, transfer);
}

static void put_phases(const TndPage *page, const TndPhases *phases)
{
    const GArray *all = phases->phases;
    gboolean has_openmp = page->time->whole.has_openmp;
    tnd_page_text_table(page->html, "#begin|#duration|#of run|#iterations|#shortest|#median|#longest|as --time|each");
    for (guint i = 0; i < all->len; i++)
        put_phase(page, phases, &g_array_index(all, TndPhase, i));
    tnd_page_text_table_end(page->html, 0);
    tnd_page_text_paragraph(page->html, g_strdup("How efficient they are, as above."));
    tnd_page_text_table(page->html, has_openmp ? "#begin|#parallel efficiency|#load balance|#communication|"
                                                 "#serialisation|#transfer|#of MPI|#of OpenMP"
                                               : "#begin|#parallel efficiency|#load balance|#communication|"
                                                 "#running|#serialisation|#transfer");
    for (guint i = 0; i < all->len; i++)
        put_phase_factors(page, &g_array_index(all, TndPhase, i), has_openmp);
    tnd_page_text_table_end(page->html, 0);
}

void tnd_page_parts_phases(const TndPage *page)
{
    TndPhases *phases = tnd_phases_new(page->time->ops, page->time->ideal);
    if (phases->n_calls) {
        tnd_page_text_section(page->html, "Phases",
                              phases->is_of_functions
                                  ? "Where the run iterates: the calls of functions of a thread, where they repeat."
                                  : "Where the run iterates: the calls of the process with the median number of calls, "
                                    "where they repeat.");
        if (phases->is_cut)
            tnd_page_text_paragraph(
                page->html,
                g_strdup_printf("Only its first %" G_GSIZE_FORMAT " calls were looked at.", phases->n_calls));
        if (phases->phases->len)
            put_phases(page, phases);
        else
            tnd_page_text_paragraph(page->html, tnd_phases_text_none(page->trace, phases));
        tnd_page_text_section_end(page->html);
    }
    tnd_phases_free(phases);
}

static void put_kinds(const TndPage *page)
{
    tnd_page_text_table(page->html, "wait|#times|#lost|#average");
    for (guint kind = 0; kind < TND_WAIT_N_KINDS; kind++) {
        TndWaitSum sum = tnd_wait_states_sum(page->time->states, (TndWaitKind)kind);
        if (sum.n)
            tnd_page_text_row(page->html, "tnnn", g_strdup(tnd_wait_titles[kind]), tnd_quantity_text((double)sum.n, ""),
                              time_text(sum.lost_ns), time_text(sum.lost_ns / (double)sum.n));
    }
    tnd_page_text_table_end(page->html, 0);
}

static char *row_name(const TndPage *page, guint row)
{
    return g_strdup(tnd_row_labels_get(page->trace, TND_LEVEL_THREAD, row));
}

static void put_waiters(const TndPage *page)
{
    guint n;
    const TndWaiter *waiters = tnd_wait_states_waiters(page->time->states, &n);
    tnd_page_text_paragraph(page->html, g_strdup("Who waits: where, and which thread most."));
    tnd_page_text_table(page->html, "#lost|#times|wait|thread|where");
    for (guint i = 0; i < MIN(n, LINES_SHOWN); i++)
        tnd_page_text_row(page->html, "nnttt", time_text(waiters[i].sum.lost_ns),
                          tnd_quantity_text((double)waiters[i].sum.n, ""), g_strdup(tnd_wait_titles[waiters[i].kind]),
                          row_name(page, waiters[i].worst_row),
                          tnd_sync_ops_place_text(page->time->ops, waiters[i].place, PATH_FRAMES));
    tnd_page_text_table_end(page->html, n - MIN(n, LINES_SHOWN));
}

/* What most samples of a place are in.  Free with g_free. */
static char *functions_of(const TndPage *page, guint row, TndSyncPlace place)
{
    double percent;
    char *functions = tnd_culprit_functions_text(page->time->ops, row, place, &percent);
    return functions ? functions : g_strdup("-");
}

static void put_culprits(const TndPage *page)
{
    guint n;
    const TndCulprit *culprits = tnd_wait_states_culprits(page->time->states, &n);
    tnd_page_text_paragraph(page->html,
                            g_strdup("Who causes it: the thread that came late, and what it did meanwhile."));
    tnd_page_text_table(page->html, "#lost by others|#itself|thread|what|most samples there");
    for (guint i = 0; i < MIN(n, LINES_SHOWN); i++)
        tnd_page_text_row(page->html, "nnttt", time_text(culprits[i].lost_ns), time_text(culprits[i].itself_ns),
                          row_name(page, culprits[i].row),
                          tnd_sync_ops_place_text(page->time->ops, culprits[i].place, PATH_FRAMES),
                          functions_of(page, culprits[i].row, culprits[i].place));
    tnd_page_text_table_end(page->html, n - MIN(n, LINES_SHOWN));
}

void tnd_page_parts_waits(const TndPage *page)
{
    if (!page->time->states || !tnd_wait_states_all(page->time->states).n)
        return;
    tnd_page_text_section(page->html, "Who waits for whom",
                          "Time lost by waiting until another thread came. It is summed up over all threads.");
    put_kinds(page);
    put_waiters(page);
    put_culprits(page);
    tnd_page_text_section_end(page->html);
}

static char *gain_text(double gain_ns)
{
    return isnan(gain_ns) ? g_strdup("-") : time_text(MAX(gain_ns, 0));
}

static void put_path_places(const TndPage *page, const TndCriticalPath *path, double length_ns)
{
    guint n = path->places->len, n_shown = MIN(n, LINES_SHOWN);
    double gains_ns[GAINS_SHOWN] = {0};
    tnd_critical_path_gains(path, page->time->ops, MIN(n, GAINS_SHOWN), gains_ns);
    tnd_page_text_table(page->html, "#on the path|#share|#gain by 10 % less|mostly|where|most samples there");
    for (guint i = 0; i < n_shown; i++) {
        const TndPathPlace *place = &g_array_index(path->places, TndPathPlace, i);
        gboolean is_code = tnd_sync_ops_place_is_code(place->place);
        tnd_page_text_row(
            page->html, "nnnttt", time_text(place->path_ns), tnd_page_text_percent(place->path_ns / length_ns),
            i < GAINS_SHOWN && is_code ? gain_text(gains_ns[i]) : g_strdup(""), row_name(page, place->worst_row),
            tnd_sync_ops_place_text(page->time->ops, place->place, PATH_FRAMES),
            functions_of(page, place->worst_row, place->place));
    }
    tnd_page_text_table_end(page->html, n - n_shown);
}

static void put_path_functions(const TndPage *page, const TndCriticalPath *path, double length_ns)
{
    guint n = path->functions->len, n_shown = MIN(n, LINES_SHOWN);
    if (!n)
        return;
    tnd_page_text_table(page->html, "#on the path|#share|by|function, itself");
    for (guint i = 0; i < n_shown; i++) {
        const TndPathFunction *function = &g_array_index(path->functions, TndPathFunction, i);
        tnd_page_text_row(page->html, "nntt", time_text(function->path_ns),
                          tnd_page_text_percent(function->path_ns / length_ns),
                          g_strdup(function->is_sampled ? "samples" : "its calls"), g_strdup(function->name));
    }
    tnd_page_text_table_end(page->html, n - n_shown);
}

void tnd_page_parts_path(const TndPage *page)
{
    if (!page->time->states || tnd_trace_n_threads(page->trace) < 2)
        return;
    TndCriticalPath *path = tnd_critical_path_new(page->time->states);
    double length_ns = (double)MAX(path->end_ns - path->begin_ns, 1);
    tnd_page_text_section(page->html, "Critical path",
                          "What makes the run as long as it is: only what is on this path makes it longer. The gain is "
                          "found by a replay in which that place takes 10 % less time on all threads.");
    put_path_places(page, path, length_ns);
    put_path_functions(page, path, length_ns);
    tnd_page_text_section_end(page->html);
    tnd_critical_path_free(path);
}
