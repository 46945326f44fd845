/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Wilson's interval for one proportion; for the difference of two, Newcombe's, made of the widths of both.
 */
#include "analysis/base/proportion.h"

#include <math.h>

TndProportion tnd_proportion_of(guint64 part, guint64 whole, guint64 n)
{
    const double z = 1.96, share = whole ? (double)part / (double)whole : 0, count = (double)MAX(n, 1);
    double sure = z * sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count);
    return (TndProportion){100 * share, 100 * sure};
}

TndProportion tnd_proportion_change(TndProportion now, TndProportion before)
{
    return (TndProportion){now.percent - before.percent, hypot(now.sure, before.sure)};
}
