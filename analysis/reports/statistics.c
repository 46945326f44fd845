/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums up the statistics of a trace.
 */
#include "analysis/reports/statistics.h"

#include "analysis/base/quantity.h"
#include "analysis/trace/blocks.h"
#include "analysis/trace/nesting.h"
#include "analysis/trace/walk.h"

#include "analysis/reports/task_graph.h"
#include "analysis/views/view.h"
#include "formats/event_types.h"
#include "formats/fact.h"

#include <stdio.h>
#include <string.h>

#define LEAST_MISSING 0.01 /* of the duration, at the end of a trace */

/* Sums for a value of calls or functions. */
typedef struct {
    guint64 n;
    double time_ns;
} Sum;

/* A hash table of sums by value; there are few values. */
static GHashTable *new_sums(void)
{
    return g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
}

static Sum *get_sum(GHashTable *sums, gint64 value)
{
    Sum *sum = g_hash_table_lookup(sums, &value);
    if (!sum) {
        sum = g_new0(Sum, 1);
        g_hash_table_insert(sums, g_memdup2(&value, sizeof value), sum);
    }
    return sum;
}

static void clear_user(gpointer user)
{
    g_free(((TndUser *)user)->name);
}

/* The most time first, then the most often, then by value, so that the order is always the same. */
static int compare_users(gconstpointer a, gconstpointer b)
{
    const TndUser *x = a, *y = b;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? 1 : -1;
    if (x->n != y->n)
        return x->n < y->n ? 1 : -1;
    return (x->value > y->value) - (x->value < y->value);
}

static GArray *sort_sums(GHashTable *sums, const TndView *view)
{
    GArray *users = g_array_new(FALSE, FALSE, sizeof(TndUser));
    g_array_set_clear_func(users, clear_user);
    GHashTableIter iter;
    gpointer value, sum;
    g_hash_table_iter_init(&iter, sums);
    while (g_hash_table_iter_next(&iter, &value, &sum)) {
        TndUser user = {.value = *(gint64 *)value, .n = ((Sum *)sum)->n, .time_ns = ((Sum *)sum)->time_ns};
        user.name = tnd_view_value_text(view, (double)user.value);
        g_array_append_val(users, user);
    }
    g_array_sort(users, compare_users);
    return users;
}

/* Adds the calls that were counted instead of recorded. */
static void add_counted(TndStatistics *statistics, const TndTrace *trace, const TndView *view)
{
    for (const char *const *comment = tnd_trace_comments(trace); *comment; comment++) {
        TndUser user = {.is_counted = TRUE};
        guint64 time_ns;
        const char *fact = tnd_fact_value(*comment, TND_FACT_COUNTED_CALL);
        if (!fact || sscanf(fact, "%*u %" G_GINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, &user.value,
                            &user.n, &time_ns) != 3)
            continue;
        user.name = tnd_view_value_text(view, (double)user.value);
        user.time_ns = (double)time_ns;
        g_array_append_val(statistics->calls, user);
        statistics->n_calls += user.n;
    }
    g_array_sort(statistics->calls, compare_users);
}

/* The state of the pass over the bursts of a row. */
typedef struct {
    TndStatistics *statistics;
    TndShare *share; /* of the row */
    GHashTable *sums;
} Summing;

static void add_calls(const TndBurst *bursts, gsize n, gpointer data)
{
    const Summing *summing = data;
    for (gsize i = 0; i < n; i++) {
        if (bursts[i].value == 0)
            continue;
        guint64 duration_ns = bursts[i].end_ns - bursts[i].begin_ns;
        get_sum(summing->sums, (gint64)bursts[i].value)->time_ns += (double)duration_ns;
        summing->share->mpi_ns += duration_ns;
    }
}

/* Calls that follow at once share a burst, and a call of no length has none; each has an event.  One of the program's
 * functions that MPI calls may call MPI, too. */
