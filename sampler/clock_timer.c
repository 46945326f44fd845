/* SPDX-License-Identifier: Apache-2.0
 *
 * Sampling clocks from POSIX timers: `cpu`, a timer of the thread's CPU time, which the kernel looks at only at its
 * tick, 250 or 1000 a second, and `real`, the default, which has a monotonic timer for each thread, too.
 *
 * A period of two ticks or more is a matter of the CPU-time timer: the kernel sends its signal when the thread returns
 * from the kernel (from Linux 5.9 on), so that it never ends a wait.  The timer does not find a thread that always runs
 * between ticks.  Where that has used more than its period when it comes back from a wait, the monotonic timer gives
 * the sample, a moment later: not there, where the thread always comes back.
 *
 * For shorter periods the monotonic timer is set.  It also goes on while its thread waits, for a core or for something
 * to happen.  A sample is taken only once the thread has used a period of CPU time: a signal that comes early sets the
 * timer for what is left.  So the place of a sample depends on what the thread runs, and never on where it got its core
 * back.  Where that does not do, because the thread sleeps and each signal would wake it, or because it gives away its
 * core so often that signals would come early again and again, the CPU-time timer brings the sample instead.  It finds
 * only a thread that has a core when the kernel's tick looks: one that always ran in between used 104 ms without a
 * sample.  So the monotonic timer goes on as a watchdog, while the thread sleeps each time for four times as long.  It
 * gives no sample itself, which would stand where the thread got its core back, but sets the timer anew.
 *
 * Periods of `real` differ at random (sampler/draw_period.h).
 *
 * Cost: one system call for each signal of `real`; the kernel's timers for the rest.
 * Context: in the thread itself; system calls only.  The system calls are made directly: the C library's functions keep
 * lists of their own.
 */
#include "runtime/clock.h"
#include "sampler/draw_period.h"
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
    PACE_PERIOD, /* the timer is set, for a period */
    PACE_REST,   /* it is set for what was left of a period */
    PACE_CPU,    /* it is set as the watchdog, and the CPU-time timer for what was left */
    PACE_TICK,   /* the CPU-time timer is set, for a period */
    PACE_ENDED,  /* neither is */
};

/* tnd_sampling.patience: how many signals may come early before the CPU-time timer is used. */
#define MOST_PATIENCE 3

/* The watchdog comes after 4 periods, then after 16, and so on, up to so often. */
#define MOST_EARLY 10

/* 16 << 2 * this are the most periods at once in which the monotonic timer is not used. */
#define MOST_FELT 6

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

/* 0: unknown. */
static uint64_t tick_ns(void)
{
    static uint64_t ns;
    struct timespec tick;
    if (!ns && clock_getres(CLOCK_MONOTONIC_COARSE, &tick) == 0)
        ns = (uint64_t)tick.tv_sec * 1000000000 + (uint64_t)tick.tv_nsec;
    return ns;
}

/* The timer is set for one period: the kernel takes as long to start it again by itself.  A timer that it looks at at
 * its tick is late by half a tick in the mean. */
static void begin_period(struct tnd_sampling *sampling)
{
    sampling->n_early = 0;
    sampling->due_ns = tnd_draw_period(&sampling->random, sampling->period_ns);
    bool is_by_tick = tick_ns() && (sampling->n_spared || sampling->period_ns >= 2 * tick_ns());
    sampling->n_spared -= sampling->n_spared > 0;
    sampling->pace = is_by_tick ? PACE_TICK : PACE_PERIOD;
    if (is_by_tick && sampling->due_ns > tick_ns())
        sampling->due_ns -= tick_ns() / 2;
    set(is_by_tick ? sampling->cpu_timer : sampling->timer, sampling->due_ns, 0);
}

static void disarm(struct tnd_sampling *sampling)
{
    sampling->armed = false;
    sampling->pace = PACE_ENDED; /* so that a signal that is still pending starts no timer */
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
    sampling->patience = MOST_PATIENCE;
    sampling->random = (uint32_t)tnd_clock_ticks() | 1;
    begin_period(sampling);
    return 0;
}

