/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples by position; fold_curves.c folds what was read besides.
 */
#include "analysis/reports/folding.h"

#include "analysis/base/proportion.h"
#include "analysis/reports/fold_curves.h"
#include "analysis/reports/samples.h"
#include "formats/event_types.h"

#include <math.h>
#include <string.h>

/* The default number of bins: so many samples to a bin, within these limits. */
enum { SAMPLES_OF_BIN = 25, LEAST_BINS = 5, MOST_BINS = 50 };

#define PARTS 100
#define DEVIATIONS 4.0 /* of a number of samples: chance hardly ever explains more */

typedef struct {
    TndFolding *folding;
    const TndFoldInstance *at, *end; /* instances of the row that are not over yet */
    GHashTable *below;               /* the functions of the name that was given; NULL: none was */
    GHashTable *places;              /* function -> index + 1 */
} Collecting;

/* The function that a sample counts for. */
static gint64 function_of(const Collecting *collecting, const TndSample *sample)
{
    if (!collecting->below)
        return sample->frames[0];
    for (guint depth = sample->n_frames; depth-- > 0;)
        if (g_hash_table_contains(collecting->below, &sample->frames[depth]))
            return sample->frames[depth ? depth - 1 : 0];
    return TND_FOLDING_ELSEWHERE;
}

static guint place_of(Collecting *collecting, gint64 function)
{
    guint place = GPOINTER_TO_UINT(g_hash_table_lookup(collecting->places, &function));
    if (!place) {
        TndFoldFunction fresh = {.function = function};
        g_array_append_val(collecting->folding->functions, fresh);
        place = collecting->folding->functions->len;
        g_hash_table_insert(collecting->places, g_memdup2(&function, sizeof function), GUINT_TO_POINTER(place));
    }
    return place - 1;
}

static void take_sample(gpointer self, const TndSample *sample)
{
    Collecting *collecting = self;
    TndFolding *folding = collecting->folding;
    while (collecting->at < collecting->end && collecting->at->end_ns <= sample->time_ns)
        collecting->at++;
    const TndFoldInstance *at = collecting->at;
    if (sample->is_rest)
        return;
    if (at == collecting->end || at->begin_ns > sample->time_ns) {
        folding->n_outside++;
        return;
    }
    if (!at->is_kept) {
        folding->n_left_out++;
        return;
    }
    TndFoldSample folded = {.position = (double)(sample->time_ns - at->begin_ns) / (double)(at->end_ns - at->begin_ns),
                            .function = place_of(collecting, function_of(collecting, sample)),
                            .weight = folding->are_weighed ? (guint)MIN(sample->weight_ns, G_MAXUINT) : 1};
    g_array_append_val(folding->samples, folded);
}

/* The functions of this name. */
static GHashTable *functions_named(const TndTrace *trace, const char *name)
{
    GHashTable *functions = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    const struct tnd_pcf_type *type = tnd_pcf_type(tnd_trace_pcf(trace), TND_TYPE_SAMPLED_FUNCTION);
    for (gsize i = 0; type && i < type->n_values; i++)
        if (strcmp(type->values[i].label, name) == 0)
            g_hash_table_add(functions, g_memdup2(&type->values[i].value, sizeof type->values[i].value));
    return functions;
}

static void collect_samples(TndFolding *folding, const TndTrace *trace, const TndFoldInstances *instances,
                            const gboolean *rows, const char *below)
{
    Collecting collecting = {.folding = folding,
                             .below = below ? functions_named(trace, below) : NULL,
                             .places = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL)};
    const TndFoldInstance *all = (const TndFoldInstance *)(void *)instances->all->data;
    gsize next = 0;
    for (guint row = 0; row < tnd_trace_n_threads(trace); row++) {
        gsize first = next;
        while (next < instances->all->len && all[next].row == row)
            next++;
        collecting.at = all + first;
        collecting.end = all + next;
        if (!rows || rows[row])
            tnd_samples_each(trace, row, TND_SAMPLES_CPU, take_sample, &collecting);
    }
    folding->n_samples = folding->samples->len;
    g_hash_table_unref(collecting.places);
    if (collecting.below)
        g_hash_table_unref(collecting.below);
}

static gint compare_functions(gconstpointer a, gconstpointer b, gpointer functions)
{
    const TndFoldFunction *all = functions, *x = &all[*(const guint *)a], *y = &all[*(const guint *)b];
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return x->function < y->function ? -1 : x->function > y->function;
}

/* Sorts the functions, and sets the samples' indices to their new places. */
static void sort_functions(TndFolding *folding)
{
    guint n = folding->functions->len, *order = g_new(guint, n + 1), *places = g_new(guint, n + 1);
    TndFoldFunction *functions = (TndFoldFunction *)(void *)folding->functions->data;
    for (guint i = 0; i < n; i++)
        order[i] = i;
    g_qsort_with_data(order, (gint)n, sizeof *order, compare_functions, functions);
    TndFoldFunction *sorted = g_new(TndFoldFunction, n + 1);
    for (guint i = 0; i < n; i++) {
        sorted[i] = functions[order[i]];
        places[order[i]] = i;
    }
    if (n)
        memcpy(functions, sorted, n * sizeof *sorted);
    for (guint i = 0; i < folding->samples->len; i++) {
        TndFoldSample *sample = &g_array_index(folding->samples, TndFoldSample, i);
        sample->function = places[sample->function];
    }
    g_free(sorted);
    g_free(places);
    g_free(order);
}

