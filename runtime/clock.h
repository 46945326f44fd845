/* SPDX-License-Identifier: Apache-2.0
 *
 * The clock of a record: the cheapest counter that runs at a constant rate.  On x86 that is the time-stamp counter
 * where the kernel itself uses it, on arm64 the virtual counter, everywhere else CLOCK_MONOTONIC.  Ticks become ns at
 * merge, by CLOCK records taken at both ends of the run and at each turn of a ring.
 * Cost: about 16 ns for rdtsc in a virtual machine, 27 ns for clock_gettime (measured, tests/bench).
 *
 * Context: any, handlers included.
 */
#ifndef TND_CLOCK_H
#define TND_CLOCK_H

#include "formats/record.h"

#include <stdbool.h>
#include <stdint.h>

/* Which clock is in use; fixed before the first record of the image. */
extern enum tnd_clock tnd_clock_kind __attribute__((visibility("hidden")));

/* Chooses the clock.  Once, at start. */
void tnd_clock_start(void);

/* One moment on all clocks. */
struct tnd_clock_at {
    uint64_t ticks, monotonic_ns, realtime_ns;
};

/* Reads all clocks n_tries times and keeps the reading that took the least time. */
void tnd_clock_sample(struct tnd_clock_at *at, unsigned n_tries);

/* A time in ticks as ns; 0 in the first 0.2 ms after the start, when the rate of the clock is not known. */
uint64_t tnd_clock_ns(uint64_t ticks);

/* CLOCK_MONOTONIC in ns. */
uint64_t tnd_clock_monotonic_ns(void);

/* CLOCK_REALTIME in ns. */
uint64_t tnd_clock_realtime_ns(void);

/* Whether tnd_clock_ticks is an instruction rather than a call. */
static inline bool tnd_clock_is_inline(void)
{
#if defined(__x86_64__)
    return tnd_clock_kind == TND_CLOCK_TSC;
#elif defined(__aarch64__)
    return tnd_clock_kind == TND_CLOCK_CNTVCT;
#else
    return false;
#endif
}

/* Now, in ticks, where tnd_clock_is_inline. */
static inline uint64_t tnd_clock_ticks_inline(void)
{
#if defined(__x86_64__)
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return 0;
#endif
}

/* Now, in ticks. */
static inline uint64_t tnd_clock_ticks(void)
{
    return __builtin_expect(tnd_clock_is_inline(), 1) ? tnd_clock_ticks_inline() : tnd_clock_monotonic_ns();
}

#endif