static void count_calls(TndStatistics *statistics, const TndTrace *trace, guint row, GHashTable *sums)
{
    guint64 wanted = 0;
    for (guint32 type = TND_TYPE_MPI_P2P; type <= TND_TYPE_MPI_IO; type++)
        wanted |= tnd_blocks_bit(type);
    TndNesting nesting = {.calls = g_array_new(FALSE, FALSE, sizeof(TndNestingCall))};
    TndWalk walk = tnd_walk_events(trace, row, wanted);
    for (const TndEvent *event; (event = tnd_walk_next_event(&walk));) {
        if (!tnd_event_types_is_mpi(event->type) ||
            !tnd_nesting_follow(&nesting, event->time_ns, event->type, event->value))
            continue;
        get_sum(sums, event->value)->n++;
        statistics->n_calls++;
    }
    tnd_walk_end(&walk);
    g_array_unref(nesting.calls);
}

static void add_states(const TndBurst *bursts, gsize n, gpointer data)
{
    const Summing *summing = data;
    TndStatistics *statistics = summing->statistics;
    for (gsize i = 0; i < n; i++) {
        guint64 duration_ns = bursts[i].end_ns - bursts[i].begin_ns;
        guint state = bursts[i].value >= 0 ? (guint)bursts[i].value : TND_STATISTICS_STATES;
        if (state == TND_STATE_RUNNING)
            summing->share->useful_ns += duration_ns;
        else if (statistics->has_openmp && (state == TND_STATE_SCHEDULING || state == TND_STATE_SYNCHRONIZATION))
            summing->share->openmp_ns += duration_ns;
        else if (state < TND_STATISTICS_STATES)
            statistics->state_ns[state] += duration_ns;
    }
}

static void add_regions(const TndBurst *bursts, gsize n, gpointer data)
{
    const Summing *summing = data;
    for (gsize i = 0; i < n; i++)
        if (bursts[i].value)
            get_sum(summing->sums, (gint64)bursts[i].value)->time_ns += (double)(bursts[i].end_ns - bursts[i].begin_ns);
}

/* How often regions are run, within each other too, and how long the row waits for one. */
static void sum_regions(TndStatistics *statistics, const TndTrace *trace, guint row, GHashTable *sums)
{
    TndShare *share = &statistics->shares[row];
    guint64 since_ns = G_MAXUINT64, end_ns = tnd_trace_end_ns(trace);
    TndNesting nesting = {.calls = g_array_new(FALSE, FALSE, sizeof(TndNestingCall))};
    TndWalk walk =
        tnd_walk_events(trace, row, tnd_blocks_bit(TND_TYPE_OPENMP_FUNCTION) | tnd_blocks_bit(TND_TYPE_OPENMP_POOL));
    for (const TndEvent *event; (event = tnd_walk_next_event(&walk));) {
        if (event->type == TND_TYPE_OPENMP_FUNCTION &&
            tnd_nesting_follow(&nesting, event->time_ns, event->type, event->value))
            get_sum(sums, event->value)->n++;
        if (event->type != TND_TYPE_OPENMP_POOL)
            continue;
        if (since_ns != G_MAXUINT64)
            share->pool_ns += event->time_ns - since_ns;
        since_ns = event->value ? event->time_ns : G_MAXUINT64;
    }
    if (since_ns < end_ns)
        share->pool_ns += end_ns - since_ns;
    tnd_walk_end(&walk);
    g_array_unref(nesting.calls);
}

static void sum_bursts(TndStatistics *statistics, TndView *view, GHashTable *sums, TndBurstTake add)
{
    for (guint row = 0; row < statistics->n_rows; row++)
        tnd_view_each_burst(view, row, add, &(Summing){statistics, &statistics->shares[row], sums});
}

/* A sample is an event with a function and, at the same time on the same thread, events with its weight and its depth.
 * What a thread used after its last sample has no depth, and in traces of other tools no sample has. */
