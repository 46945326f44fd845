/* SPDX-License-Identifier: Apache-2.0
 *
 * What is to be counted: sets of counters that take turns, each made of the kernel's own counters (counter_perf.h) and
 * PAPI's (counter_papi.h), as counter_plan.c made them of the setting.
 *
 * Context: made at start, constant afterwards.
 */
#ifndef TND_COUNTER_PLAN_H
#define TND_COUNTER_PLAN_H

#include "sampler/counter.h"

#define TND_COUNTER_SETS_MAX 8

struct tnd_counter_plan {
    struct tnd_counter_set sets[TND_COUNTER_SETS_MAX];
    unsigned n_sets;
};

/* Makes the plan of the setting: what fits and is allowed here is in it, and `refused` gets a sentence about the rest,
 * or is empty.  At start. */
void tnd_counter_plan_make(struct tnd_counter_plan *plan, const char *setting, char *refused, unsigned size);

#endif
