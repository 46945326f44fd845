/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds instances of all values of a view at once, so that the choice among values and the instances of one value come
 * from the same code.
 */
#include "analysis/reports/fold_instances.h"

#include "formats/event_types.h"

#include <math.h>
#include <stdlib.h>

/* A value is repeated if a row has so many instances of it, on average. */
#define LEAST_REPEATED 10

#define DEVIATIONS 3.0
#define LEAST_DIFFERENCE 0.05 /* of the median */
#define NORMAL_MAD 1.4826     /* standard deviation of a normal distribution by its median of absolute differences */

typedef struct {
    double value;
    guint64 begin_ns;
} Open;

/* Bursts of one row being made into instances. */
typedef struct {
    const TndFoldChoice *choice;
    gboolean nests;     /* the view's values are functions or regions that nest */
    gboolean is_begun;  /* each burst begins anew, even if it has the value of the one before */
    GArray *open;       /* Open, from the outermost inwards; one at most if they do not nest */
    GHashTable *starts; /* of instances between begins: value -> Open of the last one */
    guint row;
    void (*take)(gpointer self, double value, const TndFoldInstance *instance);
    gpointer self;
} Finding;

/* Whether values of the view are functions or regions that nest. */
static gboolean nests(const TndView *view)
{
    static const guint32 types[] = {TND_TYPE_REGION, TND_TYPE_PYTHON_FUNCTION, TND_TYPE_OPENMP_FUNCTION,
                                    TND_TYPE_OPENMP_TASK, TND_TYPE_OPENMP_WORKSHARING};
    guint32 type = tnd_view_rule(view)->legend_type;
    for (guint i = 0; i < G_N_ELEMENTS(types); i++)
        if (type == types[i] && !tnd_view_cfg(view))
            return TRUE;
    return FALSE;
}

static void give(Finding *finding, double value, guint64 begin_ns, guint64 end_ns)
{
    const TndFoldChoice *choice = finding->choice;
    const TndFoldInstance instance = {begin_ns, end_ns, finding->row, FALSE};
    if (begin_ns >= choice->begin_ns && end_ns <= choice->end_ns && end_ns > begin_ns)
        finding->take(finding->self, value, &instance);
}

/* Ends the instance that began with the last begin of this value, and begins the next one. */
static void restart(Finding *finding, double value, guint64 time_ns)
{
    const Open fresh = {finding->choice->any_value ? 0 : value, time_ns};
    Open *start = g_hash_table_lookup(finding->starts, &fresh);
    if (start)
        give(finding, value, start->begin_ns, time_ns);
    if (start)
        start->begin_ns = time_ns;
    else
        g_hash_table_add(finding->starts, g_memdup2(&fresh, sizeof fresh));
}

static void begin(Finding *finding, double value, guint64 time_ns)
{
    const Open open = {value, time_ns};
    g_array_append_val(finding->open, open);
    if (finding->choice->is_between)
        restart(finding, value, time_ns);
}

/* Ends the open values from this one inwards. */
static void end(Finding *finding, guint from, guint64 time_ns)
{
    for (guint i = finding->open->len; i-- > from && !finding->choice->is_between;) {
        const Open *open = &g_array_index(finding->open, Open, i);
        give(finding, open->value, open->begin_ns, time_ns);
    }
    g_array_set_size(finding->open, from);
}

static void see(Finding *finding, const TndBurst *burst)
{
    guint n = finding->open->len, keep = n;
    if (n && g_array_index(finding->open, Open, n - 1).value == burst->value) {
        if (finding->is_begun)
            restart(finding, burst->value, burst->begin_ns);
        return;
    }
    while (keep && g_array_index(finding->open, Open, keep - 1).value != burst->value)
        keep--;
    gboolean is_return = finding->nests && burst->value != 0 && keep;
    if (is_return)
        end(finding, keep, burst->begin_ns);
    else if (!finding->nests || burst->value == 0)
        end(finding, 0, burst->begin_ns);
    if (burst->value != 0 && !is_return)
        begin(finding, burst->value, burst->begin_ns);
}

static void see_bursts(const TndBurst *bursts, gsize n, gpointer finding)
{
    for (gsize i = 0; i < n; i++)
        see(finding, &bursts[i]);
}

