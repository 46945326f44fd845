/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * attach_known N_THREADS ROUNDS [EXEC]: a program to be looked at from outside.  In each round each of the threads,
 * which begin and end with it, spends three parts of its CPU time in `heavy` and one in `light`, and then sleeps.
 * Prints "ready" before the first round, and waits for a line; at the end, a line for each thread and round: its tid
 * and its CPU time in ns.  With EXEC, it becomes that program then.
 *
 * Without frame pointers, so that only unwind tables tell who called `burn`.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define UNIT_NS 7300000 /* no whole number of sampling periods */
enum { MOST = 1000 };

static uint64_t cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static volatile double sink;

__attribute__((noinline)) static void burn(unsigned units)
{
    uint64_t end = cpu_ns() + units * (uint64_t)UNIT_NS;
    while (cpu_ns() < end)
        for (int i = 0; i < 20000; i++)
            sink = sink + i * 1e-9;
}

__attribute__((noinline)) static void heavy(void)
{
    burn(3);
    __asm__ volatile("");
}

__attribute__((noinline)) static void light(void)
{
    burn(1);
    __asm__ volatile("");
}

static uint64_t used[MOST];
static long tids[MOST];

static void *work(void *argument)
{
    uintptr_t n = (uintptr_t)argument;
    heavy();
    light();
    usleep(20000);
    used[n] = cpu_ns();
    tids[n] = syscall(SYS_gettid);
    return NULL;
}

int main(int argc, char **argv)
{
    int n_threads = atoi(argv[1]), n_rounds = atoi(argv[2]), n = 0;
    pthread_t threads[64];
    puts("ready");
    fflush(stdout);
    if (getchar() == EOF)
        return 1;
    for (int round = 0; round < n_rounds; round++) {
        for (int i = 0; i < n_threads; i++)
            pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)n++);
        for (int i = 0; i < n_threads; i++)
            pthread_join(threads[i], NULL);
    }
    for (int i = 0; i < n; i++)
        printf("%ld %lu\n", tids[i], (unsigned long)used[i]);
    fflush(stdout);
    if (argc > 3)
        execlp(argv[3], argv[3], "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done", NULL);
    return 0;
}
