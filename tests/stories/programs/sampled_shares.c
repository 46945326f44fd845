/* SPDX-License-Identifier: Apache-2.0
 *
 * Work whose shares are known.  sampled_shares N_THREADS MS KIND...: each thread does the kinds in turn, for random
 * times, so that they are in step with no clock, until it has used MS of CPU time.  In the end it tells, for each kind,
 * where its function is and how much CPU time the thread used in it: "TID KIND BEGIN END NS".
 *
 *     user     computes
 *     read     reads 64 KB of /dev/zero at a time, which a signal could cut short
 *     calls    short system calls
 *     faults   touches fresh memory
 *     clock    asks for the CPU time, as a benchmark's loop does
 *     twin     computes, too
 *
 * With KIND in-step before the others, their turns are half a millisecond of CPU time instead.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MOST_KINDS = 8, MOST_THREADS = 64, MOST_TURN_NS = 2000000, STEP_NS = 500000 };

static long long read_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static long long cpu_ns(void)
{
    return read_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* Each in a section of its own, whose begin and end the linker knows. */
#define KIND(name)                                                                                                     \
    extern const char __start_text_##name[], __stop_text_##name[];                                                     \
    __attribute__((noinline, section("text_" #name))) static void do_##name(void)

KIND(user)
{
    for (volatile int i = 0; i < 100000; i++) {
    }
}

static int zeros;

KIND(read)
{
    char block[65536];
    for (int i = 0; i < 40; i++)
        if (read(zeros, block, sizeof block) != sizeof block)
            abort();
}

KIND(calls)
{
    for (int i = 0; i < 2000; i++)
        syscall(SYS_getppid);
}

KIND(faults)
{
    size_t size = 1 << 20;
    volatile char *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise((void *)pages, size, MADV_NOHUGEPAGE);
    for (size_t at = 0; at < size; at += 4096)
        pages[at] = 1;
    munmap((void *)pages, size);
}

KIND(clock)
{
    for (int i = 0; i < 500; i++)
        cpu_ns();
}

KIND(twin)
{
    for (volatile int i = 0; i < 100000; i++) {
    }
}

#define ENTRY(name)                                                                                                    \
    {                                                                                                                  \
#name, do_##name, __start_text_##name, __stop_text_##name                                                      \
    }
static const struct kind {
    const char *name;
    void (*act)(void);
    const char *begin, *end;
} kinds[] = {ENTRY(user), ENTRY(read), ENTRY(calls), ENTRY(faults), ENTRY(clock), ENTRY(twin)};

static const struct kind *wanted[MOST_KINDS];
static int n_wanted;
static bool is_in_step;
static long long most_ns;

static void *work(void *unused)
{
    long long used_ns[MOST_KINDS] = {0}, now_ns = cpu_ns();
    unsigned random = (unsigned)syscall(SYS_gettid);
    const clockid_t pace =
        is_in_step ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC; /* to read that one is not much work */
    for (int i = 0; now_ns < most_ns; i = (i + 1) % n_wanted) {
        long long until_ns = read_ns(pace) + rand_r(&random) % MOST_TURN_NS, then_ns = now_ns;
        if (is_in_step) {
            i = (int)(now_ns / STEP_NS % n_wanted);
            until_ns = (now_ns / STEP_NS + 1) * STEP_NS;
        }
        do
            wanted[i]->act();
        while (read_ns(pace) < until_ns);
        now_ns = cpu_ns();
        used_ns[i] += now_ns - then_ns;
    }
    for (int i = 0; i < n_wanted; i++)
        printf("%ld %s %lu %lu %lld\n", syscall(SYS_gettid), wanted[i]->name, (unsigned long)wanted[i]->begin,
               (unsigned long)wanted[i]->end, used_ns[i]);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[MOST_THREADS];
    int n_threads = argc > 3 ? atoi(argv[1]) : 0;
    if (n_threads < 1 || n_threads > MOST_THREADS || argc - 3 > MOST_KINDS)
        return 2;
    most_ns = atoll(argv[2]) * 1000000;
    is_in_step = argc > 3 && strcmp(argv[3], "in-step") == 0;
    for (int i = 3 + is_in_step; i < argc; i++)
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
            if (strcmp(argv[i], kinds[k].name) == 0)
                wanted[n_wanted++] = &kinds[k];
    zeros = open("/dev/zero", O_RDONLY);
    if (n_wanted != argc - 3 - is_in_step || zeros < 0)
        return 2;
    for (int i = 1; i < n_threads; i++)
        if (pthread_create(&threads[i], NULL, work, NULL) != 0)
            return 1;
    work(NULL);
    for (int i = 1; i < n_threads; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
