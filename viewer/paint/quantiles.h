/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which values the bursts of a view have, one as good as the other: a value that so many of them do not exceed.  Bursts
 * of 0 do not count.
 *
 * Cost: 4 to 10 ns for each burst, once, on all cores.
 */
#ifndef TND_QUANTILES_H
#define TND_QUANTILES_H

#include "analysis/views/view.h"

typedef struct TndQuantiles TndQuantiles;

/* least, most: the smallest and the largest value of the view, from tnd_view_range. */
TndQuantiles *tnd_quantiles_new(TndView *view, double least, double most);
void tnd_quantiles_free(TndQuantiles *quantiles); /* NULL is allowed */

/* fraction: 0 (the smallest value) to 1 (the largest).  The error is at most 0.1 % of the way from the smallest to the
 * largest or, if all are more than 0, of the ways between their logarithms. */
double tnd_quantiles_at(const TndQuantiles *quantiles, double fraction);

#endif
