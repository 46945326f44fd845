/* SPDX-License-Identifier: Apache-2.0
 *
 * What samples cost, and periods that keep it within the share of a thread's time that the user grants: a clock that
 * signals faster than a signal can be handled would let the program do nothing else, for ever.
 *
 * What the kernel takes for a signal of the clock is measured once, at start; what the handler takes, in the handler,
 * as that depends on stacks and counters.
 *
 * Context: as each function says.
 */
#ifndef TND_SAMPLING_COST_H
#define TND_SAMPLING_COST_H

#include "sampler/sampling_clock.h"

#include <stdbool.h>
#include <stdint.h>

/* Measures what the kernel takes for a signal of this clock, for some 0.5 ms, longer if it is too much for the period
 * that was asked for, in a thread that is not sampled yet.  At start. */
void tnd_sampling_cost_measure(const struct tnd_sampling_ops *ops, uint64_t period_ns);

/* A signal has come to a thread that is not sampled: whether the measurement sent it.  In the handler. */
bool tnd_sampling_cost_note_signal(const siginfo_t *info, bool is_clocks);

/* ns that the kernel takes for a signal.  Any context. */
uint64_t tnd_sampling_cost_signal_ns(void);

/* The period, or the least one at which the kernel's part alone is within the share, and a little more, for the
 * handler's part.  At start. */
uint64_t tnd_sampling_cost_limit(uint64_t period_ns);

/* Adds a signal that took the handler so many ticks, and the CPU time since the sample before; 0: it gave no sample, as
 * the thread had waited, which is no reason for a longer period.  The period that the
 * thread's clock is to have from now on, in ns or counts: a longer one if samples take more than their share of late.
 * Handler. */
uint64_t tnd_sampling_cost_add(struct tnd_sampling *sampling, uint64_t handler_ticks, uint64_t used_ns);

/* Writes why a period was raised, for tnd_run_note.  In a thread. */
struct tnd_sampling_raise {
    uint64_t asked, is; /* ns, or counts */
    uint64_t sample_ns; /* what one sample takes */
    bool counts;
};
void tnd_sampling_cost_explain(char *sentence, unsigned size, const struct tnd_sampling_raise *raise);

/* The same where the clock goes by the kernel's tick; false: that is no longer than the period. */
bool tnd_sampling_cost_explain_tick(char *sentence, unsigned size, uint64_t asked_ns);

#endif
