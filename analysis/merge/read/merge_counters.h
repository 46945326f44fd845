/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processor's counters that are read at records: their event types and labels, from the definitions in the
 * streams.
 */
#ifndef TND_MERGE_COUNTERS_H
#define TND_MERGE_COUNTERS_H

#include "analysis/merge/base/merge_model.h"

/* For the scan: keeps a DEFINE of a counter. */
void tnd_merge_counters_note(TndMerge *merge, TndMergeProcess *process, const struct tnd_record *define,
                             const char *text);

/* Makes the labels of the sets. */
void tnd_merge_counters_run(TndMerge *merge);

#endif
