/* SPDX-License-Identifier: Apache-2.0
 *
 * A sampling clock with nothing around it: a perf event or a timer of the kernel's for the calling thread, whose
 * handler only counts.  What it gets is what the machine has to give at that moment; nothing of tandem is in it.
 */
#ifndef TND_BARE_CLOCK_H
#define TND_BARE_CLOCK_H

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define BARE_SIGNAL SIGUSR2 /* but for itimer's */

static __thread volatile unsigned long bare_n; /* signals that came to the thread */

static void bare_count(int number)
{
    bare_n++;
}

static long bare_open(uint32_t type, uint64_t config, int has_kernel, uint64_t period)
{
    struct perf_event_attr attr;
    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = type;
    attr.config = config;
    attr.sample_period = period;
    attr.exclude_kernel = !has_kernel;
    attr.exclude_hv = 1;
    return syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static int bare_event(uint32_t type, uint64_t config, int has_kernel, uint64_t period)
{
    long fd = bare_open(type, config, has_kernel, period);
    struct f_owner_ex owner = {.type = F_OWNER_TID, .pid = (pid_t)syscall(SYS_gettid)};
    if (fd < 0 || fcntl((int)fd, F_SETSIG, BARE_SIGNAL) != 0 || fcntl((int)fd, F_SETOWN_EX, &owner) != 0 ||
        fcntl((int)fd, F_SETFL, O_ASYNC) != 0)
        return errno;
    return 0;
}

static struct timespec bare_time(uint64_t ns)
{
    return (struct timespec){.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};
}

static int bare_timer(clockid_t clock, uint64_t period)
{
    struct sigevent event;
    struct itimerspec spec = {.it_value = bare_time(period), .it_interval = bare_time(period)};
    timer_t timer;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = BARE_SIGNAL;
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    return timer_create(clock, &event, &timer) == 0 && timer_settime(timer, 0, &spec, NULL) == 0 ? 0 : errno;
}

static int bare_itimer(uint64_t period)
{
    struct timeval every = {.tv_sec = (time_t)(period / 1000000000), .tv_usec = (suseconds_t)(period / 1000 % 1000000)};
    struct itimerval spec = {.it_interval = every, .it_value = every};
    return setitimer(ITIMER_PROF, &spec, NULL) == 0 ? 0 : errno;
}

/* From now on the thread is signalled; period is in ns, for page-faults in faults.  0 or the errno of the refusal. */
static int bare_start(const char *clock, uint64_t period)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = bare_count;
    action.sa_flags = SA_RESTART;
    if (sigaction(strcmp(clock, "itimer") == 0 ? SIGPROF : BARE_SIGNAL, &action, NULL) != 0)
        return errno;
    if (strcmp(clock, "perf") == 0)
        return bare_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 1, period);
    if (strcmp(clock, "perf:task-clock") == 0)
        return bare_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 0, period);
    if (strcmp(clock, "perf:page-faults") == 0)
        return bare_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 0, period);
    if (strcmp(clock, "real") == 0)
        return bare_timer(CLOCK_MONOTONIC, period);
    if (strcmp(clock, "cpu") == 0)
        return bare_timer(CLOCK_THREAD_CPUTIME_ID, period);
    return strcmp(clock, "itimer") == 0 ? bare_itimer(period) : EINVAL;
}

#endif
