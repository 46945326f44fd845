/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Wilson's interval for one proportion; for the difference of two, Newcombe's, made of the widths of both.
 */
#include "analysis/base/proportion.h"

#include <math.h>

double tnd_proportion_sure(double share, double n)
{
    const double z = 1.96, count = MAX(n, 1);
    return z * sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count);
}

TndProportion tnd_proportion_of(guint64 part, guint64 whole, guint64 n)
{
    double share = whole ? (double)part / (double)whole : 0;
    return (TndProportion){100 * share, 100 * tnd_proportion_sure(share, (double)n)};
}

TndProportion tnd_proportion_change(TndProportion now, TndProportion before)
{
    return (TndProportion){now.percent - before.percent, hypot(now.sure, before.sure)};
}
