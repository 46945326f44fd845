/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Phases begin and end at the edges of many narrow cells.  The best division of the first k cells ends with a phase
 * before which the division is the best one, so that all divisions are compared by looking at each pair of edges.
 */
#include "analysis/reports/fold_phases.h"

#include <math.h>
#include <string.h>

/* Functions are told apart if they are among the most frequent; all others count as one.  A phase pays for few of
 * them, because it usually has few. */
enum { CELLS = 1000, GROUPS = 16, GROUPS_PAID = 8 };

/* The interval of 95 % is where the logarithm of the likelihood is less than this below its maximum: half of the
 * quantile of the chi-squared distribution. */
#define LIKELY 1.92

typedef struct {
    guint counts[CELLS + 1][GROUPS]; /* samples before an edge, by group */
    guint n_groups;
} Cells;

static Cells *count_cells(const TndFolding *folding)
{
    Cells *cells = g_new0(Cells, 1);
    cells->n_groups = MIN(folding->functions->len, GROUPS);
    for (guint i = 0; i < folding->samples->len; i++) {
        const TndFoldSample *sample = &g_array_index(folding->samples, TndFoldSample, i);
        guint cell = (guint)MIN(sample->position * CELLS, CELLS - 1);
        cells->counts[cell + 1][MIN(sample->function, GROUPS - 1)]++;
    }
    for (guint edge = 0; edge < CELLS; edge++)
        for (guint group = 0; group < GROUPS; group++)
            cells->counts[edge + 1][group] += cells->counts[edge][group];
    return cells;
}

static double times_log(double n)
{
    return n > 0 ? n * log(n) : 0;
}

/* The logarithm of the likelihood of the samples between two edges, if they are one phase. */
static double likelihood(const Cells *cells, guint from, guint to)
{
    double sum = 0, logs = 0;
    for (guint group = 0; group < cells->n_groups; group++) {
        double n = cells->counts[to][group] - cells->counts[from][group];
        sum += n;
        logs += times_log(n);
    }
    return logs - times_log(sum);
}

/* Sets the edge at which the last phase of the best division of the first k cells begins. */
static void divide(const Cells *cells, double price, guint *begins)
{
    double best[CELLS + 1] = {0};
    for (guint to = 1; to <= CELLS; to++) {
        best[to] = -INFINITY;
        for (guint from = 0; from < to; from++) {
            double all = best[from] + likelihood(cells, from, to) - price;
            if (all > best[to]) {
                best[to] = all;
                begins[to] = from;
            }
        }
    }
}

/* Sets the end of a phase between the edges at which it begins and the next one ends: the middle of the most likely
 * edges, and how far the likely ones are from it, with half a cell for what a cell does not tell. */
static void place_end(const Cells *cells, guint begin, guint end, TndFoldPhase *phase)
{
    double most = -INFINITY, logs[CELLS + 1];
    guint first = begin, last = begin, low = G_MAXUINT, high = begin;
    for (guint edge = begin + 1; edge < end; edge++) {
        logs[edge] = likelihood(cells, begin, edge) + likelihood(cells, edge, end);
        if (logs[edge] > most + 1e-9)
            first = edge;
        if (logs[edge] > most - 1e-9)
            last = edge;
        most = MAX(most, logs[edge]);
    }
    for (guint edge = begin + 1; edge < end; edge++) {
        if (logs[edge] < most - LIKELY)
            continue;
        low = MIN(low, edge);
        high = edge;
    }
    double middle = (first + last) / 2.0;
    phase->end = middle / CELLS;
    phase->uncertainty = (MAX(middle - low, high - middle) + 0.5) / CELLS;
}

/* Counts samples between positions, and tells the most frequent functions. */
static void describe(const TndFolding *folding, TndFoldPhase *phase)
{
    guint64 *counts = g_new0(guint64, folding->functions->len + 1);
    for (guint i = 0; i < folding->samples->len; i++) {
        const TndFoldSample *sample = &g_array_index(folding->samples, TndFoldSample, i);
        gboolean is_inside = sample->position >= phase->begin && (sample->position < phase->end || phase->end == 1);
        phase->n += is_inside;
        counts[sample->function] += is_inside;
    }
    while (phase->n_functions < TND_FOLD_PHASES_FUNCTIONS) {
        guint most = 0;
        for (guint i = 1; i < folding->functions->len; i++)
            if (counts[i] > counts[most])
                most = i;
        if (!counts[most])
            break;
        phase->functions[phase->n_functions] = most;
        phase->shares[phase->n_functions++] = (double)counts[most] / (double)phase->n;
        counts[most] = 0;
    }
    g_free(counts);
}

GArray *tnd_fold_phases_new(const TndFolding *folding)
{
    GArray *phases = g_array_new(FALSE, FALSE, sizeof(TndFoldPhase));
    if (!folding->samples->len)
        return phases;
    Cells *cells = count_cells(folding);
    guint begins[CELLS + 1], edges[CELLS + 1], n = 0;
    /* A phase has a probability for each group but one, and an end, which is harder to find. */
    double n_paid = MIN(cells->n_groups, GROUPS_PAID) + 1;
    divide(cells, 0.5 * n_paid * log((double)folding->samples->len), begins);
    for (guint edge = CELLS; edge > 0; edge = begins[edge])
        edges[n++] = edge;
    for (guint end = 0, i = n; i-- > 0; end = edges[i]) {
        TndFoldPhase phase = {.begin = phases->len ? g_array_index(phases, TndFoldPhase, phases->len - 1).end : 0};
        phase.end = 1;
        if (i > 0)
            place_end(cells, end, edges[i - 1], &phase);
        describe(folding, &phase);
        g_array_append_val(phases, phase);
    }
    g_free(cells);
    return phases;
}
