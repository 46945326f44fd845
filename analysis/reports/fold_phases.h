/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Phases of a folded instance: stretches in which the same functions are found with the same probability.  Of all ways
 * to divide the instance, they are the one that makes the samples most likely, where each further phase has to pay for
 * what it needs to be described (Bayes' information criterion).
 *
 * Cost: 10 to 50 ms, however many samples there are.
 */
#ifndef TND_FOLD_PHASES_H
#define TND_FOLD_PHASES_H

#include "analysis/reports/folding.h"

/* How many functions of a phase are told. */
#define TND_FOLD_PHASES_FUNCTIONS 3

typedef struct {
    double begin, end;  /* positions, 0 to 1 */
    double uncertainty; /* of the end: with a probability of 95 % it is at most so far away; 0: the instance's end */
    guint64 n;          /* samples */
    guint n_functions;
    guint functions[TND_FOLD_PHASES_FUNCTIONS]; /* indices into those of the folding, the largest share first */
    double shares[TND_FOLD_PHASES_FUNCTIONS];   /* of the phase's samples, 0 to 1 */
} TndFoldPhase;

/* The phases (TndFoldPhase) in the order of time; none without samples.  Free with g_array_unref. */
GArray *tnd_fold_phases_new(const TndFolding *folding);

#endif
