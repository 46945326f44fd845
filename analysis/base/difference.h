/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a number differs between two sides, of which there are one or several runs each, and how sure that is.
 *
 *   several runs of each side   Welch's t: each side has its own variance
 *   several of one side only    the one run of the other side is taken to vary as much; as it may be an unusual one,
 * the difference must also exceed a slack one run of each side        how runs vary is not known: a slack, and beyond
 * it what is known of the numbers themselves (sampling)
 *
 * Of many numbers that are compared at once some differ much by chance.  tnd_difference_level corrects for that by the
 * method of Benjamini and Hochberg, and the intervals are those of Benjamini and Yekutieli for what was selected so.
 */
#ifndef TND_DIFFERENCE_H
#define TND_DIFFERENCE_H

#include <glib.h>

/* A number as one run has it. */
typedef struct {
    double value;
    double
        variance; /* of the value by itself, because it was found by sampling, for want of more runs; 0: it is exact */
    double grain; /* of samples, what one adds: runs vary by that at least, even if they happen to be alike */
} TndMeasured;

typedef struct {
    double before, after; /* means over the runs of a side */
    double error;         /* standard error of after - before; 0: the values do not vary */
    double freedom;       /* degrees of freedom of that error; INFINITY: it is known, not estimated */
    double slack;         /* what a difference must exceed by itself */
} TndDifference;

/* Of n_before and n_after runs, at least one each.  slack: if there is one run of a side. */
TndDifference tnd_difference_of(const TndMeasured *before, guint n_before, const TndMeasured *after, guint n_after,
                                double slack);

/* The probability of a difference that is at least as large, if both sides are the same. */
double tnd_difference_chance(const TndDifference *difference);

/* Half the width of the interval that has the true difference with a probability of 1 - level. */
double tnd_difference_sure(const TndDifference *difference, double level);

/* Of n chances of numbers that are compared at once: those of at most the returned level are more than chance, `wrong`
 * being the share of these that is expected to be chance.  If nothing differs, `wrong` is the probability that anything
 * is taken for a difference.  0 < level <= wrong. */
double tnd_difference_level(const double *chances, guint n, double wrong);

#endif
