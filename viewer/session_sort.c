/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows sorted by what they are in the stretch of time that is shown.
 */
#include "viewer/session_parts.h"

#include "analysis/base/alike.h"
#include "analysis/base/cores.h"
#include "analysis/bursts/burst_walk.h"
#include "analysis/histogram/histogram.h"

enum { MOST_NUMBERS = 32 }; /* by which rows are compared */

typedef struct {
    TndView *view;
    guint64 begin_ns, end_ns;
    gboolean has_code; /* the weight of a row is the time of this value: */
    double code;
    double *weights; /* of each row of the view */
} Weighing;

/* Quantities weigh what they are on average, codes how long they last. */
static void weigh(guint row, gpointer data)
{
    const Weighing *weighing = data;
    const gboolean are_codes = tnd_view_rule(weighing->view)->palette == TND_PALETTE_CODE;
    TndBurstWalk walk = tnd_burst_walk_start(tnd_view_row(weighing->view, row), weighing->begin_ns);
    double sum = 0;
    for (; walk.at && walk.at->begin_ns < weighing->end_ns; tnd_burst_walk_next(&walk)) {
        const TndBurst *burst = walk.at;
        double time = (double)(MIN(burst->end_ns, weighing->end_ns) - MAX(burst->begin_ns, weighing->begin_ns));
        if (!are_codes)
            sum += time * burst->value;
        else if (weighing->has_code ? burst->value == weighing->code : burst->value != 0)
            sum += time;
        if (burst->end_ns >= weighing->end_ns)
            break;
    }
    tnd_burst_walk_end(&walk);
    weighing->weights[row] = sum;
}

/* A line or a column. */
typedef struct {
    double weight;
    guint number, place; /* number: by which those of equal weight are sorted */
} Weighed;

static gint by_weight(gconstpointer a, gconstpointer b)
{
    const Weighed *one = a, *other = b;
    if (one->weight != other->weight)
        return one->weight > other->weight ? -1 : 1;
    return one->number < other->number ? -1 : one->number > other->number;
}

static guint count_lines(const TndSessionLines *change)
{
    return change->lines->len - change->n_pinned;
}

/* The i-th of the lines that are not pinned. */
static TndRowGroup *line_at(const TndSessionLines *change, guint i)
{
    return tnd_session_parts_line(change, change->n_pinned + i);
}

/* order: the numbers of the lines that are not pinned. */
static void arrange_lines(TndSessionLines *change, const guint *order)
{
    const guint n = count_lines(change);
    TndRowGroup *lines = g_memdup2(line_at(change, 0), n * sizeof *lines);
    for (guint i = 0; i < n; i++)
        *line_at(change, i) = lines[order[i]];
    g_free(lines);
}

/* A line of several rows weighs what they weigh on average. */
static void sort_lines(TndSessionLines *change, const double *weights)
{
    const guint n = count_lines(change);
    Weighed *sorted = g_new(Weighed, n + 1);
    guint *order = g_new(guint, n);
    for (guint i = 0; i < n; i++) {
        const TndRowGroup line = *line_at(change, i);
        sorted[i] = (Weighed){0, line.rows[0], i};
        for (guint j = 0; j < line.n; j++)
            sorted[i].weight += weights[line.rows[j]] / line.n;
    }
    qsort(sorted, n, sizeof *sorted, by_weight);
    for (guint i = 0; i < n; i++)
        order[i] = sorted[i].place;
    arrange_lines(change, order);
    g_free(order);
    g_free(sorted);
}

void tnd_session_sort_rows(TndSession *session)
{
    TndView *view = session->view;
    const TndZoom zoom = tnd_session_zoom(session);
    const TndSpot spot = session->selection;
    TndBurst burst;
    if (!view)
        return;
    Weighing weighing = {view, zoom.begin_ns, zoom.end_ns};
    weighing.has_code = spot.is_set && tnd_view_burst_at(view, spot.row, spot.time_ns, &burst);
    weighing.code = weighing.has_code ? burst.value : 0;
    weighing.weights = g_new0(double, tnd_view_n_rows(view));
    tnd_cores_run(tnd_view_n_rows(view), weigh, &weighing);
    TndSessionLines change = tnd_session_parts_begin_lines(session);
    sort_lines(&change, weighing.weights);
    tnd_session_parts_end_lines(session, &change, TRUE);
    g_free(weighing.weights);
}

/* [column of the histogram]: its number among the columns with the most time, or `most`. */
static guint *choose_columns(const TndHistogram *histogram, guint most)
{
    Weighed *columns = g_new(Weighed, histogram->n_columns + 1);
    guint *numbers = g_new(guint, histogram->n_columns);
    for (guint i = 0; i < histogram->n_columns; i++)
        columns[i] = (Weighed){histogram->totals[TND_TOTAL_SUM * histogram->n_columns + i], i, i};
    qsort(columns, histogram->n_columns, sizeof *columns, by_weight);
    for (guint i = 0; i < histogram->n_columns; i++)
        numbers[columns[i].place] = MIN(i, most);
    g_free(columns);
    return numbers;
}

/* A line of several rows is what these are on average. */
static float *describe_lines(const TndSessionLines *change, const TndHistogram *histogram, guint n_numbers)
{
    const guint n_lines = count_lines(change);
    const double whole = (double)(histogram->end_ns - histogram->begin_ns);
    float *vectors = g_new0(float, (gsize)n_lines *n_numbers);
    guint *numbers = choose_columns(histogram, n_numbers);
    for (guint i = 0; i < n_lines; i++) {
        const TndRowGroup line = *line_at(change, i);
        for (guint j = 0; j < line.n; j++)
            for (gsize k = histogram->first[line.rows[j]]; k < histogram->first[line.rows[j] + 1]; k++) {
                const TndHistogramCell *cell = &histogram->cells[k];
                if (numbers[cell->column] < n_numbers)
                    vectors[(gsize)i * n_numbers + numbers[cell->column]] += (float)(cell->value / whole / line.n);
            }
    }
    g_free(numbers);
    return vectors;
}

void tnd_session_sort_alike(TndSession *session)
{
    const TndZoom zoom = tnd_session_zoom(session);
    TndHistogram *histogram =
        session->view ? tnd_histogram_new(session->view, TND_STATISTIC_TIME, zoom.begin_ns, zoom.end_ns, NULL) : NULL;
    if (!histogram)
        return;
    TndSessionLines change = tnd_session_parts_begin_lines(session);
    const guint n_numbers = MIN(histogram->n_columns, MOST_NUMBERS);
    float *vectors = describe_lines(&change, histogram, n_numbers);
    guint *order = g_new(guint, count_lines(&change));
    tnd_alike_order(vectors, count_lines(&change), n_numbers, order);
    arrange_lines(&change, order);
    tnd_session_parts_end_lines(session, &change, TRUE);
    g_free(order);
    g_free(vectors);
    tnd_histogram_free(histogram);
}
