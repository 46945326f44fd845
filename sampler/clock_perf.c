/* SPDX-License-Identifier: Apache-2.0
 *
 * The sampling clock `perf`: a perf event of the kernel's cpu-clock for each thread, which signals its own thread after
 * every period of CPU time.  Exact at any period from 10 us on (CPU-time timers stop at the kernel's tick).  The time
 * in the kernel is in it, so an ordinary user needs perf_event_paranoid 1.  The kernel sets its timer anew each time
 * the thread gets a core, which takes some 3 us in a virtual machine: threads that yield all the time are slowed down
 * two to three times.
 *
 * Another perf event of the thread may be the clock instead: then a sample is taken after a number of its counts,
 * without those of the kernel, so that perf_event_paranoid 2 will do and no signal comes in a system call.
 *
 * One page of the event is mapped, without a buffer: the kernel changes its `lock` each time the thread is switched in,
 * so that sample.c can tell without a system call that the thread has been running since it last looked.
 *
 * Cost: some 100 us a thread; the first event on an idle machine makes the kernel wait for all its cores, 10 to 20 ms
 * that the program does not run (measured).
 *
 * Context: in the thread itself; system calls only.
 */
#include "sampler/sampling_clock.h"
#include "sampler/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct {
    bool is_set; /* an event is counted instead of time */
    uint32_t type;
    uint64_t config;
} counted;

void tnd_sampling_clock_count(uint32_t type, uint64_t config)
{
    counted.is_set = true;
    counted.type = type;
    counted.config = config;
}

bool tnd_sampling_clock_counts_ns(void)
{
    return counted.type == PERF_TYPE_SOFTWARE &&
           (counted.config == PERF_COUNT_SW_CPU_CLOCK || counted.config == PERF_COUNT_SW_TASK_CLOCK);
}

/* While the cost of a signal is measured, time is counted in any case. */
static struct perf_event_attr event_of_clock(const struct tnd_sampling *sampling)
{
    return (struct perf_event_attr){
        .type = sampling->counts ? counted.type : PERF_TYPE_SOFTWARE,
        .config = sampling->counts ? counted.config : PERF_COUNT_SW_CPU_CLOCK,
        .sample_period = sampling->counts ? sampling->counts : sampling->period_ns,
        .exclude_kernel = counted.is_set,
        .exclude_hv = 1,
        .disabled = 1,
    };
}

static void disarm(struct tnd_sampling *sampling)
{
    if (!sampling->armed)
        return;
    sampling->armed = false;
    const struct perf_event_mmap_page *page = sampling->page;
    sampling->page = NULL; /* before it is unmapped: a signal may come in between */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (tnd_perf_event_is_open(&sampling->event))
        ioctl(sampling->event.fd, PERF_EVENT_IOC_DISABLE, 0);
    tnd_perf_event_close(&sampling->event);
    if (page)
        tnd_perf_event_unmap(page);
}

static int arm(struct tnd_sampling *sampling)
{
    struct perf_event_attr attr = event_of_clock(sampling);
    int error = tnd_perf_event_open(&sampling->event, &attr, -1), fd = sampling->event.fd;
    if (error)
        return error;
    struct f_owner_ex owner = {.type = F_OWNER_TID, .pid = (pid_t)syscall(SYS_gettid)};
    if (fcntl(fd, F_SETSIG, tnd_signals_number()) != 0 || fcntl(fd, F_SETOWN_EX, &owner) != 0 ||
        fcntl(fd, F_SETFL, O_ASYNC) != 0) {
        error = errno;
        tnd_perf_event_close(&sampling->event);
        return error;
    }
    tnd_perf_event_be_clock(&sampling->event);
    sampling->page = tnd_perf_event_map(&sampling->event);
    sampling->armed = true;
    if (ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) != 0) {
        error = errno;
        disarm(sampling);
        return error;
    }
    return 0;
}

static void set_period(struct tnd_sampling *sampling)
{
    if (sampling->armed && tnd_perf_event_is_open(&sampling->event))
        ioctl(sampling->event.fd, PERF_EVENT_IOC_PERIOD, sampling->counts ? &sampling->counts : &sampling->period_ns);
}

/* Does not compare descriptors: a late signal of an event that was just closed would seem to be the program's, and
 * would end it. */
static bool owns(const siginfo_t *info)
{
    return info->si_code == POLL_IN || info->si_code == POLL_HUP;
}

#define PERF_CLOCK(its_kind, is_in_calls)                                                                              \
    {                                                                                                                  \
        .kind = (its_kind), .in_calls = (is_in_calls), .signal = TND_SAMPLING_SIGNAL, .arm = arm,                      \
        .set_period = set_period, .disarm = disarm, .switch_all = tnd_perf_event_switch_clocks,                        \
        .forget = tnd_perf_event_forget, .owns = owns,                                                                 \
    }
const struct tnd_sampling_ops tnd_clock_perf = PERF_CLOCK(TND_SAMPLING_PERF, true);
const struct tnd_sampling_ops tnd_clock_event = PERF_CLOCK(TND_SAMPLING_EVENT, false);
