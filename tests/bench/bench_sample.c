/* SPDX-License-Identifier: Apache-2.0
 *
 * What a sample costs the thread that is sampled, over a signal whose handler is empty: a thread that does nothing but
 * read the clock sees every interruption as a gap.  Our handler and an empty one take turns within one run, so that
 * what is left of the difference of the medians is ours.
 *
 * bench_sample LIBTANDEM: runs itself under the library, once for each way of unwinding.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_GAPS 100000
#define N_PAGES 256

struct gaps {
    unsigned n;
    uint32_t ns[MAX_GAPS];
};

static uint64_t ticks(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
#endif
}

static double ns_per_tick(void)
{
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    uint64_t start = ticks();
    do
        clock_gettime(CLOCK_MONOTONIC, &b);
    while (b.tv_sec - a.tv_sec < 1 && b.tv_nsec - a.tv_nsec < 20000000 && b.tv_nsec >= a.tv_nsec);
    return ((double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec)) / (double)(ticks() - start);
}

/* Gaps over 2 us: a sample takes 3.5 us at least, the clock 0.02.  Until so much time has passed, or so many were
 * seen. */
__attribute__((always_inline)) static inline void watch_here(struct gaps *gaps, double rate, uint64_t n_ticks,
                                                             unsigned n_gaps)
{
    uint64_t start = ticks(), before = start, now;
    uint64_t least = (uint64_t)(2000 / rate);
    unsigned most = gaps->n + n_gaps < MAX_GAPS ? gaps->n + n_gaps : MAX_GAPS;
    do {
        now = ticks();
        if (now - before > least && gaps->n < most)
            gaps->ns[gaps->n++] = (uint32_t)((double)(now - before) * rate);
        before = now;
    } while (now - start < n_ticks && gaps->n < most);
}

__attribute__((noinline)) static void watch(struct gaps *gaps, double rate, uint64_t n_ticks)
{
    watch_here(gaps, rate, n_ticks, MAX_GAPS);
}

/* Functions in pages of their own, each of which sees one signal. */
#define PAGE(n)                                                                                                        \
    __attribute__((noinline, aligned(4096))) static void page_##n(struct gaps *gaps, double rate)                      \
    {                                                                                                                  \
        watch_here(gaps, rate, UINT64_MAX, 1);                                                                         \
        __asm__ volatile("");                                                                                          \
    }
#define NAME(n) page_##n,
#define FOUR(X, n, a, b, c, d) X(n##a) X(n##b) X(n##c) X(n##d)
#define SIXTEEN(X, n)                                                                                                  \
    FOUR(X, n, 0, 1, 2, 3)                                                                                             \
    FOUR(X, n, 4, 5, 6, 7)                                                                                             \
    FOUR(X, n, 8, 9, a, b)                                                                                             \
    FOUR(X, n, c, d, e, f)
#define SIXTY_FOUR(X, k, l, m, n) SIXTEEN(X, k) SIXTEEN(X, l) SIXTEEN(X, m) SIXTEEN(X, n)
#define ALL(X)                                                                                                         \
    SIXTY_FOUR(X, 0, 1, 2, 3)                                                                                          \
    SIXTY_FOUR(X, 4, 5, 6, 7)                                                                                          \
    SIXTY_FOUR(X, 8, 9, a, b)                                                                                          \
    SIXTY_FOUR(X, c, d, e, f)
ALL(PAGE)
static void (*const pages[N_PAGES])(struct gaps *gaps, double rate) = {ALL(NAME)};

__attribute__((noinline)) static void descend(int n, struct gaps *gaps, double rate, uint64_t n_ticks)
{
    if (n)
        descend(n - 1, gaps, rate, n_ticks);
    else
        watch(gaps, rate, n_ticks);
    __asm__ volatile(""); /* no tail call */
}

static int by_size(const void *a, const void *b)
{
    return (int)(*(const uint32_t *)a > *(const uint32_t *)b) - (int)(*(const uint32_t *)a < *(const uint32_t *)b);
}

static double quantile_us(struct gaps *gaps, double q)
{
    qsort(gaps->ns, gaps->n, sizeof gaps->ns[0], by_size);
    return gaps->n ? gaps->ns[(unsigned)(q * (gaps->n - 1))] / 1000.0 : 0;
}

