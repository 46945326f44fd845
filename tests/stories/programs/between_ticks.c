/* SPDX-License-Identifier: Apache-2.0
 *
 * A thread that has a core only between the kernel's ticks, where no timer of its CPU time finds it: it computes for
 * 0.3 ms, sleeps for a while, and sleeps over each tick.  When it has used argv[1] ms of CPU time so, it sleeps for
 * 2 s.  Prints the CPU time that it used before, in ns, and how often it fell asleep in the last sleep.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define US 1000

static long read_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

/* The coarse clock stands still from tick to tick. */
static long to_next_tick_ns(long tick_ns)
{
    return read_ns(CLOCK_MONOTONIC_COARSE) + tick_ns - read_ns(CLOCK_MONOTONIC);
}

/* No library sees this. */
static void sleep_ns(long ns)
{
    struct timespec left = {ns / 1000000000, ns % 1000000000};
    while (syscall(SYS_nanosleep, &left, &left) != 0) {
    }
}

static void compute(long ns)
{
    for (long until = read_ns(CLOCK_THREAD_CPUTIME_ID) + ns; read_ns(CLOCK_THREAD_CPUTIME_ID) < until;) {
    }
}

int main(int argc, char **argv)
{
    struct timespec tick;
    clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
    long wanted_ns = atol(argv[1]) * 1000 * US, begin_ns = read_ns(CLOCK_THREAD_CPUTIME_ID);
    while (read_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns < wanted_ns) {
        long left_ns = to_next_tick_ns(tick.tv_nsec);
        if (left_ns > 800 * US) {
            compute(300 * US);
            sleep_ns(150 * US);
        } else {
            sleep_ns((left_ns > 0 ? left_ns : 0) + 100 * US);
        }
    }
    long used_ns = read_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns;
    struct rusage before, after;
    getrusage(RUSAGE_THREAD, &before);
    sleep_ns(2000000000L);
    getrusage(RUSAGE_THREAD, &after);
    printf("%ld %ld\n", used_ns, after.ru_nvcsw - before.ru_nvcsw);
}
