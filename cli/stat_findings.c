/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The end of `tandem stat`: what of a trace matters most, and the command that shows it.  Findings are weighed by the
 * share of all threads' time that is lost, so that they can be compared.
 */
#include "cli/stat_time.h"

#include "analysis/reports/culprit_functions.h"
#include "analysis/trace/walk.h"
#include "formats/event_types.h"
#include "formats/fact.h"

#include <stdio.h>
#include <string.h>

#define FINDINGS_SHOWN 3
#define LEAST_SHARE 0.01
#define SOME_TURNS_NS 1e7 /* a thread that waits for a CPU for less has waited for some turns of others */
#define LEAST_FUNCTION 20 /* characters of a function's name that say something */
#define WIDTH 100

typedef struct {
    double share; /* of all threads' time */
    char *text;
    const char *command; /* with a %s for the trace */
} Finding;

typedef struct {
    const TndTrace *trace;
    const TndStatTime *time;
    const TndStatistics *statistics;
    TndStatPool *pool;
    double all_ns; /* time of all threads */
    GArray *findings;
} Findings;

static void add(Findings *findings, double share, const char *command, char *text)
{
    const Finding finding = {share, text, command};
    if (share >= LEAST_SHARE)
        g_array_append_val(findings->findings, finding);
    else
        g_free(text);
}

/* The part of the trace that efficiencies are of. */
static double part_of_run(const Findings *findings)
{
    const TndEfficiency *run = &findings->time->run;
    if (!findings->time->has_run)
        return 1;
    return (double)(run->end_ns - run->begin_ns) / (double)MAX(tnd_trace_end_ns(findings->trace), 1);
}

static void find_culprit(Findings *findings)
{
    guint n = 0;
    const TndWaitStates *states = findings->time->states;
    const TndCulprit *culprits = states ? tnd_wait_states_culprits(states, &n) : NULL;
    if (!n)
        return;
    double percent;
    const TndSyncOps *ops = findings->time->ops;
    char *place = tnd_sync_ops_place_text(ops, culprits[0].place, 1),
         *function = tnd_culprit_functions_text(ops, culprits[0].row, culprits[0].place, &percent);
    const char *row = tnd_trace_thread(findings->trace, culprits[0].row)->name;
    double share = culprits[0].lost_ns / findings->all_ns;
    char *text =
        g_strdup_printf("Others wait %s (%.1f %%) for %s, %s",
                        tnd_stat_text_quantity(findings->pool, culprits[0].lost_ns, "ns"), 100 * share, row, place);
    glong room = WIDTH - 7 - g_utf8_strlen(text, -1);
    if (function && room >= LEAST_FUNCTION) {
        char *before = text, *caller = strstr(function, " < ");
        if (caller)
            *caller = '\0';
        text = g_strconcat(before, ": ", tnd_stat_text_cut(findings->pool, function, room), NULL);
        g_free(before);
    }
    add(findings, share, "tandem report %s --causes", text);
    g_free(function);
    g_free(place);
}

/* The CPUs of the nodes; 0: the trace is not of tandem, and others write how many are used. */
static guint64 n_cpus_of(const TndTrace *trace)
{
    const struct tnd_prv_header *header = tnd_trace_header(trace);
    guint64 n = 0;
    for (guint i = 0; i < header->n_nodes; i++)
        n += header->n_cpus[i];
    return tnd_statistics_comment(trace, TND_FACT_RECORDS) ? n : 0;
}

/* Losses of the efficiency model, except for what is waited for, which has a culprit. */
static void find_losses(Findings *findings)
{
    const TndStatTime *time = findings->time;
    const TndEfficiency *shown = time->has_run ? &time->run : &time->whole;
    const TndEfficiencyLosses *lost = shown->has_openmp ? &shown->hybrid_lost : &shown->lost;
    double part = part_of_run(findings);
    if (!time->has_mpi)
        return;
    add(findings, lost->load_balance * part, "tandem histogram %s --view useful-duration --statistic integral",
        g_strdup_printf("Processes compute unequally long: %.1f %% of their time is lost to load balance",
                        100 * lost->load_balance));
    add(findings, lost->serialisation * part, "tandem report %s --critical-path",
        g_strdup_printf("Processes wait for each other in turn: %.1f %% of their time is lost to serialisation",
                        100 * lost->serialisation));
    guint64 n_cpus = n_cpus_of(findings->trace);
    add(findings, lost->transfer * part, "tandem replay %s --latency 0 --summary",
        n_cpus && shown->n_threads > n_cpus
            ? g_strdup_printf(
                  "%.1f %% of the time of processes is lost in MPI, where %u threads share %s and take turns",
                  100 * lost->transfer, shown->n_threads, tnd_stat_text_count(findings->pool, n_cpus, "CPU", "CPUs"))
            : g_strdup_printf("%.1f %% of the time of processes is lost to the transfer of messages, and inside MPI",
                              100 * lost->transfer));
}

