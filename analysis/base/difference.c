/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Means and variances of two sides, and their difference.
 */
#include "analysis/base/difference.h"

#include "analysis/base/assertion.h"
#include "analysis/base/student.h"

#include <math.h>
#include <stdlib.h>

/* A side: the mean of its runs, and the variance of one run. */
typedef struct {
    double mean, variance;
    guint n;
} Side;

static Side side_of(const TndMeasured *runs, guint n)
{
    Side side = {0, 0, n};
    double squares = 0, grain = 0;
    tnd_assert(n > 0);
    for (guint i = 0; i < n; i++) {
        side.mean += runs[i].value / n;
        grain += runs[i].grain / n;
    }
    for (guint i = 0; i < n; i++)
        squares += (runs[i].value - side.mean) * (runs[i].value - side.mean);
    side.variance = n > 1 ? MAX(squares / (n - 1), grain * grain) : runs->variance;
    return side;
}

TndDifference tnd_difference_of(const TndMeasured *before, guint n_before, const TndMeasured *after, guint n_after,
                                double slack)
{
    Side a = side_of(before, n_before), b = side_of(after, n_after);
    TndDifference difference = {a.mean, b.mean, 0, INFINITY, 0};
    if (a.n == 1 || b.n == 1)
        difference.slack = slack;
    if (a.n == 1 && b.n > 1)
        a.variance = b.variance;
    if (b.n == 1 && a.n > 1)
        b.variance = a.variance;
    double of_a = a.variance / a.n, of_b = b.variance / b.n;
    difference.error = sqrt(of_a + of_b);
    if (a.n > 1 && b.n > 1 && difference.error > 0)
        difference.freedom = (of_a + of_b) * (of_a + of_b) / (of_a * of_a / (a.n - 1) + of_b * of_b / (b.n - 1));
    else if (a.n > 1 || b.n > 1)
        difference.freedom = MAX(a.n, b.n) - 1;
    return difference;
}

double tnd_difference_chance(const TndDifference *difference)
{
    double beyond = fabs(difference->after - difference->before) - difference->slack;
    if (beyond <= 0)
        return 1;
    return difference->error > 0 ? tnd_student_chance(beyond / difference->error, difference->freedom) : 0;
}

double tnd_difference_sure(const TndDifference *difference, double level)
{
    if (difference->error <= 0)
        return difference->slack;
    return difference->slack + difference->error * tnd_student_limit(level, difference->freedom);
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

double tnd_difference_level(const double *chances, guint n, double wrong)
{
    double *sorted = g_memdup2(chances, n * sizeof *chances);
    guint n_selected = 1;
    if (n)
        qsort(sorted, n, sizeof *sorted, compare);
    for (guint i = 0; i < n; i++)
        if (sorted[i] <= (i + 1) * wrong / n)
            n_selected = i + 1;
    g_free(sorted);
    return n_selected * wrong / MAX(n, 1);
}
