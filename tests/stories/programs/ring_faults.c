/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ring_faults WHAT...: makes events, and does each WHAT, in this order:
 *
 *     cut        makes the files of rings that it finds under this directory empty: 0, 1 or several
 *     events     many events, of several threads
 *     handler    installs a handler of SIGBUS by sigaction, that jumps; "signal": by signal; "once": with SA_RESETHAND
 *     ask        says what sigaction answers
 *     fault      touches a page behind the end of a file, and says whether the handler has seen where
 *     send       sends itself SIGBUS
 *     few        5,000 events of this thread, while no file can be opened
 *     kill       sends SIGBUS to the process, and "wait" waits for it
 *     ignore, default, block, unblock
 */
#include "runtime/tandem.h"

#include <glob.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static sigjmp_buf back;
static volatile int is_fault;
static char *volatile seen;
static volatile int n_sent;

static void handle(int signal, siginfo_t *info, void *context)
{
    seen = info->si_addr;
    tandem_event(1001, (long)signal);
    if (is_fault)
        siglongjmp(back, 1);
    n_sent++;
}

static void handle_plainly(int signal)
{
    if (is_fault)
        siglongjmp(back, signal);
    n_sent++;
}

static void cut(void)
{
    glob_t found;
    if (glob("*.tandem/*/*ring*", 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            if (truncate(found.gl_pathv[i], 0) != 0)
                perror(found.gl_pathv[i]);
}

static void make_few(void)
{
    struct rlimit limit, none = {0};
    getrlimit(RLIMIT_NOFILE, &limit);
    none.rlim_max = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &none);
    for (int i = 0; i < 5000; i++)
        tandem_event(1002, i);
    setrlimit(RLIMIT_NOFILE, &limit);
}

static void *make_events(void *data)
{
    for (int i = 0; i < 50000; i++)
        tandem_event(1000, i);
    return data;
}

static void make_all_events(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, make_events, NULL);
    make_events(NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

static void install(int flags, int by_signal)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO | flags}, old;
    action.sa_sigaction = handle;
    sigaddset(&action.sa_mask, SIGUSR1);
    if (by_signal)
        printf("before: %d\n", signal(SIGBUS, handle_plainly) == SIG_DFL);
    else
        printf("sigaction: %d", sigaction(SIGBUS, &action, &old)), printf(" %d\n", old.sa_handler == SIG_DFL);
}

static void ask(void)
{
    struct sigaction action;
    sigaction(SIGBUS, NULL, &action);
    printf("%s, flags %x, masks %d %d\n",
           action.sa_handler == SIG_DFL          ? "default"
           : action.sa_handler == SIG_IGN        ? "ignored"
           : action.sa_sigaction == handle       ? "handle"
           : action.sa_handler == handle_plainly ? "plainly"
                                                 : "?",
           (unsigned)action.sa_flags, sigismember(&action.sa_mask, SIGUSR1), sigismember(&action.sa_mask, SIGUSR2));
}

static void fault(void)
{
    FILE *file = tmpfile();
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    sigset_t mask;
    is_fault = 1;
    if (!sigsetjmp(back, 1))
        page[8] = 1;
    is_fault = 0;
    sigprocmask(SIG_BLOCK, NULL, &mask);
    printf("fault: %d, blocked %d\n", seen == page + 8, sigismember(&mask, SIGBUS));
    seen = NULL;
    munmap(page, 4096);
    fclose(file);
}

static void wait_for_it(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGBUS);
    printf("came: %d\n", sigtimedwait(&set, NULL, &(struct timespec){1, 0}));
}

static void change_mask(int how)
{
    sigset_t set;
    sigfillset(&set);
    sigprocmask(how, &set, NULL);
}

static void obey(const char *what)
{
    if (strcmp(what, "cut") == 0)
        cut();
    else if (strcmp(what, "events") == 0)
        make_all_events();
    else if (strcmp(what, "few") == 0)
        make_few();
    else if (strcmp(what, "handler") == 0)
        install(SA_ONSTACK, 0);
    else if (strcmp(what, "once") == 0)
        install(SA_RESETHAND, 0);
    else if (strcmp(what, "signal") == 0)
        install(0, 1);
    else if (strcmp(what, "ask") == 0)
        ask();
    else if (strcmp(what, "fault") == 0)
        fault();
    else if (strcmp(what, "send") == 0)
        printf("sent: %d", raise(SIGBUS)), printf(" %d\n", n_sent);
    else if (strcmp(what, "kill") == 0)
        kill(getpid(), SIGBUS);
    else if (strcmp(what, "wait") == 0)
        wait_for_it();
    else if (strcmp(what, "ignore") == 0)
        signal(SIGBUS, SIG_IGN);
    else if (strcmp(what, "default") == 0)
        signal(SIGBUS, SIG_DFL);
    else if (strcmp(what, "block") == 0)
        change_mask(SIG_BLOCK);
    else if (strcmp(what, "unblock") == 0)
        change_mask(SIG_UNBLOCK);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        obey(argv[i]);
    puts("ended");
    return 3;
}
