/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem stat`: a summary of a trace for a first look, in at most 100 columns.
 */
#include "cli/cli.h"
#include "cli/scaling_table.h"
#include "cli/stat_text.h"
#include "cli/stat_time.h"

#include "analysis/base/quantity.h"
#include "analysis/reports/heap_list.h"
#include "analysis/reports/places.h"
#include "analysis/reports/sensor_sums.h"
#include "analysis/reports/statistics.h"
#include "formats/event_types.h"
#include "formats/fact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROWS_SHOWN 24
#define LINES_SHOWN 10
#define LEAKS_SHOWN 5
#define WORTH_NS 2000.0 /* the average length of a call that is worth recording, as for --python auto */

/* The number of a fact of the trace; -1: it has no such fact. */
static double number_of(const TndTrace *trace, const char *key)
{
    const char *text = tnd_statistics_comment(trace, key);
    return text ? g_ascii_strtod(text, NULL) : -1;
}

/* Prints what the .prv holds: "12 states, 34 event values, 5 messages". */
static void print_contents(const TndTrace *trace, const TndStatistics *statistics, TndStatPool *pool)
{
    guint64 n_states = 0, n_values = 0;
    guint n_types;
    const TndTraceType *types = tnd_trace_types(trace, &n_types);
    for (guint i = 0; i < n_types; i++)
        n_values += types[i].n_events;
    for (guint row = 0; row < tnd_trace_n_threads(trace); row++)
        n_states += tnd_trace_thread(trace, row)->n_states;
    printf("  holds      %s, %s, %s", tnd_stat_text_count(pool, n_states, "state", "states"),
           tnd_stat_text_count(pool, n_values, "event value", "event values"),
           tnd_stat_text_count(pool, statistics->n_messages, "message", "messages"));
    if (statistics->n_lines)
        printf(", %s", tnd_stat_text_count(pool, statistics->n_lines, "line between tasks", "lines between tasks"));
    printf("\n");
}

static void print_overhead(const TndTrace *trace, TndStatPool *pool)
{
    double overhead_ns = number_of(trace, TND_FACT_OVERHEAD_NS), cpu_ns = number_of(trace, TND_FACT_CPU_NS);
    if (overhead_ns < 0)
        return;
    printf("  overhead   about %s", tnd_stat_text_quantity(pool, overhead_ns, "ns"));
    if (cpu_ns > 0)
        printf(", %.2f %% of the CPU time", 100 * overhead_ns / cpu_ns);
    printf("\n");
}

/* Prints "ran on     2 CPUs; 7 migrations seen, most of THREAD 1.1.2: 5". */
static void print_cpus(const TndTrace *trace, const TndPlaces *places, TndStatPool *pool)
{
    if (!places->n_cpus)
        return;
    guint most = 0;
    for (guint row = 1; row < places->n_rows; row++)
        if (places->rows[row].n_migrations > places->rows[most].n_migrations)
            most = row;
    printf("  ran on     %s", tnd_stat_text_count(pool, places->n_cpus, "CPU", "CPUs"));
    printf("; %s seen", tnd_stat_text_count(pool, places->n_migrations, "migration", "migrations"));
    if (places->n_migrations && places->n_rows > 1)
        printf(", most of %s: %s", tnd_trace_thread(trace, most)->name,
               tnd_stat_text_quantity(pool, (double)places->rows[most].n_migrations, ""));
    printf("\n");
}

static void print_header(const TndTrace *trace, const TndStatistics *statistics, TndStatPool *pool)
{
    const struct tnd_prv_header *header = tnd_trace_header(trace);
    guint64 n_cpus = 0;
    for (guint i = 0; i < header->n_nodes; i++)
        n_cpus += header->n_cpus[i];
    printf("%s%s%s\n", tnd_stat_text_colours()->title, tnd_trace_shown(trace), tnd_stat_text_colours()->end);
    const char *command = tnd_statistics_comment(trace, TND_FACT_COMMAND);
    if (command)
        printf("  command    %s\n", tnd_stat_text_cut(pool, command, 86));
    printf("  recorded   %s", header->date);
    double n_records = number_of(trace, TND_FACT_RECORDS), n_lost = number_of(trace, TND_FACT_LOST);
    if (n_records >= 0)
        printf(": %s", tnd_stat_text_count(pool, (guint64)n_records, "record", "records"));
    if (n_records >= 0 && n_lost >= 0)
        printf(", %s lost", tnd_stat_text_quantity(pool, n_lost, ""));
    printf("\n  duration   %s\n", tnd_stat_text_quantity(pool, (double)tnd_trace_end_ns(trace), "ns"));
    guint64 n_threads = (guint64)MAX(number_of(trace, TND_FACT_THREADS), statistics->n_rows);
    printf("  of         %s, %s", tnd_stat_text_count(pool, statistics->n_tasks, "process", "processes"),
           tnd_stat_text_count(pool, n_threads, "thread", "threads"));
    if (n_threads > statistics->n_rows) /* several threads, one after another, share a row */
        printf(" in %s", tnd_stat_text_count(pool, statistics->n_rows, "row", "rows"));
    if (header->n_nodes)
        printf(", %s with %s", tnd_stat_text_count(pool, header->n_nodes, "node", "nodes"),
               tnd_stat_text_count(pool, n_cpus, "CPU", "CPUs"));
    printf("\n");
    print_contents(trace, statistics, pool);
    print_overhead(trace, pool);
}

static void print_calls(const TndStatistics *statistics, TndStatPool *pool)
{
    if (!statistics->n_calls)
        return;
    tnd_stat_text_title("MPI calls of all threads");
    printf("  %-32s %12s %12s %8s %12s\n", "call", "calls", "time", "of MPI", "average");
    for (guint i = 0; i < MIN(statistics->calls->len, LINES_SHOWN); i++) {
        const TndUser *call = &g_array_index(statistics->calls, TndUser, i);
        char share[16] = "counted"; /* and not recorded */
        if (!call->is_counted)
            snprintf(share, sizeof share, "%.2f %%", 100 * call->time_ns / (double)MAX(statistics->mpi_ns, 1));
        printf("  %s %12s %12s %8s %12s\n", tnd_stat_text_fit(pool, call->name, 32),
               tnd_stat_text_quantity(pool, (double)call->n, ""), tnd_stat_text_quantity(pool, call->time_ns, "ns"),
               share, tnd_stat_text_quantity(pool, (double)(guint64)(call->time_ns / (double)call->n), "ns"));
    }
    if (statistics->calls->len > LINES_SHOWN)
        printf("  ... and %s\n",
               tnd_stat_text_count(pool, statistics->calls->len - LINES_SHOWN, "more call", "more calls"));
}

static void print_uses(const TndFunctionUses *uses, const char *title, TndStatPool *pool)
{
    if (!uses->most->len)
        return;
    tnd_stat_text_title(title);
    printf("  %-44s %12s %12s %8s %12s\n", "function", "calls", "itself", "of these", "with callees");
    guint64 n_counted = 0;
    for (guint i = 0; i < MIN(uses->most->len, LINES_SHOWN); i++) {
        const TndFunctionUse *use = &g_array_index(uses->most, TndFunctionUse, i);
        n_counted += use->n_counted;
        printf("  %s %12s %12s %6.2f %% %12s%s\n", tnd_stat_text_fit(pool, use->name, 44),
               tnd_stat_text_quantity(pool, (double)use->n_calls, ""),
               tnd_stat_text_quantity(pool, (double)use->self_ns, "ns"),
               100 * (double)use->self_ns / (double)MAX(uses->self_ns, 1),
               tnd_stat_text_quantity(pool, (double)use->inclusive_ns, "ns"), use->n_counted ? " *" : "");
    }
    if (n_counted)
        printf("  * with %s that were so short that they were counted instead of recorded\n",
               tnd_stat_text_count(pool, n_counted, "call", "calls"));
    if (uses->n > LINES_SHOWN)
        printf("  ... and %s\n", tnd_stat_text_count(pool, uses->n - LINES_SHOWN, "more function", "more functions"));
}

static const char *bytes_or_none(TndStatPool *pool, guint64 n_bytes)
{
    return n_bytes ? tnd_stat_text_quantity(pool, (double)n_bytes, "B") : "-";
}

static void print_stacks(const TndTrace *trace, const TndPlaces *places, gboolean all, TndStatPool *pool)
{
    if (!places->has_stack)
        return;
    tnd_stat_text_title("Stacks: how much of each was ever used, and the deepest that was seen");
    printf("  %-24s %10s %10s %10s  %s\n", "thread", "used", "of", "seen", "in");
    guint n_shown = all ? places->n_rows : MIN(places->n_rows, ROWS_SHOWN);
    for (guint row = 0; row < n_shown; row++) {
        const TndPlace *place = &places->rows[row];
        const TndPlaceRegion *deepest = &place->deepest;
        char *name = deepest->deepest_bytes ? tnd_places_name(trace, deepest) : g_strdup("");
        printf("  %s %10s %10s %10s  %s\n", tnd_stat_text_fit(pool, tnd_trace_thread(trace, row)->name, 24),
               bytes_or_none(pool, place->high_bytes), bytes_or_none(pool, place->size_bytes),
               bytes_or_none(pool, deepest->deepest_bytes), tnd_stat_text_cut(pool, name, 38));
        g_free(name);
    }
    if (n_shown < places->n_rows)
        printf("  ... and %s: --all shows them\n",
               tnd_stat_text_count(pool, places->n_rows - n_shown, "more thread", "more threads"));
    if (!places->regions->len)
        return;
    printf("\n  %-48s %10s  %s\n", "region, while it was the innermost", "deepest", "thread");
    for (guint i = 0; i < MIN(places->regions->len, LINES_SHOWN); i++) {
        const TndPlaceRegion *region = &g_array_index(places->regions, TndPlaceRegion, i);
        char *name = tnd_places_name(trace, region);
        printf("  %s %10s  %s\n", tnd_stat_text_fit(pool, name, 48),
               tnd_stat_text_quantity(pool, (double)region->deepest_bytes, "B"),
               tnd_stat_text_cut(pool, tnd_trace_thread(trace, region->row)->name, 36));
        g_free(name);
    }
    if (places->regions->len > LINES_SHOWN)
        printf("  ... and %s\n",
               tnd_stat_text_count(pool, places->regions->len - LINES_SHOWN, "more region", "more regions"));
}

/* A sensor's value with four digits. */
static const char *reading(TndStatPool *pool, double value, const char *unit)
{
    double digit = value != 0 ? pow(10, floor(log10(fabs(value))) - 3) : 1;
    return tnd_stat_text_quantity(pool, digit < 1 ? round(value / digit) * digit : round(value), unit);
}

static void print_node_sensors(const TndTrace *trace, const TndSensorSums *sums, TndStatPool *pool)
{
    guint node = G_MAXUINT;
    tnd_stat_text_title("Sensors: least, mean, most; energy");
    for (guint i = 0; i < sums->sensors->len; i++) {
        const TndSensorSum *sensor = &g_array_index(sums->sensors, TndSensorSum, i);
        gboolean is_power = !isnan(sensor->joules);
        const double values[] = {sensor->minimum, sensor->mean, sensor->maximum};
        if (sensor->node != node && tnd_trace_header(trace)->n_nodes > 1)
            printf("%s  %s\n", i ? "\n" : "", tnd_trace_node_name(trace, node = sensor->node));
        printf("  %s", tnd_stat_text_fit(pool, sensor->name, 46));
        for (guint j = 0; j < G_N_ELEMENTS(values); j++)
            printf(" %10s", reading(pool, values[j], is_power ? "W" : sensor->unit));
        if (is_power)
            printf(" %10s", reading(pool, sensor->joules, "J"));
        putchar('\n');
    }
}

/* Whether a row belongs to the same process as the row before. */
static gboolean goes_on(const TndTrace *trace, guint row)
{
    const TndThread *before = tnd_trace_thread(trace, row - 1), *thread = tnd_trace_thread(trace, row);
    return thread->application == before->application && thread->task == before->task;
}

/* Prints the energy of each process, or of the threads if there is one process. */
static void print_energy(const TndTrace *trace, const TndStatistics *statistics, const TndSensorSums *sums,
                         gboolean all, TndStatPool *pool)
{
    guint n_shown = 0, n_left = 0;
    gboolean of_processes = statistics->n_tasks > 1;
    if (!sums->joules || sums->all_joules <= 0)
        return;
    printf("\n  %-24s %12s %8s   those of a node that compute share its energy equally at each moment\n",
           of_processes ? "process" : "thread", "energy", "share");
    for (guint first = 0, row = 1; first < statistics->n_rows; first = row++) {
        const TndThread *thread = tnd_trace_thread(trace, first);
        double joules = sums->joules[first];
        for (; of_processes && row < statistics->n_rows && goes_on(trace, row); row++)
            joules += sums->joules[row];
        if (!all && n_shown++ >= ROWS_SHOWN) {
            n_left++;
            continue;
        }
        char *name =
            of_processes ? g_strdup_printf("TASK %u.%u", thread->application, thread->task) : g_strdup(thread->name);
        printf("  %s %12s %6.2f %%\n", tnd_stat_text_fit(pool, name, 24), tnd_stat_text_quantity(pool, joules, "J"),
               100 * joules / sums->all_joules);
        g_free(name);
    }
    if (n_left)
        printf("  ... and %s: --all shows them\n", tnd_stat_text_count(pool, n_left, "more", "more"));
}

static void print_sensors(const TndTrace *trace, const TndStatistics *statistics, gboolean all, TndStatPool *pool)
{
    TndSensorSums *sums = tnd_sensor_sums_new(trace);
    if (sums->sensors->len) {
        print_node_sensors(trace, sums, pool);
        print_energy(trace, statistics, sums, all, pool);
    }
    tnd_sensor_sums_free(sums);
}

static void print_heap_process(const TndHeapProcess *process, double duration_s, TndStatPool *pool)
{
    char *place = g_strdup_printf("%u.%u", process->application, process->task);
    char *name = process->stack[0] ? tnd_heap_list_name(process->stack) : g_strdup("-");
    printf("  %-8s %11s %11s %11s %11s %9s/s  %s\n", place, tnd_stat_text_quantity(pool, (double)process->peak, "B"),
           tnd_stat_text_quantity(pool, (double)process->live, "B"),
           tnd_stat_text_quantity(pool, (double)process->allocated / duration_s, "B/s"),
           tnd_stat_text_quantity(pool, (double)process->allocations, ""),
           tnd_stat_text_quantity(pool, (double)(guint64)((double)process->allocations / duration_s), ""),
           tnd_stat_text_cut(pool, name, 30));
    g_free(name);
    g_free(place);
}

/* Prints what was never freed, by allocating function; the list has the most live bytes first. */
static void print_leaks(const TndHeapList *list, gboolean is_sample, TndStatPool *pool)
{
    guint n = 0;
    while (n < list->sites->len && g_array_index(list->sites, TndHeapSite, n).figures.live > 0)
        n++;
    if (!n)
        return;
    printf("\n  %11s %11s  %s\n", "never freed", "blocks", is_sample ? "by (estimates)" : "by");
    for (guint i = 0; i < MIN(n, LEAKS_SHOWN); i++) {
        const TndHeapSite *site = &g_array_index(list->sites, TndHeapSite, i);
        char *name = tnd_heap_list_name(site->stack);
        printf("  %11s %11s  %s\n", tnd_stat_text_quantity(pool, (double)site->figures.live, "B"),
               tnd_stat_text_quantity(pool, (double)site->figures.live_blocks, ""), tnd_stat_text_cut(pool, name, 70));
        g_free(name);
    }
    if (n > LEAKS_SHOWN)
        printf("  ... and %s: tandem heap shows them\n",
               tnd_stat_text_count(pool, n - LEAKS_SHOWN, "more place", "more places"));
}

static void print_heap(const TndTrace *trace, gboolean all, TndStatPool *pool)
{
    TndHeapList *list = tnd_heap_list_new(trace);
    guint n = list->processes->len, n_shown = all ? n : MIN(n, ROWS_SHOWN);
    double duration_s = MAX((double)tnd_trace_end_ns(trace), 1) / 1e9;
    if (n) {
        tnd_stat_text_title("Heap, in usable bytes; rates over the whole duration");
        printf("  %-8s %11s %11s %11s %11s %11s  %s\n", "process", "largest", "at the end", "allocated", "allocations",
               "", "it was largest in");
        for (guint i = 0; i < n_shown; i++)
            print_heap_process(&g_array_index(list->processes, TndHeapProcess, i), duration_s, pool);
        if (n_shown < n)
            printf("  ... and %s: --all shows them\n",
                   tnd_stat_text_count(pool, n - n_shown, "more process", "more processes"));
        print_leaks(list, g_array_index(list->processes, TndHeapProcess, 0).sample > 0, pool);
    }
    tnd_heap_list_free(list);
}

static void print_messages(const TndStatistics *statistics, TndStatPool *pool)
{
    if (!statistics->n_messages)
        return;
    tnd_stat_text_title("Messages");
    printf("  %s, %s; on average %s, the largest %s\n",
           tnd_stat_text_count(pool, statistics->n_messages, "message", "messages"),
           tnd_stat_text_quantity(pool, statistics->message_bytes, "B"),
           tnd_stat_text_quantity(pool, statistics->message_bytes / (double)statistics->n_messages, "B"),
           tnd_stat_text_quantity(pool, (double)statistics->largest_message_bytes, "B"));
    if (statistics->n_negative)
        printf("  %s%s received before sent: clocks of nodes disagree%s\n", tnd_stat_text_colours()->warning,
               tnd_stat_text_count(pool, statistics->n_negative, "was", "were"), tnd_stat_text_colours()->end);
}

/* Prints how much was sampled, how often, and the period that was asked for. */
static void print_sampling_rate(const TndTrace *trace, const TndStatistics *statistics, TndStatPool *pool)
{
    printf("  %s", tnd_stat_text_count(pool, statistics->n_samples, "sample", "samples"));
    if (statistics->sampled_ns > 0) {
        printf(" of %s of CPU time", tnd_stat_text_quantity(pool, statistics->sampled_ns, "ns"));
        double cpu_ns = number_of(trace, TND_FACT_CPU_NS);
        if (cpu_ns > 0)
            printf(" (%.1f %% of what the threads used)", 100 * statistics->sampled_ns / cpu_ns);
        printf("\n  one every %s",
               tnd_stat_text_quantity(pool, (double)(guint64)(statistics->sampled_ns / (double)statistics->n_samples),
                                      "ns"));
    }
    double asked_ns = number_of(trace, TND_FACT_SAMPLING_PERIOD_NS);
    double asked_counts = number_of(trace, TND_FACT_SAMPLING_PERIOD_COUNTS);
    const char *clock = tnd_statistics_comment(trace, TND_FACT_SAMPLING_CLOCK);
    if (asked_ns > 0)
        printf("; asked for: %s", tnd_stat_text_quantity(pool, asked_ns, "ns"));
    if (asked_counts > 0)
        printf("; asked for: %s counts", tnd_stat_text_quantity(pool, asked_counts, ""));
    if (clock)
        printf("; clock: %s", clock);
    printf("\n");
}

static void print_functions(const TndStatistics *statistics, TndStatPool *pool)
{
    gboolean weighed = statistics->sampled_ns > 0;
    printf("  %8s %12s  %s\n", "share", weighed ? "CPU time" : "samples", "function");
    for (guint i = 0; i < MIN(statistics->functions->len, LINES_SHOWN); i++) {
        const TndUser *function = &g_array_index(statistics->functions, TndUser, i);
        double share =
            weighed ? function->time_ns / statistics->sampled_ns : (double)function->n / (double)statistics->n_samples;
        printf("  %6.2f %% %12s  %s\n", 100 * share,
               weighed ? tnd_stat_text_quantity(pool, function->time_ns, "ns")
                       : tnd_stat_text_quantity(pool, (double)function->n, ""),
               tnd_stat_text_cut(pool, function->name, 72));
    }
    if (statistics->functions->len > LINES_SHOWN)
        printf("  ... and %s\n",
               tnd_stat_text_count(pool, statistics->functions->len - LINES_SHOWN, "more function", "more functions"));
}

static void print_sampling(const TndTrace *trace, const TndStatistics *statistics, TndStatPool *pool)
{
    if (!statistics->n_samples && !tnd_statistics_comment(trace, TND_FACT_SAMPLING_CLOCK))
        return;
    tnd_stat_text_title("Sampled functions");
    print_sampling_rate(trace, statistics, pool);
    if (statistics->n_samples)
        print_functions(statistics, pool);
}

/* Prints what is missing in the trace, by its facts or by what was found when it was opened. */
static void print_missing(const TndTrace *trace, const TndStatistics *statistics, TndStatPool *pool)
{
    static const struct {
        const char *key, *one, *many;
    } counts[] = {
        {TND_FACT_LOST, "record that could not be kept", "records that could not be kept"},
        {TND_FACT_UNMATCHED_SENDS, "send without a receive", "sends without a receive"},
        {TND_FACT_UNMATCHED_RECEIVES, "receive without a send", "receives without a send"},
        {TND_FACT_OPEN_CALLS, "call that was open at the end and closed by the merge",
         "calls that were open at the end and closed by the merge"},
        {TND_FACT_DAMAGED_BYTES, "byte that could not be read", "bytes that could not be read"},
    };
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(counts); i++) {
        double n = number_of(trace, counts[i].key);
        if (n > 0)
            g_string_append_printf(text, "  %s\n",
                                   tnd_stat_text_count(pool, (guint64)n, counts[i].one, counts[i].many));
    }
    if (statistics->n_samples && !tnd_pcf_type(tnd_trace_pcf(trace), TND_TYPE_SAMPLED_FUNCTION))
        g_string_append(text, "  functions are numbers, because there is no .pcf that names them\n");
    if (tnd_trace_n_faults(trace))
        g_string_append_printf(text, "  %s of the file: the first is %s\n",
                               tnd_stat_text_count(pool, tnd_trace_n_faults(trace), "faulty line", "faulty lines"),
                               tnd_trace_fault(trace));
    char *missing = tnd_statistics_missing_end(trace);
    if (missing)
        g_string_append_printf(text, "  %s\n", missing);
    g_free(missing);
    for (const char *const *comment = tnd_trace_comments(trace); *comment; comment++) {
        const char *note = tnd_fact_value(*comment, TND_FACT_NOTE);
        if (note)
            g_string_append_printf(text, "  %s\n", note);
    }
    if (text->len) {
        tnd_stat_text_title("To know");
        printf("%s%s%s", tnd_stat_text_colours()->warning, text->str, tnd_stat_text_colours()->end);
    }
    g_string_free(text, TRUE);
}

static int run(const char *path, gboolean all)
{
    TndTrace *trace = tnd_cli_open(path);
    if (!trace)
        return TND_EXIT_INPUT;
    TndStatistics *statistics = tnd_statistics_new(trace);
    TndPlaces *places = tnd_places_new(trace);
    TndStatTime *time = tnd_stat_time_new(trace, TRUE);
    TndStatPool *pool = g_ptr_array_new_with_free_func(g_free);
    print_header(trace, statistics, pool);
    print_cpus(trace, places, pool);
    tnd_stat_time_print_shares(trace, statistics, all, pool);
    tnd_stat_time_print_efficiencies(time, pool);
    print_calls(statistics, pool);
    tnd_stat_time_print_regions(time, statistics, pool);
    print_uses(&statistics->python, "Python functions of all threads", pool);
    print_uses(&statistics->library, "Functions of libraries, of all threads", pool);
    print_messages(statistics, pool);
    print_sensors(trace, statistics, all, pool);
    print_stacks(trace, places, all, pool);
    print_heap(trace, all, pool);
    print_sampling(trace, statistics, pool);
    print_missing(trace, statistics, pool);
    tnd_stat_time_print_findings(trace, time, statistics, pool);
    tnd_stat_time_free(time);
    g_ptr_array_unref(pool);
    tnd_places_free(places);
    tnd_statistics_free(statistics);
    tnd_trace_free(trace);
    return TND_EXIT_FINE;
}

/* Lists Python functions in the format of `record --python FILE`: those whose calls are long enough to be worth
 * recording, the most time first. */
static int list_python(const char *path)
{
    TndTrace *trace = tnd_cli_open(path);
    if (!trace)
        return TND_EXIT_INPUT;
    TndStatistics *statistics = tnd_statistics_new(trace);
    printf("# functions of Python whose calls took %g us or more on average, for --python; from %s\n", WORTH_NS / 1e3,
           path);
    for (guint i = 0; i < statistics->python.most->len; i++) {
        const TndFunctionUse *use = &g_array_index(statistics->python.most, TndFunctionUse, i);
        if ((double)use->inclusive_ns >= WORTH_NS * (double)use->n_calls)
            printf("%.*s\n", (int)strcspn(use->name, " "), use->name);
    }
    tnd_statistics_free(statistics);
    tnd_trace_free(trace);
    return TND_EXIT_FINE;
}

int tnd_cli_stat(int argc, char **argv)
{
    gboolean all = FALSE, python = FALSE;
    const GOptionEntry entries[] = {
        {"all", 'a', 0, G_OPTION_ARG_NONE, &all, "Show every thread", NULL},
        {"python-functions", 0, 0, G_OPTION_ARG_NONE, &python,
         "Only list the Python functions that are worth recording, for record --python", NULL},
        G_OPTION_ENTRY_NULL,
    };
    int status;
    if (!tnd_cli_options(&argc, &argv, entries, "TRACE.prv [TRACE.prv...]",
                         "Prints a summary of a trace: where the time goes, efficiency, calls, functions, messages.\n"
                         "Of several traces, how their efficiencies compare with those of the first one.",
                         &status))
        return status;
    if (argc < 2 || (argc > 2 && (all || python))) {
        tnd_cli_complain("stat", argc < 2 ? "takes a trace (see `tandem stat --help`)"
                                          : "of several traces, takes no options (see `tandem stat --help`)");
        return TND_EXIT_USAGE;
    }
    if (argc > 2)
        return tnd_scaling_table_say(argv + 1, (guint)argc - 1, NULL);
    return python ? list_python(argv[1]) : run(argv[1], all);
}
