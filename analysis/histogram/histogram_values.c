/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nearly all values are small whole numbers, which are looked up in a table; others are in a hash table.
 */
#include "analysis/histogram/histogram_plan.h"

#include <math.h>
#include <string.h>

/* Views with more values than this get ranges as columns. */
#define MAX_VALUES 10000
#define N_CODES 1024

/* The state of the pass over a row. */
typedef struct {
    const TndHistogramPlan *plan;
    const TndHistogramStatistic *statistic;
    GArray *values, *sums, *others;
    gboolean is_over;          /* the stretch of time has ended, and the burst after it has been seen */
    gint *has_too_many;        /* atomic; any row has too many values */
    guint16 of_codes[N_CODES]; /* for each small whole number its index in values + 1; 0: none yet */
    GHashTable *codes;         /* the same for other values */
} RowScan;

static guint add_value(RowScan *scan, double value)
{
    const TndHistogramSums nothing = {0};
    g_array_append_val(scan->values, value);
    g_array_append_val(scan->sums, nothing);
    return scan->values->len;
}

static guint find_other(RowScan *scan, double value)
{
    guint place = GPOINTER_TO_UINT(g_hash_table_lookup(scan->codes, &value));
    if (place == 0 && scan->values->len <= MAX_VALUES) {
        place = add_value(scan, value);
        g_hash_table_insert(scan->codes, g_memdup2(&value, sizeof value), GUINT_TO_POINTER(place));
    }
    return place;
}

/* The index of a value + 1, which is added if it is new; 0: there are too many. */
static inline guint find(RowScan *scan, double value)
{
    guint code = value >= 0 && value < N_CODES ? (guint)value : N_CODES;
    if (code == N_CODES || code != value)
        return find_other(scan, value);
    if (scan->of_codes[code] == 0)
        scan->of_codes[code] = (guint16)add_value(scan, value);
    return scan->of_codes[code];
}

/* Adds the value of a burst that makes no piece. */
static void add_other_value(RowScan *scan, const TndBurst *burst)
{
    const TndHistogramMoment *begin = &scan->plan->begin, *end = &scan->plan->end;
    gboolean is_before = burst->end_ns <= begin->ns && (begin->ns > 0 || begin->part > 0);
    if (scan->is_over || is_before)
        return;
    scan->is_over = burst->begin_ns >= end->ns + (end->part > 0);
    g_array_append_val(scan->others, burst->value);
}

static void scan_bursts(const TndBurst *bursts, gsize n, gpointer data)
{
    RowScan *scan = data;
    if (g_atomic_int_get(scan->has_too_many))
        return;
    if (scan->values->len > MAX_VALUES)
        g_atomic_int_set(scan->has_too_many, 1);
    for (gsize i = 0; i < n; i++) {
        double length = tnd_histogram_plan_length(scan->plan, bursts[i].begin_ns, bursts[i].end_ns);
        guint place = length > 0 ? find(scan, bursts[i].value) : 0;
        if (place > 0)
            tnd_histogram_statistics_add(scan->statistic, &g_array_index(scan->sums, TndHistogramSums, place - 1),
                                         length, bursts[i].value, bursts[i].value);
        else if (length <= 0)
            add_other_value(scan, &bursts[i]);
    }
}

typedef struct {
    TndHistogramPlan *plan;
    TndHistogramValues *values;
    gint has_too_many; /* atomic */
} Making;

static void make_row(guint row, gpointer data)
{
    Making *making = data;
    const TndHistogramPlan *plan = making->plan;
    TndHistogramRowValues *made = &making->values->rows[row];
    if (plan->column_rows && !plan->column_rows[row] && !plan->rows[row])
        return;
    RowScan scan = {.plan = plan,
                    .statistic = &tnd_histogram_statistics_table[plan->kind],
                    .has_too_many = &making->has_too_many,
                    .values = g_array_new(FALSE, FALSE, sizeof(double)),
                    .sums = g_array_new(FALSE, FALSE, sizeof(TndHistogramSums)),
                    .others = g_array_new(FALSE, FALSE, sizeof(double)),
                    .codes = g_hash_table_new_full(g_double_hash, g_double_equal, g_free, NULL)};
    tnd_view_each_burst(plan->control, row, scan_bursts, &scan);
    made->n = scan.values->len;
    made->values = (double *)(void *)g_array_free(scan.values, FALSE);
    made->sums = (TndHistogramSums *)(void *)g_array_free(scan.sums, FALSE);
    if (!plan->rows[row]) { /* only its values matter, for the columns */
        tnd_histogram_statistics_clear(made->sums, made->n);
        g_clear_pointer(&made->sums, g_free);
    }
    made->n_others = scan.others->len;
    made->others = (double *)(void *)g_array_free(scan.others, FALSE);
    g_hash_table_unref(scan.codes);
}

static int compare_values(gconstpointer a, gconstpointer b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Collects the values of all rows.  FALSE: there are too many. */
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

gboolean tnd_histogram_values_new(TndHistogramPlan *plan, TndHistogramValues **values)
{
    TndHistogramValues *made = g_new0(TndHistogramValues, 1);
    made->n_rows = tnd_view_n_rows(plan->control);
    made->rows = g_new0(TndHistogramRowValues, made->n_rows + 1);
    Making making = {plan, made, 0};
    gboolean is_done = tnd_cores_run_with_progress(plan->progress, made->n_rows, make_row, &making);
    if (is_done && !making.has_too_many && unite(made))
        *values = made;
    else
        tnd_histogram_values_free(made);
    return is_done;
}

void tnd_histogram_values_free(TndHistogramValues *values)
{
    if (!values)
        return;
    for (guint row = 0; row < values->n_rows; row++) {
        if (values->rows[row].sums)
            tnd_histogram_statistics_clear(values->rows[row].sums, values->rows[row].n);
        g_free(values->rows[row].values);
        g_free(values->rows[row].sums);
        g_free(values->rows[row].others);
    }
    g_free(values->rows);
    g_free(values->values);
    g_free(values);
}
