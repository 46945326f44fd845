/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values are counted in bins of equal width or, if all are more than 0, of equal width of their logarithm.
 */
#include "viewer/paint/quantiles.h"

#include "analysis/bursts/burst_walk.h"

#include <math.h>

enum { N_BINS = 4096 };

struct TndQuantiles {
    TndView *view; /* NULL: all is counted */
    double least, most;
    gboolean is_log;
    GMutex mutex; /* protects the bins while they are filled */
    guint64 bins[N_BINS], n_all;
};

static guint bin_of(const TndQuantiles *quantiles, double value)
{
    const double least = quantiles->least, most = quantiles->most;
    const double part = quantiles->is_log ? log(value / least) / log(most / least) : (value - least) / (most - least);
    return most > least ? (guint)CLAMP(part * N_BINS, 0, N_BINS - 1) : 0;
}

static void count_row(guint row, gpointer data)
{
    TndQuantiles *quantiles = data;
    guint64 *bins = g_new0(guint64, N_BINS);
    TndBurstWalk walk = tnd_burst_walk_start(tnd_view_row(quantiles->view, row), 0);
    for (; walk.at; tnd_burst_walk_next(&walk))
        if (walk.at->value != 0)
            bins[bin_of(quantiles, walk.at->value)]++;
    tnd_burst_walk_end(&walk);
    g_mutex_lock(&quantiles->mutex);
    for (guint i = 0; i < N_BINS; i++) {
        quantiles->bins[i] += bins[i];
        quantiles->n_all += bins[i];
    }
    g_mutex_unlock(&quantiles->mutex);
    g_free(bins);
}

TndQuantiles *tnd_quantiles_new(TndView *view, double least, double most)
{
    TndQuantiles *quantiles = g_new0(TndQuantiles, 1);
    quantiles->view = view;
    quantiles->least = least;
    quantiles->most = most;
    quantiles->is_log = least > 0;
    g_mutex_init(&quantiles->mutex);
    tnd_cores_run(tnd_view_n_rows(view), count_row, quantiles);
    g_mutex_clear(&quantiles->mutex);
    quantiles->view = NULL;
    return quantiles;
}

void tnd_quantiles_free(TndQuantiles *quantiles)
{
    g_free(quantiles);
}

/* The bin in which the wanted one of all values is, and how far in it. */
double tnd_quantiles_at(const TndQuantiles *quantiles, double fraction)
{
    const double wanted = fraction * (double)quantiles->n_all;
    double before = 0, part = 1;
    for (guint i = 0; i < N_BINS && quantiles->n_all; i++) {
        const double here = (double)quantiles->bins[i];
        if (here > 0 && before + here >= wanted) {
            part = (i + CLAMP((wanted - before) / here, 0, 1)) / N_BINS;
            break;
        }
        before += here;
    }
    if (fraction <= 0 || fraction >= 1)
        return fraction <= 0 ? quantiles->least : quantiles->most;
    return quantiles->is_log ? quantiles->least * pow(quantiles->most / quantiles->least, part)
                             : quantiles->least + part * (quantiles->most - quantiles->least);
}
