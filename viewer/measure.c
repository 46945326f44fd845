/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each row is summed up by itself, into a table by value, and added to the whole.
 */
#include "viewer/measure.h"

#include "analysis/base/assertion.h"
#include "analysis/bursts/burst_walk.h"

#include <math.h>
#include <string.h>

struct TndMeasureSource {
    TndView *view;
    guint *rows;
    guint n_rows;
    guint64 begin_ns, end_ns;
};

typedef struct {
    GHashTable *totals;       /* bits of the value (gint64 *) to TndMeasureTotal * */
    double least, most, area; /* area: values by their time */
} Sums;

typedef struct {
    const TndMeasureSource *source;
    GMutex mutex; /* protects what follows */
    Sums sums;
} Work;

static gboolean are_codes(const TndView *view)
{
    return tnd_view_rule(view)->palette == TND_PALETTE_CODE;
}

TndMeasureSource *tnd_measure_source_new(TndView *view, const TndRowOrder *order, TndZoom zoom, guint64 begin_ns,
                                         guint64 end_ns)
{
    TndMeasureSource *source = g_new0(TndMeasureSource, 1);
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(guint));
    const guint *first_rows = tnd_view_first_rows(view);
    gboolean *is_taken = g_new0(gboolean, tnd_view_n_rows(view));
    tnd_assert(begin_ns < end_ns);
    for (guint line = 0; line < tnd_row_order_n_lines(order, zoom.first_row, zoom.last_row); line++) {
        for (guint i = 0; i < tnd_row_order_n_rows(order, zoom.first_row, line); i++) {
            guint row = tnd_row_order_row_at(order, zoom.first_row, line, i);
            row = first_rows ? first_rows[row] : row;
            if (!is_taken[row])
                g_array_append_val(rows, row);
            is_taken[row] = TRUE;
        }
    }
    g_free(is_taken);
    source->view = tnd_view_share(view);
    source->begin_ns = begin_ns;
    source->end_ns = end_ns;
    source->n_rows = rows->len;
    source->rows = (guint *)g_array_free(rows, FALSE);
    return source;
}

void tnd_measure_source_free(TndMeasureSource *source)
{
    tnd_view_free(source->view);
    g_free(source->rows);
    g_free(source);
}

static Sums sums_new(void)
{
    return (Sums){g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free), INFINITY, -INFINITY, 0};
}

static void add(Sums *sums, double value, guint64 time_ns, guint64 n_bursts)
{
    gint64 bits;
    memcpy(&bits, &value, sizeof bits);
    TndMeasureTotal *total = g_hash_table_lookup(sums->totals, &bits);
    if (!total) {
        total = g_new(TndMeasureTotal, 1);
        *total = (TndMeasureTotal){.value = value};
        g_hash_table_insert(sums->totals, g_memdup2(&bits, sizeof bits), total);
    }
    total->time_ns += time_ns;
    total->n_bursts += n_bursts;
}

/* Quantities are too many to have a total each. */
static void add_quantity(Sums *sums, double value, guint64 time_ns)
{
    sums->least = MIN(sums->least, value);
    sums->most = MAX(sums->most, value);
    sums->area += value * (double)time_ns;
    add(sums, 1, time_ns, 1);
}

/* A burst of 0: no value, but for states, whose 0 is one where the thread lives. */
static void add_zero(const TndMeasureSource *source, guint row, guint64 begin_ns, guint64 end_ns, Sums *sums)
{
    const gboolean are_states = tnd_view_rule(source->view)->are_states;
    while (begin_ns < end_ns) {
        TndBurst part = {.begin_ns = begin_ns, .end_ns = end_ns};
        const gboolean has = are_states && tnd_view_burst_at(source->view, row, begin_ns, &part) &&
                             tnd_view_has_value(source->view, row, begin_ns, &part);
        const guint64 until_ns = are_states ? CLAMP(part.end_ns, begin_ns + 1, end_ns) : end_ns;
        add(sums, has ? 0 : NAN, until_ns - begin_ns, 1);
        begin_ns = until_ns;
    }
}

