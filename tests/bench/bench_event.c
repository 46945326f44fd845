/* SPDX-License-Identifier: Apache-2.0
 *
 * What an event of the user's costs, writing rings out included, against the bare clock read in the same run; and what
 * is left of it when recording is off.  Run with the library preloaded: without it, everything is the stub's cost.
 */
#include "runtime/tandem.h"
#include "tests/bench/bench.h"

#include <stdint.h>

static tandem_region region;

static void nothing(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        __asm__ volatile("" : : "r"(i));
}

static void clock_read(unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
#if defined(__x86_64__)
        uint32_t low, high;
        __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
        __asm__ volatile("" : : "r"(low), "r"(high));
#else
        uint64_t now = (uint64_t)bench_now_ns();
        __asm__ volatile("" : : "r"(now));
#endif
    }
}

static void event(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        tandem_event(1000, i);
}

static void event_long(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        tandem_event(1000, (int64_t)1 << 40 | i);
}

static void region_pair(unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        tandem_region_begin(region);
        tandem_region_end(region);
    }
}

static void event_off(unsigned n)
{
    tandem_off();
    event(n);
    tandem_on();
}

int main(void)
{
    region = tandem_region_register("bench");
    static struct bench_case cases[] = {
        {"empty loop", nothing},
        {"clock read", clock_read},
        {"tandem_event", event},
        {"tandem_event, value of more than 16 bits", event_long},
        {"region begin + end (2 clock reads)", region_pair},
        {"tandem_event while recording is off", event_off},
    };
    enum { N_CASES = sizeof cases / sizeof cases[0] };
    bench_run(cases, N_CASES, 201, 65536); /* several turns of a ring a batch */
    double empty = cases[0].min_ns, clock_ns = cases[1].min_ns - empty;
    bench_print(cases, N_CASES, "of a clock read", clock_ns);
    printf("recording: %s\n", tandem_recording() ? "yes" : "no");
    for (int i = 2; i <= 3; i++)
        printf("%s: the clock read + %.2f ns (median + %.2f ns); wanted: at most + 6 ns\n", cases[i].name,
               cases[i].min_ns - empty - clock_ns, cases[i].median_ns - cases[1].median_ns);
    return 0;
}
