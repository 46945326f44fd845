/* SPDX-License-Identifier: Apache-2.0
 *
 * A known amount of work, whatever time it takes: some 100 ms of CPU time, shared by the threads.  It tells the CPU
 * time of the process, that of the work alone, in ns, and with a bare clock how many signals came:
 * "done NS NS SIGNALS". sampled_work N_THREADS [CLOCK PERIOD_NS]
 */
#include "tests/bare_clock.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 200000000, MOST_THREADS = 64 };

static int n_threads;
static long long work_ns; /* of all threads */

static long long cpu_ns(clockid_t clock)
{
    struct timespec used;
    clock_gettime(clock, &used);
    return used.tv_sec * 1000000000LL + used.tv_nsec;
}

static void *work(void *unused)
{
    unsigned long x = 1;
    long long began_ns = cpu_ns(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < ROUNDS / n_threads; i++) {
        x = x * 3 + (unsigned)i;
        __asm__ volatile("" : "+r"(x));
    }
    __atomic_add_fetch(&work_ns, cpu_ns(CLOCK_THREAD_CPUTIME_ID) - began_ns, __ATOMIC_RELAXED);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[MOST_THREADS];
    n_threads = argc > 1 ? atoi(argv[1]) : 1;
    if (n_threads < 1 || n_threads > MOST_THREADS)
        return 2;
    if (argc > 3 && bare_start(argv[2], strtoull(argv[3], NULL, 10)) != 0)
        return 3;
    for (int i = 1; i < n_threads; i++)
        if (pthread_create(&threads[i], NULL, work, NULL) != 0)
            return 1;
    work(NULL);
    for (int i = 1; i < n_threads; i++)
        pthread_join(threads[i], NULL);
    printf("done %lld %lld %lu\n", cpu_ns(CLOCK_PROCESS_CPUTIME_ID), work_ns, bare_n);
    return 0;
}
