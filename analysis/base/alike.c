/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The direction in which a group differs most is the principal axis of its numbers, found by power iteration, which
 * needs no matrix.  It need not be exact: any direction near it divides as well.
 */
#include "analysis/base/alike.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_ITERATIONS = 8, MOST_DEPTH = 64 };

typedef struct {
    const float *vectors;
    guint n_numbers;
    guint *order, *later;      /* later: [n], the second group of a division */
    double *along;             /* [n] */
    double *mean, *axis, *sum; /* [n_numbers] */
} Division;

/* A part of the order. */
typedef struct {
    guint first, n, depth;
} Group;

static const float *vector_of(const Division *division, guint place)
{
    return division->vectors + (gsize)division->order[place] * division->n_numbers;
}

static void find_mean(const Division *division, Group group)
{
    memset(division->mean, 0, division->n_numbers * sizeof *division->mean);
    for (guint i = 0; i < group.n; i++)
        for (guint k = 0; k < division->n_numbers; k++)
            division->mean[k] += vector_of(division, group.first + i)[k];
    for (guint k = 0; k < division->n_numbers; k++)
        division->mean[k] /= group.n;
}

/* How far along the axis a thing is from the mean. */
static double project(const Division *division, guint place)
{
    const float *vector = vector_of(division, place);
    double along = 0;
    for (guint k = 0; k < division->n_numbers; k++)
        along += (vector[k] - division->mean[k]) * division->axis[k];
    return along;
}

/* The axis gets the direction of the sum, and the length 1.  FALSE: the sum is not longer than `least`. */
static gboolean take_direction(const Division *division, double least)
{
    double length = 0;
    for (guint k = 0; k < division->n_numbers; k++)
        length = hypot(length, division->sum[k]);
    if (!(length > least))
        return FALSE;
    for (guint k = 0; k < division->n_numbers; k++)
        division->axis[k] = division->sum[k] / length;
    return TRUE;
}

/* Differences up to this are lost in the rounding of the numbers. */
static double rounding(const Division *division)
{
    double size = 0;
    for (guint k = 0; k < division->n_numbers; k++)
        size = MAX(size, fabs(division->mean[k]));
    return 1e-6 * size;
}

/* It begins with the direction of the thing that is farthest from the mean.  FALSE: all are equal. */
static gboolean find_axis(const Division *division, Group group)
{
    double farthest = -1;
    find_mean(division, group);
    for (guint i = 0; i < group.n; i++) {
        const float *vector = vector_of(division, group.first + i);
        double square = 0;
        for (guint k = 0; k < division->n_numbers; k++)
            square += (vector[k] - division->mean[k]) * (vector[k] - division->mean[k]);
        if (square <= farthest)
            continue;
        farthest = square;
        for (guint k = 0; k < division->n_numbers; k++)
            division->sum[k] = vector[k] - division->mean[k];
    }
    if (!take_direction(division, rounding(division)))
        return FALSE;
    for (guint iteration = 0; iteration < N_ITERATIONS; iteration++) {
        memset(division->sum, 0, division->n_numbers * sizeof *division->sum);
        for (guint i = 0; i < group.n; i++) {
            const float *vector = vector_of(division, group.first + i);
            const double along = project(division, group.first + i);
            for (guint k = 0; k < division->n_numbers; k++)
                division->sum[k] += along * (vector[k] - division->mean[k]);
        }
        if (!take_direction(division, 0))
            break;
    }
    return TRUE;
}

static gint by_size(gconstpointer a, gconstpointer b)
{
    const double *number = a, *other = b;
    return *number < *other ? -1 : *number > *other;
}

/* The limit between two groups on the axis that differ as little as possible within. */
static double find_limit(const Division *division, Group group)
{
    double *along = division->along, all = 0, below = 0, best = -1, limit = 0;
    for (guint i = 0; i < group.n; i++)
        all += along[i] = project(division, group.first + i);
    qsort(along, group.n, sizeof *along, by_size);
    for (guint i = 1; i < group.n; i++) {
        below += along[i - 1];
        const double apart = below / i - (all - below) / (group.n - i),
                     between = i * (double)(group.n - i) * apart * apart;
        if (along[i] > along[i - 1] && between > best) {
            best = between;
            limit = along[i - 1];
        }
    }
    return limit;
}

/* Puts those on the side of the first thing first; both sides keep the order they had.  The number of these. */
static guint divide(const Division *division, Group group)
{
    guint n = 0, n_later = 0;
    const double limit = find_limit(division, group);
    const gboolean is_first_above = project(division, group.first) > limit;
    for (guint i = 0; i < group.n; i++) {
        const guint thing = division->order[group.first + i];
        if ((project(division, group.first + i) > limit) == is_first_above)
            division->order[group.first + n++] = thing;
        else
            division->later[n_later++] = thing;
    }
    memcpy(division->order + group.first + n, division->later, n_later * sizeof *division->later);
    return n;
}

void tnd_alike_order(const float *vectors, guint n, guint n_numbers, guint *order)
{
    Division division = {vectors,
                         n_numbers,
                         order,
                         g_new(guint, n),
                         g_new(double, n),
                         g_new(double, n_numbers),
                         g_new(double, n_numbers),
                         g_new(double, n_numbers)};
    Group groups[MOST_DEPTH + 2] = {{0, n, 0}}; /* those that are still to be divided; a division adds one */
    for (guint i = 0; i < n; i++)
        order[i] = i;
    for (guint n_groups = n_numbers > 0; n_groups;) {
        const Group group = groups[--n_groups];
        if (group.n < 2 || group.depth == MOST_DEPTH || !find_axis(&division, group))
            continue;
        const guint n_first = divide(&division, group);
        groups[n_groups++] = (Group){group.first + n_first, group.n - n_first, group.depth + 1};
        groups[n_groups++] = (Group){group.first, n_first, group.depth + 1};
    }
    g_free(division.later);
    g_free(division.along);
    g_free(division.mean);
    g_free(division.axis);
    g_free(division.sum);
}
