/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which functions a row was in before the operations of a place, or called MPI there, by its samples: what is to blame,
 * in the words of the program.
 *
 * Cost: a pass over the operations and samples of the row.
 */
#ifndef TND_CULPRIT_FUNCTIONS_H
#define TND_CULPRIT_FUNCTIONS_H

#include "analysis/causes/sync_ops.h"

/* The three innermost frames that most samples have, "spin < step < main".  Of an MPI call that the row is in, those
 * that called it, "called by exchange < main"; if no sample in the call says that, "before it, spin < step < main".
 * NULL: no sample is there.  *percent: of the CPU time of these samples.  Free with g_free. */
char *tnd_culprit_functions_text(const TndSyncOps *ops, guint row, TndSyncPlace place, double *percent);

#endif
