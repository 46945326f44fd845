/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the run knows that it has missed (run/missed.h), as notes for the user: one for each kind, with the names of the
 * programs, and what cures it.
 */
#ifndef TND_MERGE_MISSED_H
#define TND_MERGE_MISSED_H

#include "analysis/merge/base/merge_model.h"

void tnd_merge_missed_tell(TndMerge *merge);

#endif