static int arm_cpu(struct tnd_sampling *sampling)
{
    int error = create(CLOCK_THREAD_CPUTIME_ID, &periodic_mark, &sampling->timer);
    if (error)
        return error;
    sampling->has_timer = true;
    sampling->armed = true;
    set(sampling->timer, sampling->period_ns, sampling->period_ns);
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

/* A period less this is one, too: interrupts take a little.  If it were more, samples would come to stand where a
 * thread that had to wait gets its core back, which is always at the same places if it calls the kernel. */
static uint64_t near_ns(const struct tnd_sampling *sampling)
{
    uint64_t part_ns = sampling->period_ns / 64;
    return part_ns > 3000 ? part_ns : 3000;
}

/* The next period is drawn from the new one. */
static void set_period(struct tnd_sampling *sampling) {}

static void set_watchdog(struct tnd_sampling *sampling, uint64_t used_ns)
{
    sampling->n_early += sampling->n_early < MOST_EARLY;
    sampling->watched_ns = used_ns;
    set(sampling->timer, sampling->period_ns << 2 * sampling->n_early, 0);
}

/* The watchdog has come.  If the period is over, and the thread does not sleep, the CPU-time timer has not found it: a
 * sample is taken when it has run on, for up to a quarter of a period. */
static void see_watchdog(struct tnd_sampling *sampling, uint64_t used_ns)
{
    uint64_t period_ns = sampling->period_ns, least_ns = period_ns - period_ns / 4;
    bool is_asleep = used_ns - sampling->watched_ns < period_ns / 4;
    if (!is_asleep)
        sampling->n_early = 0;
    if (is_asleep || used_ns + near_ns(sampling) < sampling->due_ns) {
        set_watchdog(sampling, used_ns);
        return;
    }
    uint64_t more_ns = near_ns(sampling) + (tnd_draw_period(&sampling->random, period_ns) - least_ns) / 2;
    sampling->pace = PACE_REST;
    sampling->patience = MOST_PATIENCE;
    sampling->due_ns = used_ns + more_ns;
    set(sampling->timer, more_ns, 0);
}

/* A signal came before the thread had used the period: sets what brings another one. */
static void go_on(struct tnd_sampling *sampling, bool is_cpu_timer, uint64_t used_ns)
{
    uint64_t rest_ns = sampling->due_ns - used_ns;
    bool is_asleep = slept(sampling) && sampling->n_early && used_ns < sampling->due_ns / 4;
    if (is_cpu_timer) {
        set(sampling->cpu_timer, rest_ns, 0);
    } else if (is_asleep || sampling->n_early >= sampling->patience) {
        sampling->pace = PACE_CPU;
        sampling->n_early = 0;
        set(sampling->cpu_timer, rest_ns, 0);
        set_watchdog(sampling, used_ns);
    } else {
        sampling->pace = PACE_REST;
        sampling->n_early++;
        set(sampling->timer, rest_ns, 0);
    }
}

/* A thread comes back from a wait.  If it has used its period for so long that it cannot have been on a core when the
 * kernel looked, a sample is taken while it runs. */
static void woken(struct tnd_sampling *sampling, uint64_t used_ns)
{
    if (sampling->pace == PACE_TICK && used_ns > sampling->due_ns + tick_ns())
        set(sampling->timer, tnd_draw_period(&sampling->random, 2 * tick_ns()) - tick_ns() * 3 / 2 + near_ns(sampling),
            0);
}

/* A thread that waits by calls of its own is left to the CPU-time timer for a while, four times as long each time. */
static void felt(struct tnd_sampling *sampling)
{
    sampling->n_felt += sampling->n_felt < MOST_FELT;
    sampling->n_spared = (uint16_t)((16u << 2 * sampling->n_felt) - 1);
    if (sampling->pace == PACE_ENDED)
        return;
    set(sampling->timer, 0, 0);
    begin_period(sampling);
}

/* The period is one of ticks. */
static bool on_tick(struct tnd_sampling *sampling, bool is_cpu_timer, uint64_t used_ns)
{
    bool is_over = used_ns + near_ns(sampling) >= sampling->due_ns;
    if (is_over && (is_cpu_timer || !sampling->call)) {
        begin_period(sampling);
        return true;
    }
    if (!is_over && is_cpu_timer)
        set(sampling->cpu_timer, sampling->due_ns - used_ns, 0);
    return false; /* the thread waited when the monotonic timer came: it is set again as the thread is woken */
}

static bool on_signal(struct tnd_sampling *sampling, const siginfo_t *info, uint64_t used_ns)
{
    bool is_cpu_timer = info->si_value.sival_ptr == &awake_mark;
    if (sampling->pace == PACE_ENDED)
        return false; /* the timer was stopped since */
    if (sampling->pace == PACE_TICK)
        return on_tick(sampling, is_cpu_timer, used_ns);
    if (is_cpu_timer && sampling->pace != PACE_CPU)
        return false; /* it was set for an earlier period */
    if (!is_cpu_timer && sampling->pace == PACE_CPU) {
        see_watchdog(sampling, used_ns);
        return false;
    }
    if (used_ns + near_ns(sampling) < sampling->due_ns) {
        go_on(sampling, is_cpu_timer, used_ns);
        return false;
    }
    if (!is_cpu_timer)
        sampling->patience = MOST_PATIENCE;
    else if (sampling->patience)
        sampling->patience--;
    begin_period(sampling);
    return true;
}

const struct tnd_sampling_ops tnd_clock_real = {
    .kind = TND_SAMPLING_MONOTONIC,
    .in_calls = true,
    .signal = TND_SAMPLING_SIGNAL,
    .arm = arm_real,
    .set_period = set_period,
    .disarm = disarm,
    .owns = owns,
    .on_signal = on_signal,
    .felt = felt,
    .woken = woken,
};

const struct tnd_sampling_ops tnd_clock_cpu = {
    .kind = TND_SAMPLING_CPU,
    .goes_by_tick = true,
    .in_calls = true,
    .signal = TND_SAMPLING_SIGNAL,
    .arm = arm_cpu,
    .disarm = disarm,
    .owns = owns,
};