/* Calls `take` with the instances of all values; those that are open at the trace's end are none. */
static void find(const TndFoldChoice *choice, void (*take)(gpointer, double, const TndFoldInstance *), gpointer self)
{
    const TndViewRule *rule = tnd_view_rule(choice->view);
    Finding finding = {.choice = choice,
                       .nests = !choice->any_value && nests(choice->view),
                       .open = g_array_new(FALSE, FALSE, sizeof(Open)),
                       .starts = g_hash_table_new_full(g_double_hash, g_double_equal, g_free, NULL),
                       .take = take,
                       .self = self};
    finding.is_begun = choice->is_between && !finding.nests && rule->palette == TND_PALETTE_CODE && !rule->are_states;
    for (finding.row = 0; finding.row < tnd_view_n_rows(choice->view); finding.row++) {
        if (choice->rows && !choice->rows[finding.row])
            continue;
        tnd_view_each_burst(choice->view, finding.row, see_bursts, &finding);
        g_array_set_size(finding.open, 0);
        g_hash_table_remove_all(finding.starts);
    }
    g_hash_table_unref(finding.starts);
    g_array_unref(finding.open);
}

static int compare_numbers(const void *a, const void *b)
{
    guint64 x = *(const guint64 *)a, y = *(const guint64 *)b;
    return (x > y) - (x < y);
}

/* The median of n numbers, at least one, which are sorted by this. */
static guint64 median_of(guint64 *numbers, gsize n)
{
    qsort(numbers, n, sizeof *numbers, compare_numbers);
    return numbers[n / 2];
}

/* Sets the limits of durations that are kept; sorts the durations and makes differences of them. */
static void find_limits(guint64 *durations_ns, gsize n, guint64 *least_ns, guint64 *most_ns)
{
    guint64 median = median_of(durations_ns, n);
    for (gsize i = 0; i < n; i++)
        durations_ns[i] = durations_ns[i] > median ? durations_ns[i] - median : median - durations_ns[i];
    double deviation = NORMAL_MAD * (double)median_of(durations_ns, n);
    guint64 room = (guint64)MAX(DEVIATIONS * deviation, LEAST_DIFFERENCE * (double)median);
    *least_ns = median > room ? median - room : 0;
    *most_ns = median + room;
}

typedef struct {
    double value;
    guint n_rows, last_row;
    GArray *durations_ns; /* guint64 */
} Candidate;

static void free_candidate(gpointer candidate)
{
    g_array_unref(((Candidate *)candidate)->durations_ns);
    g_free(candidate);
}

static void note_candidate(gpointer candidates, double value, const TndFoldInstance *instance)
{
    Candidate *candidate = g_hash_table_lookup(candidates, &value);
    if (!candidate) {
        candidate = g_new(Candidate, 1);
        *candidate = (Candidate){value, 0, G_MAXUINT, g_array_new(FALSE, FALSE, sizeof(guint64))};
        g_hash_table_insert(candidates, &candidate->value, candidate);
    }
    candidate->n_rows += candidate->last_row != instance->row;
    candidate->last_row = instance->row;
    guint64 duration_ns = instance->end_ns - instance->begin_ns;
    g_array_append_val(candidate->durations_ns, duration_ns);
}

/* The time in instances that last about as long as most; 0: a row has fewer than `least`, on average. */
static double kept_time(const Candidate *candidate, guint least)
{
    GArray *durations_ns = candidate->durations_ns;
    if (durations_ns->len < (guint64)least * candidate->n_rows)
        return 0;
    guint64 least_ns, most_ns, *numbers = g_memdup2(durations_ns->data, durations_ns->len * sizeof *numbers);
    find_limits(numbers, durations_ns->len, &least_ns, &most_ns);
    g_free(numbers);
    double sum = 0;
    for (guint i = 0; i < durations_ns->len; i++) {
        guint64 duration_ns = g_array_index(durations_ns, guint64, i);
        if (duration_ns >= least_ns && duration_ns <= most_ns)
            sum += (double)duration_ns;
    }
    return sum;
}

/* All values of the choice's view, with their instances. */
static GHashTable *find_candidates(const TndFoldChoice *choice)
{
    GHashTable *candidates = g_hash_table_new_full(g_double_hash, g_double_equal, NULL, free_candidate);
    find(choice, note_candidate, candidates);
    return candidates;
}

/* Sets the value whose instances take the most time; among equals the least value, so that a trace always gives the
 * same.  Returns that time; 0: there is no value of which rows have at least that many instances. */
static double best_value(GHashTable *candidates, guint least, double *value)
{
    GHashTableIter iterator;
    gpointer at;
    double best = 0;
    g_hash_table_iter_init(&iterator, candidates);
    while (g_hash_table_iter_next(&iterator, NULL, &at)) {
        const Candidate *candidate = at;
        double time = kept_time(candidate, least);
        if (time > best || (time > 0 && time == best && candidate->value < *value)) {
            best = time;
            *value = candidate->value;
        }
    }
    return best;
}

