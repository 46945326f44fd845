/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The path is found backwards, twice: to count the pieces of each row, and to keep them in the order of time.  Then
 * what it consists of is summed up row by row.
 */
#include "analysis/reports/critical_path.h"

#include "analysis/base/assertion.h"
#include "analysis/base/cores.h"
#include "analysis/causes/mpi_class.h"
#include "analysis/causes/replay.h"
#include "analysis/reports/samples.h"
#include "analysis/trace/walk.h"
#include "formats/event_types.h"

#include <math.h>
#include <string.h>

#define FASTER (1 / 0.9) /* what takes 10 % less time */

static const guint32 instrumented[] = {TND_TYPE_REGION, TND_TYPE_USER_FUNCTION, TND_TYPE_PYTHON_FUNCTION,
                                       TND_TYPE_LIBRARY_FUNCTION, TND_TYPE_OPENMP_FUNCTION};

/* A row that nobody waits for meanwhile, or that waits for nobody. */
typedef struct {
    guint64 begin_ns, end_ns;
} Piece;

typedef struct {
    const TndWaitStates *states;
    const TndSyncOps *ops;
    const TndTrace *trace;
    TndCriticalPath *path;
    Piece *pieces;         /* of row 0, in the order of time, of row 1, ... */
    gsize *first;          /* of each row, its first piece; and behind the last one */
    guint row;             /* that is summed up */
    gsize piece;           /* the piece that the pass over the row is at */
    GHashTable *places;    /* TndSyncPlace to a double */
    GHashTable *functions; /* key_of a function to a double */
    GHashTable *row_places;
} Summing;

/* Sees when a row leaves MPI_Init and enters MPI_Finalize. */
static void see_row(Summing *summing, guint row)
{
    TndCriticalPath *path = summing->path;
    for (gsize i = 0; i < tnd_sync_ops_n(summing->ops, row); i++) {
        const TndSyncOp *op = tnd_sync_ops_at(summing->ops, row, i);
        const TndSyncCall *call = tnd_sync_ops_call(summing->ops, op);
        if (call && call->properties & TND_MPI_INIT)
            path->begin_ns = MAX(path->begin_ns, op->end_ns);
        if (!call || !(call->properties & TND_MPI_FINALIZE) || op->begin_ns < path->end_ns)
            continue;
        path->end_ns = op->begin_ns;
        path->last_row = row;
    }
}

/* Finds the time that the path is of, and the row that it ends on. */
static void find_limits(Summing *summing)
{
    TndCriticalPath *path = summing->path;
    for (guint row = 0; row < tnd_trace_n_threads(summing->trace); row++)
        see_row(summing, row);
    path->is_mpi = path->begin_ns < path->end_ns;
    if (path->is_mpi)
        return;
    path->begin_ns = path->end_ns = 0;
    for (guint row = 0; row < tnd_trace_n_threads(summing->trace); row++) {
        const TndThread *thread = tnd_trace_thread(summing->trace, row);
        if (thread->thread != 1 || thread->end_ns <= path->end_ns)
            continue;
        path->end_ns = thread->end_ns;
        path->last_row = row;
    }
}

