/* SPDX-License-Identifier: Apache-2.0
 *
 * Sampling clocks from POSIX timers, for machines that refuse perf events: `real`, a monotonic timer for each thread,
 * and `cpu`, a timer of the thread's CPU time (which the kernel looks at only at its tick: 250 or 1000 a second).
 *
 * A monotonic timer goes on while its thread sleeps, and would wake it each time.  So `real` is quiet then: a sample
 * that finds that the thread has hardly run (because it slept, and did not wait for a core) disarms the timer, and a
 * CPU-time timer, which only counts while the thread runs, starts it again.  A sleep is thus disturbed at most once.
 * Calls that even one signal would end (EINTR in spite of SA_RESTART) are entered with both timers stopped: enter_call.
 *
 * Cost: two system calls around such a call, one a sample; the kernel's timers for the rest.
 * Context: in the thread itself; system calls only.  The system calls are made directly: the C library's functions keep
 * lists of their own.
 */
#include "sampler/sampling_clock.h"
#include "sampler/signals.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* tnd_sampling.pace */
enum {
    PACE_RUNS,   /* the periodic timer is armed */
    PACE_SLEEPS, /* it is not: the CPU-time timer notices when the thread runs again */
    PACE_CALL,   /* neither is */
};

/* A timer's signal carries the address of one of these. */
static const char periodic_mark, awake_mark;

static int create(clockid_t clock, const char *mark, int *timer)
{
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = tnd_signals_number();
    event.sigev_value.sival_ptr = (void *)mark;
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    return syscall(SYS_timer_create, clock, &event, timer) == 0 ? 0 : errno;
}

static void set(int timer, uint64_t first_ns, uint64_t period_ns)
{
    struct itimerspec spec = {
        .it_value = {.tv_sec = (time_t)(first_ns / 1000000000), .tv_nsec = (long)(first_ns % 1000000000)},
        .it_interval = {.tv_sec = (time_t)(period_ns / 1000000000), .tv_nsec = (long)(period_ns % 1000000000)},
    };
    syscall(SYS_timer_settime, timer, 0, &spec, NULL);
}

static void run(struct tnd_sampling *sampling)
{
    sampling->pace = PACE_RUNS;
    set(sampling->timer, sampling->period_ns, sampling->period_ns);
}

static void set_period(struct tnd_sampling *sampling)
{
    if (sampling->pace == PACE_RUNS)
        run(sampling);
}

static void disarm(struct tnd_sampling *sampling)
{
    sampling->armed = false;
    sampling->pace = PACE_CALL; /* so that a signal that is still pending starts no timer */
    if (sampling->has_timer)
        syscall(SYS_timer_delete, sampling->timer);
    if (sampling->has_cpu_timer)
        syscall(SYS_timer_delete, sampling->cpu_timer);
    sampling->has_timer = sampling->has_cpu_timer = false;
}

static int arm_real(struct tnd_sampling *sampling)
{
    int error = create(CLOCK_MONOTONIC, &periodic_mark, &sampling->timer);
    if (error)
        return error;
    sampling->has_timer = true;
    error = create(CLOCK_THREAD_CPUTIME_ID, &awake_mark, &sampling->cpu_timer);
    if (error) {
        disarm(sampling);
        return error;
    }
    sampling->has_cpu_timer = true;
    sampling->armed = true;
    run(sampling);
    return 0;
}

static int arm_cpu(struct tnd_sampling *sampling)
{
    int error = create(CLOCK_THREAD_CPUTIME_ID, &periodic_mark, &sampling->timer);
    if (error)
        return error;
    sampling->has_timer = true;
    sampling->armed = true;
    run(sampling);
    return 0;
}

static bool owns(const siginfo_t *info)
{
    return info->si_code == SI_TIMER &&
           (info->si_value.sival_ptr == &periodic_mark || info->si_value.sival_ptr == &awake_mark);
}

/* Whether the thread has slept, and did not only wait for a core, since the last call. */
static bool slept(struct tnd_sampling *sampling)
{
    struct rusage usage;
    if (getrusage(RUSAGE_THREAD, &usage) != 0 || (uint32_t)usage.ru_nvcsw == sampling->n_slept)
        return false;
    sampling->n_slept = (uint32_t)usage.ru_nvcsw;
    return true;
}

static void sampled_real(struct tnd_sampling *sampling, const siginfo_t *info, uint64_t weight_ns)
{
    if (info->si_value.sival_ptr == &awake_mark) {
        if (sampling->pace == PACE_SLEEPS)
            run(sampling);
    } else if (sampling->pace == PACE_RUNS && weight_ns < sampling->period_ns / 4 && slept(sampling)) {
        sampling->pace = PACE_SLEEPS;
        set(sampling->timer, 0, 0);
        set(sampling->cpu_timer, sampling->period_ns, 0);
    }
}

static bool enter_call(struct tnd_sampling *sampling)
{
    if (sampling->pace == PACE_CALL)
        return false;
    uint8_t pace = sampling->pace;
    sampling->pace = PACE_CALL;
    set(pace == PACE_SLEEPS ? sampling->cpu_timer : sampling->timer, 0, 0);
    return true;
}

const struct tnd_sampling_ops tnd_clock_real = {
    .kind = TND_SAMPLING_MONOTONIC,
    .signal = TND_SAMPLING_SIGNAL,
    .arm = arm_real,
    .set_period = set_period,
    .disarm = disarm,
    .owns = owns,
    .sampled = sampled_real,
    .enter_call = enter_call,
    .leave_call = run,
};

const struct tnd_sampling_ops tnd_clock_cpu = {
    .kind = TND_SAMPLING_CPU,
    .goes_by_tick = true,
    .signal = TND_SAMPLING_SIGNAL,
    .arm = arm_cpu,
    .disarm = disarm,
    .owns = owns,
    .enter_call = enter_call,
    .leave_call = run,
};