static guint count_instances(GHashTable *candidates)
{
    GHashTableIter iterator;
    gpointer at;
    guint n = 0;
    g_hash_table_iter_init(&iterator, candidates);
    while (g_hash_table_iter_next(&iterator, NULL, &at))
        n += ((const Candidate *)at)->durations_ns->len;
    return n;
}

gboolean tnd_fold_instances_choose_value(TndFoldChoice *choice)
{
    choice->any_value = FALSE;
    GHashTable *candidates = find_candidates(choice);
    guint n = count_instances(candidates);
    if (best_value(candidates, LEAST_REPEATED, &choice->value) == 0) {
        choice->any_value = g_hash_table_size(candidates) > n / 2;
        best_value(candidates, 1, &choice->value);
    }
    g_hash_table_unref(candidates);
    return n > 0;
}

gboolean tnd_fold_instances_choose(const TndTrace *trace, TndFoldChoice *choice)
{
    static const struct {
        const char *view;
        gboolean is_between;
    } candidates[] = {
        {"user-events", FALSE},    {"python-functions", FALSE}, {"openmp-regions", FALSE}, {"openmp-tasks", FALSE},
        {"mpi-collectives", TRUE}, {"mpi-p2p", TRUE},           {"mpi-one-sided", TRUE},   {"mpi-io", TRUE}};
    TndFoldChoice best = *choice;
    double most = 0;
    best.view = NULL;
    for (guint i = 0; i < G_N_ELEMENTS(candidates); i++) {
        TndFoldChoice other = *choice;
        double time = 0;
        if (most > 0 && candidates[i].is_between) /* a region says more than a call that comes again and again */
            break;
        other.view = tnd_view_new(trace, candidates[i].view, NULL);
        other.is_between = candidates[i].is_between;
        other.any_value = FALSE;
        if (other.view) {
            GHashTable *found = find_candidates(&other);
            time = best_value(found, LEAST_REPEATED, &other.value);
            g_hash_table_unref(found);
        }
        if (time > most) {
            tnd_view_free(best.view);
            best = other;
            most = time;
        } else {
            tnd_view_free(other.view);
        }
    }
    *choice = best;
    return most > 0;
}

typedef struct {
    const TndFoldChoice *choice;
    GArray *all;
} Taking;

static void take_instance(gpointer self, double value, const TndFoldInstance *instance)
{
    const Taking *taking = self;
    if (taking->choice->any_value || value == taking->choice->value)
        g_array_append_val(taking->all, *instance);
}

static void choose_durations(TndFoldInstances *instances, const TndFoldChoice *choice)
{
    GArray *all = instances->all;
    guint64 *durations_ns = g_new(guint64, all->len + 1);
    for (guint i = 0; i < all->len; i++) {
        const TndFoldInstance *instance = &g_array_index(all, TndFoldInstance, i);
        durations_ns[i] = instance->end_ns - instance->begin_ns;
        instances->all_ns += durations_ns[i];
    }
    instances->least_ns = choice->least_ns;
    instances->most_ns = choice->most_ns;
    if (all->len && !choice->least_ns && !choice->most_ns)
        find_limits(durations_ns, all->len, &instances->least_ns, &instances->most_ns);
    g_free(durations_ns);
}

TndFoldInstances *tnd_fold_instances_new(const TndFoldChoice *choice)
{
    TndFoldInstances *instances = g_new0(TndFoldInstances, 1);
    instances->all = g_array_new(FALSE, FALSE, sizeof(TndFoldInstance));
    Taking taking = {choice, instances->all};
    find(choice, take_instance, &taking);
    choose_durations(instances, choice);
    double squares = 0;
    for (guint i = 0; i < instances->all->len; i++) {
        TndFoldInstance *instance = &g_array_index(instances->all, TndFoldInstance, i);
        guint64 duration_ns = instance->end_ns - instance->begin_ns;
        instance->is_kept = duration_ns >= instances->least_ns && duration_ns <= instances->most_ns;
        if (!instance->is_kept)
            continue;
        instances->n_kept++;
        instances->kept_ns += duration_ns;
        squares += (double)duration_ns * (double)duration_ns;
    }
    double n = MAX(instances->n_kept, 1);
    instances->mean_ns = (double)instances->kept_ns / n;
    instances->deviation_ns = sqrt(MAX(squares / n - instances->mean_ns * instances->mean_ns, 0));
    return instances;
}

void tnd_fold_instances_free(TndFoldInstances *instances)
{
    if (!instances)
        return;
    g_array_unref(instances->all);
    g_free(instances);
}
