/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program sees of signals that are not its own.  guest_signals WAY: prints each signal that it is told of, and
 * what it reads back.
 *
 *     sigwait, timed, descriptor, raw-descriptor   take all signals, while a thread computes
 *     masks        reads back masks and actions, by libc's calls and by number
 *     pending      asks what waits, in a handler on a small alternate stack and outside
 *     raw-reset    sets all signals to their default by number, then computes
 *     ended        reads of a pipe that signals of its own end, whose handler computes with all signals blocked
 *     faults       gives the kernel addresses that are none
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void compute(long ms)
{
    struct timespec now;
    volatile int x = 0;
    do
        for (int i = 0; i < 100000; i++)
            x = x + i;
    while (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0 && now.tv_sec * 1000 + now.tv_nsec / 1000000 < ms);
}

static void *work(void *unused)
{
    compute(300);
    kill(getpid(), SIGUSR1);
    return NULL;
}

static void take_all(const char *way)
{
    sigset_t all;
    int number = 0;
    siginfo_t info;
    struct signalfd_siginfo said;
    const struct timespec limit = {10, 0};
    uint64_t raw_all = ~(uint64_t)0;
    pthread_t thread;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    int fd =
        strcmp(way, "raw-descriptor") == 0 ? (int)syscall(SYS_signalfd4, -1, &raw_all, 8, 0) : signalfd(-1, &all, 0);
    pthread_create(&thread, NULL, work, NULL);
    compute(50);
    if (strcmp(way, "sigwait") == 0) {
        int error = sigwait(&all, &number);
        printf("sigwait: %d, signal %d\n", error, number);
    }
    if (strcmp(way, "timed") == 0)
        printf("sigtimedwait: signal %d\n", sigtimedwait(&all, &info, &limit));
    if (strstr(way, "descriptor") && read(fd, &said, sizeof said) == sizeof said)
        printf("signalfd: signal %u\n", said.ssi_signo);
    pthread_join(thread, NULL);
    const struct timespec soon = {0, 20000000};
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    number = sigtimedwait(&all, NULL, &soon);
    clock_gettime(CLOCK_MONOTONIC, &after);
    long ns = (after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec;
    printf("then: %d, %s, %s\n", number, strerror(errno), ns >= 20000000 ? "in time" : "early");
}

static void on_signal(int signal) {}

static void print_set(const char *what, const sigset_t *set)
{
    printf("%s:", what);
    for (int i = 1; i < 65; i++)
        if (sigismember(set, i) == 1)
            printf(" %d", i);
    printf("\n");
}

struct kernel_action {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

static void read_back(void)
{
    sigset_t set, old;
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK}, was;
    struct kernel_action raw;
    uint64_t raw_old;
    stack_t stack = {.ss_sp = malloc(8192), .ss_size = 8192}, before;
    printf("altstack: %d", sigaltstack(&stack, &before));
    printf(" before %d %zu", before.ss_flags, before.ss_size);
    sigaltstack(NULL, &before);
    printf(" now %d %zu\n", before.ss_flags, before.ss_size);
    for (int i = 1; i < 32; i++) {
        if (i == SIGKILL || i == SIGSTOP)
            continue;
        sigaction(i, &action, &was);
        printf("%d: %s %x, ", i, was.sa_handler == SIG_DFL ? "default" : "other", was.sa_flags & 0x7bffffff);
        sigaction(i, NULL, &was);
        printf("%s %x", was.sa_handler == on_signal ? "mine" : "other", was.sa_flags & 0x7bffffff);
        print_set("", &was.sa_mask);
        syscall(SYS_rt_sigaction, i, NULL, &raw, 8);
        printf("   %s %llx\n", raw.handler == on_signal ? "mine" : "other", (unsigned long long)raw.mask);
    }
    sigfillset(&set);
    sigprocmask(SIG_SETMASK, &set, NULL);
    sigprocmask(SIG_SETMASK, NULL, &old);
    print_set("all", &old);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &raw_old, 8);
    printf("raw %llx\n", (unsigned long long)raw_old);
    raw_old = 0;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &raw_old, NULL, 8);
    pthread_sigmask(SIG_BLOCK, NULL, &old);
    print_set("none", &old);
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, &before);
    printf("altstack was %d %zu\n", before.ss_flags, before.ss_size);
    sigaltstack(NULL, &before);
    printf("altstack is %d %zu %p\n", before.ss_flags, before.ss_size, before.ss_sp);
}

static void ask_in_handler(int signal)
{
    sigset_t set;
    compute(200);
    sigpending(&set);
    print_set("in handler", &set);
    sigprocmask(SIG_BLOCK, NULL, &set);
    print_set("blocked", &set);
}

static void ask_pending(void)
{
    sigset_t set;
    stack_t stack = {.ss_sp = malloc(16384), .ss_size = 16384};
    struct sigaction action = {.sa_handler = ask_in_handler, .sa_flags = SA_ONSTACK};
    sigaltstack(&stack, NULL);
    sigaction(SIGUSR2, &action, NULL);
    raise(SIGUSR2);
    sigpending(&set);
    print_set("outside", &set);
}

static void reset_all(void)
{
    const struct kernel_action standard = {.handler = SIG_DFL};
    for (int i = 1; i < 65; i++)
        syscall(SYS_rt_sigaction, i, &standard, NULL, 8);
    compute(300);
    puts("computed");
}

static void compute_in_handler(int signal)
{
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < 12);
}

static void be_ended(void)
{
    struct sigaction action = {.sa_handler = compute_in_handler};
    int fds[2], n_ended = 0;
    char byte;
    sigfillset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    for (int i = 0; i < 6 && pipe(fds) == 0; i++) {
        ualarm(100000, 0);
        n_ended += read(fds[0], &byte, 1) < 0 && errno == EINTR;
        close(fds[0]);
        close(fds[1]);
    }
    printf("%d ended\n", n_ended);
}

static void give_bad_addresses(void)
{
    static const long calls[][5] = {{SYS_rt_sigaction, SIGUSR1, 8, 0, 8},     {SYS_rt_sigprocmask, SIG_BLOCK, 8, 0, 8},
                                    {SYS_rt_sigprocmask, SIG_BLOCK, 0, 8, 8}, {SYS_sigaltstack, 8, 0, 0, 0},
                                    {SYS_rt_sigtimedwait, 8, 0, 0, 8},        {SYS_signalfd4, -1, 8, 8, 0},
                                    {SYS_rt_sigsuspend, 8, 8, 0, 0},          {SYS_rt_sigsuspend, 8, 4, 0, 0}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        errno = 0;
        long result = syscall(calls[i][0], calls[i][1], calls[i][2], calls[i][3], calls[i][4]);
        printf("%ld: %ld %s\n", calls[i][0], result, strerror(errno));
    }
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    if (strcmp(way, "masks") == 0)
        read_back();
    else if (strcmp(way, "pending") == 0)
        ask_pending();
    else if (strcmp(way, "raw-reset") == 0)
        reset_all();
    else if (strcmp(way, "ended") == 0)
        be_ended();
    else if (strcmp(way, "faults") == 0)
        give_bad_addresses();
    else
        take_all(way);
    return 0;
}
