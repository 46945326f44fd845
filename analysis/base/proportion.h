/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shares that were found by sampling, and how sure they are.  All are in percent.
 */
#ifndef TND_PROPORTION_H
#define TND_PROPORTION_H

#include <glib.h>

typedef struct {
    double percent;
    double sure; /* half the width of the interval that has the true value with a probability of 95 % */
} TndProportion;

/* A part of a whole, of which there are n samples that weigh about the same: Wilson's interval. */
TndProportion tnd_proportion_of(guint64 part, guint64 whole, guint64 n);

/* The same interval for a share from 0 to 1 that n samples found, n not being whole where they weigh unlike amounts. */
double tnd_proportion_sure(double share, double n);

/* The difference of two that were found independently of each other. */
TndProportion tnd_proportion_change(TndProportion now, TndProportion before);

#endif
