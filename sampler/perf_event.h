/* SPDX-License-Identifier: Apache-2.0
 *
 * Descriptors of perf events: opened out of the way of the program's, known by number and id, because a program may
 * close all descriptors that there are (daemons do) and a forked child must let go of its parent's.
 *
 * Context: system calls only.
 */
#ifndef TND_PERF_EVENT_H
#define TND_PERF_EVENT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

struct tnd_perf_event {
    int fd; /* -1: not open */
    uint64_t id;
};

/* Opens an event of the calling thread, in the group whose leader's descriptor is `group` (-1: a group of its own).  0
 * or an errno. */
int tnd_perf_event_open(struct tnd_perf_event *event, struct perf_event_attr *attr, int group);

/* Closes it, if the descriptor is still its own. */
void tnd_perf_event_close(struct tnd_perf_event *event);

/* Whether the descriptor is still the event's.  A system call. */
bool tnd_perf_event_is_open(const struct tnd_perf_event *event);

/* Its page of figures, to be read; NULL: there is none.  Not counted among what the program maps. */
const struct perf_event_mmap_page *tnd_perf_event_map(const struct tnd_perf_event *event);
void tnd_perf_event_unmap(const struct perf_event_mmap_page *page);

/* An event whose signals are the sampling clock's: switched with all those of the process, in any thread. */
void tnd_perf_event_be_clock(const struct tnd_perf_event *event);
void tnd_perf_event_switch_clocks(bool on);

/* In a forked child: closes its copies of all that its parent had open. */
void tnd_perf_event_forget(void);

#endif
