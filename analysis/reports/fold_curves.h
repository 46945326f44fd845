/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was read besides samples, over the time in an instance: use of the CPU, rates of counters, values that hold.
 *
 * Cost: a walk over the events of the rows, if they have any of these.
 */
#ifndef TND_FOLD_CURVES_H
#define TND_FOLD_CURVES_H

#include "analysis/reports/folding.h"

/* The curves (TndFoldCurve) of a folding whose samples are in their bins.  rows: only these threads; NULL: all. */
GPtrArray *tnd_fold_curves_new(const TndTrace *trace, const TndFoldInstances *instances, const TndFolding *folding,
                               const gboolean *rows);

#endif
