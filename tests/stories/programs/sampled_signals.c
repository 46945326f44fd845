/* SPDX-License-Identifier: Apache-2.0
 *
 * A program with signal handling of its own; prints what it sees.  sampled_signals itimer|handler|default|blocked
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t n_seen, last_code;

static void on_signal(int number, siginfo_t *info, void *context)
{
    sigset_t mask;
    sigprocmask(SIG_SETMASK, NULL, &mask);
    if (!sigismember(&mask, SIGUSR2))
        abort(); /* its sa_mask */
    n_seen++;
    last_code = info->si_code;
}

static void spin(double seconds)
{
    clock_t until = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
    while (clock() < until) {
    }
}

static void install(int number, int flags)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO | flags}, read_back;
    action.sa_sigaction = on_signal;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGUSR2);
    sigaction(number, &action, NULL);
    sigaction(number, NULL, &read_back);
    printf("same handler %d, same flags %d, same mask %d\n", read_back.sa_sigaction == on_signal,
           (read_back.sa_flags & 0xf0000007) == action.sa_flags, sigismember(&read_back.sa_mask, SIGUSR2));
}

static void with_itimer(void)
{
    struct itimerval every = {{0, 10000}, {0, 10000}}, read_back;
    install(SIGPROF, SA_RESTART);
    setitimer(ITIMER_PROF, &every, NULL);
    spin(1);
    getitimer(ITIMER_PROF, &read_back);
    printf("interval %ld, ticks: %d\n", (long)read_back.it_interval.tv_usec,
           (int)n_seen); /* a hundred if nobody disturbs */
}

static void with_handler(void)
{
    struct sigaction old;
    sigaction(SIGSTKFLT, NULL, &old);
    printf("at first %s\n", old.sa_handler == SIG_DFL ? "default" : "something");
    install(SIGSTKFLT, 0);
    for (int i = 0; i < 100; i++) {
        kill(getpid(), SIGSTKFLT);
        spin(0.002);
    }
    printf("%d seen, code %d\n", (int)n_seen, (int)last_code);
    printf("signal() gives back %d\n", signal(SIGSTKFLT, SIG_IGN) == (sighandler_t)(void *)on_signal);
    raise(SIGSTKFLT);
    printf("%d seen, now %d\n", (int)n_seen, signal(SIGSTKFLT, SIG_DFL) == SIG_IGN);
}

static void with_blocked(void)
{
    sigset_t set, old;
    install(SIGSTKFLT, 0);
    sigemptyset(&set);
    sigaddset(&set, SIGSTKFLT);
    sigprocmask(SIG_BLOCK, &set, &old);
    printf("blocked before %d", sigismember(&old, SIGSTKFLT));
    spin(0.05);
    raise(SIGSTKFLT);
    kill(getpid(), SIGSTKFLT);
    spin(0.05);
    sigprocmask(SIG_SETMASK, NULL, &old);
    printf(", now %d, seen %d", sigismember(&old, SIGSTKFLT), (int)n_seen);
    sigpending(&old);
    printf(", pending %d", sigismember(&old, SIGSTKFLT));
    sigprocmask(SIG_UNBLOCK, &set, &old);
    printf(", blocked until %d, seen %d\n", sigismember(&old, SIGSTKFLT), n_seen > 0);
    spin(0.05);
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (strcmp(argv[1], "itimer") == 0)
        with_itimer();
    else if (strcmp(argv[1], "handler") == 0)
        with_handler();
    else if (strcmp(argv[1], "blocked") == 0)
        with_blocked();
    else {
        spin(0.05);
        raise(SIGSTKFLT);
        puts("still here");
    }
    return 0;
}
