/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Iterations with known phases: f, g and h compute for a quarter, a half and a quarter of each.  folded N US SPREAD:
 * N iterations of so many us, or of durations that differ by up to SPREAD percent, of which every 50th is three times
 * as long.  They go by the thread's CPU time: an iteration that waits for a core is longer, and its phases are no
 * other.
 */
#include <stdlib.h>
#include <tandem.h>
#include <time.h>

static long long now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

#define PHASE(name)                                                                                                    \
    static __attribute__((noinline)) void name(long long until_ns)                                                     \
    {                                                                                                                  \
        while (now_ns() < until_ns)                                                                                    \
            for (volatile int i = 0; i < 5000; i++) {                                                                  \
            }                                                                                                          \
    }
PHASE(f)
PHASE(g)
PHASE(h)

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    int n = atoi(argv[1]), us = atoi(argv[2]), spread = atoi(argv[3]);
    unsigned random = 1;
    tandem_region iteration = tandem_region_register("iteration");
    for (int i = 0; i < n; i++) {
        double scale = 1 + spread / 100.0 * (rand_r(&random) / (double)RAND_MAX - 0.5);
        long long quarter_ns = (long long)(us * 250 * (spread && i % 50 == 49 ? 3 : scale));
        tandem_region_begin(iteration);
        long long begin_ns = now_ns();
        f(begin_ns + quarter_ns);
        g(begin_ns + 3 * quarter_ns);
        h(begin_ns + 4 * quarter_ns);
        tandem_region_end(iteration);
    }
    return 0;
}
