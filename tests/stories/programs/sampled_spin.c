/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads that use a known amount of CPU time, in user code and in the kernel; each tells how much it was from its
 * first line on, and before that: "tid ns before-ns".  sampled_spin N_THREADS MILLISECONDS [plain|blocked|tiny|errno
 * [CLOCK PERIOD_NS]]
 *
 * With CLOCK each thread has a bare clock of its own, and "tid ns before-ns signals" says what came of it: what to
 * expect of a sampler at that moment.
 */
#include "tests/bare_clock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const char *manner = "plain", *bare_clock;
static uint64_t bare_period;
static long milliseconds;

static uint64_t cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

__attribute__((noinline)) static int leaf(uint64_t until)
{
    volatile int x = 0;
    while (cpu_ns() < until)
        for (int i = 0; i < 20000; i++)
            x = x + i;
    return x;
}

__attribute__((noinline)) int descend(int n, uint64_t until)
{
    return n ? descend(n - 1, until) + 1 : leaf(until);
}

static void in_kernel(uint64_t until)
{
    static char bytes[1 << 18];
    int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    while (cpu_ns() < until)
        if (read(fd, bytes, sizeof bytes) < 0)
            abort();
    close(fd);
}

static void block_all(void)
{
    sigset_t all, read_back;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    pthread_sigmask(SIG_SETMASK, NULL, &read_back);
    for (int i = 1; i < 32; i++)
        if (i != SIGKILL && i != SIGSTOP && !sigismember(&read_back, i)) {
            printf("signal %d is not blocked\n", i);
            exit(1);
        }
}

/* errno is the program's: it stays what it was, whatever interrupts. */
static void watch_errno(uint64_t until)
{
    errno = 77;
    for (volatile int *my_errno = &errno; cpu_ns() < until;)
        for (int i = 0; i < 20000; i++)
            if (*my_errno != 77) {
                puts("errno has changed");
                exit(1);
            }
}

static void *work(void *argument)
{
    uint64_t start = cpu_ns(), all = (uint64_t)milliseconds * 1000000;
    int error = bare_clock ? bare_start(bare_clock, bare_period) : 0;
    if (error) {
        fprintf(stderr, "%s: %s\n", bare_clock, strerror(error));
        exit(3);
    }
    if (strcmp(manner, "blocked") == 0)
        block_all();
    if (strcmp(manner, "errno") == 0)
        watch_errno(start + all / 2);
    descend(6, start + all / 2);
    if (strcmp(manner, "tiny") != 0)
        in_kernel(start + all * 3 / 4);
    descend(12, start + all);
    char line[96];
    int n = snprintf(line, sizeof line, "%ld %llu %llu", syscall(SYS_gettid), (unsigned long long)(cpu_ns() - start),
                     (unsigned long long)start);
    if (bare_clock)
        n += snprintf(line + n, sizeof line - (size_t)n, " %lu", bare_n);
    line[n++] = '\n';
    if (write(1, line, (size_t)n) != n)
        abort();
    return NULL;
}

int main(int argc, char **argv)
{
    int n_threads = atoi(argv[1]);
    milliseconds = atol(argv[2]);
    if (argc > 3)
        manner = argv[3];
    if (argc > 5) {
        bare_clock = argv[4];
        bare_period = strtoull(argv[5], NULL, 10);
    }
    pthread_t threads[64];
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (strcmp(manner, "tiny") == 0)
        pthread_attr_setstacksize(&attributes, (size_t)PTHREAD_STACK_MIN);
    for (int i = 1; i < n_threads; i++)
        if (pthread_create(&threads[i], &attributes, work, NULL) != 0)
            return 2;
    work(NULL);
    for (int i = 1; i < n_threads; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