static void sum_samples(TndStatistics *statistics, const TndTrace *trace, guint row, GHashTable *sums)
{
    Sum *sample = NULL;
    guint64 sample_ns = 0;
    gboolean have_depths = tnd_trace_n_events_of(trace, TND_TYPE_SAMPLE_DEPTH) > 0;
    guint32 counted = have_depths ? TND_TYPE_SAMPLE_DEPTH : TND_TYPE_SAMPLED_FUNCTION;
    TndWalk walk = tnd_walk_events(trace, row,
                                   tnd_blocks_bit(TND_TYPE_SAMPLED_FUNCTION) | tnd_blocks_bit(TND_TYPE_SAMPLE_WEIGHT) |
                                       tnd_blocks_bit(TND_TYPE_SAMPLE_DEPTH));
    for (const TndEvent *event; (event = tnd_walk_next_event(&walk));) {
        if (event->type == TND_TYPE_SAMPLED_FUNCTION) {
            sample = event->value ? get_sum(sums, event->value) : NULL;
            sample_ns = event->time_ns;
        }
        gboolean is_of_sample = sample && event->time_ns == sample_ns;
        if (event->type == counted && is_of_sample) {
            sample->n++;
            statistics->n_samples++;
        }
        if (event->type != TND_TYPE_SAMPLE_WEIGHT)
            continue;
        statistics->shares[row].cpu_ns += (guint64)MAX(event->value, 0);
        if (is_of_sample) {
            sample->time_ns += (double)event->value;
            statistics->sampled_ns += (double)event->value;
        }
    }
    tnd_walk_end(&walk);
}

static void sum_messages(TndStatistics *statistics, const TndTrace *trace)
{
    TndWalk walk = tnd_walk_messages(trace, 0, G_MAXUINT64);
    for (const TndMessage *message; (message = tnd_walk_next_message(&walk));) {
        if (tnd_task_graph_is_line(trace, message)) {
            statistics->n_lines++;
            continue;
        }
        statistics->n_messages++;
        statistics->message_bytes += (double)message->size_bytes;
        statistics->largest_message_bytes = MAX(statistics->largest_message_bytes, message->size_bytes);
        guint64 receive_ns = MAX(message->logical_receive_ns, message->physical_receive_ns);
        statistics->n_negative += receive_ns < message->logical_send_ns;
    }
    tnd_walk_end(&walk);
}

static void clear_use(gpointer use)
{
    g_free(((TndFunctionUse *)use)->name);
}

/* Reads the sums of functions from the facts that the merge wrote. */
static void read_uses(TndFunctionUses *uses, const TndTrace *trace, const char *view_name, const char *key_of_number,
                      const char *key)
{
    const char *n = tnd_statistics_comment(trace, key_of_number);
    TndView *view = tnd_view_new(trace, view_name, NULL);
    uses->n = n ? g_ascii_strtoull(n, NULL, 10) : 0;
    uses->most = g_array_new(FALSE, FALSE, sizeof(TndFunctionUse));
    g_array_set_clear_func(uses->most, clear_use);
    for (const char *const *comment = tnd_trace_comments(trace); *comment; comment++) {
        TndFunctionUse use = {0};
        const char *value = tnd_fact_value(*comment, key);
        if (!value ||
            sscanf(value,
                   "%" G_GINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
                   " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
                   &use.value, &use.n_calls, &use.self_ns, &use.inclusive_ns, &use.n_counted, &use.counted_ns) < 4)
            continue;
        use.name = tnd_view_value_text(view, (double)use.value);
        use.n_calls += use.n_counted;
        use.self_ns += use.counted_ns;
        use.inclusive_ns += use.counted_ns;
        uses->self_ns += use.self_ns;
        g_array_append_val(uses->most, use);
    }
    tnd_view_free(view);
}

static void compute_others(TndStatistics *statistics, guint64 duration_ns)
{
    for (guint row = 0; row < statistics->n_rows; row++) {
        TndShare *share = &statistics->shares[row];
        guint64 known_ns = share->useful_ns + share->mpi_ns + share->openmp_ns;
        share->pool_ns = MIN(share->pool_ns, duration_ns - MIN(duration_ns, known_ns));
        share->other_ns = duration_ns - MIN(duration_ns, known_ns + share->pool_ns);
        statistics->mpi_ns += share->mpi_ns;
    }
}

