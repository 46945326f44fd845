/* SPDX-License-Identifier: Apache-2.0
 *
 * What is to be counted, according to the setting `counters`: sets that take turns, each with counters of the kernel
 * (counter_perf.h) and of PAPI (counter_papi.h).
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

/* Makes the plan from the setting, of all counters that fit and are allowed here.  `refused` gets a sentence about the
 * others, or is empty.  At start. */
void tnd_counter_plan_make(struct tnd_counter_plan *plan, const char *setting, char *refused, unsigned size);

#endif
