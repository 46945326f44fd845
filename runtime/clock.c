/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading the kernel's clocks, and all clocks at one moment.
 *
 * Context: any.
 */
#include "runtime/clock.h"

#include "runtime/target.h"

#include <errno.h>
#include <time.h>

/* Over less time the rate is not known well enough. */
#define RATE_NS 200000
#define TRIES 3

enum tnd_clock tnd_clock_kind = TND_CLOCK_MONOTONIC;

static struct tnd_clock_at started;

static uint64_t read_ns(clockid_t which)
{
#ifdef TND_BOARD
    return tnd_target_clock_ns(which != CLOCK_MONOTONIC);
#else
    struct timespec now;
    int before = errno;
    if (clock_gettime(which, &now) != 0) {
        errno = before;
        return 0;
    }
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
}

void tnd_clock_start(void)
{
    tnd_clock_kind = tnd_target_clock();
    tnd_clock_sample(&started, TRIES);
}

uint64_t tnd_clock_monotonic_ns(void)
{
    return read_ns(CLOCK_MONOTONIC);
}

uint64_t tnd_clock_realtime_ns(void)
{
    return read_ns(CLOCK_REALTIME);
}

void tnd_clock_sample(struct tnd_clock_at *at, unsigned n_tries)
{
    uint64_t best = UINT64_MAX;
    for (unsigned i = 0; i < n_tries; i++) {
        uint64_t before = tnd_clock_ticks();
        uint64_t monotonic_ns = tnd_clock_monotonic_ns();
        uint64_t after = tnd_clock_ticks();
        if (after - before >= best)
            continue;
        best = after - before;
        at->ticks = tnd_clock_kind == TND_CLOCK_MONOTONIC ? monotonic_ns : before + best / 2;
        at->monotonic_ns = monotonic_ns;
        at->realtime_ns = tnd_clock_realtime_ns();
    }
}

#ifdef TND_BOARD /* its ticks are ns */
uint64_t tnd_clock_ns(uint64_t ticks)
{
    return ticks;
}
#else
static uint64_t ns_per_tick; /* 32.32; 0: not known yet */

static uint64_t find_rate(void)
{
    struct tnd_clock_at now;
    tnd_clock_sample(&now, TRIES);
    uint64_t passed_ns = now.monotonic_ns - started.monotonic_ns;
    if (passed_ns < RATE_NS)
        return 0;
    uint64_t rate = (uint64_t)(((__uint128_t)passed_ns << 32) / (now.ticks - started.ticks));
    __atomic_store_n(&ns_per_tick, rate, __ATOMIC_RELAXED); /* threads that find it at once find the same */
    return rate;
}

uint64_t tnd_clock_ns(uint64_t ticks)
{
    uint64_t rate = __atomic_load_n(&ns_per_tick, __ATOMIC_RELAXED);
    if (!rate)
        rate = find_rate();
    return (uint64_t)((__uint128_t)ticks * rate >> 32);
}
#endif