static void sum_row(const TndMeasureSource *source, guint row, Sums *sums)
{
    const gboolean has_codes = are_codes(source->view);
    TndBurstWalk walk = tnd_burst_walk_start(tnd_view_row(source->view, row), source->begin_ns);
    for (; walk.at && walk.at->begin_ns < source->end_ns; tnd_burst_walk_next(&walk)) {
        const guint64 begin_ns = MAX(walk.at->begin_ns, source->begin_ns);
        const guint64 end_ns = MIN(walk.at->end_ns, source->end_ns);
        if (walk.at->value == 0)
            add_zero(source, row, begin_ns, end_ns, sums);
        else if (has_codes)
            add(sums, walk.at->value, end_ns - begin_ns, 1);
        else
            add_quantity(sums, walk.at->value, end_ns - begin_ns);
    }
    tnd_burst_walk_end(&walk);
}

static void work_row(guint i, gpointer data)
{
    Work *work = data;
    Sums sums = sums_new();
    GHashTableIter each;
    gpointer total;
    sum_row(work->source, work->source->rows[i], &sums);
    g_mutex_lock(&work->mutex);
    g_hash_table_iter_init(&each, sums.totals);
    while (g_hash_table_iter_next(&each, NULL, &total))
        add(&work->sums, ((TndMeasureTotal *)total)->value, ((TndMeasureTotal *)total)->time_ns,
            ((TndMeasureTotal *)total)->n_bursts);
    work->sums.least = MIN(work->sums.least, sums.least);
    work->sums.most = MAX(work->sums.most, sums.most);
    work->sums.area += sums.area;
    g_mutex_unlock(&work->mutex);
    g_hash_table_unref(sums.totals);
}

static gint by_time(gconstpointer a, gconstpointer b)
{
    const TndMeasureTotal *total = a, *other = b;
    if (isnan(total->value) != isnan(other->value))
        return isnan(total->value) ? 1 : -1;
    if (total->time_ns != other->time_ns)
        return total->time_ns > other->time_ns ? -1 : 1;
    return total->value < other->value ? -1 : total->value > other->value;
}

static TndMeasure *measure_of(const TndMeasureSource *source, const Sums *sums)
{
    TndMeasure *measure = g_new(TndMeasure, 1);
    *measure = (TndMeasure){.view = tnd_view_share(source->view),
                            .begin_ns = source->begin_ns,
                            .end_ns = source->end_ns,
                            .n_rows = source->n_rows,
                            .totals = g_array_new(FALSE, FALSE, sizeof(TndMeasureTotal)),
                            .least = sums->least,
                            .most = sums->most};
    GHashTableIter each;
    gpointer total;
    guint64 time_ns = 0;
    g_hash_table_iter_init(&each, sums->totals);
    while (g_hash_table_iter_next(&each, NULL, &total)) {
        g_array_append_vals(measure->totals, total, 1);
        time_ns += isnan(((TndMeasureTotal *)total)->value) ? 0 : ((TndMeasureTotal *)total)->time_ns;
    }
    g_array_sort(measure->totals, by_time);
    measure->average = time_ns ? sums->area / (double)time_ns : NAN;
    return measure;
}

TndMeasure *tnd_measure_new(const TndMeasureSource *source, TndTraceProgress progress, gpointer data)
{
    Work work = {.source = source, .sums = sums_new()};
    TndCoresProgress *told = progress ? tnd_cores_progress_new(progress, data, source->n_rows) : NULL;
    g_mutex_init(&work.mutex);
    const gboolean is_done = tnd_cores_run_with_progress(told, source->n_rows, work_row, &work);
    if (told)
        tnd_cores_progress_free(told);
    TndMeasure *measure = is_done ? measure_of(source, &work.sums) : NULL;
    g_mutex_clear(&work.mutex);
    g_hash_table_unref(work.sums.totals);
    return measure;
}

void tnd_measure_free(TndMeasure *measure)
{
    if (!measure)
        return;
    tnd_view_free(measure->view);
    g_array_unref(measure->totals);
    g_free(measure);
}

double tnd_measure_share(const TndMeasure *measure, const TndMeasureTotal *total)
{
    return (double)total->time_ns / ((double)(measure->end_ns - measure->begin_ns) * MAX(measure->n_rows, 1));
}