TndStatistics *tnd_statistics_new(const TndTrace *trace)
{
    TndStatistics *statistics = g_new0(TndStatistics, 1);
    statistics->n_rows = tnd_trace_n_threads(trace);
    const struct tnd_prv_header *header = tnd_trace_header(trace);
    for (guint a = 0; a < header->n_applications; a++)
        statistics->n_tasks += header->applications[a].n_tasks;
    statistics->shares = g_new0(TndShare, statistics->n_rows + 1);

    TndView *states = tnd_view_new(trace, "state", NULL);
    TndView *calls = tnd_view_new(trace, "mpi-calls", NULL);
    TndView *functions = tnd_view_new(trace, "sampled-functions", NULL);
    TndView *regions = tnd_view_new(trace, "openmp-regions", NULL);
    GHashTable *call_sums = new_sums(), *function_sums = new_sums(), *region_sums = new_sums();
    statistics->has_openmp = tnd_trace_n_events_of(trace, TND_TYPE_OPENMP_PARALLEL) > 0 ||
                             tnd_trace_n_events_of(trace, TND_TYPE_OPENMP_FUNCTION) > 0;
    sum_bursts(statistics, states, NULL, add_states);
    sum_bursts(statistics, calls, call_sums, add_calls);
    sum_bursts(statistics, regions, region_sums, add_regions);
    for (guint row = 0; row < statistics->n_rows; row++) {
        count_calls(statistics, trace, row, call_sums);
        sum_samples(statistics, trace, row, function_sums);
        sum_regions(statistics, trace, row, region_sums);
    }
    sum_messages(statistics, trace);
    read_uses(&statistics->python, trace, "python-functions", TND_FACT_PYTHON_FUNCTIONS, TND_FACT_PYTHON_FUNCTION);
    read_uses(&statistics->library, trace, "library-functions", TND_FACT_LIBRARY_FUNCTIONS, TND_FACT_LIBRARY_FUNCTION);
    compute_others(statistics, tnd_trace_end_ns(trace));
    statistics->calls = sort_sums(call_sums, calls);
    add_counted(statistics, trace, calls);
    statistics->functions = sort_sums(function_sums, functions);
    statistics->regions = sort_sums(region_sums, regions);
    g_hash_table_unref(call_sums);
    g_hash_table_unref(function_sums);
    g_hash_table_unref(region_sums);
    tnd_view_free(regions);
    tnd_view_free(states);
    tnd_view_free(calls);
    tnd_view_free(functions);
    return statistics;
}

void tnd_statistics_free(TndStatistics *statistics)
{
    if (!statistics)
        return;
    g_array_unref(statistics->calls);
    g_array_unref(statistics->functions);
    g_array_unref(statistics->regions);
    g_array_unref(statistics->python.most);
    g_array_unref(statistics->library.most);
    g_free(statistics->shares);
    g_free(statistics);
}

const char *tnd_statistics_comment(const TndTrace *trace, const char *key)
{
    const char *value = NULL;
    for (const char *const *comment = tnd_trace_comments(trace); *comment && !value; comment++)
        value = tnd_fact_value(*comment, key);
    return value;
}

char *tnd_statistics_missing_end(const TndTrace *trace)
{
    guint64 last_ns = 0, end_ns = tnd_trace_end_ns(trace);
    for (guint row = 0; row < tnd_trace_n_threads(trace); row++)
        if (tnd_trace_thread(trace, row)->n_states)
            last_ns = MAX(last_ns, tnd_trace_thread(trace, row)->end_ns);
    if (!last_ns || (double)last_ns > (1 - LEAST_MISSING) * (double)end_ns)
        return NULL;
    char *last = tnd_quantity_text((double)last_ns, "ns"), *end = tnd_quantity_text((double)end_ns, "ns");
    char *text = g_strdup_printf("no thread has a state after %s of %s: if the file was cut, what is said of the time "
                                 "after that is wrong",
                                 last, end);
    g_free(last);
    g_free(end);
    return text;
}
