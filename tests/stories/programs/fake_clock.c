/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * To preload: clocks that are FAKE_CLOCK="<ns ahead> <rate>" off, as those of another machine.  Reaches who reads them
 * through libc, hence nobody who reads a counter of the processor. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t which, struct timespec *now)
{
    static long ahead_ns;
    static double rate;
    struct timespec real;
    int result = (int)syscall(SYS_clock_gettime, which, now);
    const char *text = rate == 0 ? getenv("FAKE_CLOCK") : NULL;
    if (rate == 0 && (!text || sscanf(text, "%ld %lf", &ahead_ns, &rate) != 2))
        rate = 1;
    if (which != CLOCK_MONOTONIC && which != CLOCK_REALTIME)
        return result;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &real);
    long ns = now->tv_sec * 1000000000L + now->tv_nsec + ahead_ns;
    ns += (long)((rate - 1) * ((double)real.tv_sec * 1e9 + (double)real.tv_nsec));
    now->tv_sec = ns / 1000000000L;
    now->tv_nsec = ns % 1000000000L;
    return result;
}
