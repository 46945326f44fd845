/* SPDX-License-Identifier: Apache-2.0
 *
 * The default sampling clock: a perf event of the kernel's cpu-clock for each thread, which signals its own thread
 * after every period of CPU time.  Exact at any period from 10 us on (CPU-time timers stop at the kernel's tick), and
 * allowed to an ordinary user up to perf_event_paranoid 2, because it leaves out the kernel.  For the same reason it
 * comes only while the thread runs its own code, so it never ends a system call with EINTR.
 *
 * One page of the event is mapped, without a buffer: the kernel changes its `lock` each time the thread is switched in,
 * so that sample.c can tell without a system call that the thread has been running since it last looked.
 *
 * Cost: some 100 us a thread; the first event on an idle machine makes the kernel wait for all its cores, 10 to 20 ms
 * that the program does not run (measured).
 *
 * Context: in the thread itself; system calls only.
 */
#include "runtime/config.h"
#include "sampler/sampling_clock.h"
#include "sampler/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The events that are open, by descriptor from the lowest on, so that a forked child can close its copies and any
 * thread can stop them all. */
#define MAX_KNOWN 1024
static uint64_t known_ids[MAX_KNOWN];
static int lowest;

/* Out of the way of the program's descriptors: the upper quarter of those it may have, but not so high that the
 * kernel's table of them grows large. */
static int lowest_descriptor(void)
{
    struct rlimit limit;
    if (!lowest && getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        rlim_t n = limit.rlim_cur < 4 * MAX_KNOWN ? limit.rlim_cur : 4 * MAX_KNOWN;
        lowest = (int)(n - n / 4);
    }
    return lowest;
}

static void know(int fd, uint64_t id)
{
    if (fd >= lowest && fd - lowest < MAX_KNOWN)
        known_ids[fd - lowest] = id;
}

static int open_event(void)
{
    struct perf_event_attr attr;
    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = PERF_COUNT_SW_CPU_CLOCK;
    attr.sample_period = tnd_config.sampling_period_ns;
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    attr.disabled = 1;
    long low = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (low < 0)
        return -1;
    int fd = fcntl((int)low, F_DUPFD_CLOEXEC, lowest_descriptor());
    int error = errno;
    close((int)low);
    errno = error;
    return fd;
}

/* The descriptor may have been closed by the program (daemons close all there are) and be another file's by now. */
static bool is_ours(int fd, uint64_t known_id)
{
    uint64_t id = 0;
    return ioctl(fd, PERF_EVENT_IOC_ID, &id) == 0 && id == known_id;
}

static void map_page(struct tnd_sampling *sampling)
{
    long size = sysconf(_SC_PAGESIZE);
    void *page = mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED, sampling->fd, 0);
    sampling->page = page == MAP_FAILED ? NULL : page;
}

static void disarm(struct tnd_sampling *sampling)
{
    if (!sampling->armed)
        return;
    sampling->armed = false;
    const struct perf_event_mmap_page *page = sampling->page;
    sampling->page = NULL; /* before it goes: a signal may come in between */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (is_ours(sampling->fd, sampling->perf_id)) {
        know(sampling->fd, 0);
        ioctl(sampling->fd, PERF_EVENT_IOC_DISABLE, 0);
        close(sampling->fd);
    }
    if (page)
        munmap((void *)page, (size_t)sysconf(_SC_PAGESIZE));
}

static int arm(struct tnd_sampling *sampling)
{
    sampling->fd = open_event();
    if (sampling->fd < 0)
        return errno;
    struct f_owner_ex owner = {.type = F_OWNER_TID, .pid = (pid_t)syscall(SYS_gettid)};
    if (ioctl(sampling->fd, PERF_EVENT_IOC_ID, &sampling->perf_id) != 0 ||
        fcntl(sampling->fd, F_SETSIG, tnd_signals_number()) != 0 || fcntl(sampling->fd, F_SETOWN_EX, &owner) != 0 ||
        fcntl(sampling->fd, F_SETFL, O_ASYNC) != 0) {
        int error = errno;
        close(sampling->fd);
        return error;
    }
    know(sampling->fd, sampling->perf_id);
    map_page(sampling);
    sampling->armed = true;
    if (ioctl(sampling->fd, PERF_EVENT_IOC_ENABLE, 0) != 0) {
        int error = errno;
        disarm(sampling);
        return error;
    }
    return 0;
}

static void switch_all(bool on)
{
    for (int i = 0; i < MAX_KNOWN; i++)
        if (known_ids[i] && is_ours(lowest + i, known_ids[i]))
            ioctl(lowest + i, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

/* The pages are not copied to a child, the descriptors are. */
static void forget(void)
{
    for (int i = 0; i < MAX_KNOWN; i++) {
        if (known_ids[i] && is_ours(lowest + i, known_ids[i]))
            close(lowest + i);
        known_ids[i] = 0;
    }
}

/* Not asked for by descriptor: a straggler of one just closed would pass for the program's, and end it. */
static bool owns(const siginfo_t *info)
{
    return info->si_code == POLL_IN || info->si_code == POLL_HUP;
}

const struct tnd_sampling_ops tnd_clock_perf = {
    .kind = TND_SAMPLING_PERF,
    .signal = TND_SAMPLING_SIGNAL,
    .arm = arm,
    .disarm = disarm,
    .switch_all = switch_all,
    .forget = forget,
    .owns = owns,
};
