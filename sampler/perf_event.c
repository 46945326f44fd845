/* SPDX-License-Identifier: Apache-2.0
 *
 * Descriptors of perf events.  Context: perf_event.h.
 */
#include "sampler/perf_event.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The events that are open, by their descriptors, from the lowest on. */
#define MAX_KNOWN 1024
static struct {
    uint64_t id; /* 0: none */
    bool is_clock;
} known[MAX_KNOWN];
static int lowest;

/* Where our descriptors begin: in the upper quarter of the numbers that are allowed, but not so high that the kernel's
 * table of descriptors grows large. */
static int lowest_descriptor(void)
{
    struct rlimit limit;
    if (!lowest && getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        rlim_t n = limit.rlim_cur < 4 * MAX_KNOWN ? limit.rlim_cur : 4 * MAX_KNOWN;
        lowest = (int)(n - n / 4);
    }
    return lowest;
}

static bool is_known(int fd)
{
    return fd >= lowest && fd - lowest < MAX_KNOWN;
}

static bool is_open(int fd, uint64_t wanted)
{
    uint64_t id = 0;
    return ioctl(fd, PERF_EVENT_IOC_ID, &id) == 0 && id == wanted;
}

int tnd_perf_event_open(struct tnd_perf_event *event, struct perf_event_attr *attr, int group)
{
    event->fd = -1;
    attr->size = sizeof *attr;
    long low = syscall(SYS_perf_event_open, attr, 0, -1, group, PERF_FLAG_FD_CLOEXEC);
    if (low < 0)
        return errno;
    int fd = fcntl((int)low, F_DUPFD_CLOEXEC, lowest_descriptor()), error = errno;
    syscall(SYS_close, (int)low);
    if (fd < 0)
        return error;
    if (ioctl(fd, PERF_EVENT_IOC_ID, &event->id) != 0) {
        error = errno;
        syscall(SYS_close, fd);
        return error;
    }
    event->fd = fd;
    if (is_known(fd)) {
        known[fd - lowest].is_clock = false;
        known[fd - lowest].id = event->id;
    }
    return 0;
}

bool tnd_perf_event_is_open(const struct tnd_perf_event *event)
{
    return event->fd >= 0 && is_open(event->fd, event->id);
}

void tnd_perf_event_close(struct tnd_perf_event *event)
{
    if (tnd_perf_event_is_open(event)) {
        if (is_known(event->fd))
            known[event->fd - lowest].id = 0;
        syscall(SYS_close, event->fd);
    }
    event->fd = -1;
}

void tnd_perf_event_be_clock(const struct tnd_perf_event *event)
{
    if (is_known(event->fd))
        known[event->fd - lowest].is_clock = true;
}

void tnd_perf_event_switch_clocks(bool on)
{
    for (int i = 0; i < MAX_KNOWN; i++)
        if (known[i].id && known[i].is_clock && is_open(lowest + i, known[i].id))
            ioctl(lowest + i, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

void tnd_perf_event_forget(void)
{
    for (int i = 0; i < MAX_KNOWN; i++) {
        if (known[i].id && is_open(lowest + i, known[i].id))
            syscall(SYS_close, lowest + i);
        known[i].id = 0;
    }
}

const struct perf_event_mmap_page *tnd_perf_event_map(const struct tnd_perf_event *event)
{
    long page = syscall(SYS_mmap, NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, event->fd, 0);
    return page == -1 ? NULL : (const struct perf_event_mmap_page *)page;
}

void tnd_perf_event_unmap(const struct perf_event_mmap_page *page)
{
    syscall(SYS_munmap, page, sysconf(_SC_PAGESIZE));
}
