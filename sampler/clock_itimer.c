/* SPDX-License-Identifier: Apache-2.0
 *
 * The sampling clock `itimer`: one ITIMER_PROF for the process, as classic profilers use it.  The thread that runs at
 * the kernel's tick is sampled; the rate is that of the whole process, and no faster than the tick.  Used only if the
 * user chooses it.
 *
 * The timer survives exec while the handler does not, and would kill the new program: leave_process.  A program that
 * uses ITIMER_PROF itself takes it over: there are no samples until it stops the timer.
 *
 * And the clock `fake`, which never ticks: a test asks for a sample by sigqueue(TND_SAMPLING_FAKE_VALUE).
 *
 * Context: system calls only.
 */
#include "runtime/config.h"
#include "sampler/sampling_clock.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

static enum { STOPPED, OURS, THE_PROGRAMS } timer_owner;

static int set(uint64_t period_ns)
{
    struct timeval period = {.tv_sec = (time_t)(period_ns / 1000000000),
                             .tv_usec = (suseconds_t)(period_ns % 1000000000 / 1000)};
    if (period_ns && !period.tv_sec && !period.tv_usec)
        period.tv_usec = 1;
    struct itimerval spec = {.it_interval = period, .it_value = period};
    return syscall(SYS_setitimer, ITIMER_PROF, &spec, NULL) == 0 ? 0 : errno;
}

static int arm_itimer(struct tnd_sampling *sampling)
{
    int error = 0;
    if (timer_owner == STOPPED) {
        error = set(tnd_config.sampling_period_ns);
        timer_owner = error ? STOPPED : OURS;
    }
    sampling->armed = !error;
    return error;
}

static void disarm(struct tnd_sampling *sampling)
{
    sampling->armed = false;
}

static void leave_process(void)
{
    if (timer_owner != OURS)
        return;
    set(0);
    timer_owner = STOPPED;
}

/* A child has none of its parent's timers. */
static void forget(void)
{
    timer_owner = STOPPED;
}

static bool owns_itimer(const siginfo_t *info)
{
    return info->si_code == SI_KERNEL && timer_owner != THE_PROGRAMS;
}

__attribute__((visibility("default"))) int setitimer(__itimer_which_t which, const struct itimerval *restrict value,
                                                     struct itimerval *restrict old)
{
    bool hidden = which == ITIMER_PROF && timer_owner == OURS;
    if (which != ITIMER_PROF || timer_owner == STOPPED)
        return (int)syscall(SYS_setitimer, which, value, old);
    if (!value) /* glibc then stops the timer */
        value = &(const struct itimerval){0};
    bool stops = !value->it_value.tv_sec && !value->it_value.tv_usec;
    if (!(hidden && stops) && syscall(SYS_setitimer, which, value, old) != 0)
        return -1;
    if (hidden && old)
        memset(old, 0, sizeof *old);
    if (!stops)
        timer_owner = THE_PROGRAMS;
    else if (timer_owner == THE_PROGRAMS)
        timer_owner = set(tnd_config.sampling_period_ns) ? STOPPED : OURS;
    return 0;
}

const struct tnd_sampling_ops tnd_clock_itimer = {
    .kind = TND_SAMPLING_ITIMER,
    .goes_by_tick = true,
    .in_calls = true,
    .signal = SIGPROF,
    .arm = arm_itimer,
    .disarm = disarm,
    .leave_process = leave_process,
    .forget = forget,
    .owns = owns_itimer,
};

static int arm_fake(struct tnd_sampling *sampling)
{
    sampling->armed = true;
    return 0;
}

static bool owns_fake(const siginfo_t *info)
{
    return info->si_code == SI_QUEUE && info->si_value.sival_int == TND_SAMPLING_FAKE_VALUE;
}

const struct tnd_sampling_ops tnd_clock_fake = {
    .kind = TND_SAMPLING_FAKE,
    .signal = TND_SAMPLING_SIGNAL,
    .arm = arm_fake,
    .disarm = disarm,
    .owns = owns_fake,
};