/* The last wait of the row that ended by time_ns; NULL: there is none. */
static const TndWait *last_wait(const TndWaitStates *states, guint row, guint64 time_ns)
{
    gsize low = 0, high = tnd_wait_states_n(states, row);
    while (low < high) {
        gsize middle = (low + high) / 2;
        if (tnd_wait_states_at(states, row, middle)->end_ns <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? tnd_wait_states_at(states, row, low - 1) : NULL;
}

/* Where the path is followed backwards. */
typedef struct {
    guint row, n_still;
    guint64 time_ns;
} Backwards;

static Backwards path_end(const Summing *summing)
{
    return (Backwards){summing->path->last_row, 0, summing->path->end_ns};
}

/* The piece before; FALSE: there is none. */
static gboolean step_back(const Summing *summing, Backwards *at, Piece *piece, guint *row)
{
    guint64 begin_ns = summing->path->begin_ns;
    while (at->time_ns > begin_ns) {
        const TndWait *wait = last_wait(summing->states, at->row, at->time_ns);
        *piece = (Piece){wait ? MAX(wait->end_ns, begin_ns) : begin_ns, at->time_ns};
        *row = at->row;
        gboolean is_piece = piece->begin_ns < piece->end_ns;
        at->n_still = is_piece ? 0 : at->n_still + 1;
        at->time_ns = at->n_still > tnd_trace_n_threads(summing->trace) ? begin_ns : piece->begin_ns;
        at->row = wait ? wait->cause_row : at->row;
        if (is_piece)
            return TRUE;
    }
    return FALSE;
}

static void find_pieces(Summing *summing, TndLargeMemory *memory)
{
    guint n_rows = tnd_trace_n_threads(summing->trace), row;
    Piece piece;
    Backwards at = path_end(summing);
    summing->first = g_new0(gsize, n_rows + 1);
    for (; step_back(summing, &at, &piece, &row); summing->path->n_pieces++)
        summing->first[row + 1]++;
    for (row = 0; row < n_rows; row++)
        summing->first[row + 1] += summing->first[row];
    summing->pieces = tnd_large_memory_take(memory, MAX(summing->path->n_pieces, 1) * sizeof *summing->pieces);
    gsize *next = g_memdup2(summing->first, (n_rows + 1) * sizeof *next);
    for (at = path_end(summing); step_back(summing, &at, &piece, &row);)
        summing->pieces[--next[row + 1]] = piece;
    g_free(next);
}

/* How much of [begin_ns, end_ns) of the row is on the path.  Stretches come in the order of time. */
static guint64 on_path(Summing *summing, guint64 begin_ns, guint64 end_ns)
{
    guint64 ns = 0;
    for (gsize i = summing->piece; i < summing->first[summing->row + 1]; i++) {
        const Piece *piece = &summing->pieces[i];
        if (piece->begin_ns >= end_ns)
            break;
        if (piece->end_ns <= begin_ns) {
            summing->piece = i + 1;
            continue;
        }
        guint64 from_ns = MAX(begin_ns, piece->begin_ns), until_ns = MIN(end_ns, piece->end_ns);
        ns += until_ns > from_ns ? until_ns - from_ns : 0;
    }
    return ns;
}

static void add(GHashTable *sums, gint64 key, double ns)
{
    double *sum = g_hash_table_lookup(sums, &key);
    if (!sum) {
        sum = g_new0(double, 1);
        g_hash_table_insert(sums, g_memdup2(&key, sizeof key), sum);
    }
    *sum += ns;
}

static void add_stretch(Summing *summing, TndSyncPlace place, guint64 begin_ns, guint64 end_ns)
{
    double ns = (double)on_path(summing, begin_ns, end_ns);
    if (ns > 0)
        add(summing->row_places, (gint64)place, ns);
}

static void sum_places(Summing *summing)
{
    guint64 before_ns = 0;
    summing->piece = summing->first[summing->row];
    for (gsize i = 0; i < tnd_sync_ops_n(summing->ops, summing->row); i++) {
        const TndSyncOp *op = tnd_sync_ops_at(summing->ops, summing->row, i);
        add_stretch(summing, tnd_sync_ops_place(op, FALSE), before_ns, op->begin_ns);
        add_stretch(summing, tnd_sync_ops_place(op, TRUE), op->begin_ns, op->end_ns);
        before_ns = op->end_ns;
    }
    add_stretch(summing, 0, before_ns, tnd_trace_end_ns(summing->trace));
}

/* Adds the places of the row to those of all. */
static void take_row_places(Summing *summing)
{
    GHashTableIter iter;
    gpointer key, ns;
    g_hash_table_iter_init(&iter, summing->row_places);
    while (g_hash_table_iter_next(&iter, &key, &ns)) {
        TndPathPlace *place = g_hash_table_lookup(summing->places, key);
        if (!place) {
            place = g_new0(TndPathPlace, 1);
            place->place = *(guint64 *)key;
            g_hash_table_insert(summing->places, g_memdup2(key, sizeof(gint64)), place);
        }
        place->path_ns += *(double *)ns;
        if (*(double *)ns > place->worst_ns) {
            place->worst_ns = *(double *)ns;
            place->worst_row = summing->row;
        }
    }
    g_hash_table_remove_all(summing->row_places);
}

static gint64 key_of(guint type_index, gint64 value)
{
    return (gint64)type_index << 56 | (value & 0xffffffffffffff);
}

static void sum_functions(Summing *summing)
{
    for (guint i = 0; i < G_N_ELEMENTS(instrumented); i++) {
        gint64 value = 0;
        guint64 since_ns = 0;
        if (!tnd_trace_n_events_of(summing->trace, instrumented[i]))
            continue;
        summing->piece = summing->first[summing->row];
        TndWalk walk = tnd_walk_events(summing->trace, summing->row, tnd_blocks_bit(instrumented[i]));
        for (const TndEvent *event; (event = tnd_walk_next_event(&walk));) {
            if (event->type != instrumented[i])
                continue;
            if (value)
                add(summing->functions, key_of(i + 1, value), (double)on_path(summing, since_ns, event->time_ns));
            value = event->value;
            since_ns = event->time_ns;
        }
        tnd_walk_end(&walk);
    }
}

/* A sample stands for time before it, which counts if the sample is on the path. */
static void take_sample(gpointer self, const TndSample *sample)
{
    Summing *summing = self;
    if (sample->n_frames && !sample->is_rest && on_path(summing, sample->time_ns, sample->time_ns + 1))
        add(summing->functions, key_of(0, sample->frames[0]), (double)sample->weight_ns);
}

static void sum_rows(Summing *summing)
{
    gboolean have_weights = tnd_samples_are_weighed(summing->trace, TND_SAMPLES_CPU);
    for (guint row = 0; row < tnd_trace_n_threads(summing->trace); row++) {
        if (summing->first[row] == summing->first[row + 1])
            continue;
        summing->row = row;
        sum_places(summing);
        take_row_places(summing);
        sum_functions(summing);
        summing->piece = summing->first[row];
        if (have_weights)
            tnd_samples_each_recorded(summing->trace, row, TND_SAMPLES_CPU, take_sample, summing);
    }
}

static int compare_places(gconstpointer a, gconstpointer b)
{
    const TndPathPlace *x = a, *y = b;
    if (x->path_ns != y->path_ns)
        return x->path_ns < y->path_ns ? 1 : -1;
    return (x->place > y->place) - (x->place < y->place);
}

static int compare_functions(gconstpointer a, gconstpointer b)
{
    const TndPathFunction *x = a, *y = b;
    if (x->path_ns != y->path_ns)
        return x->path_ns < y->path_ns ? 1 : -1;
    return strcmp(x->name, y->name);
}

static char *name_function(const TndTrace *trace, gint64 key)
{
    guint index = (guint)(key >> 56);
    gint64 value = key & 0xffffffffffffff;
    if (!index)
        return tnd_samples_function_name(trace, value);
    const char *label = tnd_pcf_value_label(tnd_trace_pcf(trace), instrumented[index - 1], value);
    return label ? g_strdup(label) : g_strdup_printf("%" G_GINT64_FORMAT, value);
}

static void list_sums(Summing *summing)
{
    TndCriticalPath *path = summing->path;
    GHashTableIter iter;
    gpointer key, value;
    g_hash_table_iter_init(&iter, summing->places);
    while (g_hash_table_iter_next(&iter, NULL, &value))
        g_array_append_vals(path->places, value, 1);
    g_hash_table_iter_init(&iter, summing->functions);
    while (g_hash_table_iter_next(&iter, &key, &value)) {
        TndPathFunction function = {.path_ns = *(double *)value, .is_sampled = !(*(gint64 *)key >> 56)};
        if (function.path_ns <= 0)
            continue;
        function.name = name_function(summing->trace, *(gint64 *)key);
        g_array_append_val(path->functions, function);
    }
    g_array_sort(path->places, compare_places);
    g_array_sort(path->functions, compare_functions);
}

static void clear_function(gpointer function)
{
    g_free(((TndPathFunction *)function)->name);
}

static GHashTable *new_sums(void)
{
    return g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
}

TndCriticalPath *tnd_critical_path_new(const TndWaitStates *states)
{
    TndCriticalPath *path = g_new0(TndCriticalPath, 1);
    const TndSyncOps *ops = tnd_wait_states_ops(states);
    Summing summing = {.states = states,
                       .ops = ops,
                       .trace = tnd_sync_ops_trace(ops),
                       .path = path,
                       .places = new_sums(),
                       .functions = new_sums(),
                       .row_places = new_sums()};
    TndLargeMemory *memory = tnd_large_memory_new(tnd_trace_path(summing.trace));
    path->places = g_array_new(FALSE, FALSE, sizeof(TndPathPlace));
    path->functions = g_array_new(FALSE, FALSE, sizeof(TndPathFunction));
    g_array_set_clear_func(path->functions, clear_function);
    if (tnd_trace_n_threads(summing.trace)) {
        find_limits(&summing);
        find_pieces(&summing, memory);
        sum_rows(&summing);
        list_sums(&summing);
    }
    g_free(summing.first);
    g_hash_table_unref(summing.places);
    g_hash_table_unref(summing.functions);
    g_hash_table_unref(summing.row_places);
    tnd_large_memory_free(memory);
    return path;
}

void tnd_critical_path_free(TndCriticalPath *path)
{
    if (!path)
        return;
    g_array_unref(path->places);
    g_array_unref(path->functions);
    g_free(path);
}

static double gain_ns(const TndCriticalPath *path, const TndSyncOps *ops, const TndReplaySpeed *speed)
{
    const TndReplayOptions options = {.eager_bytes = -1, .speeds = speed, .n_speeds = 1};
    TndReplay *replay = tnd_replay_new(ops, &options, NULL, NULL, NULL);
    if (!replay)
        return NAN;
    double gain_ns = (double)path->end_ns - (double)tnd_replay_time(replay, path->last_row, path->end_ns);
    tnd_replay_free(replay);
    return gain_ns;
}

double tnd_critical_path_gain_ns(const TndCriticalPath *path, const TndSyncOps *ops, const char *function)
{
    return gain_ns(path, ops, &(const TndReplaySpeed){.function = function, .factor = FASTER});
}

typedef struct {
    const TndCriticalPath *path;
    const TndSyncOps *ops;
    double *gains_ns;
} Gaining;

static void find_gain(guint item, gpointer data)
{
    const Gaining *gaining = data;
    TndSyncPlace place = g_array_index(gaining->path->places, TndPathPlace, item).place;
    const TndReplaySpeed speed = {.place = place, .factor = FASTER};
    gaining->gains_ns[item] = tnd_sync_ops_place_is_code(place) ? gain_ns(gaining->path, gaining->ops, &speed) : NAN;
}

void tnd_critical_path_gains(const TndCriticalPath *path, const TndSyncOps *ops, guint n, double *gains_ns)
{
    Gaining gaining = {path, ops, gains_ns};
    tnd_assert(n <= path->places->len);
    tnd_cores_run(n, find_gain, &gaining);
}
