/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Regions of the program (tandem_region_begin) as frames of the stacks that were sampled in them.  A region stands
 * within the function that began it, which the callers of its begin tell (tandem record --callers); functions that only
 * helped to begin it, and have returned, are not in the sample's stack and are passed over.  A region whose place is
 * not found has no frame.
 *
 * Cost: a comparison for each frame of a stack and each open region; nothing if the trace has no such callers.
 */
#ifndef TND_REGION_STACKS_H
#define TND_REGION_STACKS_H

#include "analysis/reports/samples.h"

/* Of one thread, whose events are given in the order of time. */
typedef struct TndRegionStacks TndRegionStacks;

/* NULL: the trace does not tell who began its regions. */
TndRegionStacks *tnd_region_stacks_new(const TndTrace *trace);

void tnd_region_stacks_follow(TndRegionStacks *stacks, const TndEvent *event);

/* Puts the regions that are open into a stack, each as a function of the number -value.  The frame outside of a region
 * has the line of its begin, the region that where its function was sampled.  Where a region's own code was sampled,
 * the function that began it stands within the region once more: the innermost frame is always a function.  A stack in
 * which they have no room stays as it is. */
void tnd_region_stacks_insert(const TndRegionStacks *stacks, TndSample *sample);

/* NULL is no error. */
void tnd_region_stacks_free(TndRegionStacks *stacks);

#endif