static void fill_bins(TndFolding *folding)
{
    guint n = folding->n_bins;
    TndFoldFunction *functions = (TndFoldFunction *)(void *)folding->functions->data;
    folding->weights = g_new0(double, n);
    folding->squares = g_new0(double, n);
    folding->counts = g_new0(guint64, n);
    for (guint i = 0; i < folding->functions->len; i++)
        functions[i].weights = g_new0(double, n);
    for (guint i = 0; i < folding->samples->len; i++) {
        const TndFoldSample *sample = &g_array_index(folding->samples, TndFoldSample, i);
        guint bin = (guint)MIN(sample->position * n, n - 1);
        double weight = sample->weight;
        functions[sample->function].weights[bin] += weight;
        folding->weights[bin] += weight;
        folding->squares[bin] += weight * weight;
        folding->counts[bin]++;
    }
}

TndFolding *tnd_folding_new(const TndTrace *trace, const TndFoldInstances *instances, const gboolean *rows,
                            const TndFoldingOptions *options)
{
    TndFolding *folding = g_new0(TndFolding, 1);
    folding->mean_ns = instances->mean_ns;
    folding->are_weighed = tnd_samples_are_weighed(trace, TND_SAMPLES_CPU);
    folding->samples = g_array_new(FALSE, FALSE, sizeof(TndFoldSample));
    folding->functions = g_array_new(FALSE, FALSE, sizeof(TndFoldFunction));
    collect_samples(folding, trace, instances, rows, options->below);
    for (guint i = 0; i < folding->samples->len; i++) {
        const TndFoldSample *sample = &g_array_index(folding->samples, TndFoldSample, i);
        TndFoldFunction *function = &g_array_index(folding->functions, TndFoldFunction, sample->function);
        function->n++;
        function->weight += sample->weight;
    }
    sort_functions(folding);
    folding->n_bins = options->n_bins;
    if (!folding->n_bins)
        folding->n_bins = (guint)CLAMP(folding->n_samples / SAMPLES_OF_BIN, LEAST_BINS, MOST_BINS);
    fill_bins(folding);
    folding->curves = tnd_fold_curves_new(trace, instances, folding, rows);
    return folding;
}

void tnd_folding_free(TndFolding *folding)
{
    if (!folding)
        return;
    for (guint i = 0; i < folding->functions->len; i++)
        g_free(tnd_folding_function(folding, i)->weights);
    g_array_unref(folding->functions);
    g_array_unref(folding->samples);
    g_ptr_array_unref(folding->curves);
    g_free(folding->weights);
    g_free(folding->squares);
    g_free(folding->counts);
    g_free(folding);
}

/* Samples of unlike weights are worth as much as fewer samples of one weight. */
static double share_of(double weight, double sum, double squares, double *uncertainty)
{
    double share = sum > 0 ? weight / sum : NAN;
    if (uncertainty)
        *uncertainty = tnd_proportion_sure(share, squares > 0 ? sum * sum / squares : 0);
    return share;
}

double tnd_folding_share(const TndFolding *folding, guint function, guint bin, double *uncertainty)
{
    return share_of(tnd_folding_function(folding, function)->weights[bin], folding->weights[bin], folding->squares[bin],
                    uncertainty);
}

double tnd_folding_total(const TndFolding *folding, guint function, double *uncertainty)
{
    double sum = 0, squares = 0;
    for (guint bin = 0; bin < folding->n_bins; bin++) {
        sum += folding->weights[bin];
        squares += folding->squares[bin];
    }
    return share_of(tnd_folding_function(folding, function)->weight, sum, squares, uncertainty);
}

guint tnd_folding_parts_hit(const TndFolding *folding, double *expected)
{
    gboolean is_hit[PARTS] = {FALSE};
    guint n = 0;
    for (guint i = 0; i < folding->samples->len; i++) {
        gboolean *part = &is_hit[(guint)(g_array_index(folding->samples, TndFoldSample, i).position * PARTS) % PARTS];
        n += !*part;
        *part = TRUE;
    }
    *expected = PARTS * (1 - pow(1 - 1.0 / PARTS, (double)folding->samples->len));
    return n;
}

guint tnd_folding_overfull(const TndFolding *folding, const TndFoldInstances *instances)
{
    double sum = 0, time = (double)instances->kept_ns / folding->n_bins;
    guint n = 0;
    for (guint bin = 0; bin < folding->n_bins; bin++)
        sum += folding->weights[bin];
    double most = sum > 0 ? time / sum * (double)folding->n_samples : 0; /* samples that a bin has room for */
    for (guint bin = 0; bin < folding->n_bins && folding->are_weighed; bin++)
        n += (double)folding->counts[bin] > most + DEVIATIONS * sqrt(most);
    return n;
}

char *tnd_folding_name(const TndTrace *trace, const TndFoldingOptions *options, const TndFoldFunction *function)
{
    if (function->function == TND_FOLDING_ELSEWHERE)
        return g_strdup_printf("(not below %s)", options->below);
    return tnd_samples_function_name(trace, function->function);
}
