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

typedef struct {
    TndRowGroup line;
    double weight;
} Weighed;

static gint by_weight(gconstpointer a, gconstpointer b)
{
    const Weighed *line = a, *other = b;
    if (line->weight != other->weight)
        return line->weight > other->weight ? -1 : 1;
    return line->line.rows[0] < other->line.rows[0] ? -1 : line->line.rows[0] > other->line.rows[0];
}

/* A line of several rows weighs what they weigh on average. */
static void sort_lines(TndSessionLines *change, const double *weights)
{
    GArray *sorted = g_array_new(FALSE, FALSE, sizeof(Weighed));
    for (guint i = change->n_pinned; i < change->lines->len; i++) {
        Weighed one = {*tnd_session_parts_line(change, i), 0};
        for (guint j = 0; j < one.line.n; j++)
            one.weight += weights[one.line.rows[j]] / one.line.n;
        g_array_append_val(sorted, one);
    }
    g_array_sort(sorted, by_weight);
    for (guint i = 0; i < sorted->len; i++)
        *tnd_session_parts_line(change, change->n_pinned + i) = g_array_index(sorted, Weighed, i).line;
    g_array_unref(sorted);
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

typedef struct {
    double total;
    guint column;
} Column;

static gint by_total(gconstpointer a, gconstpointer b)
{
    const Column *column = a, *other = b;
    if (column->total != other->total)
        return column->total > other->total ? -1 : 1;
    return column->column < other->column ? -1 : column->column > other->column;
}

/* [column of the histogram]: its number among the columns with the most time, or `most`. */
static guint *choose_columns(const TndHistogram *histogram, guint most)
{
    Column *columns = g_new(Column, histogram->n_columns);
    guint *numbers = g_new(guint, histogram->n_columns);
    for (guint i = 0; i < histogram->n_columns; i++)
        columns[i] = (Column){histogram->totals[TND_TOTAL_SUM * histogram->n_columns + i], i};
    qsort(columns, histogram->n_columns, sizeof *columns, by_total);
    for (guint i = 0; i < histogram->n_columns; i++)
        numbers[columns[i].column] = MIN(i, most);
    g_free(columns);
    return numbers;
}

/* A line of several rows is what these are on average. */
static float *describe_lines(const TndSessionLines *change, const TndHistogram *histogram, guint n_numbers)
{
    const guint n_lines = change->lines->len - change->n_pinned;
    const double whole = (double)(histogram->end_ns - histogram->begin_ns);
    float *vectors = g_new0(float, (gsize)n_lines *n_numbers);
    guint *numbers = choose_columns(histogram, n_numbers);
    for (guint i = 0; i < n_lines; i++) {
        const TndRowGroup line = *tnd_session_parts_line(change, change->n_pinned + i);
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
    const guint n = change.lines->len - change.n_pinned, n_numbers = MIN(histogram->n_columns, MOST_NUMBERS);
    float *vectors = describe_lines(&change, histogram, n_numbers);
    guint *order = g_new(guint, n);
    TndRowGroup *lines = g_new(TndRowGroup, n);
    tnd_alike_order(vectors, n, n_numbers, order);
    for (guint i = 0; i < n; i++)
        lines[i] = *tnd_session_parts_line(&change, change.n_pinned + order[i]);
    for (guint i = 0; i < n; i++)
        *tnd_session_parts_line(&change, change.n_pinned + i) = lines[i];
    tnd_session_parts_end_lines(session, &change, TRUE);
    g_free(lines);
    g_free(order);
    g_free(vectors);
    tnd_histogram_free(histogram);
}
