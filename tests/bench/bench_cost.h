/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What something long takes: on the clock, and of all cores together.
 */
#ifndef TND_BENCH_COST_H
#define TND_BENCH_COST_H

#include <time.h>

struct bench_cost {
    double clock_ms, cpu_ms;
};

static inline double bench_cost_read_ms(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static inline struct bench_cost bench_cost_now(void)
{
    return (struct bench_cost){bench_cost_read_ms(CLOCK_MONOTONIC), bench_cost_read_ms(CLOCK_PROCESS_CPUTIME_ID)};
}

/* From a to b; of what is made of differences, none is less than 0. */
static inline struct bench_cost bench_cost_between(struct bench_cost a, struct bench_cost b)
{
    double clock_ms = b.clock_ms - a.clock_ms, cpu_ms = b.cpu_ms - a.cpu_ms;
    return (struct bench_cost){clock_ms > 0 ? clock_ms : 0, cpu_ms > 0 ? cpu_ms : 0};
}

#endif
