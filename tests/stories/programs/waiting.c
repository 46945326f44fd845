/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads that compute and wait in turn, each in its own way.  waiting MS N: each computes for MS of CPU time and waits
 * for three times as long, N times.  In the end it tells of each "NAME CPU-NS WALL-NS" of its life, and how much of the
 * latter it was in a call that does not wait, which may cost it the core.
 *
 *     sleeps   in usleep
 *     reads    a byte from a pipe, which the main thread writes so much later
 *     raw      in a system call that no library sees
 *     locks    for a mutex that another thread holds meanwhile
 *     works    does not wait
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long compute_ns, wait_ns;
static int n_times, wish[2], answer[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t holder_comes, holder_holds;

static long read_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1000000000L + now.tv_nsec;
}

static void compute(long ns)
{
    for (long begin = read_ns(CLOCK_THREAD_CPUTIME_ID); read_ns(CLOCK_THREAD_CPUTIME_ID) - begin < ns;)
        for (volatile int i = 0; i < 10000; i++) {
        }
}

static _Thread_local long besides_ns;

static void sleeps(void)
{
    usleep((useconds_t)(wait_ns / 1000));
}

static void reads(void)
{
    char byte;
    long begin_ns = read_ns(CLOCK_MONOTONIC);
    ssize_t n_written = write(wish[1], "", 1);
    besides_ns += read_ns(CLOCK_MONOTONIC) - begin_ns;
    if (n_written != 1 || read(answer[0], &byte, 1) != 1)
        abort();
}

static void raw(void)
{
    struct timespec time = {0, wait_ns};
    while (syscall(SYS_nanosleep, &time, &time) != 0) {
    }
}

static void locks(void)
{
    pthread_barrier_wait(&holder_comes);
    pthread_barrier_wait(&holder_holds);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

static void *hold(void *data)
{
    pthread_setname_np(pthread_self(), "holder");
    for (int i = 0; i < n_times; i++) {
        pthread_barrier_wait(&holder_comes);
        pthread_mutex_lock(&mutex);
        pthread_barrier_wait(&holder_holds);
        usleep((useconds_t)(wait_ns / 1000));
        pthread_mutex_unlock(&mutex);
    }
    return data;
}

static void works(void) {}

static const struct kind {
    const char *name;
    void (*wait)(void);
} kinds[] = {{"sleeps", sleeps}, {"reads", reads}, {"raw", raw}, {"locks", locks}, {"works", works}};

static void *work(void *data)
{
    const struct kind *kind = data;
    long begin_ns = read_ns(CLOCK_MONOTONIC);
    pthread_setname_np(pthread_self(), kind->name);
    for (int i = 0; i < n_times; i++) {
        compute(compute_ns);
        kind->wait();
    }
    printf("%s %ld %ld %ld\n", kind->name, read_ns(CLOCK_THREAD_CPUTIME_ID), read_ns(CLOCK_MONOTONIC) - begin_ns,
           besides_ns);
    return NULL;
}

int main(int argc, char **argv)
{
    enum { N_KINDS = sizeof kinds / sizeof kinds[0] };
    pthread_t threads[N_KINDS], holder;
    if (argc != 3 || pipe(wish) != 0 || pipe(answer) != 0)
        return 2;
    compute_ns = atol(argv[1]) * 1000000;
    wait_ns = 3 * compute_ns;
    n_times = atoi(argv[2]);
    pthread_barrier_init(&holder_comes, NULL, 2);
    pthread_barrier_init(&holder_holds, NULL, 2);
    pthread_create(&holder, NULL, hold, NULL);
    for (int i = 0; i < N_KINDS; i++)
        pthread_create(&threads[i], NULL, work, (void *)&kinds[i]);
    for (int i = 0; i < n_times; i++) {
        char byte;
        if (read(wish[0], &byte, 1) != 1)
            return 1;
        usleep((useconds_t)(wait_ns / 1000));
        if (write(answer[1], "", 1) != 1)
            return 1;
    }
    for (int i = 0; i < N_KINDS; i++)
        pthread_join(threads[i], NULL);
    pthread_join(holder, NULL);
    return 0;
}
