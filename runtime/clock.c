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

enum tnd_clock tnd_clock_kind = TND_CLOCK_MONOTONIC;

static uint64_t read_ns(clockid_t which)
{
    struct timespec now;
    int before = errno;
    if (clock_gettime(which, &now) != 0) {
        errno = before;
        return 0;
    }
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void tnd_clock_start(void)
{
    tnd_clock_kind = tnd_target_clock();
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
