/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values that are small whole numbers, as nearly all are, are found in a table, others in a hash.
 */
#include "analysis/histogram/histogram_values.h"

#include <math.h>
#include <string.h>

/* More values than this are shown as ranges. */
#define MAX_VALUES 10000
#define N_CODES 1024

/* A row while its bursts are seen. */
typedef struct {
    const TndHistogramStatistic *statistic;
    guint64 begin_ns, end_ns;
    GArray *values, *sums;
    guint16 of_codes[N_CODES]; /* the place + 1 */
    GHashTable *others;        /* likewise */
} Seeing;

static guint add_value(Seeing *seeing, double value)
{
    const TndHistogramSums nothing = {0};
    g_array_append_val(seeing->values, value);
    g_array_append_val(seeing->sums, nothing);
    return seeing->values->len;
}

static guint find_other(Seeing *seeing, double value)
{
    guint place = GPOINTER_TO_UINT(g_hash_table_lookup(seeing->others, &value));
    if (place == 0 && seeing->values->len <= MAX_VALUES) {
        place = add_value(seeing, value);
        g_hash_table_insert(seeing->others, g_memdup2(&value, sizeof value), GUINT_TO_POINTER(place));
    }
    return place;
}

/* The place + 1 of a value; 0: there are too many. */
static inline guint find(Seeing *seeing, double value)
{
    guint code = value >= 0 && value < N_CODES ? (guint)value : N_CODES;
    if (code == N_CODES || code != value)
        return find_other(seeing, value);
    if (seeing->of_codes[code] == 0)
        seeing->of_codes[code] = (guint16)add_value(seeing, value);
    return seeing->of_codes[code];
}

static void see_bursts(const TndBurst *bursts, gsize n, gpointer data)
{
    Seeing *seeing = data;
    for (gsize i = 0; i < n; i++) {
        guint64 begin_ns = MAX(bursts[i].begin_ns, seeing->begin_ns), end_ns = MIN(bursts[i].end_ns, seeing->end_ns);
        guint place = end_ns > begin_ns ? find(seeing, bursts[i].value) : 0;
        if (place > 0)
            tnd_histogram_statistics_add(seeing->statistic, &g_array_index(seeing->sums, TndHistogramSums, place - 1),
                                         (double)(end_ns - begin_ns), bursts[i].value, bursts[i].value);
    }
}

typedef struct {
    TndView *view;
    const TndHistogramOptions *options;
    TndHistogramValues *values;
} Making;

static void make_row(guint row, gpointer data)
{
    const Making *making = data;
    const TndHistogramOptions *options = making->options;
    TndHistogramRowValues *made = &making->values->rows[row];
    Seeing seeing = {.statistic = &tnd_histogram_statistics_table[options->statistic],
                     .begin_ns = options->begin_ns,
                     .end_ns = options->end_ns,
                     .values = g_array_new(FALSE, FALSE, sizeof(double)),
                     .sums = g_array_new(FALSE, FALSE, sizeof(TndHistogramSums)),
                     .others = g_hash_table_new_full(g_double_hash, g_double_equal, g_free, NULL)};
    tnd_view_each_burst(making->view, row, see_bursts, &seeing);
    made->n = seeing.values->len;
    made->values = (double *)(void *)g_array_free(seeing.values, FALSE);
    made->sums = (TndHistogramSums *)(void *)g_array_free(seeing.sums, FALSE);
    g_hash_table_unref(seeing.others);
}

static int compare_values(gconstpointer a, gconstpointer b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* FALSE: there are too many. */
static gboolean unite(TndHistogramValues *values)
{
    GHashTable *seen = g_hash_table_new(g_double_hash, g_double_equal);
    for (guint row = 0; row < values->n_rows && g_hash_table_size(seen) <= MAX_VALUES; row++)
        for (guint i = 0; i < values->rows[row].n; i++)
            g_hash_table_add(seen, &values->rows[row].values[i]);
    GArray *all = g_array_new(FALSE, FALSE, sizeof(double));
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, seen);
    while (g_hash_table_iter_next(&iter, &value, NULL))
        g_array_append_val(all, *(double *)value);
    g_hash_table_unref(seen);
    g_array_sort(all, compare_values);
    values->n = all->len;
    values->values = (double *)(void *)g_array_free(all, FALSE);
    return values->n <= MAX_VALUES;
}

TndHistogramValues *tnd_histogram_values_new(TndView *view, const TndHistogramOptions *options, TndCoresTeller *teller)
{
    TndHistogramValues *values = g_new0(TndHistogramValues, 1);
    values->n_rows = tnd_trace_n_threads(tnd_view_trace(view));
    values->rows = g_new0(TndHistogramRowValues, values->n_rows + 1);
    Making making = {view, options, values};
    if (tnd_cores_run_telling(teller, values->n_rows, make_row, &making) && unite(values))
        return values;
    tnd_histogram_values_free(values);
    return NULL;
}

void tnd_histogram_values_free(TndHistogramValues *values)
{
    if (!values)
        return;
    for (guint row = 0; row < values->n_rows; row++) {
        tnd_histogram_statistics_clear(values->rows[row].sums, values->rows[row].n);
        g_free(values->rows[row].values);
        g_free(values->rows[row].sums);
    }
    g_free(values->rows);
    g_free(values->values);
    g_free(values);
}
