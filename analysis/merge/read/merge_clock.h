/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pass that finds out how ticks of all processes become one time (merge_ticks.h).
 */
#ifndef TND_MERGE_CLOCK_H
#define TND_MERGE_CLOCK_H

#include "analysis/merge/base/merge_model.h"

gboolean tnd_merge_clock_run(TndMerge *merge, GError **error);

/* Makes a time the trace's zero.  Until here times are those of CLOCK_REALTIME. */
void tnd_merge_clock_set_zero(TndMerge *merge, gint64 zero);

/* Whether that is the id of this node's boot. */
gboolean tnd_merge_clock_is_this_boot(const char *boot);

#endif
