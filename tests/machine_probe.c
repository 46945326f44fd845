/* SPDX-License-Identifier: Apache-2.0
 *
 * What the kernel of this machine gives, asked without tandem (machine.py).  Each answer is an errno, 0 where it gives
 * it.
 *
 * machine_probe event TYPE CONFIG HAS_KERNEL   a perf event that counts in this thread
 * machine_probe clock CLOCK PERIOD             a sampling clock of bare_clock.h, and how many of its signals came in 50
 * ms of CPU time with 3,000 page faults, or in 2 s if none came in those
 * machine_probe delivery PERIOD                from the interrupt of a timer to its handler: ns, the median of 21
 */
#include "tests/bare_clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { N_FAULTS = 3000, PAGE = 4096, N_SIGNALS = 21 };

static volatile uint64_t came_ns;

static uint64_t read_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t cpu_ns(void)
{
    return read_ns(CLOCK_THREAD_CPUTIME_ID);
}

static void note_time(int number)
{
    came_ns = read_ns(CLOCK_MONOTONIC);
    bare_n++;
}

static int compare(const void *a, const void *b)
{
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

/* Reads the time until a signal comes: the last reading before it is that of the interrupt. */
static uint64_t delivery_ns(void)
{
    uint64_t took_ns[N_SIGNALS];
    for (int i = 0; i < N_SIGNALS; i++) {
        uint64_t next_ns = read_ns(CLOCK_MONOTONIC), last_ns = next_ns;
        for (unsigned long before = bare_n; bare_n == before; next_ns = read_ns(CLOCK_MONOTONIC))
            last_ns = next_ns;
        took_ns[i] = came_ns - last_ns;
    }
    qsort(took_ns, N_SIGNALS, sizeof took_ns[0], compare);
    return took_ns[N_SIGNALS / 2];
}

static void use(void)
{
    size_t size = (size_t)N_FAULTS * PAGE;
    char *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(pages, size, MADV_NOHUGEPAGE);
    for (size_t at = 0; at < size; at += PAGE)
        ((volatile char *)pages)[at] = 1;
    /* A clock that goes by the kernel's tick may miss 50 ms where others have the core at ticks. */
    uint64_t began = cpu_ns();
    for (uint64_t now = began; now < began + 50000000 || (bare_n == 0 && now < began + 2000000000); now = cpu_ns())
        for (volatile int i = 0; i < 20000; i++) {
        }
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "event") == 0) {
        long fd = bare_open((uint32_t)atol(argv[2]), strtoull(argv[3], NULL, 10), atoi(argv[4]), 0);
        printf("%d\n", fd < 0 ? errno : 0);
        return 0;
    }
    if (argc == 3 && strcmp(argv[1], "delivery") == 0) {
        if (bare_start("real", strtoull(argv[2], NULL, 10)) != 0 || signal(BARE_SIGNAL, note_time) == SIG_ERR)
            return 1;
        printf("%llu\n", (unsigned long long)delivery_ns());
        return 0;
    }
    if (argc != 4 || strcmp(argv[1], "clock") != 0)
        return 2;
    int error = bare_start(argv[2], strtoull(argv[3], NULL, 10));
    use();
    printf("%d %lu\n", error, bare_n);
    return 0;
}
