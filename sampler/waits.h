/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a sampled thread waits: it sleeps in a call of the C library that is interposed (restartless.c).  Time off a
 * CPU is sampled as CPU time is: once a thread has waited long enough since its last WAIT record, the wait that it
 * comes from gives one, which stands for all of that time.  Short calls cost two readings of the clock.
 *
 * Context: in the thread itself; errno is kept.
 */
#ifndef TND_WAITS_H
#define TND_WAITS_H

#include <stdbool.h>
#include <stdint.h>

/* True while threads are sampled. */
extern bool tnd_waits_on __attribute__((visibility("hidden")));

/* Once, at start, with the period of sampling. */
void tnd_waits_start(uint64_t period_ns);

/* The calling thread begins, in this process. */
void tnd_waits_thread_start(void);

/* A call begins in which the thread may wait; 0: it is not sampled. */
uint64_t tnd_waits_begin(void);

/* The call that began then has ended, before the sampling signal is let in again if it was held (is_held). */
void tnd_waits_end(uint64_t began, const void *function, bool is_held);

/* In the handler: the thread's sample, which weighs that much.  Returns TND_SAMPLE_PREEMPTED or 0. */
uint16_t tnd_waits_see_sample(uint64_t ticks, uint32_t weight_ns);

#endif
