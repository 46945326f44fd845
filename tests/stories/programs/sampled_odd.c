/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd things that a program may do while it is sampled; where its CPU time matters each process tells it, from main()
 * or its fork on, and what it was before: "pid ns before-ns". sampled_odd
 * exec|failed-exec|close-all|no-malloc|fork|off|spin|asked N
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
static volatile unsigned n_allocations;

void *malloc(size_t size)
{
    n_allocations++;
    return __libc_malloc(size);
}

static void spin(double seconds)
{
    clock_t until = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
    while (clock() < until)
        for (volatile int i = 0; i < 10000; i++) {
        }
}

static long long began_ns;

static long long cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void tell_cpu_time(void)
{
    dprintf(1, "%d %lld %lld\n", getpid(), cpu_ns() - began_ns, began_ns);
}

static int count_allocations(void)
{
    unsigned before = n_allocations;
    spin(0.5);
    unsigned after = n_allocations;
    printf("%u allocations\n", after - before);
    return after != before;
}

/* As daemons do; then the numbers are used for files of the program's own, which must still be open at the end. */
static int close_all(void)
{
    long limit = sysconf(_SC_OPEN_MAX);
    for (int fd = 3; fd < limit; fd++)
        close(fd);
    spin(0.1);
    int first = open("/dev/null", O_WRONLY), n = 0;
    for (int fd = first + 1; fd < limit; fd++)
        n += dup2(first, fd) == fd;
    spin(0.1);
    char *const nothing[] = {"nothing", NULL};
    execv("/nothing/there", nothing); /* stops sampling for a moment */
    for (int fd = first; fd < limit; fd++)
        if (fcntl(fd, F_GETFD) < 0) {
            printf("%d was closed\n", fd);
            return 1;
        }
    return n == 0;
}

/* tandem_off, tandem_on. */
static void tell(const char *function)
{
    void (*tell_it)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, function);
    if (tell_it)
        tell_it();
}

static int with_a_gap(void)
{
    spin(0.2);
    tell("tandem_off");
    spin(0.4);
    tell("tandem_on");
    spin(0.2);
    tell_cpu_time();
    return 0;
}

static int in_child(void)
{
    spin(0.05);
    for (int i = 0; i < 3; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            began_ns = cpu_ns();
            spin(0.1);
            tell_cpu_time();
            _exit(7);
        }
        int status;
        if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 7)
            return 1;
    }
    tell_cpu_time();
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argv[1];
    began_ns = cpu_ns();
    if (strcmp(what, "no-malloc") == 0)
        return count_allocations();
    if (strcmp(what, "close-all") == 0)
        return close_all();
    if (strcmp(what, "fork") == 0)
        return in_child();
    if (strcmp(what, "off") == 0)
        return with_a_gap();
    if (strcmp(what, "asked") == 0) {
        for (int i = 0; i < atoi(argv[2]); i++)
            sigqueue(getpid(), SIGSTKFLT, (union sigval){.sival_int = 0x7a4d});
        return 0;
    }
    spin(0.1);
    if (strcmp(what, "spin") == 0)
        return 0;
    if (strcmp(what, "failed-exec") == 0) {
        char *const nothing[] = {"nothing", NULL};
        if (execv("/nothing/there", nothing) != -1 || errno != ENOENT)
            return 1;
        spin(0.1);
        tell_cpu_time();
        return 0;
    }
    unsetenv("LD_PRELOAD"); /* nothing is there to take a signal that is left over */
    execl("/proc/self/exe", argv[0], "spin", (char *)NULL);
    return 1;
}
