/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pass that aligns the clocks of several nodes.
 */
#ifndef TND_MERGE_NODES_H
#define TND_MERGE_NODES_H

#include "analysis/merge/base/merge_model.h"

/* Before the trace's zero is set. */
void tnd_merge_nodes_run(TndMerge *merge);

#endif
