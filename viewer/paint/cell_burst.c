/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bursts of the cell are searched from the pointer's row on for the nearest value: the cell's may be rounded.
 */
#include "viewer/paint/cell_burst.h"

#include "analysis/bursts/burst_walk.h"

#include <math.h>

enum { MOST_BURSTS = 1000000 }; /* that are looked at */

/* NaN: the cell shows no value. */
static double value_of_cell(const TndCells *cells, TndView *view, guint band, guint column)
{
    const gsize at = (gsize)cells->lines[band] * cells->stride + column;
    if (!cells->codes)
        return cells->values[at];
    return cells->codes[at] == 0 && cells->zero ? NAN : tnd_view_code_value(view, cells->codes[at]);
}

typedef struct {
    double value; /* that is searched */
    guint64 begin_ns, end_ns, near_ns;
    double best; /* how far the best burst's value is from it */
    guint64 distance_ns;
    guint row;
    guint64 time_ns;
    guint n_left; /* bursts to look at */
} Search;

static double difference(double a, double b)
{
    return fabs(a - b) <= 1e-6 * fabs(a) ? 0 : fabs(a - b);
}

static void look_at(Search *search, guint row, const TndBurst *burst)
{
    const guint64 begin_ns = MAX(burst->begin_ns, search->begin_ns), end_ns = MIN(burst->end_ns, search->end_ns);
    if (end_ns <= begin_ns)
        return;
    const double off = difference(search->value, burst->value);
    const guint64 time_ns = CLAMP(search->near_ns, begin_ns, end_ns - 1);
    const guint64 distance_ns = MAX(time_ns, search->near_ns) - MIN(time_ns, search->near_ns);
    if (off > search->best || (off == search->best && distance_ns >= search->distance_ns))
        return;
    search->best = off;
    search->distance_ns = distance_ns;
    search->row = row;
    search->time_ns = time_ns;
}

static void search_row(Search *search, TndView *view, guint row)
{
    TndBurstWalk walk = tnd_burst_walk_start(tnd_view_row(view, row), search->begin_ns);
    for (; walk.at && walk.at->begin_ns < search->end_ns && search->n_left; tnd_burst_walk_next(&walk)) {
        look_at(search, row, walk.at);
        search->n_left--;
    }
    tnd_burst_walk_end(&walk);
}

void tnd_cell_burst_find(const TndCells *cells, const TndCellsSubject *subject, guint band, guint column, guint *row,
                         guint64 *time_ns)
{
    const guint n_rows = tnd_row_order_n_lines(subject->order, subject->first_row, subject->last_row);
    const double span_ns = (double)(subject->end_ns - subject->begin_ns), width_ns = span_ns / cells->n_columns;
    const guint first = (guint)((guint64)band * n_rows / cells->n_bands);
    const guint end = (guint)(((guint64)(band + 1) * n_rows + cells->n_bands - 1) / cells->n_bands);
    const guint64 begin_ns = subject->begin_ns + (guint64)(column * width_ns);
    Search search = {.value = value_of_cell(cells, subject->view, band, column),
                     .begin_ns = begin_ns,
                     .end_ns = MAX(subject->begin_ns + (guint64)((column + 1) * width_ns), begin_ns + 1),
                     .near_ns = *time_ns,
                     .best = INFINITY,
                     .row = *row,
                     .time_ns = *time_ns,
                     .n_left = MOST_BURSTS};
    if (isnan(search.value))
        return;
    for (int is_wider = 0; is_wider < 2 && search.best > 0; is_wider++) {
        /* Bins may be half as wide as columns, and bands that are made of bands have rows of a neighbour. */
        const guint64 more_ns = is_wider ? (guint64)(width_ns / 2) + 1 : 0;
        const guint more_rows = is_wider ? n_rows / cells->n_bands : 0;
        search.begin_ns -= MIN(more_ns, search.begin_ns);
        search.end_ns += more_ns;
        search_row(&search, subject->view, *row);
        const guint last = MIN(end + more_rows, n_rows);
        for (guint line = first - MIN(more_rows, first); line < last && search.best > 0 && search.n_left; line++) {
            const guint n = tnd_row_order_n_rows(subject->order, subject->first_row, line);
            for (guint i = 0; i < n && search.best > 0 && search.n_left; i++) {
                const guint other = tnd_row_order_row_at(subject->order, subject->first_row, line, i);
                if (other != *row)
                    search_row(&search, subject->view, other);
            }
        }
    }
    *row = search.row;
    *time_ns = search.time_ns;
}