/* The share of all threads' time in a state: of the run, if it is known where that begins and ends. */
static double share_in(const Findings *findings, guint32 searched)
{
    const TndEfficiency *run = &findings->time->run;
    double sum_ns = 0;
    if (!findings->time->has_run)
        return (double)findings->statistics->state_ns[searched] / findings->all_ns;
    for (guint row = 0; row < findings->statistics->n_rows; row++) {
        TndWalk walk = tnd_walk_states(findings->trace, row, tnd_blocks_bit(searched));
        walk.from_ns = run->begin_ns;
        walk.until_ns = run->end_ns;
        for (const TndState *state; (state = tnd_walk_next_state(&walk));) {
            guint64 from_ns = MAX(state->begin_ns, run->begin_ns), until_ns = MIN(state->end_ns, run->end_ns);
            if (state->state == searched && from_ns < until_ns)
                sum_ns += (double)(until_ns - from_ns);
        }
        tnd_walk_end(&walk);
    }
    return sum_ns / ((double)(run->end_ns - run->begin_ns) * findings->statistics->n_rows);
}

/* Time off a CPU, outside of MPI. */
static void find_stops(Findings *findings)
{
    const TndStatTime *time = findings->time;
    double blocked = share_in(findings, TND_STATE_BLOCKED), preempted = share_in(findings, TND_STATE_PREEMPTED);
    double part = part_of_run(findings);
    double preempted_ns = preempted * part * (double)tnd_trace_end_ns(findings->trace);
    guint64 n_cpus = n_cpus_of(findings->trace);
    guint n_rows = findings->statistics->n_rows;
    gboolean has_waits = tnd_trace_n_events_of(findings->trace, TND_TYPE_WAITED_TIME) > 0;
    add(findings, blocked * part, has_waits ? "tandem report %s --waits" : "tandem timeline %s --view state",
        g_strdup_printf("Threads are blocked%s for %.1f %% of the time (sleeps, reads, polls)",
                        time->has_mpi ? " outside of MPI" : "", 100 * blocked));
    if (preempted_ns < SOME_TURNS_NS)
        return;
    char *sharing =
        n_cpus && n_rows > n_cpus
            ? g_strdup_printf(": %u share %s", n_rows, tnd_stat_text_count(findings->pool, n_cpus, "CPU", "CPUs"))
            : g_strdup(n_rows == 1 ? ": others use it" : "");
    add(findings, preempted * part, "tandem timeline %s --view state",
        g_strdup_printf("Threads that could run wait for a CPU for %.1f %% of the time of all%s", 100 * preempted,
                        sharing));
    g_free(sharing);
}

static void find_pool(Findings *findings)
{
    const TndStatistics *statistics = findings->statistics;
    double pool = 0;
    for (guint row = 0; row < statistics->n_rows; row++)
        pool += (double)statistics->shares[row].pool_ns / findings->all_ns;
    add(findings, pool, "tandem report %s --critical-path",
        g_strdup_printf("Threads of OpenMP have no parallel region for %.1f %% of the time of all", 100 * pool));
}

/* What the CPU time goes to matters as far as it could be saved: a tenth of it. */
static void find_function(Findings *findings)
{
    const TndStatistics *statistics = findings->statistics;
    if (!statistics->functions->len || statistics->sampled_ns <= 0)
        return;
    const TndUser *function = &g_array_index(statistics->functions, TndUser, 0);
    double share = function->time_ns / statistics->sampled_ns;
    add(findings, share * statistics->sampled_ns / findings->all_ns / 10, "tandem report %s",
        g_strdup_printf("%s takes %.1f %% of the CPU time, itself",
                        tnd_stat_text_cut(findings->pool, function->name, 60), 100 * share));
}

static int compare(gconstpointer a, gconstpointer b)
{
    const Finding *x = a, *y = b;
    return (x->share < y->share) - (x->share > y->share);
}

static void clear_finding(gpointer finding)
{
    g_free(((Finding *)finding)->text);
}

/* The command with the trace's path, or with its name where the line would be too long. */
static void print_command(const TndTrace *trace, const char *command)
{
    char **sides = g_strsplit(command, "%s", 2), *name = g_path_get_basename(tnd_trace_path(trace));
    const char *path = tnd_trace_path(trace);
    if (5 + g_utf8_strlen(command, -1) + g_utf8_strlen(path, -1) > WIDTH)
        path = name;
    printf("     %s%s%s\n", sides[0], path, sides[1]);
    g_strfreev(sides);
    g_free(name);
}

void tnd_stat_time_print_findings(const TndTrace *trace, const TndStatTime *time, const TndStatistics *statistics,
                                  TndStatPool *pool)
{
    Findings findings = {trace,
                         time,
                         statistics,
                         pool,
                         (double)tnd_trace_end_ns(trace) * statistics->n_rows,
                         g_array_new(FALSE, FALSE, sizeof(Finding))};
    g_array_set_clear_func(findings.findings, clear_finding);
    if (findings.all_ns > 0) {
        find_culprit(&findings);
        find_losses(&findings);
        find_stops(&findings);
        find_pool(&findings);
        find_function(&findings);
    }
    g_array_sort(findings.findings, compare);
    if (findings.findings->len)
        tnd_stat_text_title("What matters most");
    for (guint i = 0; i < MIN(findings.findings->len, FINDINGS_SHOWN); i++) {
        const Finding *finding = &g_array_index(findings.findings, Finding, i);
        printf("  %u. %s\n", i + 1, tnd_stat_text_cut(pool, finding->text, WIDTH - 5));
        print_command(trace, finding->command);
    }
    g_array_unref(findings.findings);
}