static void empty(int number, siginfo_t *info, void *context) {}

/* The kernel's sigaction: the library's own handler is not to be seen through the C library's. */
struct kernel_action {
    void (*handler)(int, siginfo_t *, void *);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

/* What the first signal in a page of code takes, over one there later. */
static void visit_pages(const struct kernel_action *ours, const struct kernel_action *none, double rate)
{
    static struct gaps gaps[3]; /* first visits, second ones, with an empty handler */
    for (int turn = 0; turn < 3; turn++) {
        syscall(SYS_rt_sigaction, SIGSTKFLT, turn < 2 ? ours : none, NULL, sizeof(uint64_t));
        for (int i = 0; i < N_PAGES; i++)
            pages[i](&gaps[turn], rate);
    }
    double base = quantile_us(&gaps[2], 0.5), first = quantile_us(&gaps[0], 0.5);
    printf("         first visits of %d pages add %.2f us (90 %% %.2f), at most 15; second ones %.2f\n", N_PAGES,
           first - base, quantile_us(&gaps[0], 0.9) - base, quantile_us(&gaps[1], 0.5) - base);
}

static int take_turns(const char *name, double limit_us, int depth)
{
    static struct gaps gaps[2];
    struct kernel_action actions[2];
    if (syscall(SYS_rt_sigaction, SIGSTKFLT, NULL, &actions[1], sizeof(uint64_t)) != 0 || !actions[1].handler) {
        printf("%-8s nothing samples here\n", name);
        return 1;
    }
    actions[0] = actions[1];
    actions[0].handler = empty;
    double rate = ns_per_tick();
    if (depth > 1)
        visit_pages(&actions[1], &actions[0], rate);
    for (int turn = 0; turn < 200; turn++) {
        syscall(SYS_rt_sigaction, SIGSTKFLT, &actions[turn % 2], NULL, sizeof(uint64_t));
        descend(depth > 5 ? depth - 5 : 0, &gaps[turn % 2], rate, (uint64_t)(1e7 / rate));
    }
    syscall(SYS_rt_sigaction, SIGSTKFLT, &actions[1], NULL, sizeof(uint64_t));
    double base = quantile_us(&gaps[0], 0.5), ours = quantile_us(&gaps[1], 0.5);
    printf(
        "%-8s empty handler %.2f us (n %u, 10 %% %.2f), ours %.2f us (n %u, 10 %% %.2f): added %.2f us, at most %.1f; "
        "x %.2f\n",
        name, base, gaps[0].n, quantile_us(&gaps[0], 0.1), ours, gaps[1].n, quantile_us(&gaps[1], 0.1), ours - base,
        limit_us, ours / base);
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name, *depth, *unwind, *limit_us;
    } cases[] = {{"nothing", "0", "auto", "0.2"},
                 {"where", "1", "none", "0.2"},
                 {"fp", "10", "fp", "0.4"},
                 {"auto", "10", "auto", "0.4"},
                 {"30", "30", "auto", "1"}};
    if (argc == 4)
        return take_turns(argv[1], atof(argv[2]), atoi(argv[3]));
    if (argc != 2)
        return 2;
    setenv("SAMPLING_PERIOD", "200us", 1);
    setenv("TANDEM_SAMPLING_SHARE", "50", 1);
    setenv("TANDEM_SAMPLING_CLOCK", "perf", 1);
    setenv("TANDEM_MERGE", "0", 1);
    setenv("TANDEM_FORCE", "1", 1);
    int result = 0;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        setenv("TANDEM_SAMPLING_DEPTH", cases[i].depth, 1);
        setenv("TANDEM_UNWIND", cases[i].unwind, 1);
        pid_t pid = fork();
        if (pid == 0) {
            setenv("LD_PRELOAD", argv[1], 1);
            execl("/proc/self/exe", argv[0], cases[i].name, cases[i].limit_us, cases[i].depth, (char *)NULL);
            _exit(127);
        }
        int status;
        waitpid(pid, &status, 0);
        result |= status;
    }
    return result != 0;
}
