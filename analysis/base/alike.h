/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An order of things in which those that are alike stand together.  Each is described by as many numbers as the others.
 * All are divided into two groups along the direction in which they differ most, so that each differs as little as
 * possible within; each group is divided again, until its members are equal.  Of two groups the one with the first
 * thing goes first, so that the order depends on nothing but the numbers.  (The method: D. Boley, "Principal direction
 * divisive partitioning", Data Mining and Knowledge Discovery 2, 1998; its limit is the mean.)
 *
 * Cost: n (n_numbers + log n) x the depth of the division, which is log n for most and has a limit;
 * a second for 65,536 things of 32 numbers.
 */
#ifndef TND_ALIKE_H
#define TND_ALIKE_H

#include <glib.h>

/* vectors: [thing * n_numbers + number], finite.  order: [n], becomes the numbers of the things. */
void tnd_alike_order(const float *vectors, guint n, guint n_numbers, guint *order);

#endif
