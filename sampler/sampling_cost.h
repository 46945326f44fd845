/* SPDX-License-Identifier: Apache-2.0
 *
 * What samples cost, and the least period that leaves a program the time to get on: a clock that signals faster than a
 * signal can be handled would let it do nothing else, for ever.
 *
 * What the kernel takes for a signal of the clock is measured once, at start; what the handler takes, in the handler,
 * as that depends on stacks and counters.  Only where the period asked for is so short that it matters.
 *
 * Context: as each function says.
 */
#ifndef TND_SAMPLING_COST_H
#define TND_SAMPLING_COST_H

#include "sampler/sampling_clock.h"

#include <stdbool.h>
#include <stdint.h>

/* A period from here on is believed to leave time enough, whatever a sample costs. */
#define TND_SAMPLING_COST_SAFE_NS 1000000

/* Measures what the kernel takes for a signal of this clock, for 2 ms, in a thread that is not sampled yet.  False: the
 * clock cannot be armed.  At start. */
bool tnd_sampling_cost_measure(const struct tnd_sampling_ops *ops);

/* One of its signals has come while none was expected by the sampler.  In the handler. */
void tnd_sampling_cost_note_signal(void);

/* The period, if samples at it take no more than half of a thread's time; else one at which they take two fifths, so
 * that it is not raised again for a little more.  The handler's part is in ticks.  Handler. */
uint64_t tnd_sampling_cost_limit(uint64_t period_ns, uint64_t handler_ticks);

/* The handler's usual ticks, with those of one more sample in it: of one that was interrupted little is believed.
 * Handler. */
uint32_t tnd_sampling_cost_usual(uint32_t usual_ticks, uint64_t ticks);

/* Writes why a period was raised, for tnd_run_tell.  In a thread. */
void tnd_sampling_cost_explain(char *sentence, unsigned size, uint64_t asked_ns, uint64_t period_ns);

/* The same where the clock goes by the kernel's tick; false: that is no longer than the period. */
bool tnd_sampling_cost_explain_tick(char *sentence, unsigned size, uint64_t asked_ns);

#endif
